import Bytes
import Notes
import Text

/// A name of a note as it may stand in running text, without regard to case and diacritics.
struct MentionPattern: Sendable {
  /// Names with so few letters are looked for in their own case: `Go`, `CI`.
  private static let fewLetters = 3

  /// The words of the name.
  let words: TextPattern
  /// The bytes before its first word and after its last, folded, such as the `++` of `C++`.
  private let (before, after): ([UInt8], [UInt8])
  /// From the first word to the last, folded, with single blanks.
  private let core: [UInt8]
  /// The same as it is written; nil where case does not matter.
  private let exact: [UInt8]?

  /// - Returns: nil for a name without letters and digits, and for one that is a single one of them.
  init?(_ name: String) {
    let bytes = Array(name.utf8)
    let ranges = Words.ranges(in: bytes[...])
    guard let first = ranges.first, let last = ranges.last, let pattern = WordPattern(bytes, isPrefix: false)
    else { return nil }
    let letters = ranges.reduce(0) { $0 + String(decoding: bytes[$1], as: UTF8.self).unicodeScalars.count }
    // A single sign of Chinese says as much as a word.
    let isIdeograph = bytes[first].first.map { $0 >= 0xE3 } ?? false
    guard letters > 1 || isIdeograph || ranges[0].count < bytes.count else { return nil }
    words = .words(pattern)
    before = Folding.fold(Self.joined(bytes[..<first.lowerBound])[...])
    after = Folding.fold(Self.joined(bytes[last.upperBound...])[...])
    let written = Self.joined(bytes[first.lowerBound..<last.upperBound])
    core = Folding.fold(written[...])
    exact = letters <= Self.fewLetters && !isIdeograph ? written : nil
  }

  /// Where the name stands in the running text of a note, in bytes of the file, in order.
  func ranges(in text: NoteText, _ prose: Prose) -> [Range<Int>] {
    words.highlights(in: text.bytes[text.body]).compactMap { range in
      let whole = range.lowerBound - before.count..<range.upperBound + after.count
      guard prose.holds(range), fits(range, of: text.bytes), prose.holds(whole) else { return nil }
      return whole
    }
  }

  private func fits(_ range: Range<Int>, of bytes: [UInt8]) -> Bool {
    let written = Self.joined(bytes[range])
    if let exact { guard written == exact else { return false } }
    guard Folding.fold(written[...]) == core else { return false }
    let lead = bytes[max(0, range.lowerBound - before.count)..<range.lowerBound]
    let trail = bytes[range.upperBound..<min(bytes.count, range.upperBound + after.count)]
    return Folding.fold(lead) == before && Folding.fold(trail) == after
  }

  /// A text with single blanks for blanks and line ends, and for the marks of quotations behind these.
  private static func joined(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var isAfterLine = false
    for byte in bytes {
      if byte == UInt8(ascii: ">"), isAfterLine { continue }
      if byte > 0x20 {
        result.append(byte)
        isAfterLine = false
      } else {
        if byte == UInt8(ascii: "\n") { isAfterLine = true }
        if result.last != 0x20 { result.append(0x20) }
      }
    }
    return result
  }
}
