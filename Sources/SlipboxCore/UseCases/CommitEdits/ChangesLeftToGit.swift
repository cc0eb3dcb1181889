import Git
import Platform

/// A change that slip leaves to git: of the mode or type of a tracked file, of a file that is no note, or of a note that
/// slip can't commit, for example because a program makes its stored form.
package struct ChangeLeftToGit: Sendable, Equatable {
  package enum Change: String, Sendable {
    case new, changed, deleted, executable
    case notExecutable = "not executable"
    case conflicted = "conflicting versions"
    case link = "symbolic link"
    case file = "regular file"
    /// The file is still in HEAD and in the work tree; git's index lacks it.
    case removed = "removed from git's index"
    /// Git can't store a file with this path.
    case unstorable = "path that git can't store"
  }

  /// In the box.
  package let path: [UInt8]
  /// The kind of change; a mode or type names what the work tree has.
  package let change: Change
}

extension BoxSnapshot {
  /// The changes of tracked files against git's index that slip leaves to git, by path.
  ///
  /// - Parameter known: paths of the box that are named otherwise, such as notes that slip commits.
  /// - Complexity: O(n) in the entries of the index; only files whose status is not that of the index are read.
  package func changesLeftToGit(besides known: Set<[UInt8]>) throws(SlipboxError) -> [ChangeLeftToGit] {
    let prefix = box.prefix
    let entries = try box.git { repository throws(GitError) in try repository.indexEntries() }
    let stamps = try noteStamps()
    var next = 0
    var found: [ChangeLeftToGit] = []
    var unknown: [[UInt8]] = []
    for entry in entries where entry.path.starts(with: prefix) {
      let path = Array(entry.path.dropFirst(prefix.count))
      if entry.stage > 0 {
        guard !known.contains(path), found.last?.path != path else { continue }
        found.append(ChangeLeftToGit(path: path, change: .conflicted))
        continue
      }
      while next < stamps.count, stamps[next].path.lexicographicallyPrecedes(path) {
        unknown.append(stamps[next].path)
        next += 1
      }
      if next < stamps.count, stamps[next].path == path {
        next += 1
        if entry.describes(stamps[next - 1].stamp) { continue }
      }
      guard entry.hidingFlag == nil, !known.contains(path), let change = try change(of: path, entry) else {
        continue
      }
      found.append(ChangeLeftToGit(path: path, change: change))
    }
    unknown += stamps[next...].map(\.path)
    let removed = try removedFromIndex(among: unknown.filter { !known.contains($0) })
    guard !removed.isEmpty else { return found }
    return (found + removed.map { ChangeLeftToGit(path: $0, change: .removed) })
      .sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// Those of the notes without an entry in git's index that HEAD has.
  private func removedFromIndex(among paths: [[UInt8]]) throws(SlipboxError) -> [[UInt8]] {
    guard !paths.isEmpty else { return [] }
    let committed = try committedFiles()
    var removed: [[UInt8]] = []
    for path in paths where try committed.file(path) != nil { removed.append(path) }
    return removed
  }

  private func noteStamps() throws(SlipboxError) -> [(path: [UInt8], stamp: FileStamp)] {
    var stamps: [(path: [UInt8], stamp: FileStamp)] = []
    try contents().workTree?.visitFiles { (file) throws(SlipboxError) in
      stamps.append((file.path, file.stamp))
    }
    return stamps
  }

  private func change(
    of path: [UInt8], _ entry: Repository.IndexEntry
  ) throws(SlipboxError) -> ChangeLeftToGit.Change? {
    let status = try system { () throws(SystemError) in
      try Files.status(box.absolutePath(path), followLinks: false)
    }
    guard let status else { return .deleted }
    if entry.describes(status) { return nil }
    let (file, indexed) = (
      try box.workTreeFile(at: path), TreeEntry(path: entry.path, id: entry.id, mode: entry.mode)
    )
    switch file.state {
    case .absent, .leftOut: return .deleted
    case .link where indexed.mode != TreeEntry.symbolicLink: return .link
    case .file where !indexed.isRegular: return indexed.mode == TreeEntry.symbolicLink ? .file : nil
    case .link, .file: break
    }
    if try box.isCommitted(indexed, file) { return nil }
    guard try box.holds(indexed, file, entry), let mode = file.state.mode else { return .changed }
    return mode & 0o100 == 0 ? .notExecutable : .executable
  }
}
