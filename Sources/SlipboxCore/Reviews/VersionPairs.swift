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

  /// The pairs of a commit against its first parent.
  ///
  /// - Throws: `GitError` with `missing` where the parent is beyond the cut of a shallow clone.
  /// - Complexity: linear in the folders and notes that differ.
  func pairs(of commit: Commit, in repository: Repository) throws(GitError) -> [VersionPair] {
    let folder = box.prefix.isEmpty ? [] : Array(box.prefix.dropLast())
    let files = try repository.changedFiles(from: commit.parents.first, to: commit.id, under: folder)
    var versions: [(old: NoteVersion?, new: NoteVersion?)] = []
    var (old, new): ([[UInt8]: Note], [[UInt8]: Note]) = ([:], [:])
    var newByID: [NoteID: [UInt8]] = [:]
    for file in files where file.old?.id != file.new?.id {
      let before = try file.old.flatMap { entry throws(GitError) in try note(entry, repository) }
      let after = try file.new.flatMap { entry throws(GitError) in try note(entry, repository) }
      guard before != nil || after != nil else { continue }
      if let before { old[before.path] = before }
      if let after {
        new[after.path] = after
        if let id = after.id { newByID[id] = after.path }
      }
      versions.append((Self.version(before, file.old), Self.version(after, file.new)))
    }
    return NoteChange.between(versions).map { change in
      switch change.file {
      case .made(let path): return VersionPair(old: nil, new: new[path])
      case .deleted(let path): return VersionPair(old: old[path], new: nil)
      case .moved(let from, let to): return VersionPair(old: old[from], new: new[to])
      case nil:
        let path: [UInt8]? =
          switch change.note {
          case .path(let path): path
          case .id(let id): newByID[id]
          }
        return VersionPair(old: path.flatMap { old[$0] }, new: path.flatMap { new[$0] })
      }
    }
  }

  private static func version(_ note: Note?, _ entry: TreeEntry?) -> NoteVersion? {
    guard let note, let entry else { return nil }
    return NoteVersion(note, blob: entry.id)
  }

  /// The note of a file; nil for a file that is none.
  private func note(_ entry: TreeEntry, _ repository: Repository) throws(GitError) -> Note? {
    let path = Array(entry.path.dropFirst(box.prefix.count))
    let isHidden = path.split(separator: UInt8(ascii: "/")).contains { $0.first == UInt8(ascii: ".") }
    guard FileName.isNote(path), !isHidden, entry.mode != Self.symbolicLink else { return nil }
    let content = ContentID(entry.id.bytes)
    if let note = known.note(at: path, content) { return note }
    let note = Note(path: path, text: NoteText(try repository.blob(entry.id)))
    known.keep(note, content)
    return note
  }
}
