/// The checksums of the blocks of a stream of bytes, which comes in pieces of any length.
package struct BlockSums: Sendable {
  private let blockLength: Int
  private var sums: [UInt8] = []
  /// The beginning of a block whose end is still to come.
  private var begun: [UInt8] = []

  /// Begins a stream.
  package init(blockLength: Int) { self.blockLength = blockLength }

  /// The sums of the blocks of bytes, eight bytes each; the last block may be shorter.
  package static func of(_ bytes: [UInt8], blockLength: Int) -> [UInt8] {
    var sums = BlockSums(blockLength: blockLength)
    sums.add(bytes)
    return sums.finished()
  }

  /// Takes the next piece of the stream.
  package mutating func add(_ piece: [UInt8]) {
    var rest = piece[...]
    if !begun.isEmpty {
      let missing = rest.prefix(blockLength - begun.count)
      begun += missing
      rest = rest.dropFirst(missing.count)
      guard begun.count == blockLength else { return }
      Self.add(begun[...], to: &sums)
      begun.removeAll(keepingCapacity: true)
    }
    while rest.count >= blockLength {
      Self.add(rest.prefix(blockLength), to: &sums)
      rest = rest.dropFirst(blockLength)
    }
    begun += rest
  }

  /// Ends the stream and returns the sums of its blocks, eight bytes each; the last block may be shorter.
  package mutating func finished() -> [UInt8] {
    if !begun.isEmpty { Self.add(begun[...], to: &sums) }
    begun = []
    return sums
  }

  private static func add(_ block: ArraySlice<UInt8>, to sums: inout [UInt8]) {
    sums.append(little: block.withUnsafeBytes(Checksum.of))
  }
}
