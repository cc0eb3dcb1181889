/// The files of a folder that an export has filled.
package struct ExportResult: Sendable, Equatable {
  /// Files that were made or hold other bytes now.
  package var written = 0
  /// Files that held the same bytes already.
  package var unchanged = 0
  /// Files of an earlier export that are made no longer.
  package var removed = 0

  package init(written: Int = 0, unchanged: Int = 0, removed: Int = 0) {
    self.written = written
    self.unchanged = unchanged
    self.removed = removed
  }
}
