/// Reads numbers one after another and never outside its bytes.
struct NumberReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// Whether a number reached over the end; it and all after it are 0.
  private(set) var isDamaged = false

  /// - Parameter bytes: must stay valid as long as the reader is used.
  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// How many bytes are left.
  var remaining: Int { bytes.count - offset }

  @inline(__always)
  mutating func read() -> UInt32 {
    guard offset < bytes.count else { return damaged() }
    let first = bytes[offset]
    if first < 192 {
      offset &+= 1
      return UInt32(first)
    }
    let length = NumberCode.length(first)
    guard bytes.count &- offset >= length else { return damaged() }
    let value = NumberCode.readLong(first, bytes, offset)
    offset &+= length
    return value
  }

  /// Goes back to where so many bytes were left, of which none was damaged.
  @inline(__always)
  mutating func goBack(to remaining: Int) { offset = bytes.count &- remaining }

  @inline(never)
  private mutating func damaged() -> UInt32 {
    isDamaged = true
    offset = bytes.count
    return 0
  }
}
