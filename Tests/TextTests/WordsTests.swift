import Testing
import Text

/// The words of a text.
private func words(_ text: String) -> [String] {
  let bytes = Array(text.utf8)
  return Words.ranges(in: bytes[...]).map { String(decoding: bytes[$0], as: UTF8.self) }
}

@Suite struct WordsTests {
  @Test(arguments: [
    ("", []), ("  ", []), ("one two_three, 4x", ["one", "two_three", "4x"]),
    ("a-b/c.d", ["a", "b", "c", "d"]),
    ("Don't 'quote' rock'n'roll it’s x''y", ["Don't", "quote", "rock'n'roll", "it’s", "x", "y"]),
    ("Zażółć gęślą", ["Zażółć", "gęślą"]), ("İstanbul'da ılık", ["İstanbul'da", "ılık"]),
    ("Straße—Größe", ["Straße", "Größe"]), ("Việt Nam", ["Việt", "Nam"]), ("Το όνομα", ["Το", "όνομα"]),
    ("Привет, мир!", ["Привет", "мир"]), ("مرحبا بالعالم، نعم", ["مرحبا", "بالعالم", "نعم"]),
    ("می\u{200C}خواهم", ["می\u{200C}خواهم"]), ("שלום צה״ל", ["שלום", "צה״ל"]),
    ("हिन्दी भाषा", ["हिन्दी", "भाषा"]), ("น้ำไทย", ["น้", "ำ", "ไ", "ท", "ย"]), ("中文字", ["中", "文", "字"]),
    ("日本語がスキ", ["日", "本", "語", "が", "ス", "キ"]), ("か\u{3099}く", ["か\u{3099}", "く"]),
    ("한국어 단어", ["한국어", "단어"]), ("iOS笔记2", ["iOS", "笔", "记", "2"]), ("👩‍💻 ❤️ 🇵🇱", []),
    ("e\u{301}te\u{301}", ["e\u{301}te\u{301}"]),
    ("co\u{AD}op a\u{200B}b", ["co\u{AD}op", "a", "b"]), ("x² ½ ٣٤", ["x²", "½", "٣٤"]), ("\u{301}a", ["a"]),
    ("a'\u{301}b", ["a'\u{301}b"]),
    ("ລາວ", ["ລ", "າ", "ວ"]), ("ខ្មែ", ["ខ្", "មែ"]), ("မြန်", ["မြ", "န်"]), ("_x_ __", ["_x_", "__"]),
  ])
  func areFound(text: String, expected: [String]) {
    #expect(words(text) == expected)
  }

  @Test func invalidBytesPartWords() {
    let bytes: [UInt8] = [0x61, 0xFF, 0x62, 0xC5]
    #expect(Words.ranges(in: bytes[...]) == [0..<1, 2..<3])
  }

  @Test func rangesAreInTheIndicesOfTheSlice() {
    let bytes = Array("one two".utf8)
    #expect(Words.ranges(in: bytes[3...]) == [4..<7])
  }

  @Test func rangesAreInOrderInsideAndOfWholeCharacters() {
    var samples = Samples(seed: 3)
    for _ in 0..<5000 {
      let bytes = samples.bytes(24)
      var end = 0
      for range in Words.ranges(in: bytes[...]) {
        #expect(range.lowerBound >= end && !range.isEmpty && range.upperBound <= bytes.count)
        #expect(UTF8Check.firstInvalidOffset(in: bytes[range]) == nil)
        end = range.upperBound
      }
    }
  }
}

@Suite struct UTF8CheckTests {
  @Test(
    arguments: [
      ([], nil), ([0x61, 0x00], nil), ([0xC5, 0xBB], nil), ([0x61, 0xC5], 1), ([0xFF], 0), ([0xC0, 0x80], 0),
      ([0xED, 0xA0, 0x80], 0), ([0xF4, 0x90, 0x80, 0x80], 0), ([0xE0, 0x80, 0x80], 0),
      ([0xF0, 0x9F, 0x98, 0x80], nil),
      ([0x61, 0x62, 0xF0, 0x9F, 0x98], 2), ([0xEF, 0xBB, 0xBF], nil), ([0x80], 0),
    ] as [([UInt8], Int?)])
  func findsTheFirstInvalidByte(bytes: [UInt8], expected: Int?) {
    #expect(UTF8Check.firstInvalidOffset(in: bytes[...]) == expected)
    #expect(UTF8Check.firstInvalidOffset(in: ([0x78] + bytes)[1...]) == expected.map { $0 + 1 })
  }

  @Test func agreesWithTheStandardLibrary() {
    var samples = Samples(seed: 4)
    for _ in 0..<5000 {
      let bytes = samples.bytes(8)
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      #expect((UTF8Check.firstInvalidOffset(in: bytes[...]) == nil) == isValid, "\(bytes)")
    }
  }
}
