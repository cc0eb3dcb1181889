import Bytes

/// Takes case and diacritics away, so that texts that a reader holds for the same compare as equal.
///
/// `Żółw` gives `zolw`, `Straße` gives `strasse`, `ﬁ` gives `fi`. Accents, vowel points, invisible signs and
/// variation selectors go; marks that make other letters (Japanese voicing, Indic vowels, Thai tones) stay.
/// The result is in NFC, folding it again changes nothing, and it has the words of the original, folded:
/// a character whose compatibility form would join or part words is kept.
package enum Folding {
  /// Returns the text without case and diacritics.
  ///
  /// - Complexity: O(n).
  package static func fold(_ text: String) -> String {
    var text = text
    return text.withUTF8 { utf8 in
      var result: [UInt8] = []
      result.reserveCapacity(utf8.count)
      append(utf8.span, to: &result)
      return String(decoding: result, as: UTF8.self)
    }
  }

  /// Returns UTF-8 bytes without case and diacritics; invalid bytes are kept as they are.
  ///
  /// - Complexity: O(n).
  package static func fold(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    append(bytes.span, to: &result)
    return result
  }

  /// Appends folded UTF-8 bytes to `result`; invalid bytes are kept as they are.
  ///
  /// - Complexity: O(n).
  package static func append(_ bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
    append(bytes.span, to: &result)
  }

  /// Whether a scalar, given by its code point, folds to the same whatever stands before it.
  ///
  /// Others may compose with what stands before them, or change places with it.
  package static func isIndependent(_ value: UInt32) -> Bool {
    guard let first = FoldedScalar.fold(value).first else { return true }
    return !Composition.joinsPrevious(first)
  }

  package static func append(_ bytes: Span<UInt8>, to result: inout [UInt8]) {
    var offset = 0
    while offset < bytes.count {
      let byte = bytes[offset]
      guard byte < 0x80 else { break }
      result.append(lowerCased(byte))
      offset += 1
    }
    guard offset < bytes.count else { return }
    var run = FoldingRun()
    while offset < bytes.count {
      let byte = bytes[offset]
      if byte < 0x80 {
        run.end(in: &result)
        result.append(lowerCased(byte))
        offset += 1
      } else {
        let scalar = DecodedScalar(in: bytes, at: offset)
        run.add(scalar, raw: bytes.extracting(offset..<offset + scalar.length), to: &result)
        offset += scalar.length
      }
    }
    run.end(in: &result)
  }

  @inline(__always)
  private static func lowerCased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }
}
