/// One step through bytes that should be UTF-8: a Unicode scalar, or invalid bytes.
///
/// Source: The Unicode Standard, table 3-7 (well-formed sequences) and substitution of maximal subparts.
package struct DecodedScalar: Equatable, Sendable {
  /// The scalar's code point; U+FFFD if the bytes are not valid UTF-8.
  package let value: UInt32
  /// The number of bytes of the step, at least 1.
  package let length: Int
  /// Whether the bytes are valid UTF-8.
  package let isValid: Bool

  @inline(__always)
  private init(_ value: UInt32, _ length: Int) {
    self.value = value
    self.length = length
    isValid = true
  }

  @inline(__always)
  private init(invalid length: Int) {
    value = 0xFFFD
    self.length = length
    isValid = false
  }

  /// Reads the scalar that begins at `offset`, which must be inside `bytes`.
  @inline(__always)
  package init(in bytes: Span<UInt8>, at offset: Int) {
    let lead = bytes[offset]
    self = lead < 0x80 ? DecodedScalar(UInt32(lead), 1) : .sequence(in: bytes, at: offset, lead: lead)
  }

  private static func sequence(in bytes: Span<UInt8>, at offset: Int, lead: UInt8) -> DecodedScalar {
    let count: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: count = 2
    case 0xE0: (count, second) = (3, 0xA0...0xBF)
    case 0xED: (count, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: count = 3
    case 0xF0: (count, second) = (4, 0x90...0xBF)
    case 0xF4: (count, second) = (4, 0x80...0x8F)
    case 0xF1...0xF3: count = 4
    default: return DecodedScalar(invalid: 1)
    }
    var value = UInt32(lead) & (0x7F >> UInt32(count))
    var length = 1
    while length < count {
      guard offset + length < bytes.count else { return DecodedScalar(invalid: length) }
      let byte = bytes[offset + length]
      guard length == 1 ? second.contains(byte) : byte & 0xC0 == 0x80 else {
        return DecodedScalar(invalid: length)
      }
      value = value << 6 | UInt32(byte & 0x3F)
      length += 1
    }
    return DecodedScalar(value, count)
  }
}

extension [UInt8] {
  /// Appends the UTF-8 form of a Unicode scalar, given by its code point.
  package mutating func append(scalar value: UInt32) {
    switch value {
    case 0..<0x80:
      append(UInt8(value))
    case 0x80..<0x800:
      append(UInt8(0xC0 | value >> 6))
      append(UInt8(0x80 | value & 0x3F))
    case 0x800..<0x10000:
      append(UInt8(0xE0 | value >> 12))
      append(UInt8(0x80 | value >> 6 & 0x3F))
      append(UInt8(0x80 | value & 0x3F))
    default:
      append(UInt8(0xF0 | value >> 18 & 0x07))
      append(UInt8(0x80 | value >> 12 & 0x3F))
      append(UInt8(0x80 | value >> 6 & 0x3F))
      append(UInt8(0x80 | value & 0x3F))
    }
  }

  /// Appends the bytes of a span.
  package mutating func append(_ bytes: Span<UInt8>) {
    bytes.withUnsafeBufferPointer { append(contentsOf: $0) }
  }
}

/// A lossless representation of bytes that should be UTF-8 as text: a typed name of a file may be invalid UTF-8.
///
/// Each byte that is not part of UTF-8 becomes one of the private-use letters U+10FE80 to U+10FEFF, which have no other
/// use. These letters themselves count as such bytes, so that different sequences of bytes become different texts.
package enum ByteText {
  private static let base: UInt32 = 0x10FE00
  private static let letters: ClosedRange<UInt32> = 0x10FE80...0x10FEFF

  /// The text that represents bytes.
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

  /// The bytes that a text represents.
  package static func bytes(of text: String) -> [UInt8] {
    guard holdsBytes(text) else { return Array(text.utf8) }
    return text.unicodeScalars.flatMap { scalar in
      letters.contains(scalar.value) ? [UInt8(truncatingIfNeeded: scalar.value)] : Array(String(scalar).utf8)
    }
  }

  /// Whether a text represents bytes that are not UTF-8.
  package static func holdsBytes(_ text: String) -> Bool {
    // All of these letters begin with the same two bytes.
    guard text.utf8.contains(0xF4) else { return false }
    return text.unicodeScalars.contains { letters.contains($0.value) }
  }

  /// The byte that a letter represents.
  package static func byte(of letter: UInt32) -> UInt8? {
    letters.contains(letter) ? UInt8(truncatingIfNeeded: letter) : nil
  }
}
