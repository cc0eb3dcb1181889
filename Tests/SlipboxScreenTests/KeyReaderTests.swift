import SlipboxTesting
import Testing

@testable import SlipboxScreen

/// Bytes of a terminal as keys.
struct KeyReaderTests {
  private static let sequences: [(bytes: String, keys: [Key])] = [
    ("a", [.text("a")]), ("é漢", [.text("é"), .text("漢")]), (" \t\r", [.space, .tab, .enter]),
    ("\u{1B}[A\u{1B}[B\u{1B}OC\u{1B}[D", [.up, .down, .right, .left]),
    ("\u{1B}[5~\u{1B}[6~\u{1B}[3~", [.pageUp, .pageDown, .delete]),
    ("\u{1B}[H\u{1B}[F\u{1B}[1~\u{1B}[4~\u{1B}[Z", [.home, .end, .home, .end, .backTab]),
    ("\u{1B}[1;5C", [.right]), ("\u{3}\u{1A}\u{7F}", [.ctrl("c"), .ctrl("z"), .backspace]),
    ("\u{1B}[200~rm x\r\u{1B}[31m\u{1B}[201~j", [.paste("rm x\r\u{1B}[31m"), .text("j")]),
    ("\u{1B}[<0;5;3M\u{1B}[<65;1;1M", [.click(column: 4, row: 2), .wheel(lines: 3, column: 0, row: 0)]),
    ("\u{1B}[?62;c\u{1B}[24;80R", []),
  ]

  @Test(arguments: sequences.indices)
  func readsWhole(_ place: Int) {
    var reader = KeyReader()
    let (bytes, keys) = Self.sequences[place]
    let read = reader.keys(Array(bytes.utf8))
    #expect(read == keys)
    #expect(!reader.isUnsure)
  }

  @Test(arguments: sequences.indices)
  func readsByteByByte(_ place: Int) {
    var reader = KeyReader()
    let (bytes, keys) = Self.sequences[place]
    var read: [Key] = []
    for byte in bytes.utf8 { read += reader.keys([byte]) }
    #expect(read == keys)
  }

  @Test func escapeAloneIsAKeyAfterAMoment() {
    var reader = KeyReader()
    let first = reader.keys([0x1B])
    #expect(first.isEmpty)
    #expect(reader.isUnsure)
    let flushed = reader.flush()
    #expect(flushed == [.escape])
    let both = reader.keys([0x1B, UInt8(ascii: "j")])
    #expect(both == [.escape, .text("j")])
  }

  @Test func anyBytesAreReadToTheirEnd() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<2_000 {
      var reader = KeyReader()
      let letters: [UInt8] = [
        0x1B, 0x5B, 0x4F, 0x7E, 0x32, 0x30, 0x31, 0x3B, 0x3C, 0x4D, 0xC3, 0xE2, 0xFF, 0x0A,
      ]
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        _ = reader.keys([letters.randomElement(using: &random) ?? 0])
        if Int.random(in: 0..<9, using: &random) == 0 { _ = reader.flush() }
      }
      // After all, a letter is read again, or belongs to what is pasted.
      _ = reader.keys(Array("\u{1B}[201~".utf8))
      _ = reader.flush()
      let after = reader.keys(Array("mmj".utf8))
      #expect(after.last == .text("j"))
    }
  }

  @Test func everyKeyHasTheNameThatItIsReadBy() {
    let keys: [Key] = [
      .text("x"), .text("?"), .ctrl("p"), .space, .enter, .escape, .pageUp, .backTab, .delete,
    ]
    for key in keys { #expect(key.name.flatMap { Key(named: $0) } == key) }
    for name in ["", "  ", "ab", "ctrl-", "ctrl-1", "F1"] { #expect(Key(named: name) == nil) }
  }
}
