/// The checksums of the blocks of bytes that come in pieces of any length.
struct BlockSums {
  private var sums: [UInt8] = []
  /// The beginning of a block whose end is still to come.
  private var begun: [UInt8] = []

  mutating func add(_ piece: [UInt8]) {
    let length = SnapshotLayout.blockLength
    var rest = piece[...]
    if !begun.isEmpty {
      let missing = rest.prefix(length - begun.count)
      begun += missing
      rest = rest.dropFirst(missing.count)
      guard begun.count == length else { return }
      Self.add(begun[...], to: &sums)
      begun.removeAll(keepingCapacity: true)
    }
    while rest.count >= length {
      Self.add(rest.prefix(length), to: &sums)
      rest = rest.dropFirst(length)
    }
    begun += rest
  }

  /// The sums of all blocks, the last one of which may be shorter.
  mutating func finished() -> [UInt8] {
    if !begun.isEmpty { Self.add(begun[...], to: &sums) }
    begun = []
    return sums
  }

  private static func add(_ block: ArraySlice<UInt8>, to sums: inout [UInt8]) {
    sums.append(littleEndian: block.withUnsafeBytes(Checksum.of))
  }
}
