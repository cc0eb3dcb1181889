import NoteIndex
import Notes
import Platform

extension Slipbox {
  /// More files than this are left for the next command to read.
  private static let mostKeptChanges = 1_000

  /// Lets later commands know the notes of a change without reading all of the box again.
  ///
  /// - Complexity: linear in what has changed; nothing of the box itself is looked at.
  func keepNotes(of changes: [FileChange]) {
    guard changes.count <= Self.mostKeptChanges, let kept = keptSnapshot() else { return }
    var files: [NoteFile] = []
    for change in changes where FileName.isNote(change.path) {
      guard let bytes = change.after, let status = try? folder.status(change.path), status.kind == .file,
        let isIgnored = kept.hasIgnoreRules ? try? isIgnored(change.path) : false
      else { continue }
      // Written this very moment: an edit that follows at once might leave the same stamp.
      files.append(
        NoteFile(
          path: change.path, bytes: bytes, stamp: FileStamp(status), isRacy: true,
          verdict: isIgnored ? .onlyIfTracked : .note))
    }
    if let length = keep(files, generation: kept.generation), length > NoteStore.longestLog {
      surroundings.startMaintenance(root)
    }
  }
}
