import SlipboxTesting
import Testing

@testable import SlipboxLSP

struct OpenDocumentTests {
  private static func document(_ text: String, _ encoding: PositionEncoding = .utf16) -> OpenDocument {
    OpenDocument(
      uri: "file:///x.md", path: Array("/x.md".utf8), version: 1, bytes: Array(text.utf8), encoding: encoding)
  }

  private static func change(_ start: (Int, Int), _ end: (Int, Int), _ text: String) -> ContentChange {
    ContentChange(
      range: PositionRange(
        start: Position(line: start.0, character: start.1), end: Position(line: end.0, character: end.1)),
      text: text)
  }

  @Test func changesAreMadeOneAfterAnother() {
    let document = Self.document("one\ntwo\n").applying(
      [Self.change((0, 3), (1, 0), " "), Self.change((0, 7), (0, 7), "!")], version: 2)
    #expect(String(decoding: document.bytes, as: UTF8.self) == "one two!\n")
    #expect(document.version == 2)
  }

  @Test func aChangeWithoutARangeIsTheWholeText() {
    let document = Self.document("one").applying([ContentChange(range: nil, text: "zwei")], version: 2)
    #expect(String(decoding: document.bytes, as: UTF8.self) == "zwei")
  }

  @Test(arguments: PositionEncoding.allCases) func changesOfPartsEqualThoseOfAnotherProgram(
    encoding: PositionEncoding
  ) {
    for seed in 0..<50 {
      var random = SplitMix64(seed: UInt64(seed))
      let letters = ["a", "\u{E9}", "\u{1F600}", "\n", "\r\n", "[[", "]]", " "]
      var text = Array("first\nsecond \u{1F600}\n".utf8)
      var document = Self.document(String(decoding: text, as: UTF8.self), encoding)
      for version in 2..<30 {
        let lines = LineTable(text, encoding)
        let line = Int.random(in: 0..<lines.count, using: &random)
        let last = Int.random(in: line..<min(lines.count, line + 2), using: &random)
        let (start, end) = (
          Position(line: line, character: Int.random(in: 0..<8, using: &random)),
          Position(line: last, character: Int.random(in: 0..<8, using: &random))
        )
        let offsets = lines.offsets(of: PositionRange(start: start, end: end))
        let new = (0..<3).map { _ in letters[Int.random(in: letters.indices, using: &random)] }.joined()
        text.replaceSubrange(offsets, with: new.utf8)
        document = document.applying(
          [ContentChange(range: PositionRange(start: start, end: end), text: new)], version: version)
        #expect(document.bytes == text)
      }
    }
  }
}

struct TextDifferenceTests {
  @Test(arguments: 0..<300) func editsMakeTheNewTextAndTouchNothingElse(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let words = ["one", "two\n", "\u{E9}\n", "\r\n", "\u{1F600}", "---\n", "[[a]]", " "]
    func text(_ count: Int) -> [UInt8] {
      Array((0..<count).map { _ in words[Int.random(in: words.indices, using: &random)] }.joined().utf8)
    }
    let old = text(20)
    var new = old
    let cuts = (0..<2).map { _ in Int.random(in: 0...old.count, using: &random) }.sorted()
    new.replaceSubrange(cuts[0]..<cuts[1], with: text(2))
    guard String(validating: new, as: UTF8.self) != nil else { return }
    for encoding in PositionEncoding.allCases {
      let lines = LineTable(old, encoding)
      let edits = TextDifference.edits(from: old, to: new, lines)
      #expect(Self.applying(edits, to: old, lines) == new)
      #expect(edits.allSatisfy { !$0.newText.isEmpty || $0.range.start != $0.range.end })
    }
  }

  /// The text after edits, which all are of the text before.
  static func applying(_ edits: [TextEdit], to text: [UInt8], _ lines: LineTable) -> [UInt8] {
    var result = text
    for edit in edits.sorted(by: { $1.range.start < $0.range.start }) {
      result.replaceSubrange(lines.offsets(of: edit.range), with: edit.newText.utf8)
    }
    return result
  }
}
