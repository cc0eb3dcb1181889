import SlipboxTesting
import Testing

@testable import SlipboxLSP

struct LineTableTests {
  private static let text = "a\u{E9}b\r\n\u{1F600}x\n\n\rend"

  @Test(arguments: [
    (PositionEncoding.utf8, 0, 3, 3), (.utf8, 1, 4, 10), (.utf16, 0, 2, 3), (.utf16, 1, 2, 10),
    (.utf32, 1, 1, 10),
    (.utf16, 1, 3, 11), (.utf16, 2, 0, 12), (.utf16, 3, 0, 13), (.utf16, 4, 3, 17),
  ])
  func aPositionIsAnOffset(encoding: PositionEncoding, line: Int, character: Int, offset: Int) {
    let lines = LineTable(Array(Self.text.utf8), encoding)
    let position = Position(line: line, character: character)
    #expect(lines.offset(of: position) == offset)
    #expect(lines.position(of: offset) == position)
  }

  @Test(arguments: [
    (Position(line: 0, character: 99), 4), (Position(line: 99, character: 0), 17),
    (Position(line: -1, character: 5), 0),
    (Position(line: 1, character: 1), 6), (Position(line: 0, character: -3), 0),
  ])
  func aPositionBeyondTheTextIsItsNearestPlace(position: Position, offset: Int) {
    // The second line begins with two units of UTF-16 for one character.
    #expect(LineTable(Array(Self.text.utf8), .utf16).offset(of: position) == offset)
  }

  @Test func aByteOrderMarkIsNoPartOfTheFirstLine() {
    let lines = LineTable(Array("\u{FEFF}ab".utf8), .utf8)
    #expect(lines.position(of: 3) == Position(line: 0, character: 0))
    #expect(lines.offset(of: Position(line: 0, character: 1)) == 4)
    #expect(lines.whole == lines.range(of: 3..<5))
  }

  @Test(arguments: 0..<200) func everyCharacterHasOnePositionInEachEncoding(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    let letters = ["a", "\u{E9}", "\u{1F600}", "\u{0301}", "\r\n", "\n", "\r", " ", "\u{4E2D}", "[["]
    let text = (0..<40).map { _ in letters[Int.random(in: letters.indices, using: &random)] }.joined()
    let bytes = Array(text.utf8)
    let tables = PositionEncoding.allCases.map { LineTable(bytes, $0) }
    for offset in bytes.indices where bytes[offset] & 0xC0 != 0x80 {
      // A carriage return and the line feed behind it are one end.
      if bytes[offset] == 0x0A, offset > 0, bytes[offset - 1] == 0x0D { continue }
      for table in tables { #expect(table.offset(of: table.position(of: offset)) == offset) }
      #expect(Set(tables.map { $0.position(of: offset).line }).count == 1)
    }
  }
}
