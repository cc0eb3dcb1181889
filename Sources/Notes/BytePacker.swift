/// Appends numbers and runs of bytes in a compact form.
///
/// A number is written seven bits a byte, the lowest first, with the high bit set in all bytes but the last (LEB128); a run
/// of bytes has its length before it.
package struct BytePacker: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  /// Appends a number that is not negative.
  package mutating func append(_ number: Int) { append(word: UInt64(truncatingIfNeeded: number)) }

  private mutating func append(word: UInt64) {
    var rest = word
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

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

/// Reads what `BytePacker` wrote; of other bytes it reads what it can and never more than there is.
package struct ByteUnpacker {
  private let source: UnsafeRawBufferPointer
  private var offset = 0

  /// - Parameter source: has to outlive the reader.
  package init(_ source: UnsafeRawBufferPointer) { self.source = source }

  /// Whether all bytes have been read.
  package var isAtEnd: Bool { offset == source.count }

  /// Reads a number; nil where there is none or it is out of range.
  package mutating func number() -> Int? { word().flatMap { Int(exactly: $0) } }

  /// Reads a number that may be negative.
  package mutating func signed() -> Int64? {
    word().map { word in Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1) }
  }

  private mutating func word() -> UInt64? {
    var (value, shift) = (UInt64(0), UInt64(0))
    while offset < source.count, shift < 64 {
      let byte = source[offset]
      offset += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// Reads a run of bytes, in place.
  package mutating func bytes() -> UnsafeRawBufferPointer? {
    guard let count = number(), count <= source.count - offset else { return nil }
    defer { offset += count }
    return UnsafeRawBufferPointer(rebasing: source[offset..<offset + count])
  }

  /// Reads a run of bytes as text.
  package mutating func text() -> String? {
    bytes().map { String(decoding: $0, as: UTF8.self) }
  }
}
