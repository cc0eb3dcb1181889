package import Git
import Notes

extension Operation {
  /// The operation of a commit with all its changes: from its message, or from its tree and its first parent's where the
  /// message does not hold all of them.
  ///
  /// - Parameter prefix: the box's folder in the repository, with a slash at its end; empty at the top. Other files are
  ///   left out.
  /// - Throws: `missing` where the parent is beyond the cut of a shallow clone.
  /// - Complexity: that of the message, or linear in the folders and notes that differ.
  package init(of commit: Commit, in repository: Repository, below prefix: [UInt8]) throws(GitError) {
    let read = OperationTrailers.operation(of: commit)
    guard !read.isWhole else {
      self = read
      return
    }
    let folder = prefix.isEmpty ? [] : Array(prefix.dropLast())
    let files = try repository.changedFiles(from: commit.parents.first, to: commit.id, under: folder)
    var versions: [(old: NoteVersion?, new: NoteVersion?)] = []
    for file in files where file.old?.id != file.new?.id {
      versions.append(
        (
          try file.old.map { entry throws(GitError) in try NoteVersion(entry, in: repository, below: prefix)
          },
          try file.new.map { entry throws(GitError) in try NoteVersion(entry, in: repository, below: prefix) }
        ))
    }
    let changes = NoteChange.between(versions)
    self = read.with(changes, noteCount: changes.count)
  }
}

extension NoteVersion {
  private static let symbolicLink: UInt32 = 0o120000

  /// The version of a file in a commit; only notes are read.
  fileprivate init(_ entry: TreeEntry, in repository: Repository, below prefix: [UInt8]) throws(GitError) {
    let path = Array(entry.path.dropFirst(prefix.count))
    if entry.mode != Self.symbolicLink, FileName.isNote(path) {
      self.init(path: path, bytes: try repository.blob(entry.id), blob: entry.id)
    } else {
      self.init(path: path, blob: entry.id)
    }
  }
}
