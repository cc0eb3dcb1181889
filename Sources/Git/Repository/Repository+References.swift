import Bytes
import CLibgit2
import Platform

/// Refs beside the branches.
extension Repository {
  /// The object of a ref by its full name; nil where there is none.
  package func reference(_ name: String) throws(GitError) -> ObjectID? {
    try references.object(at: Array(name.utf8))
  }

  /// Makes a ref lead to an object, wherever it led before.
  ///
  /// A command that is killed meanwhile leaves the old object or the new one, and perhaps its lock, which the next one to
  /// set the ref takes over.
  package func setReference(_ name: String, to id: ObjectID) throws(GitError) {
    let name = Array(name.utf8)
    let lock = try takeLock(of: name)
    defer { lock.release() }
    try write(id, to: name)
    // The sync comes after the lock is gone, so that no power cut brings it back.
    lock.release()
    RawFile.syncFolder((commonDirectory / name).parentPath)
  }

  /// Removes all refs whose full names begin alike.
  ///
  /// Wraps `git_reference_remove`.
  package func removeReferences(under prefix: String) throws(GitError) {
    let repository = try open().repository
    var names = git_strarray()
    try GitLibrary.check(git_reference_list(&names, repository), "list the refs")
    defer { git_strarray_dispose(&names) }
    for index in 0..<names.count {
      guard let name = names.strings[index].map({ String(cString: $0) }), name.hasPrefix(prefix) else {
        continue
      }
      try GitLibrary.check(git_reference_remove(repository, name), "remove \(name)")
      // libgit2 makes the folder of a packed ref, for its lock, and writes the file without the ref.
      shareReference(Array(name.utf8))
      share(commonDirectory / "packed-refs")
    }
  }

  /// Removes the locks of a remote's refs that a git left which was killed.
  ///
  /// Such a lock is held for moments, or as long as a hook of git's runs (`reference-transaction`). One that stays as it is
  /// for two seconds, open in no process, with no git at work in the repository, is nobody's; and what the refs of a remote
  /// hold is only what is remembered of it.
  package func releaseLeftTrackingLocks(of remote: String) {
    for lock in referenceLocks(under: "refs/remotes/\(remote)") {
      guard let first = RawFile.status(lock) else { continue }
      let isGone = Waiting.retrying(milliseconds: 2_000) {
        RawFile.status(lock).map { $0.inode != first.inode || $0.changed != first.changed } ?? true
      }
      if !isGone, !ProcessTable.isOpen(lock), !isGitAtWork { RawFile.remove(lock) }
    }
  }

  /// Whether a git runs in one of the repository's work trees or in its git directory, as far as it can be seen.
  private var isGitAtWork: Bool {
    let links = commonDirectory / "worktrees"
    // Each linked work tree's folder holds the path of its `.git` file.
    let linked = RawFile.names(in: links).compactMap { name in
      (try? RawFile.read(links / name / "gitdir"))??.bytes.split(separator: 10).first.map {
        Array($0).parentPath
      }
    }
    let isInside = commonDirectory.suffix(5).elementsEqual("/.git".utf8)
    let main = isInside ? [commonDirectory.parentPath] : [commonDirectory]
    return (main + linked + [workTree].compactMap { $0 }).contains {
      !ProcessTable.commandLines(of: "git", in: $0).isEmpty
    }
  }

  /// The names of the branches that are remembered of remotes, without the remote's name.
  package func remoteBranchNames() throws(GitError) -> [String] {
    let repository = try open().repository
    var names = git_strarray()
    try GitLibrary.check(git_reference_list(&names, repository), "list the refs")
    defer { git_strarray_dispose(&names) }
    let prefix = "refs/remotes/"
    return (0..<names.count).compactMap { index in
      guard let name = names.strings[index].map({ String(cString: $0) }), name.hasPrefix(prefix) else {
        return nil
      }
      let parts = name.dropFirst(prefix.count).split(separator: "/", maxSplits: 1)
      return parts.count == 2 && parts[1] != "HEAD" ? String(parts[1]) : nil
    }.sorted()
  }

  /// The lock files of the refs whose full names begin with a folder's, such as `refs/remotes/origin`.
  package func referenceLocks(under folder: String) -> [[UInt8]] {
    locks(in: commonDirectory / folder)
  }

  private func locks(in folder: [UInt8]) -> [[UInt8]] {
    // What can't be listed has no lock that could be given back.
    let names = (try? Files.list(folder)) ?? []
    return names.flatMap { name -> [[UInt8]] in
      let path = folder / name
      switch RawFile.status(path)?.kind {
      case .directory: return locks(in: path)
      case .file: return name.suffix(5).elementsEqual(".lock".utf8) ? [path] : []
      default: return []
      }
    }
  }
}
