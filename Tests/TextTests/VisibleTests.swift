import Testing
import Text

@Suite struct VisibleTests {
  @Test(arguments: [
    ("plain\ttext", "plain\ttext"), ("\u{1B}[31mred", #"\x1b[31mred"#), ("a\r\nb", #"a\x0d\x0ab"#),
    ("\u{7F}\u{0}", #"\x7f\x00"#),
    ("\u{9B}31m", #"\u009b31m"#), ("\u{202E}x\u{2066}", #"\u202ex\u2066"#),
    ("\u{200B}\u{FEFF}\u{200F}", #"\u200b\ufeff\u200f"#),
    ("\u{2028}\u{2029}", #"\u2028\u2029"#), ("\u{E0041}", #"\u{e0041}"#), ("👩‍💻 ❤️ 🇵🇱", "👩‍💻 ❤️ 🇵🇱"),
    ("🏴󠁧󠁢󠁥󠁮󠁧󠁿x", "🏴󠁧󠁢󠁥󠁮󠁧󠁿x"),
    ("שלום مرحبا می\u{200C}خواهم", "שלום مرحبا می\u{200C}خواهم"), ("żółw \\ 日本", "żółw \\ 日本"),
    ("\u{FFFE}", #"\ufffe"#),
  ])
  func spellsOutWhatActsOnATerminal(text: String, shown: String) {
    #expect(Visible.escape(text) == shown)
    #expect(Visible.escape(Array(text.utf8)) == shown)
  }

  @Test func keepsLinesWhereAsked() {
    #expect(Visible.escape("a\nb\r\nc\rd", keepingLines: true) == "a\nb\nc\\x0dd")
  }

  @Test func invalidBytesAreShown() {
    #expect(Visible.escape([0x61, 0xFF, 0xC5] as [UInt8]) == #"a\xff\xc5"#)
    #expect(Visible.escape([0x61, 0xE2, 0x82] as ArraySlice<UInt8>) == #"a\xe2\x82"#)
    #expect(Visible.escape(AnyCollection([0x61, 0x1B] as [UInt8])) == #"a\x1b"#)
  }

  @Test func nothingThatActsOnATerminalIsLeft() {
    var samples = Samples(seed: 7)
    for _ in 0..<4000 {
      let bytes = samples.bytes(30)
      let shown = Visible.escape(bytes)
      for scalar in shown.unicodeScalars where scalar != "\t" {
        #expect(
          scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
            && !(0x202A...0x202E).contains(scalar.value))
        #expect(!(0x2028...0x2029).contains(scalar.value) && !(0x2066...0x2069).contains(scalar.value))
      }
      #expect(Visible.escape(shown) == shown)
      let lines = Visible.escape(bytes, keepingLines: true)
      #expect(!lines.utf8.contains { $0 < 0x20 && $0 != 0x09 && $0 != 0x0A })
    }
  }
}
