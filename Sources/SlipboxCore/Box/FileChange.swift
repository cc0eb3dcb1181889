/// One file's change: its bytes before and after. A missing side means the file is made or deleted.
package struct FileChange: Sendable, Equatable {
  package let path: [UInt8]
  package let before: [UInt8]?
  package let after: [UInt8]?

  package init(path: [UInt8], before: [UInt8]?, after: [UInt8]?) {
    self.path = path
    self.before = before
    self.after = after
  }

  /// Whether anything changes at all.
  package var isChange: Bool { before != after }
}
