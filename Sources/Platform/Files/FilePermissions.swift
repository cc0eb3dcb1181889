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
