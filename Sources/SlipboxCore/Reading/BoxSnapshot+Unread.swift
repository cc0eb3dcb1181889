import Git
import Platform

/// Notes that could not be read, such as those over the size limit.
extension BoxSnapshot {
  /// The unreadable notes whose files git has to commit: as far as git's index tells, they differ from the last commit.
  ///
  /// No file is read.
  package func unreadChanges() throws(SlipboxError) -> [UnreadableNote] {
    var changes: [UnreadableNote] = []
    for note in try unreadableNotes() where try isUnreadChange(note.path) { changes.append(note) }
    return changes
  }

  private func isUnreadChange(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    // A file that can't even be looked at is named as unreadable.
    guard let status = try? Files.status(box.absolutePath(path), followLinks: false), status.kind == .file
    else { return false }
    let committed = try committedFiles()
    guard let entry = committed.staged(path), entry.stage == 0, let head = try committed.file(path),
      head.id == entry.id
    else { return true }
    let (seconds, nanoseconds) = (status.modified.seconds, Int64(status.modified.nanoseconds))
    return entry.modified != IndexTime(seconds: seconds, nanoseconds: nanoseconds)
      || entry.size != UInt32(truncatingIfNeeded: status.size)
  }
}
