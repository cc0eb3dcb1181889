import Git
import Notes

extension BoxSnapshot {
  /// The most that are named for one note.
  private static let mostNamed = 3

  /// The later commits that are in the way of taking an operation back in a note, newest first.
  ///
  /// None where the note's file has changes that are not committed.
  /// - Complexity: linear in the commits of the note since the operation.
  package func operationsInTheWay(
    of past: PastOperation, _ conflict: UndoConflict
  ) throws(SlipboxError) -> [HistoryEntry] {
    var found: [HistoryEntry] = []
    let paths: [[UInt8]]
    if case .amended(let commit) = conflict.reason {
      let read = try box.git { repository throws(GitError) in try repository.read(commit) }
      return try entry(of: read, HistoryFilter()).map { [$0] } ?? []
    }
    switch conflict.reason {
    case .referred(let referrers): paths = referrers
    case .taken(let path): paths = [path]
    case .changed, .deleted, .moved, .occupied, .grown, .amended: paths = [conflict.path]
    }
    for path in paths.prefix(Self.mostNamed) {
      let note = PastNote(path: path, id: path == conflict.path ? conflict.id : nil)
      try visitHistory(of: [note], HistoryFilter(wantsChanges: true)) { entry in
        guard entry.commit.id != past.commit.id else { return false }
        if entry.changes.contains(where: { $0.isInTheWay(conflict.reason) }) { found.append(entry) }
        return found.count < Self.mostNamed
      }
    }
    return found
  }
}

extension NoteChange {
  fileprivate func isInTheWay(_ reason: UndoConflict.Reason) -> Bool {
    guard case .changed(let names) = reason else { return true }
    return names.contains { name in
      switch name {
      case MergePart.body.name: body != nil
      case MergePart.frontMatter.name: true
      default: fields.contains { $0.name.hasSameBytes(as: name) }
      }
    }
  }
}
