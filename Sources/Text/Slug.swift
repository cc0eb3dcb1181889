import Bytes
import CUTF8Proc

/// Makes the descriptive part of a file's name from the title of the note.
package enum Slug {
  /// The bytes of a longer title are ignored.
  private static let longestTitle = 4096

  /// Returns the title in lower case with `-` between words, empty if it has no letter and no number.
  ///
  /// Latin letters are transliterated to ASCII (`Żółw` gives `zolw`), letters of other scripts are kept in NFC;
  /// apostrophes inside words are removed. The function is idempotent.
  /// - Parameter maxBytes: the slug is cut at the last whole character that fits.
  package static func make(_ title: String, maxBytes: Int = 80) -> String {
    let bytes = Array(title.utf8.prefix(longestTitle))
    var scalars: [Int32] = []
    var previousEnd = 0
    Words.forEach(in: bytes[...]) { word in
      let letters = self.letters(of: bytes.span.extracting(word))
      guard !letters.isEmpty else { return }
      if !scalars.isEmpty && isParted(bytes.span, at: previousEnd..<word.lowerBound) { scalars.append(0x2D) }
      scalars += letters
      previousEnd = word.upperBound
    }
    if scalars.contains(where: { $0 >= 0x80 }) { Composition.compose(&scalars) }
    return text(of: scalars, maxBytes: maxBytes)
  }

  /// Whether the characters between two words separate them; in Chinese, words have no separator.
  private static func isParted(_ bytes: Span<UInt8>, at gap: Range<Int>) -> Bool {
    if bytes[gap.lowerBound - 1] == 0x5F || bytes[gap.upperBound] == 0x5F { return true }
    var offset = gap.lowerBound
    while offset < gap.upperBound {
      let scalar = DecodedScalar(in: bytes, at: offset)
      if !scalar.isValid || !ScalarClass(scalar.value).extends { return true }
      offset += scalar.length
    }
    return false
  }

  /// Returns the letters of a word in decomposed form; `_` parts it as `-`.
  private static func letters(of word: Span<UInt8>) -> [Int32] {
    var letters: [Int32] = []
    var isAfterLatin = false
    var offset = 0
    while offset < word.count {
      let scalar = DecodedScalar(in: word, at: offset)
      offset += scalar.length
      let value = scalar.value
      if value == 0x5F {
        if !letters.isEmpty && letters.last != 0x2D { letters.append(0x2D) }
        continue
      }
      if value < 0x80 {
        if value != 0x27 { letters.append(Int32(bitPattern: value | 0x20)) }
        isAfterLatin = true
        continue
      }
      let kind = ScalarClass(value)
      let hasBase = letters.last.map { $0 != 0x2D } ?? false
      if kind == .ignorable || kind == .separator || kind == .mark && (isAfterLatin || !hasBase) { continue }
      let folded = FoldingTable.shared[value].map { $0.map(Int32.init) } ?? FoldedScalar.fold(value)
      isAfterLatin = !folded.isEmpty && folded.allSatisfy { $0 < 0x80 }
      letters += isAfterLatin ? folded : lowerCased(value)
    }
    if letters.last == 0x2D { letters.removeLast() }
    return letters
  }

  private static func lowerCased(_ value: UInt32) -> [Int32] {
    withUnsafeTemporaryAllocation(of: Int32.self, capacity: 8) { buffer in
      let lower = utf8proc_tolower(Int32(bitPattern: value))
      var boundary: Int32 = 0
      let count = utf8proc_decompose_char(
        lower, buffer.baseAddress, buffer.count, UTF8PROC_DECOMPOSE, &boundary)
      guard count >= 0 && count <= buffer.count else { return [lower] }
      return Array(buffer[..<count])
    }
  }

  /// Encodes scalars, cut before the first character that does not fit.
  private static func text(of scalars: [Int32], maxBytes: Int) -> String {
    var bytes: [UInt8] = []
    var whole = 0
    for (index, value) in scalars.enumerated() {
      let beginsCharacter =
        !ScalarClass(UInt32(bitPattern: value)).extends && !Composition.joinsPrevious(value)
      if beginsCharacter || index == 0 { whole = bytes.count }
      bytes.append(scalar: UInt32(bitPattern: value))
      if bytes.count > maxBytes {
        bytes.removeLast(bytes.count - whole)
        break
      }
    }
    while bytes.last == UInt8(ascii: "-") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
