import Bytes
import Notes
import Text

@testable import NoteIndex

/// Random texts in many scripts, and documents made of them.
enum TextSamples {
  /// Letters, words and signs of which texts are put together.
  static let pieces: [String] = [
    // Latin with and without marks, composed and not.
    "a", "b", "A", "ab", "Zoo", "zolw", "Żółw", "ż", "Z\u{307}", "ß", "STRASSE", "straße", "ﬁ", "ﬁn", "æ",
    "ǆ",
    "é", "e\u{301}", "\u{301}", "İ", "ı", "Tiếng", "Việt", "ŉ", "ŀl", "Ø", "½", "²", "x²", "№", "™", "ª",
    // Greek, Cyrillic, Armenian, Georgian.
    "Σοφία", "σοφός", "ΐ", "Ё", "ёлка", "Й", "И\u{306}", "և", "Հայ", "ქართ", "Ქ",
    // Hebrew, Arabic, Syriac.
    "שָׁלוֹם", "שלום", "צ׳ק", "צה״ל", "السَّلام", "سلام", "مـرحبا", "ك\u{654}", "ئ", "ܫ",
    // Devanagari, Bengali, Tamil.
    "नमस्ते", "क\u{93C}", "क़", "কো", "ক\u{9C7}\u{9BE}", "தமிழ்", "श्री\u{200D}",
    // Thai, Lao, Khmer, Burmese.
    "ไทย", "กำ", "ก\u{0E4D}า", "ลาว", "ខ្មែរ", "မြန်မာ", "ก\u{301}",
    // Chinese, Japanese, Korean.
    "日", "本", "日本語", "漢\u{FE00}", "か\u{3099}", "が", "カ", "ｶﾞ", "ﾊﾟ", "ー", "々", "한국어",
    "\u{1112}\u{1161}\u{11AB}", "ㅎㅏㄴ", "각\u{11A8}", "\u{AC00}\u{11A8}", "\u{20000}", "\u{F900}", "ㄅ", "〇",
    // Signs.
    "'", "’", "''", "don't", "l’été", "'a'", "״", " ", "  ", "\n", "\t", "-", ".", "_", "x_y", "1", "12:30",
    "0",
    "C++", "a@b.org", "https://x.y/z", "#tag", "[[id]]", "*", "=", "≠", "=\u{338}", "→", "、", "。", "Ａ", "１",
    "，",
    "\u{AD}", "so\u{AD}ft", "\u{200D}", "\u{FE0F}", "\u{A0}", "😀", "👨\u{200D}👩", "🏽", "\u{0}", "\u{3099}",
    "\u{309A}",
    "\u{FEFF}", "\u{640}", "\u{34F}", "\u{1F1E6}", "①", "Ⅷ", "ⓐ", "ꓹ", "\u{2028}",
  ]

  /// Returns the bytes of a text, which are not always UTF-8.
  static func text(_ random: inout SplitMix64, upTo count: Int, from pieces: [String] = pieces) -> [UInt8] {
    var bytes: [UInt8] = []
    let isSpaced = Bool.random(using: &random)
    for _ in 0..<Int.random(in: 0...count, using: &random) {
      switch Int.random(in: 0..<80, using: &random) {
      case 0: bytes.append(UInt8.random(in: 128...255, using: &random))
      case 1: bytes += Array((pieces.randomElement(using: &random) ?? "").utf8).dropLast()
      case 2:
        let isLong = Int.random(in: 0..<8, using: &random) == 0
        let count = Int.random(in: isLong ? 250...262 : 1...40, using: &random)
        bytes += repeatElement(UInt8(ascii: "q"), count: count)
      default: bytes += Array((pieces.randomElement(using: &random) ?? "").utf8)
      }
      if isSpaced, Bool.random(using: &random) { bytes.append(UInt8(ascii: " ")) }
    }
    return bytes
  }

  /// The folded words of a text, as folding and word breaking say.
  static func words(_ text: [UInt8]) -> [[UInt8]] {
    let folded = Folding.fold(text[...])
    return Words.ranges(in: folded[...]).map { Array(folded[$0]) }
  }
}

/// A document with its texts by field.
struct SampleDocument: Sendable {
  var texts: [(field: TextField, text: [UInt8])] = []

  static func random(_ random: inout SplitMix64, from pieces: [String] = TextSamples.pieces) -> SampleDocument
  {
    var document = SampleDocument()
    for field in [TextField.title, .alias, .alias, .tag, .tag, .other, .body, .body] {
      guard field == .body || Int.random(in: 0..<3, using: &random) == 0 else { continue }
      let text = TextSamples.text(&random, upTo: field == .body ? 30 : 4, from: pieces)
      document.texts.append((field, text))
    }
    if Bool.random(using: &random) { document.texts.shuffle(using: &random) }
    return document
  }

  func add(_ number: Int, to builder: TextIndexBuilder) {
    builder.begin(number)
    for (field, text) in texts { builder.add(text[...], to: field) }
  }

  /// How often a pattern stands in each field, in the fields of a scope.
  func counts(_ pattern: TextPattern, in scope: TextScope) -> FieldCounts {
    var counts = FieldCounts()
    for (field, text) in texts where scope.contains(TextScope(field)) {
      counts.add(pattern.count(in: text[...]), in: field)
    }
    return counts
  }

  /// Whether a pattern stands in one of the fields of a scope.
  func has(_ pattern: TextPattern, in scope: TextScope) -> Bool {
    texts.contains { scope.contains(TextScope($0.field)) && pattern.occurs(in: $0.text[...]) }
  }
}

/// An index and its bytes.
struct SampleIndex: Sendable {
  let index: TextIndex
  let bytes: [UInt8]

  init(bytes: [UInt8], padding: Int = 0) throws {
    self.bytes = bytes
    let padded = ByteSlice(copying: Array(repeating: 0, count: padding) + bytes)
    index = try TextIndex(padded[padding..<padded.count])
  }

  /// - Parameter builders: how many take turns.
  init(_ documents: [SampleDocument], builders: Int = 1) throws {
    let all = TextIndexBuilders()
    func fill(_ number: Int) {
      guard number < builders else { return }
      all.fill(from: number) { builder in
        // While this one is lent, the next call gets another.
        fill(number + 1)
        for index in stride(from: number, to: documents.count, by: builders) {
          documents[index].add(index, to: builder)
        }
      }
    }
    fill(0)
    try self.init(bytes: all.index(documents: documents.count), padding: builders)
  }
}
