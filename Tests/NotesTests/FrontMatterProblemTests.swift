import SlipboxTesting
import Testing

@testable import Notes

@Suite struct FrontMatterProblemTests {
  struct Row: CustomTestStringConvertible {
    let file: String
    let line: Int
    let column: Int
    let part: String
    var testDescription: String { file.debugDescription }
  }

  static let rows: [Row] = [
    Row(file: "---\ntitle: a: b\n---\n", line: 2, column: 9, part: "quotes"),
    Row(file: "---\na: b\nc: é: d\n---\n", line: 3, column: 5, part: "quotes"),
    Row(file: "\u{FEFF}---\r\na: b\r\nc: é: d\r\n---\r\n", line: 3, column: 5, part: "quotes"),
    Row(file: "---\na: @name\n---\n", line: 2, column: 4, part: "can't begin"),
    Row(file: "---\na: `x`\n---\n", line: 2, column: 4, part: "can't begin"),
    Row(file: "---\na:\n\t- b\n---\n", line: 3, column: 1, part: "tab"),
    Row(file: "---\na: |\n\tb\n---\n", line: 3, column: 1, part: "tab"),
    Row(file: "---\na: [[A]], [[B]]\n---\n", line: 2, column: 9, part: "did not find expected key"),
    Row(file: "---\na: \"b\n---\n", line: 2, column: 4, part: "not closed"),
    Row(file: "---\na: [b\nc: d\n---\n", line: 3, column: 2, part: ","),
    Row(file: "---\na: b\n  c: d\n---\n", line: 3, column: 4, part: "quotes"),
    Row(file: "---\na: b\n c\nd\n---\n", line: 5, column: 1, part: "key:"),
    Row(file: "---\njust text\n---\n", line: 2, column: 1, part: "top of the block"),
    Row(file: "---\n- a\n- b\n---\n", line: 2, column: 1, part: "top of the block"),
    Row(file: "---\n~\n---\n", line: 2, column: 1, part: "top of the block"),
    Row(file: "---\na: b\nc: d\na: e\n---\n", line: 4, column: 1, part: "'a' occurs twice here"),
    Row(file: "---\na: b\n\"a\": c\n---\n", line: 3, column: 1, part: "twice"),
    Row(file: "---\na: b\n--- c\n---\n", line: 3, column: 1, part: "several documents"),
    Row(file: "---\n--- # x\na: b\n---\n", line: 2, column: 1, part: "several documents"),
    Row(file: "---\na: b\n... # x\n---\n", line: 3, column: 1, part: "several documents"),
    Row(file: "---\n%YAML 1.1\n--- # x\na: b\n---\n", line: 2, column: 1, part: "several documents"),
    Row(file: "---\na: b\nBody\n", line: 1, column: 1, part: "without a closing line"),
    Row(file: "\u{FEFF}---\na: b\nBody\n", line: 1, column: 1, part: "without a closing line"),
    Row(file: "+++\na = 1\n+++\n", line: 2, column: 1, part: "TOML"),
    Row(file: "{\"a\": 1}\ntext\n", line: 1, column: 1, part: "JSON"),
    Row(file: "+++\na = 1\nBody\n", line: 1, column: 1, part: "without a closing line"),
    Row(file: "---\na: b\0\n---\n", line: 2, column: 5, part: "NUL"),
    Row(file: "---\na: b\n---\nBody\0\n", line: 4, column: 5, part: "NUL"),
    Row(file: "B\0o\0d\0y\0", line: 1, column: 2, part: "NUL"),
    Row(file: "\0Body\n", line: 1, column: 1, part: "NUL"),
    Row(file: "---\na: b\u{1B}[0m\n---\n", line: 2, column: 5, part: "control"),
    Row(file: "---\na: bcdef\u{1B}\n---\n", line: 2, column: 9, part: "control"),
    Row(file: "---\na: bcdef\u{7F}ghijklmn\n---\n", line: 2, column: 9, part: "control"),
    Row(file: "---\na: b\u{FEFF}\n---\n", line: 2, column: 5, part: "control"),
    Row(file: "---\na: b\u{FFFE}\n---\n", line: 2, column: 5, part: "control character, which YAML"),
    Row(file: "---\na: b\u{9F}\n---\n", line: 2, column: 5, part: "control"),
    Row(file: "---\na: \"\\q\"\n---\n", line: 2, column: 5, part: "escape"),
  ]

  @Test(arguments: rows) func givesLineAndColumn(_ row: Row) throws {
    let text = NoteText(row.file)
    let front = FrontMatter(text)
    let problem = try #require(front.problems.first)
    #expect(problem.severity == .error)
    #expect(problem.line == row.line && problem.column == row.column, "\(problem)")
    #expect(problem.message.contains(row.part), "\(problem)")
    #expect(!front.isWritable)
    expectRefused(text, problem)
  }

  @Test func refusesBytesThatAreNotUTF8() throws {
    let latin = Array("---\ntitle: Caf".utf8) + [0xE9] + Array("\ntags: [a]\n---\n".utf8)
    let front = FrontMatter(NoteText(latin))
    let problem = try #require(front.problems.first)
    #expect((problem.line, problem.column) == (2, 11))
    #expect(front["tags"] == .texts("a"))
    expectRefused(NoteText(latin), problem)
    let body = NoteText(Array("---\na: [b]\n---\n".utf8) + [0xFF, 0xFE])
    #expect(FrontMatter(body)["a"] == .texts("b"))
    #expect(FrontMatter(body).problems.first?.line == 4)
  }

  @Test func showsWhatCanBeMadeOut() {
    let block = "title: a: b\ntags: [x, y]\n  odd\nq: \"open\nlist:\n  - a\n  - b\n- c\nlast:\n"
    let front = FrontMatter(note(block))
    #expect(front.fields.map(\.name) == ["title", "tags", "q", "list", "last"])
    #expect(front["title"] == .text("a: b"))
    #expect(front["tags"] == .texts("x", "y"))
    #expect(front["q"] == .text("\"open"))
    #expect(front["last"] == .empty)
    #expect(front.fields.allSatisfy { !$0.isEditable })
    #expect(front.fields.map(\.line) == [2, 3, 5, 6, 10])
  }

  @Test(arguments: [
    ("title: a: b  \n", "title=a: b"), ("x: y\n%\n", "x=y"),
    ("%\na: *x\nb: &y z\nc: !t z\nd: |\ne: >\nf: @g\n", "f=@g"),
  ]) func `shows lines as typed, without blanks at their end`(_ block: String, _ expected: String) {
    let front = FrontMatter(note(block))
    #expect(!front.problems.isEmpty)
    #expect(front.fields.map { "\($0.name)=\($0.value.text ?? "")" }.joined(separator: "|") == expected)
  }

  @Test func showsSimpleTOML() {
    let block =
      "+++\n# c\ntitle = \"a \\\"b\\\"\" # d\ndate = 2026-11-21\ntags = ['x', \"y\"]\nx.y = 1\n\n[more]\nz = 1\n+++\n"
    let front = FrontMatter(NoteText(block))
    #expect(front.fields.map(\.name) == ["title", "date", "tags"])
    #expect(front.fields.map(\.value) == [.text("a \"b\""), .text("2026-11-21"), .texts("x", "y")])
    #expect(front.fields.map(\.line) == [3, 4, 5])
    #expect(front.fields.allSatisfy { !$0.isEditable })
  }

  @Test func `shows the fields of JSON`() {
    let text = NoteText("{ \"title\" : \"a } b\",\n \"draft\": true, \"tags\": [\"x\", \"y\"]}\n\nText\n")
    let front = FrontMatter(text)
    #expect(text.format == .json && text.body == text.bytes.count - 6..<text.bytes.count)
    #expect(front.fields.map(\.name) == ["title", "draft", "tags"])
    #expect(front.fields.map(\.value) == [.text("a } b"), .text("true"), .texts("x", "y")])
    #expect(front.fields.allSatisfy { !$0.isEditable } && !front.isWritable)
  }

  @Test(arguments: [
    "{{< figure >}}\n", "{\"a\": 1} text\n", "{\"a\": 1\n", "{a: 1}\n", "{}\n", "text {\"a\": 1}\n",
    "{\"a\"}\n",
  ]) func `does not read other braces as front matter`(file: String) {
    #expect(NoteText(file).format == .none)
  }

  private func expectRefused(_ text: NoteText, _ problem: Problem) {
    #expect(throws: EditError.unreadable(problem)) { try text.setting("new", to: .text("x")) }
    #expect(throws: EditError.unreadable(problem)) { try text.clearing("a") }
    #expect(throws: EditError.unreadable(problem)) { try text.adding("x", to: "tags") }
    #expect(throws: EditError.unreadable(problem)) { try text.removing("x", from: "tags") }
  }
}

/// Sizes and depths meant to hurt; each must end soon, so times are not measured.
@Suite struct FrontMatterLimitsTests {
  @Test func refusesTooLongBlocks() {
    let block = String(repeating: "# comment\n", count: 110_000)
    let front = FrontMatter(note("a: b\n" + block))
    #expect(front.problems.first?.message.contains("1 MB") == true)
    #expect(front.fields.isEmpty)
  }

  /// A field that is not there has no line: the error names the first line of the file.
  @Test(arguments: [("a", 2), ("new", 1)])
  func `refuses an edit that makes a block too long`(_ name: String, _ line: Int) throws {
    let text = note("a: b\n" + String(repeating: "# comment\n", count: 104_850))
    #expect(FrontMatter(text).isWritable)
    #expect(
      throws: EditError.opaque(
        field: name, line: line, reason: "the change would alter other parts of the note")
    ) {
      try text.setting(name, to: .text(String(repeating: "x", count: 200)))
    }
  }

  @Test func readsUpTo64Levels() {
    for (depth, isRead) in [(63, true), (64, false), (10_000, false)] {
      let list = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
      let front = FrontMatter(note("a: \(list)\n"))
      #expect(front.problems.isEmpty == isRead)
      #expect(isRead || front.problems.first?.message.contains("64") == true)
    }
    let block = (0..<200).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
    #expect(FrontMatter(note(block)).problems.first?.line == 66)
  }

  @Test func tabsThatIndentStayFaults() {
    for block in ["a: |\n\tb\n", "a: |\n  b\n\tc\n", "a:\n\tb: c\n", "a:\n  b: |\n  \tc\n"] {
      #expect(!FrontMatter(note(block)).problems.isEmpty, "\(block)")
    }
    let many = (0..<40).map { "k\($0): |\n \tx\n" }.joined()
    #expect(!FrontMatter(note(many)).problems.isEmpty)
  }

  @Test func aliasesBringNoMoreThanABound() {
    var block = "a0: &a0 [x, x]\n"
    for level in 1...60 { block += "a\(level): &a\(level) [*a\(level - 1), *a\(level - 1)]\n" }
    let front = FrontMatter(note(block))
    #expect(front.problems.isEmpty)
    #expect(front["a1"] == .list([.texts("x", "x"), .texts("x", "x")]))
    #expect(front["a60"] == .texts("*a59", "*a59"))
    #expect(front.fields.map { Self.count($0.value) }.reduce(0, +) < 100_000)
    let chain = "a0: &a0 [x]\n" + (1...200).map { "a\($0): &a\($0) [*a\($0 - 1)]\n" }.joined()
    #expect(FrontMatter(note(chain)).fields.map { Self.depth($0.value) }.max() ?? 0 < 70)
    #expect(front.fields.allSatisfy { !$0.isEditable })
  }

  @Test func `aliases of a long text bring no more than a bound`() {
    let aliases = (1...2_000).map { "k\($0): *a\n" }.joined()
    let front = FrontMatter(note("a: &a \(String(repeating: "x", count: 1_000))\n" + aliases))
    #expect(front.problems.isEmpty)
    #expect(front["k1"] == front["a"])
    #expect(front["k2000"] == .text("*a"))
    #expect(front.fields.map { $0.value.text?.utf8.count ?? 0 }.reduce(0, +) < 100_000)
  }

  @Test(arguments: [
    "a: " + String(repeating: "[", count: 200_000), String(repeating: "- ", count: 100_000),
    String(repeating: "? ", count: 100_000), String(repeating: "a: ", count: 60_000),
    "a: " + String(repeating: "&a ", count: 60_000), "a: \"" + String(repeating: "\\", count: 100_001),
    "a: [" + String(repeating: "b, ", count: 60_000), "a: '" + String(repeating: "''\n ", count: 40_000),
  ])
  func refusesSoon(_ block: String) {
    #expect(!FrontMatter(note(block + "\n")).problems.isEmpty)
  }

  @Test func readsManyKeys() {
    let lines = (0..<10_000).map { "k\($0): v" }
    let text = note(lines.joined(separator: "\n") + "\n")
    #expect(FrontMatter(text).fields.count == 10_000)
    let joined = note("{" + lines.joined(separator: ", ") + "}\n")
    #expect(FrontMatter(joined).fields.count == 10_000)
    let empty = "{" + (0..<100_000).map { "k\($0)" }.joined(separator: ",") + "}\n"
    #expect(FrontMatter(note(empty)).fields.count == 100_000)
    #expect(FrontMatter(note("a: " + empty)).problems.isEmpty)
    let twice = note((lines + ["k9: v"]).joined(separator: "\n") + "\n")
    #expect(FrontMatter(twice).problems.first?.line == 10_002)
  }

  private static func count(_ value: FieldValue) -> Int {
    guard case .list(let elements) = value else { return 1 }
    return elements.reduce(1) { $0 + count($1) }
  }

  private static func depth(_ value: FieldValue) -> Int {
    guard case .list(let elements) = value else { return 0 }
    return 1 + (elements.map(depth).max() ?? 0)
  }
}
