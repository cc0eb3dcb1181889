import Glibc

/// What tells one state of a file from another without a look at its bytes.
///
/// A file whose stamp is unchanged holds what it held, unless the stamp was racy when it was taken: see
/// `RacyWindow`.
package struct FileStamp: Sendable, Hashable {
  /// The length in bytes.
  package let size: Int64
  /// When the contents last changed, in nanoseconds since 1970.
  package let modified: Int64
  /// When the contents or the inode last changed, in nanoseconds since 1970.
  package let changed: Int64
  package let inode: UInt64

  package init(size: Int64, modified: Int64, changed: Int64, inode: UInt64) {
    self.size = size
    self.modified = modified
    self.changed = changed
    self.inode = inode
  }

  package init(_ status: FileStatus) {
    self.init(
      size: status.size, modified: status.modified.sinceEpoch, changed: status.changed.sinceEpoch,
      inode: status.inode)
  }

  init(_ status: stat) {
    self.init(
      size: Int64(status.st_size), modified: nanosecondsSince1970(status.st_mtim),
      changed: nanosecondsSince1970(status.st_ctim),
      inode: UInt64(status.st_ino))
  }
}

extension FileTime {
  /// The nanoseconds since 1970; of times outside the years 1678 to 2262 the nearest that there is.
  package var sinceEpoch: Int64 { nanosecondsSince1970(seconds, Int64(nanoseconds)) }
}

/// The nanoseconds since 1970, as `FileTime.sinceEpoch`.
func nanosecondsSince1970(_ time: timespec) -> Int64 {
  nanosecondsSince1970(Int64(time.tv_sec), Int64(time.tv_nsec))
}

private func nanosecondsSince1970(_ seconds: Int64, _ rest: Int64) -> Int64 {
  let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
  let (sum, overflows) = whole.addingReportingOverflow(rest)
  guard isTooLong || overflows else { return sum }
  return seconds < 0 ? .min : .max
}
