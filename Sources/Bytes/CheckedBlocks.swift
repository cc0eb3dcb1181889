import Synchronization

/// Bytes of a file whose blocks are each held against a checksum before they are first read.
///
/// Any number of threads may read at once.
package final class CheckedBlocks: @unchecked Sendable {
  private let bytes: ByteSlice
  /// The offsets of the bytes that the sums stand for.
  private let content: Range<Int>
  private let blockLength: Int
  /// The offset of the sums, eight bytes each.
  private let sums: Int
  /// For each block whether it is known to be sound.
  private let known: UnsafeMutablePointer<Atomic<Bool>>
  private let blockCount: Int
  /// How many blocks were checked.
  private let checkedCount = Atomic(0)
  /// After so many bytes were checked the pages of the file are given back: a check reads a whole block, and often for a
  /// few bytes of it.
  private static let lengthHeld = 4 << 20

  /// - Parameters:
  ///   - bytes: a whole file.
  ///   - content: the offsets of the blocks, of which the last one may be shorter.
  ///   - sums: the offset of the checksums of the blocks, eight bytes each, the lowest first.
  /// - Returns: nil where blocks or sums reach outside of the bytes.
  package init?(_ bytes: ByteSlice, content: Range<Int>, blockLength: Int, sums: Int) {
    guard blockLength > 0, content.lowerBound >= 0, content.upperBound <= bytes.count, sums >= 0 else {
      return nil
    }
    blockCount = Self.blockCount(of: content.count, blockLength: blockLength)
    guard sums <= bytes.count, blockCount <= (bytes.count - sums) / 8 else { return nil }
    self.bytes = bytes
    self.content = content
    self.blockLength = blockLength
    self.sums = sums
    known = .allocate(capacity: max(blockCount, 1))
    for block in 0..<blockCount { (known + block).initialize(to: Atomic(false)) }
  }

  deinit {
    known.deinitialize(count: blockCount)
    known.deallocate()
  }

  /// The number of blocks that bytes fill.
  package static func blockCount(of count: Int, blockLength: Int) -> Int {
    (count + blockLength - 1) / blockLength
  }

  /// Whether all blocks of a range are as they were written. Offsets are those of the whole file.
  ///
  /// - Complexity: O(n) in the length of the blocks that were not read before.
  package func isSound(_ range: Range<Int>) -> Bool {
    guard range.lowerBound >= content.lowerBound, range.upperBound <= content.upperBound else { return false }
    guard !range.isEmpty else { return true }
    let first = (range.lowerBound - content.lowerBound) / blockLength
    let last = (range.upperBound - 1 - content.lowerBound) / blockLength
    for block in first...last where !known[block].load(ordering: .relaxed) {
      guard check(block) else { return false }
    }
    return true
  }

  @inline(never)
  private func check(_ block: Int) -> Bool {
    let start = content.lowerBound + block * blockLength
    let written = bytes.memory[rebased: start..<min(start + blockLength, content.upperBound)]
    let isSound = Checksum.of(written) == bytes.memory.little64(at: sums + block * 8)
    if isSound { known[block].store(true, ordering: .relaxed) }
    let count = checkedCount.add(1, ordering: .relaxed).newValue
    if count % max(1, Self.lengthHeld / blockLength) == 0 { bytes.unloadPages() }
    return isSound
  }

  /// The bytes of a range, for as long as this object lives. Offsets are those of the whole file.
  ///
  /// - Throws: `DamagedBytes` where a block is not as it was written, or the range reaches outside of the blocks.
  @inline(__always)
  package func bytes(_ range: Range<Int>) throws(DamagedBytes) -> UnsafeRawBufferPointer {
    guard isSound(range) else { throw DamagedBytes() }
    return bytes.memory[rebased: range]
  }
}

/// The bytes of a cache are not as they were written: it has to be thrown away and made anew.
package struct DamagedBytes: Error, Sendable {
  package init() {}
}
