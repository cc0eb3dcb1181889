// Numbers of a fixed length, without regard to alignment. An offset outside of the bytes ends the process.

extension UnsafeRawBufferPointer {
  /// The number in two bytes, the lowest first.
  @inlinable @inline(__always)
  package func little16(at offset: Int) -> UInt16 { little(at: offset) }

  /// The number in four bytes, the lowest first.
  @inlinable @inline(__always)
  package func little32(at offset: Int) -> UInt32 { little(at: offset) }

  /// The number in eight bytes, the lowest first.
  @inlinable @inline(__always)
  package func little64(at offset: Int) -> UInt64 { little(at: offset) }

  /// A number with its lowest byte first.
  @inlinable @inline(__always)
  package func little<Number: FixedWidthInteger & BitwiseCopyable>(at offset: Int) -> Number {
    Number(littleEndian: loadUnaligned(fromByteOffset: offset, as: Number.self))
  }

  /// The number in two bytes, the highest first.
  @inlinable @inline(__always)
  package func big16(at offset: Int) -> UInt16 {
    loadUnaligned(fromByteOffset: offset, as: UInt16.self).bigEndian
  }

  /// The number in four bytes, the highest first.
  @inlinable @inline(__always)
  package func big32(at offset: Int) -> UInt32 {
    loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
  }

  /// The part of the bytes in a range of offsets, its own offsets beginning at zero.
  @inlinable @inline(__always)
  package subscript(rebased range: Range<Int>) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: self[range])
  }
}

extension [UInt8] {
  /// Appends the bytes of a number, the lowest first.
  @inlinable
  package mutating func append(little number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
