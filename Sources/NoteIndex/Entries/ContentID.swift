import Bytes

/// The name that git gives to the bytes of a file: the SHA-1 of a blob, 20 bytes.
package struct ContentID: Hashable, Sendable {
  package static let length = 20

  private let first: UInt64
  private let second: UInt64
  private let third: UInt32

  /// Reads the name from 20 bytes; of fewer or more it is the name of nothing.
  package init(_ bytes: [UInt8]) { self = bytes.withUnsafeBytes { ContentID($0) } }

  /// As of an array.
  package init(_ bytes: UnsafeRawBufferPointer) {
    let isName = bytes.count == Self.length
    first = isName ? bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self).littleEndian : 0
    second = isName ? bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian : 0
    third = isName ? bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self).littleEndian : 0
  }

  /// The 20 bytes.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(Self.length)
    bytes.append(little: first)
    bytes.append(little: second)
    bytes.append(little: third)
    return bytes
  }
}
