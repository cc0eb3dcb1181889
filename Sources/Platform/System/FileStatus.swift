/// A point in time as file systems keep it, since 1970 in UTC.
package struct FileTime: Hashable, Comparable, Sendable {
  package let seconds: Int64
  /// From 0 to 999,999,999.
  package let nanoseconds: Int32

  package init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  package static func < (left: FileTime, right: FileTime) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

/// The metadata of a file.
package struct FileStatus: Sendable, Equatable {
  package enum Kind: Sendable { case file, directory, symbolicLink, other }

  package let kind: Kind
  /// The length in bytes.
  package let size: Int64
  /// When the contents last changed.
  package let modified: FileTime
  /// When the contents or the inode last changed.
  package let changed: FileTime
  package let inode: UInt64
  package let device: UInt64
  /// The type and permission bits, as `st_mode`.
  package let mode: UInt32
  package let owner: UInt32
  package let group: UInt32

  package init(
    kind: Kind, size: Int64, modified: FileTime, changed: FileTime, inode: UInt64, device: UInt64,
    mode: UInt32, owner: UInt32, group: UInt32
  ) {
    self.kind = kind
    self.size = size
    self.modified = modified
    self.changed = changed
    self.inode = inode
    self.device = device
    self.mode = mode
    self.owner = owner
    self.group = group
  }

  /// Whether it is the same file, and was not written since.
  package func hasSameContents(as other: FileStatus) -> Bool {
    inode == other.inode && device == other.device && size == other.size && modified == other.modified
  }
}

/// The metadata by which one state of a file is told from another without reading its bytes.
///
/// A file whose stamp is unchanged has the same bytes, unless the stamp was racy when it was taken: see
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
}

extension FileTime {
  /// The nanoseconds since 1970; of times outside the years 1678 to 2262 the nearest that there is.
  package var sinceEpoch: Int64 { nanosecondsSince1970(seconds, Int64(nanoseconds)) }
}

private func nanosecondsSince1970(_ seconds: Int64, _ rest: Int64) -> Int64 {
  let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
  let (sum, overflows) = whole.addingReportingOverflow(rest)
  guard isTooLong || overflows else { return sum }
  return seconds < 0 ? .min : .max
}

/// The permission bits of a file that is made.
package enum FilePermissions: Sendable, Equatable {
  /// Read and write, less the umask.
  case plain
  /// Read, write and execute, less the umask.
  case executable
  /// Just these bits of 0777, whatever the umask.
  case exact(UInt32)

  /// Of a file that belongs to this user alone.
  package static let ofUser = FilePermissions.exact(0o600)

  /// The mode of a file that is there, made executable or not as git does: for everybody who may read it.
  package static func mode(_ mode: UInt32, isExecutable: Bool) -> UInt32 {
    guard isExecutable else { return mode & ~0o111 }
    return mode & 0o111 == 0 ? mode | (mode & 0o444) >> 2 : mode
  }

  /// Those of a file that is there.
  package init(like status: FileStatus) { self = .exact(UInt32(status.mode) & 0o777) }

  /// Whether git would call the file executable.
  package var isExecutable: Bool {
    switch self {
    case .plain: false
    case .executable: true
    case .exact(let bits): bits & 0o100 != 0
    }
  }
}
