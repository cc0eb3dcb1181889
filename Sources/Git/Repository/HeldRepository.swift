import Bytes
import CLibgit2
package import Platform

/// A repository while git's index and the branch that HEAD is on are locked. It alone changes the index and moves the
/// branch.
///
/// Its repository must be the caller's alone while it is asked. At most one may exist in a repository: a second one would
/// take the marked locks of the first for those of a killed command.
package final class HeldRepository {
  let repository: Repository
  let index: IndexLock
  /// Nil on a detached HEAD, on a branch without a commit, and after a move.
  private var branch: (name: [UInt8], lock: LockFile)?
  /// Whether names in the git folder have changed that are not durable yet.
  private var needsSync = false

  fileprivate init(_ repository: Repository, _ index: IndexLock, _ branch: (name: [UInt8], lock: LockFile)?) {
    self.repository = repository
    self.index = index
    self.branch = branch
  }

  deinit { release() }

  /// Releases the locks. Nothing can be changed afterwards.
  package func release() {
    branch?.lock.release()
    index.release()
    if needsSync { RawFile.syncFolder(repository.gitDirectory) }
    needsSync = false
  }

  /// Moves the branch that HEAD is on from one commit to another, and notes it in its log and HEAD's.
  ///
  /// It compares under the branch's lock, which it then releases. The log follows the branch, so that no failure and no
  /// crash leaves a line about a move that never happened; a line that can't be written is missing. If the move fails, the
  /// branch is read again: an error after the rename does not mean that nothing happened.
  /// - Parameter old: nil if the branch must not exist yet.
  /// - Throws: `moved` if the branch is elsewhere; `locked`; `other` on a detached HEAD.
  package func moveBranch(from old: ObjectID?, to new: ObjectID, message: String) throws(GitError) {
    precondition(index.isHeld)
    let references = repository.references
    guard let head = try repository.headBranch() else {
      throw GitError(.other, "HEAD is detached; run: git switch BRANCH")
    }
    let name = try references.resolved(head).name
    do throws(GitError) {
      if old == nil { try references.refuseNameConflict(name) }
      // A branch without a commit is not locked yet, and another program may have put HEAD on another branch.
      if branch?.name != name {
        let lock = try references.lock(name)
        branch?.lock.release()
        branch = (name, lock)
      }
      guard try references.object(at: name) == old else { throw .moved(name) }
      needsSync = true
      try references.write(new, to: name)
      let names = [name] + (head == name ? [Array("HEAD".utf8)] : [head, Array("HEAD".utf8)])
      try? references.log(names, old ?? .zero, new, message)
      // The syncs come after the lock is gone, so that no power cut brings it back.
      branch?.lock.release()
      branch = nil
      RawFile.syncFolder((repository.commonDirectory / name).parentPath)
    } catch {
      if let tip = try? references.object(at: name), tip == new { return }
      throw error
    }
  }
}

extension Repository {
  /// The result of one attempt to take the locks.
  package enum Holding {
    case held(HeldRepository)
    /// The lock that another program holds.
    case blocked(by: [UInt8])
  }

  /// Takes the locks of the index and of HEAD's branch, both or none, without waiting.
  package func tryHolding() throws(GitError) -> Holding {
    guard workTree != nil else { throw GitError(.other, "a bare repository has no index") }
    guard let index = try IndexLock(of: self.index.path, mark: lockPolicy.mark, mode: permissions.mode) else {
      return .blocked(by: index.lockPath)
    }
    guard let branch = try headBranch().map(references.resolved), let tip = branch.id, tip != .zero else {
      return .held(HeldRepository(self, index, nil))
    }
    let path = references.lockPath(branch.name)
    guard let lock = try LockFile(path, mark: lockPolicy.mark) else {
      index.release()
      return .blocked(by: path)
    }
    return .held(HeldRepository(self, index, (branch.name, lock)))
  }

  /// Removes the locks that have this repository's mark: those of a killed command.
  ///
  /// Only the sole user of the mark may call it, and only while it holds no lock.
  /// - Parameter others: further lock files than those of the index and of HEAD's branch.
  package func releaseLeft(_ others: [[UInt8]] = []) {
    guard let mark = lockPolicy.mark else { return }
    // A branch that can't be found has no lock of ours that matters now.
    let branch = try? headBranch().map { name throws(GitError) in try references.resolved(name).name }
    let locks = [index.lockPath] + [branch].compactMap { $0.map(references.lockPath) } + others
    for lock in locks where mark.isOn(lock) { RawFile.remove(lock) }
  }
}

extension HeldRepository {
  /// Changes entries of the index; all others, staged by the user or not, stay as they are.
  ///
  /// Plain indexes are spliced here; those with more in them (version 4, split, sparse, untracked cache, fsmonitor) are
  /// changed by `git update-index` on a private copy. An entry that is there keeps its flags.
  /// - Parameter statuses: those of the files with the contents of the blobs, by path; a file without one is left out of
  ///   the work tree (skip-worktree).
  /// - Returns: the repair that was needed first; nil normally.
  /// - Throws: `unmerged` if a path has conflicting versions.
  @discardableResult
  package func updateIndex(
    _ edits: [TreeEdit], statuses: [[UInt8]: FileStatus] = [:]
  ) throws(GitError) -> IndexRepair? {
    precondition(index.isHeld)
    var byPath: [[UInt8]: TreeEdit] = [:]
    for edit in edits {
      try PathCheck.validate(edit.path)
      byPath[edit.path] = edit
    }
    try PathCheck.refuseOverlaps(byPath.values.filter(\.isPut).map(\.path))
    guard !byPath.isEmpty else { return nil }
    let sorted = byPath.values.sorted { $0.path.lexicographicallyPrecedes($1.path) }
    let source = try repository.currentIndex()
    repository.indexCache.known = nil
    repository.indexCache.damage = nil
    if try repository.write(source, sorted, statuses, index) { return source.repair }
    let verified = try repository.currentIndex(isVerified: true)
    _ = try repository.write(verified, sorted, statuses, index)
    return verified.repair
  }
}

extension Repository {
  /// An index to change, and when it was written.
  fileprivate struct Source {
    let bytes: ByteRegion
    /// nil if only git can read it.
    let file: IndexFile?
    let written: FileTime
    var repair: IndexRepair?
  }

  /// Replaces the index by the changed one. Returns false without a change if the hash of the old one is wrong.
  fileprivate func write(
    _ source: Source, _ edits: [TreeEdit], _ statuses: [[UInt8]: FileStatus], _ lock: IndexLock
  ) throws(GitError) -> Bool {
    let bytes = source.bytes
    // The old hash is checked while the new one is made: they are most of the time that a large index takes.
    let check = BackgroundTask { bytes.withBytes { IndexFile.isSound($0) } }
    guard let file = source.file, !file.needsGit else {
      guard check.value else { return false }
      try updateByGit(source, edits, statuses, lock)
      return true
    }
    var splice = IndexSplice(file)
    try splice.apply(edits, statuses)
    let paths = edits.map(\.path)
    let smudged = index.smudgedEntries(of: file, writtenAt: source.written, except: paths)
    try lock.write(splice.pieces(changed: paths, smudged: smudged), of: bytes.buffer)
    guard check.value else {
      lock.discard()
      return false
    }
    try lock.commit()
    return true
  }

  /// The index, or a new one if it is missing or damaged.
  /// - Parameter isVerified: whether a wrong hash is damage too.
  fileprivate func currentIndex(isVerified: Bool = false) throws(GitError) -> Source {
    guard let index = try IndexReading(self.index.path, isVerified: isVerified) else {
      return try rebuiltIndex(try head().tip == nil ? nil : .missing)
    }
    let (bytes, file) = (index.bytes, index.file)
    // An index that only git can change, or whose form is not known here, stays if its hash is right.
    var isReadable = file.map { !$0.needsGit } ?? false
    if isVerified || !isReadable, !IndexFile.isSound(bytes.buffer) {
      isReadable = false
    } else if !isReadable {
      isReadable = try canGitReadIndex()
    }
    if isReadable {
      return Source(bytes: bytes, file: file, written: index.status.modified)
    }
    return try rebuiltIndex(.damaged(kept: try keepDamagedIndex()))
  }

  private func canGitReadIndex() throws(GitError) -> Bool {
    do throws(GitError) {
      _ = try git(["ls-files", "--stage"])
      return true
    } catch {
      // Git could not be asked at all.
      if error.reason == .io { throw error }
      return false
    }
  }

  /// Gives the damaged index a second name, under which it stays.
  private func keepDamagedIndex() throws(GitError) -> [UInt8] {
    for number in 1...10_000 {
      let kept = gitDirectory / "index.bad-\(number)"
      do throws(SystemError) {
        try Files.link(index.path, as: kept)
        return kept
      } catch {
        guard error.isOccupied else { throw .system("make", kept, code: error.code) }
      }
    }
    throw GitError(.io, "too many files index.bad-N in \(GitError.text(gitDirectory)); delete old ones")
  }

  /// An index of HEAD's files with the status of those in the work tree.
  private func rebuiltIndex(_ repair: IndexRepair?) throws(GitError) -> Source {
    guard try head().tip != nil else {
      let bytes = ByteRegion(IndexFile.empty)
      let written = FileTime(seconds: 0, nanoseconds: 0)
      return Source(bytes: bytes, file: try IndexFile(bytes), written: written, repair: repair)
    }
    let file = gitDirectory / Files.uniqueName("index.new")
    defer { RawFile.remove(file) }
    _ = try git(["read-tree", "HEAD"], index: file)
    _ = try git(["update-index", "-q", "--refresh"], index: file, accepting: [0, 1])
    guard let (bytes, status) = try ByteRegion.of(file) else {
      throw .system("read", file, code: SystemError.Code.missing)
    }
    return Source(
      bytes: bytes, file: try? IndexFile(bytes), written: status.modified, repair: repair)
  }

  /// Has git change a private copy, which keeps the time of the index, by which git finds the racy entries.
  private func updateByGit(
    _ source: Source, _ edits: [TreeEdit], _ statuses: [[UInt8]: FileStatus], _ lock: IndexLock
  ) throws(GitError) {
    let copy = gitDirectory / Files.uniqueName("index.copy")
    defer { RawFile.remove(copy) }
    try writeCopy(source, copy)
    try refuseUnmerged(edits, in: copy)
    var input: [UInt8] = []
    var flagged: [String: [UInt8]] = [:]
    let entry = try entryFinder(source)
    for edit in edits {
      if case .put(let path, let blob, let mode) = edit {
        let flags = IndexFlags(entry(path), isLeftOut: statuses[path] == nil)
        if flags.skipWorktree { flagged["--skip-worktree", default: []] += path + [0] }
        if flags.assumeValid { flagged["--assume-unchanged", default: []] += path + [0] }
        input += Array("\(String(mode, radix: 8)) \(blob)\t".utf8) + path + [0]
      } else {
        input += Array("0 \(ObjectID.zero)\t".utf8) + edit.path + [0]
      }
    }
    // Git 2.39 adds a file below a folder of a sparse index beside that folder: the tree would have both. Without the
    // setting `index.sparse` it expands the index first, but loses entries if one is of intent to add.
    let expands = try isBelowSparseFolder(edits, in: copy)
    _ = try git(
      ["update-index", "--add", "--replace", "--remove", "-z", "--index-info"], index: copy, input: input,
      expandsSparseIndex: expands)
    for (flag, paths) in flagged.sorted(by: { $0.key < $1.key }) {
      _ = try git(["update-index", flag, "-z", "--stdin"], index: copy, input: paths)
    }
    // The entries that git made have no status yet; git adds it for unchanged files.
    _ = try git(["update-index", "-q", "--ignore-submodules", "--refresh"], index: copy, accepting: [0, 1])
    try refuseLosses(of: edits, in: copy)
    // A new shared part of a split index lies in a file of its own.
    RawFile.syncFileSystem(of: gitDirectory)
    try lock.commit(file: copy)
  }

  /// Whether an edit is of a file below a folder that a sparse index has in the place of its files.
  private func isBelowSparseFolder(_ edits: [TreeEdit], in index: [UInt8]) throws(GitError) -> Bool {
    guard sparseCheckout.isOn else { return false }
    let listing = try git(["ls-files", "--sparse", "-z"], index: index)
    let folders = listing.split(separator: 0).filter { $0.last == UInt8(ascii: "/") }
    return edits.contains { edit in folders.contains { edit.path.starts(with: $0) } }
  }

  /// Looks up entries of the old index by path.
  private func entryFinder(_ source: Source) throws(GitError) -> ([UInt8]) -> IndexEntry? {
    if let file = source.file, !file.isPartial {
      return { path in file.entries(of: path).first.map { file.entry($0) } }
    }
    let entries = Dictionary(
      try index.entries().map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
    return { entries[$0] }
  }

  private func writeCopy(_ source: Source, _ copy: [UInt8]) throws(GitError) {
    try GitError.wrapping("make", copy) { () throws(SystemError) in
      try source.bytes.withBytes { (bytes) throws(SystemError) in try Files.create(copy, bytes) }
    }
    let time = FileTime(
      seconds: source.written.seconds, nanoseconds: Int32(truncatingIfNeeded: source.written.nanoseconds))
    try GitError.wrapping("set the time of", copy) { () throws(SystemError) in
      try Files.setStatus(copy, modified: time, mode: RawFile.status(index.path)?.mode)
    }
  }

  /// Refuses an index in which git has lost entries that no edit takes out, as git 2.39 does with some sparse indexes.
  private func refuseLosses(of edits: [TreeEdit], in copy: [UInt8]) throws(GitError) {
    // "MODE ID STAGE<tab>PATH"
    let lines = try git(["ls-files", "--stage", "-z"], index: copy).split(separator: 0)
    let entries = lines.compactMap { line in
      line.firstIndex(of: 9).map { (stage: line[$0 - 1], path: Array(line[($0 + 1)...])) }
    }
    let listed = Set(entries.map(\.path))
    guard Set(entries.map { [$0.stage] + $0.path }).count == entries.count else {
      throw GitError(.other, "git's new index lists a file twice; nothing was staged")
    }
    let edited = edits.map(\.path)
    let known = Set(edited)
    let slash = UInt8(ascii: "/")
    for entry in try index.entries() where !known.contains(entry.path) && !listed.contains(entry.path) {
      // A file makes room for a folder of its name, or the reverse.
      let makesRoom = edited.contains { path in
        path.starts(with: entry.path + [slash]) || entry.path.starts(with: path + [slash])
      }
      if makesRoom { continue }
      throw GitError(
        .other, "git's new index has lost \(GitError.text(entry.path)); nothing was staged")
    }
  }

  private func refuseUnmerged(_ edits: [TreeEdit], in copy: [UInt8]) throws(GitError) {
    let listing = try git(["ls-files", "-z", "--unmerged"], index: copy)
    let unmerged = Set(
      listing.split(separator: 0).compactMap { $0.split(separator: 9, maxSplits: 1).last.map(Array.init) })
    for edit in edits where unmerged.contains(edit.path) { throw GitError.unmerged(edit.path) }
  }
}
