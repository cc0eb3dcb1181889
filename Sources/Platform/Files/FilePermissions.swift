/// The permission bits of a file that is made.
package enum FilePermissions: Sendable, Equatable {
  /// Read and write, less the umask.
  case plain
  /// Read, write and execute, less the umask.
  case executable
  /// Just these bits of 0777, whatever the umask.
  case exact(UInt32)

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
