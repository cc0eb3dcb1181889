import Bytes
/// When a file was last changed and when it was added, as its history tells, and what it holds.
package struct PathTimes: Sendable, Equatable {
  /// The author's time of the commit that `git log -1 -- PATH` shows.
  package let modified: CommitTime
  /// The author's time of the commit that added the file, under whatever name it had then.
  ///
  /// It is followed through renames that left the bytes as they were.
  package let first: CommitTime
  /// The commit that `git log -1 -- PATH` shows.
  package let modifiedBy: ObjectID
  /// The content of the file at the commit that was asked for: a file on disk that differs was changed since.
  package let blob: ObjectID

  package init(modified: CommitTime, first: CommitTime, modifiedBy: ObjectID, blob: ObjectID) {
    self.modified = modified
    self.first = first
    self.modifiedBy = modifiedBy
    self.blob = blob
  }
}
