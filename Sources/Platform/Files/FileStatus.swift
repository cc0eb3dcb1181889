import Glibc

/// A point in time as file systems keep it, since 1970 in UTC.
package struct FileTime: Hashable, Comparable, Sendable {
  package let seconds: Int64
  /// From 0 to 999,999,999.
  package let nanoseconds: Int32

  package init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  init(_ time: timespec) {
    self.init(seconds: Int64(time.tv_sec), nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec))
  }

  package static func < (left: FileTime, right: FileTime) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }
}

/// What the file system says of a file.
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

  /// Whether it is the same file with contents that nobody has written since.
  package func hasSameContents(as other: FileStatus) -> Bool {
    inode == other.inode && device == other.device && size == other.size && modified == other.modified
  }
}

extension FileStatus {
  init(_ status: stat) {
    switch status.st_mode & S_IFMT {
    case S_IFREG: kind = .file
    case S_IFDIR: kind = .directory
    case S_IFLNK: kind = .symbolicLink
    default: kind = .other
    }
    size = Int64(status.st_size)
    modified = FileTime(status.st_mtim)
    changed = FileTime(status.st_ctim)
    inode = UInt64(status.st_ino)
    device = UInt64(status.st_dev)
    mode = UInt32(status.st_mode)
    owner = UInt32(status.st_uid)
    group = UInt32(status.st_gid)
  }

  /// The status of a name in an open folder, or nil where there is none.
  static func of(
    _ name: [UInt8], in folder: Int32, followLinks: Bool = false
  ) throws(SystemError) -> FileStatus? {
    let path = try terminated(name, "stat")
    var status = stat()
    guard fstatat(folder, path, &status, followLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SystemError("stat", name)
    }
    return FileStatus(status)
  }
}
