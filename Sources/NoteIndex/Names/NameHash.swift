/// The hash of a name in one of its uses, long enough to stand for the name: 96 bits, by a key of the process.
struct NameHash: Hashable, Sendable {
  private let first: Int
  private let second: UInt32

  init(_ use: NameUse, _ name: ArraySlice<UInt8>) {
    self = name.withUnsafeBytes { bytes in NameHash(use, bytes) }
  }

  private init(_ use: NameUse, _ bytes: UnsafeRawBufferPointer) {
    var (first, second) = (Hasher(), Hasher())
    first.combine(use.rawValue)
    first.combine(bytes: bytes)
    second.combine(bytes: bytes)
    second.combine(use.rawValue)
    self.first = first.finalize()
    self.second = UInt32(truncatingIfNeeded: second.finalize())
  }

  /// The slot of a table with a power of two of them.
  func slot(of count: Int) -> Int { first & (count - 1) }
}
