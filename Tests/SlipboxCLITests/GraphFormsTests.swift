import Foundation
import SlipboxTesting
import Testing

/// Graphs in forms for other programs, of notes whose titles try to break out of them.
@Suite struct GraphFormsTests {
  private static let titles = [
    "</script><script>alert(1)</script>", "<!-- --> & &lt; <img src=x onerror=alert(1)>",
    "quote \" and \\\" done",
    "ends with \\", "\\N \\G \\l", "]]> ' ; -> { } [ ]", "bell \u{7} escape \u{1B}[31m",
    "line\u{2028}end\u{2029}.",
    "\u{202E}right to left", "日本語 👩‍💻", "__proto__", "constructor", "a\ttab",
  ]

  private let shell: Shell

  init() throws {
    shell = try Shell()
    for (number, title) in Self.titles.enumerated() {
      let json = try JSONSerialization.data(withJSONObject: [title])
      let quoted = String(decoding: json.dropFirst().dropLast(), as: UTF8.self)
      let tag = try JSONSerialization.data(withJSONObject: ["t\(number)</script>"])
      try shell.folder.write(
        "n\(number).md",
        "---\ntitle: \(quoted.replacing("\\/", with: "/"))\ntags: \(String(decoding: tag, as: UTF8.self).replacing("\\/", with: "/"))\n---\n"
          + "[[n\((number + 1) % Self.titles.count)]]\n")
    }
    try shell.folder.write("odd \"name\\.md", "[[n0]]\n")
    #expect(try shell.sh("slip init -q").status == 0)
  }

  /// The titles as slip itself reads them.
  private func listed() throws -> Set<String> {
    let list = try shell.sh("slip list --json").output
    let object = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String: Any]
    let notes = try #require(object?["notes"] as? [[String: Any]])
    return Set(notes.compactMap { $0["title"] as? String }.map(Self.onOneLine))
  }

  private static func onOneLine(_ title: String) -> String {
    let blanks: [Unicode.Scalar] = ["\t", "\u{2028}", "\u{2029}"]
    return String(String.UnicodeScalarView(title.unicodeScalars.map { blanks.contains($0) ? " " : $0 }))
  }

  @Test func theTitlesAreWhatTheyAre() throws {
    #expect(Set(Self.titles.map(Self.onOneLine)).isSubset(of: try listed()))
  }

  @Test func jsonHoldsAllOfThem() throws {
    let output = try shell.sh("slip graph --json").output
    let graph = try #require(try JSONSerialization.jsonObject(with: Data(output.utf8)) as? [String: Any])
    let nodes = try #require(graph["nodes"] as? [[String: Any]])
    let edges = try #require(graph["edges"] as? [[String: Any]])
    #expect(Set(nodes.compactMap { $0["title"] as? String }.map(Self.onOneLine)) == (try listed()))
    #expect(nodes.count == Self.titles.count + 1 && edges.count == Self.titles.count + 1)
    let paths = Set(nodes.compactMap { $0["path"] as? String })
    #expect(
      edges.allSatisfy {
        paths.contains($0["source"] as? String ?? "") && paths.contains($0["target"] as? String ?? "")
      })
  }

  @Test func thePageRunsNothingOfThem() throws {
    let page = try shell.sh("slip graph --html").output
    #expect(page.components(separatedBy: "<script").count == 3)
    #expect(page.components(separatedBy: "</script>").count == 3)
    let start = try #require(page.range(of: "<script type=\"application/json\" id=\"data\">"))
    let end = try #require(page.range(of: "</script>", range: start.upperBound..<page.endIndex))
    let json = page[start.upperBound..<end.lowerBound]
    #expect(!json.contains { "<>&".contains($0) })
    let data = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    let nodes = try #require(data["nodes"] as? [[String: Any]])
    #expect(Set(nodes.compactMap { $0["title"] as? String }.map(Self.onOneLine)) == (try listed()))
    #expect(nodes.contains { ($0["url"] as? String)?.hasSuffix("/odd%20%22name%5C.md") == true })
    #expect(!page.contains("src=\"") && !page.contains("@import") && !page.contains("url("))
  }

  /// The page lets run what it holds, and nothing else.
  @Test func thePolicyNamesTheScriptAndTheStyle() throws {
    try shell.folder.write("page.html", try shell.sh("slip graph --html").output)
    let page = String(decoding: try #require(shell.folder.read("page.html")), as: UTF8.self)
    for (tag, directive) in [("<script>", "script-src"), ("<style>", "style-src")] {
      let start = try #require(page.range(of: tag))
      let end = try #require(
        page.range(of: tag.replacing("<", with: "</"), range: start.upperBound..<page.endIndex))
      try shell.folder.write("part", String(page[start.upperBound..<end.lowerBound]))
      let sum = try shell.sh("sha256sum part | cut -c1-64 | xxd -r -p | base64").output.trimmingCharacters(
        in: .newlines)
      guard !sum.isEmpty else { continue }
      #expect(page.contains("\(directive) 'sha256-\(sum)'"))
    }
    #expect(page.contains("content=\"default-src 'none'; script-src 'sha256-"))
  }

  @Test func dotIsReadBack() throws {
    let dot = try shell.sh("slip graph --dot").output
    var labels: [String] = []
    var edges = 0
    for line in dot.split(separator: "\n") where line.hasPrefix("  \"") {
      let words = try #require(Self.strings(in: line), "\(line)")
      if line.contains(" -> ") && words.count >= 2 && words.outside.contains("->") {
        edges += 1
      } else {
        labels.append(words.texts[1])
      }
      #expect(line.hasSuffix(";"))
    }
    #expect(labels.count == Self.titles.count + 1 && edges == Self.titles.count + 1)
    #expect(
      Set(labels).isSuperset(
        of: Self.titles.filter { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value < 0x2000 } }))
    #expect(!dot.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" })
  }

  @Test(.enabled(if: Machine.has("dot"), "needs graphviz")) func graphvizReadsTheDot() throws {
    #expect(try shell.sh("slip graph --dot | dot -Tcanon >canon").status == 0)
  }

  private struct Strings {
    var texts: [String] = []
    var outside = ""
    var count: Int { texts.count }
  }

  /// The quoted texts of a line of DOT, unescaped, and what stands outside of them; nil where a quote is left open.
  private static func strings(in line: Substring) -> Strings? {
    var found = Strings()
    var text: String?
    var isEscaped = false
    for character in line {
      if text == nil {
        if character == "\"" { text = "" } else { found.outside.append(character) }
      } else if isEscaped {
        text?.append(character)
        isEscaped = false
      } else if character == "\\" {
        isEscaped = true
      } else if character == "\"" {
        found.texts.append((text ?? "").replacing("&amp;", with: "&"))
        text = nil
      } else {
        text?.append(character)
      }
    }
    return text == nil ? found : nil
  }
}
