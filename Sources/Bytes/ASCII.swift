import func Glibc.memcmp

/// Classes of ASCII bytes, for inner loops.
package enum ASCII {
  /// The byte, with a capital letter made small.
  @inlinable @inline(__always)
  package static func lowerCased(_ byte: UInt8) -> UInt8 {
    byte &- UInt8(ascii: "A") < 26 ? byte | 0x20 : byte
  }

  /// Whether a byte is a letter, a digit or `_`: what a word is made of.
  @inlinable @inline(__always)
  package static func isWord(_ byte: UInt8) -> Bool {
    (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
  }

  /// Whether a byte parts words for certain, whatever stands beside it.
  ///
  /// An apostrophe may join two letters, and bytes beyond ASCII may be letters or marks.
  @inlinable @inline(__always)
  package static func partsWords(_ byte: UInt8) -> Bool {
    byte < 0x80 && byte != UInt8(ascii: "'") && !isWord(byte)
  }

  /// Whether a byte is a blank, a line end or another control character: no word reaches over it.
  @inlinable @inline(__always)
  package static func isBlank(_ byte: UInt8) -> Bool { byte <= 0x20 }

  /// Whether a byte is a digit.
  @inlinable @inline(__always)
  package static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

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

/// The order of strings of bytes, by their first difference and then by length: that of git's trees and of sorted paths.
package enum ByteOrder {
  /// Negative, 0 or positive, as the first bytes come before, are equal to, or come after the others.
  package static func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
    let shared = min(left.count, right.count)
    if shared > 0, let one = left.baseAddress, let two = right.baseAddress {
      let order = memcmp(one, two, shared)
      if order != 0 { return Int(order) }
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
