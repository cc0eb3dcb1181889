import Notes

/// Boxes whose few names meet often.
struct RandomBox {
  private static let words = [
    "a", "A", "b", "ż", "z", "Żó", "zo", "a b", "a.md", "kqzmvtrp", "C#", "x/y", "ß", "ss",
  ]
  private static let folders = ["", "a/", "b/", "A/", "a/b/", "ż/"]
  var random: SplitMix64

  mutating func pick(_ items: [String]) -> String { items[Int.random(in: items.indices, using: &random)] }
  mutating func chance(_ number: Int) -> Bool { Int.random(in: 0..<number, using: &random) == 0 }

  mutating func name() -> String {
    chance(3) ? pick(Self.folders) + pick(Self.words) : pick(Self.words)
  }

  mutating func link() -> String {
    let prefix = pick(["", "", "", "./", "../", "/", "../../"])
    let target = prefix + name() + pick(["", "", ".md", ".markdown", "#h", "#", "?q"])
    return switch Int.random(in: 0..<5, using: &random) {
    case 0: "[x](<\(target)>)"
    case 1: "![[\(target)|label]]"
    case 2: "\n\n[l]: <\(target)>\n\n"
    default: "[[\(target)]]"
    }
  }

  mutating func note(_ path: String) -> Note {
    var lines: [String] = []
    if chance(3) { lines.append("id: \(chance(3) ? "kqzmvtrp" : pick(["bcdfghjk", "a", "zo"]))") }
    if chance(2) { lines.append("title: '\(name())'") }
    if chance(4) { lines.append("aliases: ['\(name())', '\(name())']") }
    if chance(4) { lines.append("up: '\(link().split(separator: "\n").joined())'") }
    let head = lines.isEmpty ? "" : "---\n" + lines.joined(separator: "\n") + "\n---\n"
    let links = (0..<Int.random(in: 0..<4, using: &random)).map { _ in link() }
    let heading = chance(4) ? "# \(name())\n\n" : ""
    let text = NoteText(Array((head + heading + links.joined(separator: " ")).utf8))
    return Note(path: Array(path.utf8), text: text)
  }

  mutating func notes() -> [Note] {
    var paths: Set<String> = []
    for _ in 0..<Int.random(in: 1...12, using: &random) {
      let stem = pick(Self.folders) + pick(Self.words.filter { !$0.contains("/") })
      paths.insert(stem + pick([".md", ".md", ".markdown"]))
    }
    return paths.sorted().map { note($0) }
  }
}
