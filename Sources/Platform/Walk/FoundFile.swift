/// A file that a walk has found.
package struct FoundFile: Sendable {
  /// The path relative to the folder that was walked.
  package let path: [UInt8]
  package let status: FileStatus

  package init(path: [UInt8], status: FileStatus) {
    self.path = path
    self.status = status
  }
}
