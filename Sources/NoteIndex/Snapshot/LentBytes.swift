import Synchronization

/// The bytes of a snapshot, each block of which is held against its checksum before it is first used.
final class LentBytes: @unchecked Sendable {
  private let bytes: UnsafeRawBufferPointer
  private let sums: UnsafeRawBufferPointer
  private let end: Int
  private let owner: any AnyObject & Sendable
  /// For each block whether it is known to be sound.
  private let known: UnsafeMutablePointer<Atomic<Bool>>
  private let blockCount: Int

  init?(_ bytes: UnsafeRawBufferPointer, _ header: SnapshotHeader, owner: some AnyObject & Sendable) {
    self.bytes = bytes
    sums = UnsafeRawBufferPointer(rebasing: bytes[header.sums])
    end = header.sums.lowerBound
    self.owner = owner
    blockCount = sums.count / 8
    known = .allocate(capacity: max(blockCount, 1))
    for block in 0..<blockCount { (known + block).initialize(to: Atomic(false)) }
  }

  deinit {
    known.deinitialize(count: blockCount)
    known.deallocate()
  }

  /// The bytes of a range that lies in the snapshot.
  func bytes(_ range: Range<Int>) -> UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: bytes[range]) }

  /// Whether the blocks of a range are as they were written.
  func isSound(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty else { return true }
    let first = (range.lowerBound - SnapshotLayout.headerLength) / SnapshotLayout.blockLength
    let last = (range.upperBound - 1 - SnapshotLayout.headerLength) / SnapshotLayout.blockLength
    for block in first...last where !known[block].load(ordering: .relaxed) {
      let start = SnapshotLayout.headerLength + block * SnapshotLayout.blockLength
      let sum = Checksum.of(bytes(start..<min(start + SnapshotLayout.blockLength, end)))
      guard sum == sums.loadUnaligned(fromByteOffset: block * 8, as: UInt64.self).littleEndian else {
        return false
      }
      known[block].store(true, ordering: .relaxed)
    }
    return true
  }
}
