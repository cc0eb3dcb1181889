import SlipboxTesting

@testable import Notes

/// Makes random notes whose front-matter is valid YAML, in every style that notes are written in.
struct FrontMatterGenerator {
  private var random: SplitMix64
  private var lineEnd = "\n"

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  static let texts = [
    "a", "Fix the bug", "it's", "say \"hi\"", "no", "012", "12:30", "2026-11-21", "true", "~", "", " ",
    "a: b", "#x",
    "x #y", "[[Link]]", "👩‍👩‍👧 family", "שלום עולם", "e\u{301}é", "a, b", "tab\there", "two\nlines", "\\", "'",
    "\"", "-",
    "- x", "?", "@name", "%", "`", "ends:", "https://x.y/z#q", "4", "-4.5", "null", "\u{2028}", "\u{1}",
    "日本語", "|", ">",
    "{{date}}", "Tag 1", "work/clients", "a]b", "a}b", "*", "&", "!", "\u{FEFF}", "\u{85}", "a\\nb",
  ]

  mutating func text() -> String { Self.texts.randomElement(using: &random) ?? "" }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func pick<Element>(_ elements: [Element]) -> Element? { elements.randomElement(using: &random) }

  /// A note with up to nine fields.
  mutating func note() -> NoteText {
    lineEnd = chance(25) ? "\r\n" : "\n"
    var names = ["id", "title", "tags", "aliases", "created", "status", "größe", "with blank", "ключ", "a-b"]
    names.shuffle(using: &random)
    var block = ""
    for name in names.prefix(Int.random(in: 0..<10, using: &random)) {
      block += separators()
      block += field(name)
    }
    block += separators()
    let start = (chance(10) ? "\u{FEFF}" : "") + "---" + (chance(10) ? " " : "") + lineEnd
    let body = pick(["", "Body", "Body\n", "\n# Title\r\n\ntext 😀", "---\nrule\n---\n"]) ?? ""
    let end = (chance(10) ? "..." : "---") + (body.isEmpty && chance(50) ? "" : lineEnd)
    return NoteText(start + block + end + body)
  }

  private mutating func separators() -> String {
    var lines = ""
    if chance(15) { lines += (pick(["# comment", "  # indented: 'x", "#"]) ?? "") + lineEnd }
    if chance(10) { lines += (pick(["", "  "]) ?? "") + lineEnd }
    return lines
  }

  private mutating func field(_ name: String) -> String {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: return "\(name):" + comment() + lineEnd
    case 1, 2: return "\(name): " + flowList() + comment() + lineEnd
    case 3, 4: return "\(name):" + comment() + lineEnd + blockList()
    case 5: return "\(name): |-" + lineEnd + "  literal: text" + lineEnd + "  # no comment" + lineEnd
    case 6 where chance(50): return "\(name):" + lineEnd + "  nested: " + scalar() + lineEnd
    case 7 where chance(30): return "\(name): \"two" + lineEnd + "  lines\"" + comment() + lineEnd
    case 8 where chance(30): return "\(name): [a," + lineEnd + "  'b' ]" + comment() + lineEnd
    default: return "\(name):" + (chance(10) ? "   " : " ") + scalar() + comment() + lineEnd
    }
  }

  private mutating func comment() -> String { chance(15) ? "  # c: \"d" : "" }

  private mutating func scalar(inFlow: Bool = false) -> String {
    let style = pick([ScalarStyle.plain, .plain, .single, .double]) ?? .plain
    let place: YAMLScalar.Place = inFlow ? .flowElement : .value
    return String(decoding: YAMLScalar.write(text(), in: place, like: style), as: UTF8.self)
  }

  private mutating func flowList() -> String {
    let count = Int.random(in: 0..<4, using: &random)
    let elements = (0..<count).map { _ in scalar(inFlow: true) }
    let pad = chance(20) ? " " : ""
    return "[" + pad + elements.joined(separator: pick([", ", ",", " , "]) ?? ",") + pad + "]"
  }

  private mutating func blockList() -> String {
    let indentation = pick(["", "  ", "    "]) ?? ""
    var lines = ""
    for _ in 0...Int.random(in: 0..<3, using: &random) {
      lines += indentation + "- " + scalar() + comment() + lineEnd
      if chance(10) { lines += "   # between" + lineEnd }
    }
    return lines
  }
}
