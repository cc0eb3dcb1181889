import Git
import NoteIndex
import Notes

/// A note before and after a commit; nil where it was not there.
struct VersionPair {
  let old: Note?
  let new: Note?
}

/// The notes that a commit changed, each with its versions, through renames.
struct VersionPairs {
  private static let symbolicLink: UInt32 = 0o120000

  private let box: Box
  /// The notes that were made last, by their paths: the new version of one commit is the old one of the next.
  private let known = SharedNotes()

  init(_ box: Box) { self.box = box }

  /// The pairs of a commit against its first parent, without what a merge took from another one as it was.
  ///
  /// - Throws: `GitError` with `missing` where the parent is beyond the cut of a shallow clone.
  /// - Complexity: linear in the folders and notes that differ.
  func pairs(of commit: Commit, in repository: Repository) throws(GitError) -> [VersionPair] {
    var versions: [(old: NoteVersion?, new: NoteVersion?)] = []
    var (old, new): ([[UInt8]: Note], [[UInt8]: Note]) = ([:], [:])
    for file in try NoteVersion.files(changedBy: commit, at: nil, in: repository, below: box.prefix) {
      let before = try file.old.flatMap { entry throws(GitError) in try note(entry, repository) }
      let after = try file.new.flatMap { entry throws(GitError) in try note(entry, repository) }
      guard before != nil || after != nil else { continue }
      if let before { old[before.path] = before }
      if let after { new[after.path] = after }
      versions.append((Self.version(before, file.old), Self.version(after, file.new)))
    }
    return NoteMatching.pairs(versions).map { pair in
      VersionPair(old: pair.old.flatMap { old[$0.path] }, new: pair.new.flatMap { new[$0.path] })
    }
  }

  private static func version(_ note: Note?, _ entry: TreeEntry?) -> NoteVersion? {
    guard let note, let entry else { return nil }
    return NoteVersion(note, blob: entry.id)
  }

  /// The note of a file; nil for a file that is none.
  private func note(_ entry: TreeEntry, _ repository: Repository) throws(GitError) -> Note? {
    let path = Array(entry.path.dropFirst(box.prefix.count))
    guard box.isNoteFile(entry.path), entry.mode != Self.symbolicLink else { return nil }
    let content = ContentID(entry.id.bytes)
    if let note = known.note(at: path, content) { return note }
    let note = Note(path: path, text: NoteText(try repository.blob(entry.id)))
    known.keep(note, content)
    return note
  }
}
