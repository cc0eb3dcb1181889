import func Glibc.memcmp

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
