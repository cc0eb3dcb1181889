import Bytes
import Git
import Notes

/// What a sync did.
package struct SyncResult: Sendable {
  /// A file that came or went.
  package struct File: Sendable, Equatable {
    package enum Change: String, Sendable { case new, changed, moved, deleted }

    /// In the box.
    package let path: [UInt8]
    package let change: Change
    /// The title of a note; nil for another file.
    package let title: String?
  }

  package let target: SyncTarget
  /// The files that other programs had changed and that were committed first.
  package internal(set) var committedCount = 0
  /// Changed files that only git can commit, with the reason.
  package internal(set) var refusals: [(path: [UInt8], reason: SlipboxError)] = []
  package internal(set) var came: [File] = []
  package internal(set) var cameCommits = 0
  /// The people whose commits came.
  package internal(set) var authors: [String] = []
  package internal(set) var conflicts: [MergeConflict] = []
  package internal(set) var went: [File] = []
  package internal(set) var wentCommits = 0
  /// What the server said, a line each; control characters are not yet escaped.
  package internal(set) var words: [String] = []
  /// The ref under which the former commits of this box are kept; nil where none had to be.
  package internal(set) var keptName: String?

  init(target: SyncTarget) { self.target = target }

  /// The same result, with a target that is known better.
  init(_ target: SyncTarget, _ other: SyncResult) {
    self.target = target
    committedCount = other.committedCount
    refusals = other.refusals
  }
}

extension SyncResult.File {
  /// The files of changes; a note that is gone in one place and new in another has moved.
  static func all(_ changes: [FileChange]) -> [Self] {
    let notes = changes.map { change in
      (change: change, before: note(change.path, change.before), after: note(change.path, change.after))
    }
    let gone = Set(notes.compactMap { $0.after == nil && $0.change.after == nil ? $0.before?.id : nil })
    let made = Set(notes.compactMap { $0.change.before == nil ? $0.after?.id : nil })
    let moved = gone.intersection(made)
    return notes.compactMap { note -> Self? in
      let path = note.change.path
      switch (note.change.before, note.change.after) {
      case (nil, nil): return nil
      case (nil, _):
        let isMoved = note.after?.id.map(moved.contains) ?? false
        return Self(path: path, change: isMoved ? .moved : .new, title: note.after?.title)
      case (_, nil):
        if let id = note.before?.id, moved.contains(id) { return nil }
        return Self(path: path, change: .deleted, title: note.before?.title)
      default: return Self(path: path, change: .changed, title: note.after?.title)
      }
    }
  }

  private static func note(_ path: [UInt8], _ bytes: [UInt8]?) -> Note? {
    guard let bytes, FileName.isNote(path) else { return nil }
    return Note(path: path, text: NoteText(bytes))
  }
}

extension Box {
  /// Above this many files their titles are not read.
  private static let mostTitled = 100

  /// The files of the box that differ between two commits.
  func syncedFiles(from old: ObjectID?, to new: ObjectID) throws(SlipboxError) -> [SyncResult.File] {
    let files = try git { repository throws(GitError) in
      try repository.changedFiles(from: old, to: new, under: prefix)
    }
    var changes: [FileChange] = []
    for file in files {
      let reads = files.count <= Self.mostTitled
      changes.append(
        FileChange(
          path: Array(file.path.dropFirst(prefix.count)),
          before: try file.old.map { (entry) throws(SlipboxError) in reads ? try blob(entry.id) : [] },
          after: try file.new.map { (entry) throws(SlipboxError) in reads ? try blob(entry.id) : [] }))
    }
    return SyncResult.File.all(changes)
  }
}
