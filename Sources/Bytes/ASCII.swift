/// Classes of ASCII bytes, for inner loops.
public enum ASCII {
  /// The byte, with a capital letter made small.
  @inlinable @inline(__always)
  public static func lowerCased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  /// Whether a byte is a word character: a letter, a digit or `_`.
  @inlinable @inline(__always)
  public static func isWord(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
  }

  /// Whether a byte separates words for certain, regardless of its neighbours.
  ///
  /// An apostrophe may join two letters, and bytes beyond ASCII may be letters or marks.
  @inlinable @inline(__always)
  public static func partsWords(_ byte: UInt8) -> Bool {
    byte < 0x80 && byte != UInt8(ascii: "'") && !isWord(byte)
  }

  /// Whether a byte is a blank, a line end or another control character: no word reaches over it.
  @inlinable @inline(__always)
  public static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  /// Whether a byte is a digit.
  @inlinable @inline(__always)
  public static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

  /// Whether all bytes are ASCII.
  package static func isAll(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var offset = 0
    while offset + 32 <= bytes.count {
      let first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      let second = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
      let third = bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self)
      let fourth = bytes.loadUnaligned(fromByteOffset: offset + 24, as: UInt64.self)
      if (first | second | third | fourth) & 0x8080_8080_8080_8080 != 0 { return false }
      offset += 32
    }
    var rest: UInt8 = 0
    while offset < bytes.count {
      rest |= bytes[offset]
      offset += 1
    }
    return rest < 0x80
  }

  /// Whether all bytes of a slice are ASCII.
  package static func isAll(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.withUnsafeBytes { isAll($0) }
  }
}

/// Numbers as digits of base 16, two a byte.
public enum Hexadecimal {
  /// The value of a hexadecimal digit in either case; nil for another byte.
  @inlinable
  public static func value(of digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  /// The lower-case digits of bytes.
  package static func text(_ bytes: some Collection<UInt8>) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      text.append(digit(byte >> 4))
      text.append(digit(byte & 15))
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of hexadecimal digits in either case; nil for another byte, or an odd number of digits.
  package static func bytes(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text.utf8 {
      guard let digit = value(of: character) else { return nil }
      if let upper = high {
        bytes.append(upper << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return high == nil ? bytes : nil
  }

  /// The lower-case digit of a number below 16.
  private static func digit(_ number: UInt8) -> UInt8 {
    number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") + number - 10
  }
}

/// The order of strings of bytes, by their first difference and then by length: that of git's trees and of sorted paths.
package enum ByteOrder {
  /// Negative, 0 or positive, as the first bytes come before, are equal to, or come after the others.
  package static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let shared = min(left.count, right.count)
    if shared > 0, let one = left.baseAddress, let two = right.baseAddress {
      let order = CLibrary.compare(one, two, count: shared)
      if order != 0 { return order }
    }
    return left.count - right.count
  }

  /// Whether one run of bytes comes before another.
  package static func precedes(
    _ left: Slice<UnsafeRawBufferPointer>, _ right: Slice<UnsafeRawBufferPointer>
  ) -> Bool {
    compare(UnsafeRawBufferPointer(rebasing: left), UnsafeRawBufferPointer(rebasing: right)) < 0
  }

  /// Whether one run of bytes comes before another.
  package static func precedes(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.withUnsafeBytes { left in right.withUnsafeBytes { right in compare(left, right) < 0 } }
  }
}
