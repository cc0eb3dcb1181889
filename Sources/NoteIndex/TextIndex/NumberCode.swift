/// How numbers are written in postings: in one byte up to 191, in two up to 12,479, else in three or five.
///
/// The first byte alone tells the length, so that numbers can be passed over without being put together.
enum NumberCode {
  /// The most bytes that a number takes.
  static let longest = 5

  private static let oneByte: UInt32 = 192
  private static let twoBytes: UInt32 = 192 + 48 << 8
  private static let threeBytes: UInt32 = twoBytes + 15 << 16

  /// Writes a number where there is room for the longest, and returns how many bytes it took.
  @inline(__always)
  static func write(_ value: UInt32, to bytes: UnsafeMutablePointer<UInt8>) -> Int {
    guard value < twoBytes else { return writeLong(value, to: bytes) }
    // Whether one byte does can't be foretold: two are written in any case, without a branch.
    let isLong = value >= oneByte
    let rest = value &- oneByte
    bytes[0] = UInt8(truncatingIfNeeded: isLong ? 192 &+ rest >> 8 : value)
    bytes[1] = UInt8(truncatingIfNeeded: rest)
    return isLong ? 2 : 1
  }

  @inline(never)
  private static func writeLong(_ value: UInt32, to bytes: UnsafeMutablePointer<UInt8>) -> Int {
    if value < threeBytes {
      let rest = value &- twoBytes
      bytes[0] = UInt8(truncatingIfNeeded: 240 &+ rest >> 16)
      bytes[1] = UInt8(truncatingIfNeeded: rest >> 8)
      bytes[2] = UInt8(truncatingIfNeeded: rest)
      return 3
    }
    bytes[0] = 255
    for index in 1..<5 { bytes[index] = UInt8(truncatingIfNeeded: value >> UInt32(32 - 8 * index)) }
    return 5
  }

  /// How many bytes a number takes that begins with a certain one.
  @inline(__always)
  static func length(_ first: UInt8) -> Int {
    if first < 192 { return 1 }
    if first < 240 { return 2 }
    return first < 255 ? 3 : 5
  }

  /// Returns a number of at most two bytes by those, of which the second may be of the next number.
  @inline(__always)
  static func short(_ first: UInt8, _ second: UInt8) -> UInt32 {
    first < 192 ? UInt32(first) : oneByte &+ (UInt32(first) &- 192) << 8 &+ UInt32(second)
  }

  /// Reads a number that begins with a certain byte at an offset, all inside `bytes`.
  static func readWhole(_ first: UInt8, _ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt32 {
    if first < 192 { return UInt32(first) }
    let second = UInt32(bytes[offset &+ 1])
    if first < 240 { return oneByte &+ (UInt32(first) &- 192) << 8 &+ second }
    let third = UInt32(bytes[offset &+ 2])
    if first < 255 { return twoBytes &+ (UInt32(first) &- 240) << 16 &+ second << 8 &+ third }
    return second << 24 | third << 16 | UInt32(bytes[offset &+ 3]) << 8 | UInt32(bytes[offset &+ 4])
  }
}
