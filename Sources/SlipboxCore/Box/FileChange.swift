package import Platform

/// One file's change: its bytes before and after. A missing side means the file is made or deleted.
package struct FileChange: Sendable, Equatable {
  package let path: [UInt8]
  package let before: [UInt8]?
  package let after: [UInt8]?
  /// Those of a file that is made; one that is there keeps its own.
  package let permissions: FilePermissions

  package init(
    path: [UInt8], before: [UInt8]?, after: [UInt8]?, permissions: FilePermissions = .plain
  ) {
    self.permissions = permissions
    self.path = path
    self.before = before
    self.after = after
  }

  /// Whether anything changes at all.
  package var isChange: Bool { before != after }
}
