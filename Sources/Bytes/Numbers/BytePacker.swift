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
package struct ByteUnpacker {
  private let source: UnsafeRawBufferPointer
  private var offset = 0

  /// - Parameter source: have to outlive the reader.
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
    guard offset < source.count else { return nil }
    let first = source[offset]
    let length = NumberCode.length(first)
    guard source.count - offset >= length else { return nil }
    defer { offset += length }
    return NumberCode.readWhole(first, source, offset)
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
