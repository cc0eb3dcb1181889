/// The code of whole numbers in as few bytes as they need: one up to 191, two up to 12,479, else three, five or nine.
///
/// The first byte alone gives the length. A reader therefore skips a number without decoding it, and decodes the short
/// ones without a branch.
public enum NumberCode {
  /// The longest code of a number of 32 bits, in bytes.
  package static let longest = 5

  @usableFromInline static let oneByte: UInt32 = 192
  @usableFromInline static let twoBytes: UInt32 = 192 + 48 << 8
  private static let threeBytes: UInt32 = twoBytes + 14 << 16

  /// Writes a number and returns the length of its code. There has to be room for the longest code.
  @inlinable @inline(__always)
  public static func write(_ value: UInt32, to bytes: UnsafeMutablePointer<UInt8>) -> Int {
    guard value < twoBytes else { return writeLong(value, to: bytes) }
    // The length can't be predicted: two bytes are always written, without a branch.
    let isLong = value >= oneByte
    let rest = value &- oneByte
    bytes[0] = UInt8(truncatingIfNeeded: isLong ? 192 &+ rest >> 8 : value)
    bytes[1] = UInt8(truncatingIfNeeded: rest)
    return isLong ? 2 : 1
  }

  @usableFromInline @inline(never)
  static func writeLong(_ value: UInt32, to bytes: UnsafeMutablePointer<UInt8>) -> Int {
    if value < threeBytes {
      let rest = value &- twoBytes
      bytes[0] = UInt8(truncatingIfNeeded: 240 &+ rest >> 16)
      bytes[1] = UInt8(truncatingIfNeeded: rest >> 8)
      bytes[2] = UInt8(truncatingIfNeeded: rest)
      return 3
    }
    bytes[0] = 254
    for index in 1..<5 { bytes[index] = UInt8(truncatingIfNeeded: value >> UInt32(32 - 8 * index)) }
    return 5
  }

  /// Appends a number.
  package static func append(_ value: UInt64, to bytes: inout [UInt8]) {
    if value < UInt64(oneByte) {
      bytes.append(UInt8(truncatingIfNeeded: value))
    } else if let value = UInt32(exactly: value) {
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: longest) { room in
        guard let start = room.baseAddress else { return }
        let length = write(value, to: start)
        bytes.append(contentsOf: UnsafeBufferPointer(start: start, count: length))
      }
    } else {
      bytes.append(255)
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }
  }

  /// The length of a code by its first byte.
  @inlinable @inline(__always)
  public static func length(_ first: UInt8) -> Int {
    if first < 192 { return 1 }
    if first < 240 { return 2 }
    return first < 254 ? 3 : first == 254 ? 5 : 9
  }

  /// A number of at most two bytes; of one byte, the second argument is ignored.
  @inlinable @inline(__always)
  public static func short(_ first: UInt8, _ second: UInt8) -> UInt32 {
    first < 192 ? UInt32(first) : oneByte &+ (UInt32(first) &- 192) << 8 &+ UInt32(second)
  }

  /// Reads a number whose code begins with `first` at an offset and lies inside `bytes`.
  package static func readWhole(_ first: UInt8, _ bytes: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
    if first < 192 { return UInt64(first) }
    let second = UInt32(bytes[offset &+ 1])
    if first < 240 { return UInt64(oneByte &+ (UInt32(first) &- 192) << 8 &+ second) }
    let third = UInt32(bytes[offset &+ 2])
    if first < 254 { return UInt64(twoBytes &+ (UInt32(first) &- 240) << 16 &+ second << 8 &+ third) }
    if first == 254 { return UInt64(bytes.big32(at: offset &+ 1)) }
    return bytes.loadUnaligned(fromByteOffset: offset &+ 1, as: UInt64.self).bigEndian
  }
}

/// Appends numbers in `NumberCode`, and runs of bytes with their length before them.
package struct BytePacker: Sendable {
  /// The bytes so far.
  package private(set) var bytes: [UInt8] = []

  /// Begins without bytes.
  package init() {}

  /// Appends a number that is not negative.
  package mutating func append(_ number: Int) { append(word: UInt64(truncatingIfNeeded: number)) }

  private mutating func append(word: UInt64) { NumberCode.append(word, to: &bytes) }

  /// Appends a run of bytes with its length.
  package mutating func append(_ run: some Collection<UInt8>) {
    append(run.count)
    bytes.append(contentsOf: run)
  }

  /// Appends a number that may be negative.
  package mutating func append(signed number: Int64) {
    append(word: UInt64(bitPattern: (number << 1) ^ (number >> 63)))
  }
}

/// Reads the form that `BytePacker` writes, and never outside its bytes.
package struct ByteUnpacker: ~Escapable {
  private let source: RawSpan
  private var offset = 0

  /// Begins before the first of some bytes.
  @_lifetime(copy source)
  package init(_ source: RawSpan) { self.source = source }

  /// As of a span.
  @_lifetime(borrow source)
  package init(_ source: UnsafeRawBufferPointer) { self.source = source.bytes }

  /// Whether all bytes have been read.
  package var isAtEnd: Bool { offset == source.byteCount }

  /// Reads a number; nil if the bytes are at their end or the number is out of range.
  package mutating func number() -> Int? { word().flatMap { Int(exactly: $0) } }

  /// Reads a number that may be negative.
  package mutating func signed() -> Int64? {
    word().map { word in Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1) }
  }

  private mutating func word() -> UInt64? {
    source.withUnsafeBytes { source in
      guard offset < source.count else { return nil }
      let first = source[offset]
      let length = NumberCode.length(first)
      guard source.count - offset >= length else { return nil }
      defer { offset += length }
      return NumberCode.readWhole(first, source, offset)
    }
  }

  /// Passes over a run of bytes and returns its place in all bytes.
  package mutating func range() -> Range<Int>? {
    guard let count = number(), count <= source.byteCount - offset else { return nil }
    defer { offset += count }
    return offset..<offset + count
  }

  /// Reads a run of bytes, in place.
  @_lifetime(copy self)
  package mutating func bytes() -> RawSpan? {
    guard let range = range() else { return nil }
    return source.extracting(range)
  }

  /// Reads a copy of a run of bytes.
  package mutating func array() -> [UInt8]? {
    guard let bytes = bytes() else { return nil }
    return Array(bytes)
  }

  /// Reads a run of bytes as text.
  package mutating func text() -> String? {
    guard let bytes = bytes() else { return nil }
    return bytes.withUnsafeBytes { String(decoding: $0, as: UTF8.self) }
  }
}

/// Reads numbers of 32 bits in `NumberCode` one after another, and never outside its bytes.
public struct NumberReader {
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
  public mutating func read() -> UInt32 {
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

  /// Moves back to the offset with a number of remaining bytes; the bytes in between must be undamaged.
  @inlinable @inline(__always)
  public mutating func goBack(to remaining: Int) { offset = bytes.count &- remaining }

  private mutating func damaged() -> UInt32 {
    isDamaged = true
    offset = bytes.count
    return 0
  }
}

// Numbers of a fixed length, without regard to alignment. An offset outside of the bytes ends the process.

extension UnsafeRawBufferPointer {
  /// The number in two bytes, the lowest first.
  @inlinable @inline(__always)
  public func little16(at offset: Int) -> UInt16 { little(at: offset) }

  /// The number in four bytes, the lowest first.
  @inlinable @inline(__always)
  public func little32(at offset: Int) -> UInt32 { little(at: offset) }

  /// The number in eight bytes, the lowest first.
  @inlinable @inline(__always)
  public func little64(at offset: Int) -> UInt64 { little(at: offset) }

  /// A number with its lowest byte first.
  @inlinable @inline(__always)
  public func little<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// The number in two bytes, the highest first.
  @inlinable @inline(__always)
  public func big16(at offset: Int) -> UInt16 {
    loadUnaligned(fromByteOffset: offset, as: UInt16.self).bigEndian
  }

  /// The number in four bytes, the highest first.
  @inlinable @inline(__always)
  public func big32(at offset: Int) -> UInt32 {
    loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
  }

  /// The part of the bytes in a range of offsets, its own offsets beginning at zero.
  @inlinable @inline(__always)
  public subscript(rebased range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }
}

extension RawSpan {
  /// The number in four bytes, the lowest first.
  @inlinable @inline(__always)
  public func little32(at offset: Int) -> UInt32 { little(at: offset) }

  /// The number in eight bytes, the lowest first.
  @inlinable @inline(__always)
  public func little64(at offset: Int) -> UInt64 { little(at: offset) }

  /// A number with its lowest byte first.
  @inlinable @inline(__always)
  public func little<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    Number(littleEndian: unsafeLoadUnaligned(fromByteOffset: offset, as: Number.self))
  }
}

extension [UInt8] {
  /// A copy of bytes.
  package init(_ bytes: RawSpan) { self = bytes.withUnsafeBytes { Array($0) } }

  /// Appends the bytes of a number, the lowest first.
  @inlinable
  public mutating func append(little number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
