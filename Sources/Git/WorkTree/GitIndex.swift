import Bytes
import CLibgit2
package import Platform

extension Repository {
  /// Git's index.
  package var index: GitIndex { GitIndex(repository: self) }
}

/// The index of a work tree, beside its files.
package struct GitIndex {
  let repository: Repository

  var path: [UInt8] { repository.gitDirectory / "index" }

  /// The lock file.
  package var lockPath: [UInt8] { IndexLock.path(of: path) }

  /// Why the index could not be read; nil if it was read, or was not needed.
  package var damage: IndexDamage? { repository.indexCache.damage }

  /// All entries of the index, sorted by path and stage.
  ///
  /// Versions 2 to 4 are read here, a split or sparse index by `git ls-files`. If the index is damaged or missing,
  /// HEAD's files are used instead, since no staged change is known, and `damage` is set.
  package func entries() throws(GitError) -> IndexEntries {
    if let known = repository.indexCache.known, let status = RawFile.status(path),
      known.isOf(status)
    {
      return known.entries
    }
    guard let index = try IndexReading(path) else { return try standIn(for: .missing) }
    guard let file = index.file else { return try standIn(for: .damaged) }
    let entries: IndexEntries
    do throws(GitError) {
      entries = file.isPartial ? IndexEntries(try listedEntries()) : IndexEntries(file)
    } catch {
      // If git could not be asked, or the file not be read, nothing is known of damage.
      if error.reason == .io { throw error }
      return try standIn(for: .damaged)
    }
    repository.indexCache.known = KnownIndex(index.status, entries)
    return entries
  }

  /// HEAD's files as an index would hold them, but for the status of each.
  private func standIn(for damage: IndexDamage) throws(GitError) -> IndexEntries {
    guard let tip = try repository.head().tip else {
      // Before the first commit there need not be an index.
      if damage == .damaged { repository.indexCache.damage = damage }
      return IndexEntries([])
    }
    repository.indexCache.damage = damage
    if let standIn = repository.indexCache.standIn, standIn.tip == tip { return standIn.entries }
    let none = FileTime(seconds: 0, nanoseconds: 0)
    let files = try repository.files(at: tip, under: []).map { file in
      IndexEntry(
        path: file.path, id: file.id, mode: file.mode, stage: 0, skipWorktree: false, intentToAdd: false,
        assumeValid: false, size: 0, modified: none, changed: none, inode: 0)
    }
    let entries = IndexEntries(files)
    repository.indexCache.standIn = (tip, entries)
    return entries
  }

  /// The first entry of a path.
  /// - Complexity: O(log n) if the index was read before; else the file is read, but not decoded.
  func entry(_ path: [UInt8]) throws(GitError) -> IndexEntry? {
    // One that can't be read is dealt with below.
    if repository.indexCache.known == nil, let file = try IndexReading(self.path)?.file, !file.isPartial {
      return file.entries(of: path).first.map { file.entry($0) }
    }
    return try entries().entry(at: path)
  }

  /// The files of which the index has conflicting versions, in order.
  package func unmergedPaths() throws(GitError) -> [[UInt8]] {
    var paths: [[UInt8]] = []
    for entry in try entries() where entry.stage > 0 && paths.last != entry.path {
      paths.append(entry.path)
    }
    return paths
  }

  /// The entries as git lists them.
  private func listedEntries() throws(GitError) -> [IndexEntry] {
    let answer = try repository.git(["ls-files", "-z", "--stage", "--debug"])
    var entries: [IndexEntry] = []
    var rest = answer[...]
    while let tab = rest.firstIndex(of: 9), let nul = rest[tab...].firstIndex(of: 0) {
      let words = rest[..<tab].split(separator: 32)
      var details = rest[(nul + 1)...]
      var numbers: [String: UInt64] = [:]
      // "  ctime: 1:2", ..., "  size: 3\tflags: 0": five lines of names and numbers.
      for _ in 0..<5 {
        let end = details.firstIndex(of: 10) ?? details.endIndex
        Self.readDetails(details[..<end], into: &numbers)
        details = details[min(end + 1, details.endIndex)...]
      }
      let path = Array(rest[(tab + 1)..<nul])
      guard words.count == 3, let entry = Self.entry(path, words, numbers) else {
        throw IndexFile.damaged("git ls-files printed unexpected output")
      }
      entries.append(entry)
      rest = details
    }
    return entries
  }

  private static func readDetails(_ line: ArraySlice<UInt8>, into numbers: inout [String: UInt64]) {
    for part in line.split(separator: 9) {
      let words = String(decoding: part, as: UTF8.self).split(separator: ":")
      guard let name = words.first?.trimmingBlanks else { continue }
      for (place, word) in words.dropFirst().enumerated() {
        let radix = name == "flags" ? 16 : 10
        numbers[place == 0 ? name : "\(name) nanoseconds"] = UInt64(
          Substring(word).trimmingBlanks, radix: radix)
      }
    }
  }

  private static func entry(
    _ path: [UInt8], _ words: [ArraySlice<UInt8>], _ numbers: [String: UInt64]
  ) -> IndexEntry? {
    guard let mode = UInt32(String(decoding: words[0], as: UTF8.self), radix: 8),
      let id = ObjectID(hex: words[1]),
      let stage = Int(String(decoding: words[2], as: UTF8.self)), let flags = numbers["flags"]
    else { return nil }
    let time: (String) -> FileTime = { name in
      FileTime(
        seconds: Int64(truncatingIfNeeded: numbers[name] ?? 0),
        nanoseconds: Int32(truncatingIfNeeded: numbers["\(name) nanoseconds"] ?? 0))
    }
    return IndexEntry(
      path: path, id: id, mode: mode, stage: stage, skipWorktree: flags & 1 << 30 != 0,
      intentToAdd: flags & 1 << 29 != 0, assumeValid: flags & 0x8000 != 0,
      size: UInt32(truncatingIfNeeded: numbers["size"] ?? 0), modified: time("mtime"), changed: time("ctime"),
      inode: UInt32(truncatingIfNeeded: numbers["ino"] ?? 0))
  }
}

extension GitIndex {
  /// Files longer than this are not read to compare them; git is left to look at them.
  private static let longestCompared = 64 << 20

  /// The entries that a newer index would make look clean although their files may have changed.
  ///
  /// Git trusts size and time of a file unless it was written in the second of the index or later ("racy"). Such entries
  /// are compared by content, as git does when it writes an index; if that differs, the size in the entry becomes 0,
  /// by which git looks again. An entry whose file still has the very nanoseconds it was staged with, all before the
  /// index was written, needs no reading.
  /// Source: git's racy-git(7).
  func smudgedEntries(of file: IndexFile, writtenAt written: FileTime, except paths: [[UInt8]]) -> [Int] {
    guard let workTree = repository.workTree else { return [] }
    let changed = Set(paths)
    return file.entries(modifiedFrom: UInt32(truncatingIfNeeded: written.seconds)).filter { number in
      guard file.stage(number) == 0, !changed.contains(file.path(number)) else { return false }
      return isSuspect(file.entry(number), in: workTree, writtenAt: written)
    }
  }

  private func isSuspect(_ entry: IndexEntry, in workTree: [UInt8], writtenAt written: FileTime) -> Bool {
    let path = workTree / entry.path
    // If the status differs, git looks at the content anyway.
    guard let found = RawFile.status(path), (found.mode ^ entry.mode) & IndexEntry.kindBits == 0 else {
      return false
    }
    guard UInt32(truncatingIfNeeded: found.size) == entry.size, entry.size > 0,
      Self.isSameSecond(found.modified, entry.modified)
    else { return false }
    // Git may be configured not to compare the rest of the status.
    let isSame =
      UInt32(truncatingIfNeeded: found.inode) == entry.inode
      && Self.isSameSecond(found.changed, entry.changed)
      && found.modified.nanoseconds == entry.modified.nanoseconds
      && found.changed.nanoseconds == entry.changed.nanoseconds && entry.modified.nanoseconds > 0
    if isSame, found.modified < written, found.changed < written { return false }
    return !hasContent(of: entry, path, size: found.size)
  }

  /// Whether a time lies in the second of one that the index keeps in 32 bits.
  private static func isSameSecond(_ time: FileTime, _ kept: FileTime) -> Bool {
    UInt32(truncatingIfNeeded: time.seconds) == UInt32(truncatingIfNeeded: kept.seconds)
  }

  /// Whether a file has the content of its entry.
  private func hasContent(of entry: IndexEntry, _ path: [UInt8], size: Int64) -> Bool {
    guard size <= Self.longestCompared else { return false }
    if entry.mode & IndexEntry.kindBits == TreeEntry.symbolicLink {
      guard let target = Files.linkTarget(path) else { return false }
      return SHA1.objectID(kind: "blob", target) == entry.id
    }
    // No program runs for files that are not written: git looks at them.
    if (try? repository.attributes.isFiltered(entry.path)) == true { return false }
    guard let bytes = try? RawFile.read(path)?.bytes else { return false }
    return (try? repository.conversion.contentID(of: bytes, path: entry.path)) == entry.id
  }
}

/// The state of the index relative to a commit, for a few paths.
package struct StagedState: Sendable {
  /// The first entry of each requested path.
  package let entries: [[UInt8]: IndexEntry]
  /// Whether git wrote the index for another commit's tree as a whole, as it does just before it moves HEAD there.
  package let isOfOtherTree: Bool
  /// The status by which a later check detects that the index was rewritten; nil if there is none.
  package let status: FileStatus?
}

extension GitIndex {
  /// Reads the entries of the index for some paths.
  /// - Parameter commit: the commit whose tree the index may be of.
  package func stagedState(of paths: [[UInt8]], at commit: ObjectID?) throws(GitError) -> StagedState {
    guard let index = try IndexReading(path), let file = index.file else {
      // A missing or damaged index is rebuilt when it is changed.
      return StagedState(entries: [:], isOfOtherTree: false, status: nil)
    }
    var entries: [[UInt8]: IndexEntry] = [:]
    for path in paths {
      entries[path] = file.isPartial ? try entry(path) : file.entries(of: path).first.map(file.entry)
    }
    var isOfOtherTree = false
    if let root = rootTree(of: file), let commit { isOfOtherTree = try repository.read(commit).tree != root }
    return StagedState(entries: entries, isOfOtherTree: isOfOtherTree, status: index.status)
  }

  /// The tree that the whole index was made of; nil if entries have changed since.
  private func rootTree(of file: IndexFile) -> ObjectID? {
    guard let part = file.extensions.first(where: { $0.signature == "TREE" }) else { return nil }
    return CacheTree.root(in: file.bytes, part.content)
  }
}

extension GitIndex {
  /// Puts entries in the place of all versions that the index has of their paths; nil removes a path. The flags that hide
  /// changes of a file from git stay.
  ///
  /// Wraps git-update-index(1).
  /// - Parameter filtered: the paths of those behind a filter whose files have their content. The filter may store equal text
  ///   in other bytes, so that git would take the files for changed.
  package func settle(
    _ entries: [[UInt8]: TreeEntry?], filtered: [[UInt8]] = []
  ) throws(GitError) {
    var flags: [String: [[UInt8]]] = [:]
    for entry in try self.entries().flagged
    where entry.stage == 0 && entries[entry.path].flatMap({ $0 }) != nil {
      if entry.skipWorktree { flags["skip-worktree", default: []].append(entry.path) }
      if entry.assumeValid { flags["assume-unchanged", default: []].append(entry.path) }
    }
    var input: [UInt8] = []
    for (path, entry) in entries.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
      try PathCheck.validate(path)
      input += "0 \(ObjectID.zero.hex)\t".utf8 + path + [0]
      guard let entry else { continue }
      input += "\(String(entry.mode, radix: 8)) \(entry.id.hex)\t".utf8 + path + [0]
    }
    // With a lock, git says nothing if it is to be quiet.
    if RawFile.status(lockPath) != nil { throw .locked(lockPath) }
    _ = try repository.git(["update-index", "-z", "--index-info"], input: input)
    for (flag, paths) in flags {
      _ = try repository.git(
        ["update-index", "--\(flag)", "-z", "--stdin"], input: Array(paths.joined(separator: [0])) + [0])
    }
    // Exit code 1 means that files differ from the index.
    _ = try repository.git(["update-index", "-q", "--refresh"], accepting: [0, 1])
    guard !filtered.isEmpty, let workTree = repository.workTree else { return }
    var edits: [TreeEdit] = []
    var statuses: [[UInt8]: FileStatus] = [:]
    for path in filtered {
      guard case .some(.some(let entry)) = entries[path] else { continue }
      let content = try repository.conversion.content(of: entry.id, at: path)
      guard let status = Self.settleTime(of: workTree / path, holding: content) else { continue }
      edits.append(.put(path: path, blob: entry.id, mode: entry.mode))
      statuses[path] = status
    }
    repository.indexCache.known = nil
    guard case .held(let held) = try repository.tryHolding() else { throw .locked(lockPath) }
    defer { held.release() }
    try held.updateIndex(edits, statuses: statuses)
  }

  /// Sets the modification time of a file back, so that git trusts the status that its index has of the file.
  ///
  /// Git runs the filter of a file that is as new as the index, and a filter may store equal text in other bytes.
  /// - Returns: the status of the file while it held these bytes; nil if it holds others, or has another time by now.
  package static func settleTime(of path: [UInt8], holding bytes: [UInt8]) -> FileStatus? {
    guard let found = try? Files.status(path), found.kind == .file else { return nil }
    let earlier = FileTime(
      seconds: found.modified.seconds - unsettledSeconds, nanoseconds: found.modified.nanoseconds)
    guard (try? Files.setStatus(path, modified: earlier, mode: nil)) != nil,
      let status = try? Files.status(path), status.modified == earlier
    else { return nil }
    // A program that writes to the file meanwhile gives it another time.
    guard let held = try? RawFile.read(path)?.bytes, held == bytes,
      (try? Files.status(path))?.modified == earlier
    else { return nil }
    return status
  }

  private static let unsettledSeconds: Int64 = 2

  /// Writes files that are missing in the work tree as the index has them.
  ///
  /// Wraps git-checkout-index(1).
  package func checkOut(_ paths: [[UInt8]]) throws(GitError) {
    _ = try repository.git(
      ["checkout-index", "-u", "-z", "--stdin"], input: Array(paths.joined(separator: [0])) + [0])
    repository.indexCache.known = nil
  }
}

extension GitIndex {
  /// Whether git-status(1) names a submodule as changed: it is on another commit, or has files that are changed or new.
  ///
  /// Wraps `git_submodule_status`; false if the path has no submodule.
  package func isSubmoduleChanged(_ path: [UInt8]) -> Bool {
    guard let opened = try? repository.open() else { return false }
    let name = String(decoding: path, as: UTF8.self)
    var flags: UInt32 = 0
    guard git_submodule_status(&flags, opened.repository, name, GIT_SUBMODULE_IGNORE_UNSPECIFIED) >= 0 else {
      return false
    }
    let changes: [git_submodule_status_t] = [
      GIT_SUBMODULE_STATUS_WD_MODIFIED, GIT_SUBMODULE_STATUS_WD_INDEX_MODIFIED,
      GIT_SUBMODULE_STATUS_WD_WD_MODIFIED, GIT_SUBMODULE_STATUS_WD_UNTRACKED,
    ]
    return changes.contains { flags & UInt32($0.rawValue) != 0 }
  }
}
