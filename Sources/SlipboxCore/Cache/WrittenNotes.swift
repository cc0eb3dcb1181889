import NoteIndex
import Notes
import Platform

extension CatalogueCache {
  /// More files than this are left for the next command to read.
  private static let mostKeptChanges = 1_000
  /// Above this many bytes of log, a whole snapshot is made where nobody waits for it.
  static let longestLog = 1 << 20

  /// Lets later commands know the notes of a change without reading all of the box again.
  ///
  /// - Complexity: linear in what has changed; nothing of the box itself is looked at.
  /// - Returns: whether the log has grown so long that it is worth folding.
  func keepNotes(of changes: [FileChange], in box: Box) -> Bool {
    guard changes.count <= Self.mostKeptChanges, let kept = keptSnapshot() else { return false }
    let excluded = box.excluded
    var files: [NoteFile] = []
    for change in changes where FileName.isNote(change.path) {
      guard let bytes = change.after,  // A file that went away again is read by the next command.
        let status = try? box.folder.status(change.path), status.kind == .file,
        !excluded.covers(change.path),
        let isIgnored = kept.hasIgnoreRules ? try? box.isIgnored(change.path) : false
      else { continue }
      // Written this very moment: an edit that follows at once might leave the same stamp.
      files.append(
        NoteFile(
          path: change.path, bytes: bytes, stamp: FileStamp(status), isRacy: true,
          verdict: isIgnored ? .onlyIfTracked : .note))
    }
    return keep(files, generation: kept.generation).map { $0 > Self.longestLog } ?? false
  }
}
