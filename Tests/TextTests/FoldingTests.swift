import Bytes
import Testing
import Text

@Suite struct FoldingTests {
  @Test(arguments: [
    ("", ""), ("Plain ASCII 123_", "plain ascii 123_"),
    ("Żółw i ŹDŹBŁO", "zolw i zdzblo"), ("zażółć gęślą jaźń", "zazolc gesla jazn"),
    ("İstanbul IĞDIR ılık", "istanbul igdir ilik"), ("Straße STRASSE ẞ", "strasse strasse ss"),
    ("Größe Ärger", "grosse arger"), ("Đường phố Việt Nữ", "duong pho viet nu"),
    ("Ærø Ångström Œuvre Þór ðæþ Ħamrun ŧ", "aero angstrom oeuvre thor daeth hamrun t"),
    ("Ὀδυσσεύς ΆΈΉ", "οδυσσευσ αεη"), ("Ёлка ЁЖ Київ", "елка еж киів"), ("йод", "иод"),
    ("أَحْمَد إسلام آمن", "احمد اسلام امن"), ("العـــربية", "العربية"), ("שָׁלוֹם", "שלום"),
    ("हिन्दी", "हिन्दी"), ("क़लम", "कलम"), ("ภาษาไทย น้ำ", "ภาษาไทย น้ำ"), ("汉字", "汉字"),
    ("がぎ カタカナ", "がぎ カタカナ"), ("ｶﾞｯｺｳ", "ガッコウ"), ("ＡＢＣ１２３", "abc123"), ("한국어", "한국어"),
    ("ﬁn x² ①", "fin x2 1"), ("don’t", "don't"), ("café", "cafe"), ("👩‍💻 🇵🇱 ❤️", "👩💻 🇵🇱 ❤"),
    ("½ ™ ㈱ …", "½ ™ ㈱ ..."), ("a\u{AD}b\u{200B}c", "ab\u{200B}c"), ("NO\u{A0}BREAK", "no break"),
  ])
  func takesCaseAndDiacriticsAway(text: String, folded: String) {
    #expect(Array(Folding.fold(text).utf8) == Array(folded.utf8))
    #expect(Folding.fold(Array(text.utf8)[...]) == Array(folded.utf8))
  }

  @Test(arguments: [
    ("Zo\u{308}e", "Zöe"), ("か\u{3099}", "が"), ("\u{1112}\u{1161}\u{11AB}", "한"),
    ("\u{1112}\u{1161}\u{11AB}\u{1100}\u{116E}\u{11A8}", "한국"), ("ко\u{308}", "кӧ"),
    ("か\u{301}\u{3099}", "が"), ("\u{9C7}\u{9BE}", "\u{9CB}"),
  ])
  func decomposedTextFoldsAsComposed(decomposed: String, composed: String) {
    #expect(Array(Folding.fold(decomposed).utf8) == Array(Folding.fold(composed).utf8))
  }

  @Test func invalidBytesAreKept() {
    #expect(Folding.fold([0x41, 0xFF, 0xC5, 0xBB, 0xC5]) == [0x61, 0xFF, 0x7A, 0xC5])
    // Without the mark between them, these bytes would be a letter.
    #expect(Folding.fold([0xC3, 0xCC, 0x81, 0x89]) == [0xC3, 0xCC, 0x81, 0x89])
  }

  @Test func foldsSlicesAndAppends() {
    var result: [UInt8] = [0x2D]
    Folding.append(Array("xŻY".utf8)[1...], to: &result)
    #expect(result == Array("-zy".utf8))
  }

  @Test func everyScalarFoldsToWhatStaysAndToTheSameWords() {
    var bytes: [UInt8] = []
    for value in (0..<0x110000) as Range<UInt32> where Unicode.Scalar(value) != nil {
      if (0x3400...0x9FFF).contains(value) || (0x20000...0xE0000).contains(value) && value % 64 != 0 {
        continue
      }
      bytes.removeAll(keepingCapacity: true)
      bytes.append(scalar: value)
      let once = Folding.fold(bytes[...])
      if Folding.fold(once[...]) != once
        || Words.ranges(in: once[...]).count != Words.ranges(in: bytes[...]).count
      {
        Issue.record("U+\(String(value, radix: 16)) folds to \(once)")
      }
    }
  }

  @Test func foldingTwiceIsFoldingOnce() {
    var samples = Samples(seed: 1)
    for round in 0..<4000 {
      let bytes = round % 2 == 0 ? samples.utf8(30) : samples.bytes(12)
      let once = Folding.fold(bytes[...])
      #expect(Folding.fold(once[...]) == once, "\(bytes)")
    }
  }

  @Test func wordsOfFoldedTextAreFoldedWords() {
    var samples = Samples(seed: 2)
    for _ in 0..<3000 {
      let bytes = samples.utf8(20)
      let folded = Folding.fold(bytes[...])
      let before = Words.ranges(in: bytes[...]).map { Folding.fold(bytes[$0]) }
      let after = Words.ranges(in: folded[...]).map { Array(folded[$0]) }
      #expect(before == after, "\(String(decoding: bytes, as: UTF8.self).unicodeScalars.map(\.value))")
    }
  }

  @Test func longRunsOfMarksTakeLinearTime() {
    let marks = (0..<200_000).flatMap { Array(($0 % 2 == 0 ? "\u{E38}" : "\u{93C}\u{94D}").utf8) }
    let folded = Folding.fold(Array("ก".utf8)[...] + marks)
    #expect(Folding.fold(folded[...]) == folded)
  }
}

@Suite struct CollationTests {
  @Test func ordersWithoutCaseAndDiacritics() {
    let titles = ["zebra", "Żaba", "Ala", "ala", "łąka", "Lato", "Äpfel", "", "10", "Ёж", "еда"]
    let ordered = titles.sorted { Collation.key($0).lexicographicallyPrecedes(Collation.key($1)) }
    #expect(ordered == ["", "10", "Ala", "ala", "Äpfel", "łąka", "Lato", "Żaba", "zebra", "еда", "Ёж"])
  }

  @Test func tellsAllTextsApart() {
    #expect(Collation.key("e\u{301}") != Collation.key("\u{E9}"))
  }
}
