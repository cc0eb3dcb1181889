/// The name that git gives to the bytes of a file: the SHA-1 of a blob, 20 bytes.
package struct ContentID: Hashable, Sendable {
  package static let length = 20

  private let first: UInt64
  private let second: UInt64
  private let third: UInt32

  /// Reads the name from 20 bytes; what is missing counts as zero.
  package init(_ bytes: some Sequence<UInt8>) {
    var (first, second, third) = (UInt64(0), UInt64(0), UInt32(0))
    for (index, byte) in bytes.prefix(Self.length).enumerated() {
      switch index {
      case ..<8: first |= UInt64(byte) << (8 * UInt64(index))
      case ..<16: second |= UInt64(byte) << (8 * UInt64(index - 8))
      default: third |= UInt32(byte) << (8 * UInt32(index - 16))
      }
    }
    self.first = first
    self.second = second
    self.third = third
  }

  /// Reads the name from stored bytes, of which there are 20 from the offset on.
  init(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    first = bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self).littleEndian
    second = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self).littleEndian
    third = bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt32.self).littleEndian
  }

  /// The 20 bytes.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.length)
    bytes.append(littleEndian: first)
    bytes.append(littleEndian: second)
    bytes.append(littleEndian: third)
    return bytes
  }
}

extension [UInt8] {
  /// Appends the bytes of a number, the lowest first.
  mutating func append(littleEndian number: some FixedWidthInteger) {
    Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
  }
}
