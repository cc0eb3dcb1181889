import Bytes
import Platform

extension Repository {
  /// The stashes of the repository.
  package var stashes: Stashes { Stashes(repository: self) }
}

/// The versions of files that git puts into its index if the changes of a stash are in conflict.
private struct StashedMoves {
  /// The contents of the changed files before the stash, and in it. A note that was moved since has another path in the index.
  private let old: Set<ObjectID>
  private let new: Set<ObjectID>
  /// The paths that only the stash has, and the contents that HEAD has for files deleted in the stash.
  private let added: Set<[UInt8]>
  private let left: Set<ObjectID>
  private let base: ObjectID
  private let tip: ObjectID
  private let repository: Repository

  init(
    _ changes: [(path: [UInt8], old: ObjectID?, new: ObjectID?)], base: ObjectID, tip: ObjectID,
    _ repository: Repository
  ) throws(GitError) {
    old = Set(changes.compactMap(\.old))
    new = Set(changes.compactMap(\.new))
    added = Set(changes.filter { $0.old == nil }.map(\.path))
    var left: Set<ObjectID> = []
    for change in changes where change.new == nil {
      if let head = try repository.file(change.path, at: tip) { left.insert(head.id) }
    }
    self.left = left
    (self.base, self.tip, self.repository) = (base, tip, repository)
  }

  /// Whether an entry with a conflict can be of the stash. If both sides moved a note to two paths, git merges its texts first.
  func mayHave(_ version: IndexEntry) throws(GitError) -> Bool {
    switch version.stage {
    case 1: return old.contains(version.id)
    case 3: return new.contains(version.id) || added.contains(version.path)
    default:
      guard let head = try repository.file(version.path, at: tip)?.id else {
        return added.contains(version.path) && left.contains(version.id)
      }
      if head == version.id { return true }
      guard !added.isEmpty else { return false }
      return try repository.file(version.path, at: base) == nil
    }
  }
}

/// Changes that git keeps apart from the branches, latest first; see git-stash(1).
package struct Stashes {
  let repository: Repository

  /// The stash whose changes are in conflict, and the commit that they are of; nil if the conflicts of the index are not those
  /// of a stash.
  func sidesInConflict() throws(GitError) -> (base: ObjectID?, other: ObjectID)? {
    let entries = try repository.index.entries()
    let versions = entries.filter { $0.stage > 0 }
    guard !versions.isEmpty, let tip = try repository.head().tip else { return nil }
    for stash in try all() {
      guard let base = try repository.read(stash).parents.first else { continue }
      let changes = try repository.changedFiles(from: base, toTree: try repository.read(stash).tree)
      let moves = try StashedMoves(
        changes.map { ($0.path, $0.old?.id, $0.new?.id) }, base: base, tip: tip, repository)
      var fits = true
      for version in versions where fits { fits = try moves.mayHave(version) }
      if fits, try isApplied(changes.map { ($0.path, $0.new?.id) }, of: base, entries, tip) {
        return (base, stash)
      }
    }
    return nil
  }

  /// Whether git's index has the changes of a stash, and no others: two stashes may have the same change of a note.
  private func isApplied(
    _ changes: [(path: [UInt8], new: ObjectID?)], of base: ObjectID, _ entries: IndexEntries, _ tip: ObjectID
  ) throws(GitError) -> Bool {
    let unmerged = entries.filter { $0.stage > 0 }
    let paths = Set(unmerged.map(\.path))
    // The user may have settled a conflict with the version of HEAD.
    let ids = Set(unmerged.map(\.id)).union(try repository.operation.resolvedVersions().map(\.id))
    for change in changes {
      let entry = entries.entry(at: change.path)
      if entry?.stage ?? 0 > 0 || change.new.map(ids.contains) == true { continue }
      let head = try repository.file(change.path, at: tip)?.id
      // If HEAD lacks the file, it was moved, and its changes are at another path.
      guard let head, entry?.id == head, head != change.new else { continue }
      // Its changes may be in the file alone.
      guard let workTree = repository.workTree, let bytes = try? RawFile.read(workTree / change.path)?.bytes,
        (try? repository.conversion.contentID(of: bytes, path: change.path)) != head
      else { return false }
    }
    let stashed = Set(changes.map(\.path))
    let names = try repository.git(["diff-index", "--cached", "--name-only", "-z", tip.hex])
    for name in names.split(separator: 0).map({ Array($0) })
    where !stashed.contains(name) && !paths.contains(name) {
      if try repository.file(name, at: base) != nil { return false }
    }
    return true
  }

  /// The commits of the stashes, latest first.
  private func all() throws(GitError) -> [ObjectID] {
    guard let last = try top() else { return [] }
    let log = try RawFile.read(repository.commonDirectory / "logs/refs/stash")?.bytes ?? []
    let ids = log.split(separator: 0x0A).compactMap { line in
      line.split(separator: UInt8(ascii: " ")).dropFirst().first.flatMap { ObjectID(hex: $0) }
    }
    return ids.isEmpty ? [last] : ids.reversed()
  }

  /// The name of the stash of a commit, such as `stash@{0}`; nil if it is not a stash any more.
  package func name(of commit: ObjectID) throws(GitError) -> String? {
    try all().firstIndex(of: commit).map { "stash@{\($0)}" }
  }

  /// The untracked files of a stash that the work tree lacks, or has with another content; from the root of the repository.
  ///
  /// Git restores none of them if one of their places is taken. Source: git-stash(1), `--include-untracked`.
  package func untrackedLeft(in stash: ObjectID) throws(GitError) -> [[UInt8]] {
    let parents = try repository.read(stash).parents
    guard parents.count > 2, let workTree = repository.workTree else { return [] }
    var left: [[UInt8]] = []
    for file in try repository.changedFiles(from: nil, to: parents[2], under: []) {
      guard let stashed = file.new?.id else { continue }
      let bytes = (try? RawFile.read(workTree / file.path))?.bytes
      let there = bytes.flatMap { try? repository.conversion.contentID(of: $0, path: file.path) }
      if there != stashed { left.append(file.path) }
    }
    return left
  }

  /// The name of the stash into which slip put edits before git went on, such as `stash@{0}`; nil without one.
  ///
  /// It is dropped when the edits are back, so that one that is left is of a command that was killed.
  /// - Complexity: that of reading the log of the stashes.
  package func nameOfKeptEdits() throws(GitError) -> String? {
    let log = try RawFile.read(repository.commonDirectory / "logs/refs/stash")?.bytes ?? []
    let mark = Array("\t\(Self.editsMessage)".utf8)
    let lines = Array(log.split(separator: 0x0A).reversed())
    let place = lines.firstIndex { line in
      line.firstIndex(of: 0x09).map { line[$0...].starts(with: mark) } ?? false
    }
    return place.map { "stash@{\($0)}" }
  }

  /// How the message of such a stash begins.
  package static let editsMessage = "slip: edits during a "

  /// The files of git's index that the work tree lacks, from the root of the repository.
  package func missingFiles() throws(GitError) -> [[UInt8]] {
    let names = try repository.git([
      "diff-files", "--name-only", "--ignore-submodules", "-z", "--diff-filter=D",
    ])
    return names.split(separator: 0).map { Array($0) }
  }

  /// Puts the changes of tracked files that are not in the index into git's stash, and the files of the index in their
  /// place. Files that are missing are brought back: git may have been killed before it wrote them.
  ///
  /// The stash holds them alone. Git's own stash would hold the staged changes too, and these are in the next commit: to
  /// bring them back would undo later steps.
  /// - Returns: the commit of the stash; nil if there are no such changes.
  package func pushEdits(_ message: String) throws(GitError) -> ObjectID? {
    let list = ["diff-files", "--name-only", "--ignore-submodules", "-z"]
    let missing = try missingFiles()
    if !missing.isEmpty {
      let input = Array(missing.joined(separator: [0])) + [0]
      _ = try repository.git(["checkout-index", "-z", "--stdin"], input: input)
    }
    let names = try repository.git(list)
    guard !names.isEmpty else { return nil }
    let scratch = try ScratchFolder(in: repository.gitDirectory)
    defer { scratch.remove() }
    let index = scratch.path / "index"
    try GitError.wrapping("copy", index) { () throws(SystemError) in
      try Files.write(try Files.read(repository.gitDirectory / "index"), to: index)
    }
    let staged = try hex(["write-tree"])
    _ = try repository.git(
      ["update-index", "--add", "--remove", "-z", "--stdin"], index: index, input: names, stores: true)
    let edited = try hex(["write-tree"], index: index)
    let base = try hex(["commit-tree", staged, "-p", "HEAD", "-m", message])
    let second = try hex(["commit-tree", staged, "-p", base, "-m", message])
    let stash = try hex(["commit-tree", edited, "-p", base, "-p", second, "-m", message])
    _ = try repository.git(["stash", "store", "--quiet", "--message", message, stash])
    _ = try repository.git(["checkout-index", "--force", "-z", "--stdin"], input: names)
    _ = try repository.git(["update-index", "-q", "--refresh"], accepting: [0, 1])
    repository.indexCache.known = nil
    return ObjectID(hex: stash.utf8)
  }

  /// The id that a command of git prints.
  private func hex(_ words: [String], index: [UInt8]? = nil) throws(GitError) -> String {
    GitError.text(Array(try repository.git(words, index: index).prefix(40)))
  }

  /// Brings back the changes of a stash and drops it, if it is the latest one.
  ///
  /// - Returns: whether they are back; else the stash stays.
  package func pop(_ stash: ObjectID) throws(GitError) -> Bool {
    guard try top() == stash else { return false }
    repository.indexCache.known = nil
    // Git records the tree of this merge in the file of the operation in progress.
    let file = repository.gitDirectory / "AUTO_MERGE"
    let noted = try RawFile.read(file)?.bytes
    guard try repository.runGit(["stash", "pop", "--quiet"]).status == 0 else { return false }
    if let noted {
      try GitError.wrapping("write", file) { () throws(SystemError) in try Files.write(noted, to: file) }
    } else {
      RawFile.remove(file)
    }
    return true
  }

  /// The commit of the latest stash.
  private func top() throws(GitError) -> ObjectID? {
    let hex = try repository.git(["rev-parse", "--verify", "--quiet", "refs/stash"], accepting: [0, 1])
    return ObjectID(hex: hex.prefix(40))
  }
}
