/// Bytes that ought to be UTF-8 as a text that holds all of them: names of files as they are typed need not be.
///
/// Each byte that is no part of UTF-8 becomes one of the letters U+10FE80 to U+10FEFF, which nobody uses; those letters
/// themselves count as such bytes, so that no two sequences of bytes become one text.
package enum ByteText {
  private static let base: UInt32 = 0x10FE00
  private static let letters: ClosedRange<UInt32> = 0x10FE80...0x10FEFF

  /// The text that stands for bytes.
  package static func text(of bytes: some Collection<UInt8>) -> String {
    let all = Array(bytes)
    var result = String.UnicodeScalarView()
    var offset = 0
    while offset < all.count {
      let scalar = DecodedScalar(in: all.span, at: offset)
      if scalar.isValid, !letters.contains(scalar.value), let letter = UnicodeScalar(scalar.value) {
        result.append(letter)
      } else {
        for byte in all[offset..<offset + scalar.length] {
          // Always a scalar: the letters lie in plane 16.
          if let letter = UnicodeScalar(base + UInt32(byte)) { result.append(letter) }
        }
      }
      offset += scalar.length
    }
    return String(result)
  }

  /// The bytes that a text stands for.
  package static func bytes(of text: String) -> [UInt8] {
    guard holdsBytes(text) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      letters.contains(scalar.value) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// Whether a text stands for bytes that are not UTF-8.
  package static func holdsBytes(_ text: String) -> Bool {
    // All of these letters begin with the same two bytes.
    guard text.utf8.contains(0xF4) else { return false }
    return text.unicodeScalars.contains { letters.contains($0.value) }
  }

  /// The byte that a letter stands for.
  package static func byte(of letter: UInt32) -> UInt8? {
    letters.contains(letter) ? UInt8(truncatingIfNeeded: letter) : nil
  }
}
