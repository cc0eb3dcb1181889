package import Git
import Notes

extension Operation {
  /// The operation of a commit with all its changes: from its message, or from its tree and its parents' where the
  /// message does not hold all of them. A merge changed only what it has otherwise than each of its parents.
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
    let versions = try NoteVersion.changed(by: commit, in: repository, below: prefix)
    let changes = NoteChange.between(versions)
    self = read.with(changes, noteCount: changes.count)
  }
}

extension NoteVersion {
  /// The versions of the box's files before and after a commit, where it changed them.
  ///
  /// - Parameter paths: from the root of the repository: the only files that are looked at; nil for all.
  /// - Throws: as `Operation.init(of:in:below:)`.
  static func changed(
    by commit: Commit, at paths: [[UInt8]]? = nil, in repository: Repository, below prefix: [UInt8]
  ) throws(GitError) -> [(old: NoteVersion?, new: NoteVersion?)] {
    let version = { (entry: TreeEntry?) throws(GitError) -> NoteVersion? in
      guard let entry else { return nil }
      return try NoteVersion(entry, in: repository, below: prefix)
    }
    var versions: [(old: NoteVersion?, new: NoteVersion?)] = []
    for file in try files(changedBy: commit, at: paths, in: repository, below: prefix) {
      versions.append((try version(file.old), try version(file.new)))
    }
    return versions
  }

  /// The box's files that a commit has otherwise than each of its parents; those whose mode alone differs are left out.
  static func files(
    changedBy commit: Commit, at paths: [[UInt8]]?, in repository: Repository, below prefix: [UInt8]
  ) throws(GitError) -> [FileDifference] {
    var files: [FileDifference] = []
    if let paths {
      for path in paths {
        var old: TreeEntry?
        if let parent = commit.parents.first { old = try repository.file(path, at: parent) }
        files.append(FileDifference(path: path, old: old, new: try repository.file(path, at: commit.id)))
      }
    } else {
      files = try repository.changedFiles(
        from: commit.parents.first, to: commit.id, under: Array(prefix.dropLast()))
    }
    files = files.filter { $0.old?.id != $0.new?.id }
    for parent in commit.parents.dropFirst() {
      var kept: [FileDifference] = []
      for file in files where try repository.file(file.path, at: parent)?.id != file.new?.id {
        kept.append(file)
      }
      files = kept
    }
    return files
  }

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
