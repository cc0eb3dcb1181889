import NoteIndex
import Notes
import Bytes

/// Keeps links where another program moves files and folders.
package struct FollowMoves {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The plan that keeps every link where files and folders are about to be moved by another program.
  ///
  /// The edits of notes that move are those of a move: the old path goes, the new one has the text as it is to be. Other files that move have none.
  /// - Parameter moves: the new paths of notes, other files and folders, by their paths now.
  /// - Throws: `.badData` where a link can't be kept for certain.
  package func plan(_ moves: [[UInt8]: [UInt8]]) throws(SlipboxError) -> Plan {
    let catalogue = try snapshot.catalogue()
    var renames: [NoteRename] = []
    var (files, folders): ([[UInt8]: [UInt8]], [[UInt8]: [UInt8]]) = ([:], [:])
    let others = try snapshot.otherFiles().paths
    let known = Set(others)
    for (old, new) in moves {
      if let entry = catalogue.entry(path: old) {
        renames.append(NoteRename(entry, to: new))
      } else if known.contains(old) {
        files[old] = new
      } else {
        let start = old + [UInt8(ascii: "/")]
        let place = { (path: [UInt8]) in BytePath.join(new, Array(path.dropFirst(start.count))) }
        for number in catalogue.entries.indices where catalogue.entries.path(at: number).starts(with: start) {
          let entry = catalogue.entries[number]
          renames.append(NoteRename(entry, to: place(entry.note.path)))
        }
        for path in others where path.starts(with: start) { files[path] = place(path) }
        folders[old] = new
      }
    }
    let plan = try RenameNotes(in: snapshot).plan(
      renames, files: files, folders: folders, command: "mv", reason: nil
    ) { _ in
      "Keep links to \(moves.count == 1 ? "a moved file" : "\(moves.count) moved files")"
    }
    let moving = Set(files.keys).union(files.values)
    return plan.limited { !moving.contains($0) }
  }
}
