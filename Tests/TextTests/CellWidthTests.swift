import Testing
import Text

@Suite struct CellWidthTests {
  @Test(arguments: [
    ("", 0), ("abc", 3), ("żółw", 4), ("z\u{307}o\u{301}", 2), ("日本", 4), ("ｱｲ", 2), ("한국", 4),
    ("\u{1112}\u{1161}\u{11AB}", 2), ("👩‍💻", 2), ("👨‍👩‍👧‍👦", 2), ("🇵🇱", 2), ("🇵🇱🇩🇪", 4), ("👍🏽", 2),
    ("❤️", 2), ("❤", 1),
    ("1️⃣", 2), ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 2), ("☑", 1), ("…", 1), ("a\u{200B}b", 2), ("ภาษา", 4), ("शक्ति", 3), ("😀 x", 4),
    ("\u{FFFD}", 1),
  ])
  func countsCells(text: String, cells: Int) {
    #expect(CellWidth.of(text) == cells)
  }

  @Test(arguments: [
    ("abcdef", 6, "abcdef"), ("abcdef", 5, "abcd…"), ("abcdef", 1, "…"), ("abcdef", 0, ""),
    ("abcdef", -3, ""),
    ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 6, "日本語"), ("a👩‍💻b", 3, "a…"),
    ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("", 3, ""),
  ])
  func cutsAtWholeCharacters(text: String, cells: Int, expected: String) {
    #expect(CellWidth.truncate(text, to: cells) == expected)
  }

  @Test func cutsWithAMarkOfItsOwn() {
    #expect(CellWidth.truncate("abcdef", to: 5, mark: "...") == "ab...")
    #expect(CellWidth.truncate("abcdef", to: 2, mark: "...") == "ab")
    #expect(CellWidth.truncate("abc", to: 3, mark: "...") == "abc")
  }

  @Test func padsWithBlanks() {
    #expect(CellWidth.pad("日", to: 4) == "日  ")
    #expect(CellWidth.pad("abc", to: 2) == "abc")
  }

  @Test func whatIsCutFits() {
    var samples = Samples(seed: 5)
    for _ in 0..<2000 {
      let text = String(decoding: samples.utf8(20), as: UTF8.self)
      let cells = Int.random(in: 0...12, using: &samples)
      let cut = CellWidth.truncate(text, to: cells)
      #expect(CellWidth.of(cut) <= cells)
      if CellWidth.of(text) <= cells && cells > 0 { #expect(cut == text) }
    }
  }
}
