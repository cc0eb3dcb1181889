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
    guard bytes.count &- offset >= 2, bytes[offset] < 240 else { return readWhole() }
    // Without a branch: whether a number has one byte or two can't be foretold.
    let first = bytes[offset]
    let value = NumberCode.short(first, bytes[offset &+ 1])
    offset &+= first < 192 ? 1 : 2
    return value
  }

  /// Reads a number that is long or the last one.
  @inline(never)
  private mutating func readWhole() -> UInt32 {
    guard offset < bytes.count else { return damaged() }
    let first = bytes[offset]
    let length = NumberCode.length(first)
    guard bytes.count - offset >= length else { return damaged() }
    let value = NumberCode.readWhole(first, bytes, offset)
    offset += length
    return value
  }

  /// Goes back to where so many bytes were left, of which none was damaged.
  @inline(__always)
  mutating func goBack(to remaining: Int) { offset = bytes.count &- remaining }

  private mutating func damaged() -> UInt32 {
    isDamaged = true
    offset = bytes.count
    return 0
  }
}
