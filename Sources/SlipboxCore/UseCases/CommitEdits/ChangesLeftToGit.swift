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
    for entry in entries where entry.path.starts(with: prefix) {
      let path = Array(entry.path.dropFirst(prefix.count))
      if entry.stage > 0 {
        guard !known.contains(path), found.last?.path != path else { continue }
        found.append(ChangeLeftToGit(path: path, change: .conflicted))
        continue
      }
      while next < stamps.count, stamps[next].path.lexicographicallyPrecedes(path) { next += 1 }
      if next < stamps.count, stamps[next].path == path, entry.describes(stamps[next].stamp) { continue }
      guard entry.hidingFlag == nil, !known.contains(path), let change = try change(of: path, entry) else {
        continue
      }
      found.append(ChangeLeftToGit(path: path, change: change))
    }
    return found
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
