import Bytes
import Text

/// How signs beyond ASCII that are in no word stand among the terms: behind a byte that no word begins with.
///
/// They are kept once a document, with no true place, so that they tell candidates only.
enum SignTerm {
  private static let mark: UInt8 = 1

  /// The term of a character in UTF-8.
  static func word(_ character: some Sequence<UInt8>) -> ScannedWord {
    var low = UInt64(mark)
    var count = 1
    for byte in character {
      low |= UInt64(byte) << UInt64(8 * count)
      count += 1
    }
    return ScannedWord(low: low, high: 0, count: count)
  }

  /// The terms of all signs in a folded text that a document must have where the text occurs in it.
  static func terms(in text: [UInt8]) -> [[UInt8]] {
    let memo = ScalarMemo()
    var terms: [[UInt8]] = []
    var offset = 0
    while offset < text.count {
      let scalar = DecodedScalar(in: text.span, at: offset)
      let end = offset + scalar.length
      if scalar.isValid, scalar.value >= 0x80, memo[scalar.value].kind == .separator {
        terms.append([mark] + text[offset..<end])
      }
      offset = end
    }
    return terms
  }
}
