import SlipboxTesting
import Testing

@testable import Notes

@Suite struct NoteTextTests {
  struct Row: CustomTestStringConvertible {
    let file: String
    let format: NoteText.Format
    let inner: String?
    let body: String
    var isUnclosed = false
    var testDescription: String { file.debugDescription }
  }

  static let rows: [Row] = [
    Row(file: "", format: .none, inner: nil, body: ""),
    Row(file: "Body\n", format: .none, inner: nil, body: "Body\n"),
    Row(file: "---\na: b\n---\nBody\n", format: .yaml, inner: "a: b\n", body: "Body\n"),
    Row(file: "---\na: b\n...\nBody", format: .yaml, inner: "a: b\n", body: "Body"),
    Row(file: "---\na: b\n---", format: .yaml, inner: "a: b\n", body: ""),
    Row(file: "--- \t\r\na: b\r\n---\t \r\n\r\nx", format: .yaml, inner: "a: b\r\n", body: "\r\nx"),
    Row(file: "\u{FEFF}---\na: b\n---\nx", format: .yaml, inner: "a: b\n", body: "x"),
    Row(file: "\u{FEFF}x", format: .none, inner: nil, body: "x"),
    Row(file: "---\n---\nx", format: .yaml, inner: "", body: "x"),
    Row(file: "---\n---", format: .yaml, inner: "", body: ""),
    Row(file: "---\na: |\n  ---\n  x\n---\ny", format: .yaml, inner: "a: |\n  ---\n  x\n", body: "y"),
    Row(file: "---\na: b\n----\n---x\n---\ny", format: .yaml, inner: "a: b\n----\n---x\n", body: "y"),
    Row(file: "---\na: b\n---\n---\nc: d\n---\n", format: .yaml, inner: "a: b\n", body: "---\nc: d\n---\n"),
    Row(file: "+++\na = 1\n+++\nx", format: .toml, inner: "a = 1\n", body: "x"),
    Row(file: "+++\na = 1\n---\nx", format: .toml, inner: nil, body: "+++\na = 1\n---\nx", isUnclosed: true),
    Row(file: "---\na: b\nBody\n", format: .yaml, inner: nil, body: "---\na: b\nBody\n", isUnclosed: true),
    Row(
      file: "---\ncreation date: x\n", format: .yaml, inner: nil, body: "---\ncreation date: x\n",
      isUnclosed: true),
    Row(
      file: "---\nA rule before a body.\n", format: .none, inner: nil, body: "---\nA rule before a body.\n"),
    Row(file: "---\n\nBody: text\n", format: .none, inner: nil, body: "---\n\nBody: text\n"),
    Row(file: "---\n    code: x\n", format: .none, inner: nil, body: "---\n    code: x\n"),
    Row(file: "---", format: .none, inner: nil, body: "---"),
    Row(file: "---\n", format: .none, inner: nil, body: "---\n"),
    Row(file: "...\na: b\n...\n", format: .none, inner: nil, body: "...\na: b\n...\n"),
    Row(file: " ---\na: b\n---\n", format: .none, inner: nil, body: " ---\na: b\n---\n"),
    Row(file: "----\na: b\n----\n", format: .none, inner: nil, body: "----\na: b\n----\n"),
    Row(file: "\n---\na: b\n---\n", format: .none, inner: nil, body: "\n---\na: b\n---\n"),
    Row(file: "Title\n---\na: b\n---\n", format: .none, inner: nil, body: "Title\n---\na: b\n---\n"),
  ]

  @Test(arguments: rows) func findsFrontMatterAndBody(_ row: Row) {
    let text = NoteText(row.file)
    #expect(text.format == row.format)
    #expect(text.frontMatter.map { String(decoding: text.bytes[$0], as: UTF8.self) } == row.inner)
    #expect(String(decoding: text.bytes[text.body], as: UTF8.self) == row.body)
    #expect(text.isUnclosed == row.isUnclosed)
    expectPartition(text)
  }

  @Test(arguments: [
    ("", "\n"), ("a", "\n"), ("a\nb\r\n", "\n"), ("a\r\nb\n", "\r\n"), ("\n", "\n"), ("a\rb", "\n"),
    ("---\r\na: b\n---\n", "\r\n"),
  ])
  func takesTheFirstLineEnd(_ file: String, _ expected: String) {
    #expect(NoteText(file).lineEnd == Array(expected.utf8))
  }

  @Test(arguments: [(0, false), (1, true), (200, true), (201, false)])
  func `finds front matter below up to 200 lines of text`(_ lines: Int, _ isFound: Bool) {
    let text = String(repeating: "Text\n", count: lines) + "---\na: b\n---\n"
    #expect(NoteText(text).hasLateFrontMatter == isFound)
  }

  @Test(arguments: ["Text\n---\nText\n---\n", "Text\n---\na: b\n", "Text\n\n---", "Text"])
  func `takes no rules for front matter`(_ text: String) { #expect(!NoteText(text).hasLateFrontMatter) }

  @Test func countsPositionsInCharacters() {
    let text = NoteText("\u{FEFF}---\r\nä: 😀b\n")
    #expect(text.position(of: 0) == (1, 1))
    #expect(text.position(of: 3) == (1, 1))
    #expect(text.position(of: 5) == (1, 3))
    #expect(text.position(of: 8) == (2, 1))
    #expect(text.position(of: 10) == (2, 2))
    #expect(text.position(of: 16) == (2, 5))
    #expect(text.position(of: 9999) == (3, 1))
    #expect(text.position(of: -1) == (1, 1))
  }

  @Test func partitionsAnyBytes() {
    var random = SplitMix64(seed: 1)
    let pieces: [[UInt8]] = [
      Array("---".utf8), Array("...".utf8), Array("+++".utf8), [0x0A], [0x0D, 0x0A], [0x0D], [0x20],
      Array("a: b".utf8), [0xEF, 0xBB, 0xBF], [0], [0xFF], Array("é😀".utf8), Array("key = 1".utf8), [0x09],
    ]
    for _ in 0..<4000 {
      let count = Int.random(in: 0..<12, using: &random)
      var bytes = (0..<count).flatMap { _ in pieces.randomElement(using: &random) ?? [] }
      if Bool.random(using: &random) { bytes = Array("---\n".utf8) + bytes }
      let text = NoteText(bytes)
      expectPartition(text)
      let front = FrontMatter(text)
      #expect(front.fields.allSatisfy { $0.span.upperBound <= bytes.count })
    }
  }

  private func expectPartition(_ text: NoteText) {
    let start = text.bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    #expect(text.body.upperBound == text.bytes.count)
    #expect((text.block == nil) == (text.frontMatter == nil))
    #expect((text.block ?? start..<start).lowerBound == start)
    #expect((text.block ?? start..<start).upperBound == text.body.lowerBound)
    guard let block = text.block, let inner = text.frontMatter else { return }
    #expect(block.lowerBound < inner.lowerBound && inner.upperBound < block.upperBound)
  }
}

@Suite struct NoteTextBodyTests {
  @Test(arguments: [
    ("---\na: b\n---\nOld\n", "New", "---\na: b\n---\nNew"),
    ("---\na: b\n---", "New\n", "---\na: b\n---\nNew\n"),
    ("---\r\na: b\r\n---", "New", "---\r\na: b\r\n---\r\nNew"),
    ("---\na: b\n---\nOld\n", "", "---\na: b\n---\n"),
    ("\u{FEFF}Old", "New", "\u{FEFF}New"),
    ("Old", "---\na: b\n---\n", "\n---\na: b\n---\n"),
    ("", "", ""),
  ])
  func replacesTheBody(_ file: String, _ body: String, _ expected: String) {
    #expect(NoteText(file).replacingBody(Array(body.utf8)).string == expected)
  }

  @Test(arguments: [
    ("a\n", "b", "a\nb\n"), ("a", "b\n", "a\nb\n"), ("", "b", "b\n"), ("a\n", "", "a\n"),
    ("a\r\nb", "c\nd\r\ne", "a\r\nb\r\nc\r\nd\r\ne\r\n"), ("a\n", "b\r\nc", "a\nb\nc\n"),
    ("---\na: b\n---", "c", "---\na: b\n---\nc\n"), ("---\na: b\n---\n", "c", "---\na: b\n---\nc\n"),
    ("a\n\n", "b\n\n", "a\n\nb\n\n"), ("a\n", "b\r", "a\nb\r\n"),
    ("\u{E}a\n", "b", "\u{E}a\nb\n"),
  ])
  func appends(_ file: String, _ addition: String, _ expected: String) {
    #expect(NoteText(file).appending(Array(addition.utf8)).string == expected)
  }
}
