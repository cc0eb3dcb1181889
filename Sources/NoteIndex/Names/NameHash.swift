/// The hash of a name in one of its uses, long enough to stand for the name: 96 bits, by a key of the process.
struct NameHash: Hashable, Sendable {
  /// Words of 32 bits: larger ones would leave gaps between the rows of a table.
  private let low: UInt32
  private let middle: UInt32
  private let high: UInt32

  init(_ use: NameUse, _ name: ArraySlice<UInt8>) {
    self = name.withUnsafeBytes { bytes in NameHash(use, bytes) }
  }

  private init(_ use: NameUse, _ bytes: UnsafeRawBufferPointer) {
    var (first, second) = (Hasher(), Hasher())
    first.combine(use.rawValue)
    first.combine(bytes: bytes)
    second.combine(bytes: bytes)
    second.combine(use.rawValue)
    let number = UInt(bitPattern: first.finalize())
    low = UInt32(truncatingIfNeeded: number)
    middle = UInt32(truncatingIfNeeded: number >> 32)
    high = UInt32(truncatingIfNeeded: second.finalize())
  }

  /// The slot of a table with a power of two of them, 2^32 at most.
  func slot(of count: Int) -> Int { Int(low) & (count - 1) }
}
