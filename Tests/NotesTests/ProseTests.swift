import Notes
import Testing

/// The running text of a note: the rest is left out where names are looked for.
@Suite struct ProseTests {
  private func prose(_ text: String) -> [String] {
    let note = NoteText(Array(text.utf8))
    return Prose(of: note).ranges.map { String(decoding: note.bytes[$0], as: UTF8.self) }
  }

  @Test(
    arguments: [
      ("plain text\n", ["plain text"]),
      ("---\ntitle: Bread\n---\nText\n", ["Text"]),
      ("a `code` b\n", ["a ", " b"]),
      ("a ``co`de`` b\n", ["a ", " b"]),
      ("a `lonely b\n", ["a ", "lonely b"]),
      ("```\ncode\n```\nText\n", ["Text"]),
      ("~~~ swift\ncode\n~~~\n", []),
      ("    indented\n", []),
      ("a <!-- remark --> b\n", ["a ", " b"]),
      ("<!-- a\n\nb -->\nText\n", ["Text"]),
      ("<pre>\ncode\n</pre>\nText\n", ["Text"]),
      ("a <b>bold</b> c\n", ["a ", "bold", " c"]),
      ("to [[Bread|it]] and [this](bread.md), ![[b.png]].\n", ["to ", " and ", ", ", "."]),
      ("[l]: bread.md\n", []),
      ("see https://example.org/bread now\n", ["see ", " now"]),
      ("a #bread/rye tag\n", ["a ", " tag"]),
      ("# Bread\n\n- item\n> quoted\n", ["Bread", "item", "quoted"]),
      ("a\r\nb\r\n", ["a\r\nb"]),
      ("\u{FEFF}text", ["text"]),
      ("", []),
    ] as [(String, [String])])
  func isWhatPeopleRead(text: String, ranges: [String]) { #expect(prose(text) == ranges) }

  @Test func bytesThatAreNoTextDoNoHarm() {
    let note = NoteText([0xFF, 0x60, 0xFE, 0x60, 0x20, 0x5B, 0x5B, 0xC3])
    #expect(Prose(of: note).ranges.allSatisfy { note.bytes.indices.contains($0.lowerBound) })
  }

  @Test func aStretchIsHeldWhole() {
    let note = NoteText(Array("bread `bread` bread\n".utf8))
    let prose = Prose(of: note)
    #expect(prose.holds(0..<5) && prose.holds(14..<19))
    #expect(!prose.holds(7..<12) && !prose.holds(4..<8))
  }
}
