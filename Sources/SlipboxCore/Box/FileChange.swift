package import Platform

/// A change of one file of the work tree: what its path holds before and after.
package struct FileChange: Sendable, Equatable {
  package let path: [UInt8]
  package let from: FileState
  package let to: FileState
  /// Those of a file that is made; one that is there keeps its own, but for the executable bit.
  package let permissions: FilePermissions

  package init(path: [UInt8], from: FileState, to: FileState, permissions: FilePermissions? = nil) {
    self.path = path
    self.from = from
    self.to = to
    var isExecutable = false
    if case .file(_, true) = to { isExecutable = true }
    self.permissions = permissions ?? (isExecutable ? .executable : .plain)
  }

  /// A change of the bytes of a regular file; nil stands for no file.
  package init(
    path: [UInt8], before: [UInt8]?, after: [UInt8]?, permissions: FilePermissions = .plain
  ) {
    let isExecutable = permissions.isExecutable
    let state = { (bytes: [UInt8]?) in bytes.map { FileState.file($0, isExecutable: isExecutable) } ?? .absent
    }
    self.init(path: path, from: state(before), to: state(after), permissions: permissions)
  }

  /// The bytes before; nil if there is no regular file.
  package var before: [UInt8]? { from.bytes }

  /// The bytes after; nil if there is no regular file.
  package var after: [UInt8]? { to.bytes }

  /// Whether anything changes at all.
  package var isChange: Bool { from != to }
}
