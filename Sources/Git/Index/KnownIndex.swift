import Glibc

/// An index that was read, with what tells whether the file is still the same.
struct KnownIndex {
  /// A file that was written this shortly before it was read may be written again with the same time.
  private static let settledNanoseconds: Int64 = 20_000_000

  private let status: IndexStatus
  let entries: IndexEntries

  /// Nil where the file is so new that a later change might not show in its status.
  init?(_ status: IndexStatus, _ entries: IndexEntries) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let seconds = Int64(now.tv_sec) - status.changed.seconds
    let isSettled =
      seconds > 1
      || seconds * 1_000_000_000 + Int64(now.tv_nsec) - status.changed.nanoseconds
        > Self.settledNanoseconds
    guard seconds >= 0, isSettled else { return nil }
    self.status = status
    self.entries = entries
  }

  func isOf(_ status: IndexStatus) -> Bool { self.status == status }
}
