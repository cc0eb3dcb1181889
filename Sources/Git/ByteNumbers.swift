extension UnsafeRawBufferPointer {
  /// The number in four bytes, the lowest first.
  func little32(at offset: Int) -> UInt32 {
    loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian
  }

  /// The number in eight bytes, the lowest first.
  func little64(at offset: Int) -> UInt64 {
    loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
  }

  /// The number in two bytes, the highest first.
  func big16(at offset: Int) -> UInt16 {
    loadUnaligned(fromByteOffset: offset, as: UInt16.self).bigEndian
  }

  /// The number in four bytes, the highest first.
  func big32(at offset: Int) -> UInt32 {
    loadUnaligned(fromByteOffset: offset, as: UInt32.self).bigEndian
  }

  /// A sum that no ordinary damage leaves as it is: four lanes of eight bytes, each step mixed by a product.
  func sum(from start: Int) -> UInt64 {
    var one: UInt64 = 0x9E37_79B9
    var two: UInt64 = 0x7F4A_7C15
    var three: UInt64 = 0xF39C_C060
    var four: UInt64 = 0x5CED_C834
    var offset = start
    // The lanes do not wait for each other, so that their products overlap.
    while offset &+ 32 <= count {
      one = Self.mixed(one, little64(at: offset))
      two = Self.mixed(two, little64(at: offset &+ 8))
      three = Self.mixed(three, little64(at: offset &+ 16))
      four = Self.mixed(four, little64(at: offset &+ 24))
      offset &+= 32
    }
    var sum = UInt64(truncatingIfNeeded: count)
    while offset < count {
      sum = Self.mixed(sum, UInt64(self[offset]))
      offset &+= 1
    }
    for lane in [one, two, three, four] { sum = Self.mixed(sum, lane) }
    return sum
  }

  @inline(__always)
  private static func mixed(_ sum: UInt64, _ value: UInt64) -> UInt64 {
    let product = (sum ^ value) &* 0xFF51_AFD7_ED55_8CCD
    return product ^ product &>> 32
  }
}

extension [UInt8] {
  /// Appends a number in four bytes, the lowest first.
  mutating func append(little number: UInt32) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }

  /// Appends a number in eight bytes, the lowest first.
  mutating func append(little number: UInt64) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}

extension ObjectID {
  /// Reads the 20 bytes at an offset.
  init(loading buffer: UnsafeRawBufferPointer, at offset: Int) {
    self = buffer[rebased: offset..<(offset + 20)].baseAddress.map { ObjectID(loading: $0) } ?? .zero
  }
}
