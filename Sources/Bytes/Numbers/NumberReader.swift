/// Reads numbers of 32 bits in `NumberCode` one after another, and never outside its bytes.
package struct NumberReader {
  @usableFromInline let bytes: UnsafeRawBufferPointer
  @usableFromInline var offset = 0
  /// Whether a number reached over the end or was too large; it and all after it are 0.
  package private(set) var isDamaged = false

  /// - Parameter bytes: have to outlive the reader.
  package init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The number of bytes that are left.
  package var remaining: Int { bytes.count - offset }

  /// The next number.
  @inlinable @inline(__always)
  package mutating func read() -> UInt32 {
    guard bytes.count &- offset >= 2, bytes[offset] < 240 else { return readWhole() }
    // Without a branch: whether a number has one byte or two can't be foretold.
    let first = bytes[offset]
    let value = NumberCode.short(first, bytes[offset &+ 1])
    offset &+= first < 192 ? 1 : 2
    return value
  }

  /// Reads a number that is long or the last one.
  @usableFromInline @inline(never)
  mutating func readWhole() -> UInt32 {
    guard offset < bytes.count else { return damaged() }
    let first = bytes[offset]
    let length = NumberCode.length(first)
    guard bytes.count - offset >= length,
      let value = UInt32(exactly: NumberCode.readWhole(first, bytes, offset))
    else { return damaged() }
    offset += length
    return value
  }

  /// Goes back to where so many bytes were left, of which none was damaged.
  @inlinable @inline(__always)
  package mutating func goBack(to remaining: Int) { offset = bytes.count &- remaining }

  private mutating func damaged() -> UInt32 {
    isDamaged = true
    offset = bytes.count
    return 0
  }
}
