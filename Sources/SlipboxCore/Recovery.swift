import Git
import Platform
import Text

/// Taking up after a command that was killed.
extension Slipbox {
  /// Takes up what a killed command left, before anything is read, so that notes are found as it meant them to be.
  ///
  /// Where another command is at work, or this one may not write, it is left to the next.
  func takeUpInterrupted() {
    guard (try? Files.status(Intent.file(in: stateFolder))) != nil,
      let lock = try? FileLock.acquire(lockFile, timeoutMilliseconds: 0)
    else { return }
    defer { withExtendedLifetime(lock) {} }
    do throws(SlipboxError) {
      try recoverInterrupted()
    } catch {
      surroundings.warn("what was interrupted can't be finished yet: \(error.message)")
    }
  }

  /// Finishes or drops the operation that an intent record tells of. Runs under the lock.
  ///
  /// If none of its files had been written, nothing happened yet and the record is dropped; else the rest of its
  /// files, the index and the ref follow. The record stays where that fails, and while git is in the middle of
  /// something else.
  func recoverInterrupted() throws(SlipboxError) {
    let file = Intent.file(in: stateFolder)
    guard let bytes = try? Files.read(file, limit: 256 << 20), try isOnBranchAlone() else { return }
    removeStaleLocks(olderThan: file)
    if let intent = Intent(bytes) {
      recoveredPaths = intent.paths.map(\.path)
      removeStaleTemporaries(of: intent)
      try finish(intent)
    }
    Intent.remove(in: stateFolder)
    repository.releasePacks()
  }

  private func finish(_ intent: Intent) throws(SlipboxError) {
    guard try tip() == intent.parent, try isStarted(intent) else { return }
    guard isReadable(intent) else {
      return surroundings.warn("what was interrupted can't be finished: its text in git is damaged")
    }
    for path in intent.paths { try finish(path) }
    // The last unlink of a temporary file in each folder; later commands need not come by there.
    for folder in Set(intent.paths.map { BytePath.folder(of: $0.path) }) {
      try? Files.syncDirectory(absolutePath(folder))
    }
    if try publish(intent.prepared) {
      surroundings.warn("finished what was interrupted: \(Visible.escape(intent.subject))")
    }
  }

  /// Whether HEAD is on a branch and no merge or the like is under way.
  private func isOnBranchAlone() throws(SlipboxError) -> Bool {
    guard repository.operationUnderWay == nil else { return false }
    if case .branch = try git({ () throws(GitError) in try repository.head() }) { return true }
    return false
  }

  private func isReadable(_ intent: Intent) -> Bool {
    intent.paths.compactMap(\.after).allSatisfy { (try? repository.blob($0)) != nil }
  }

  /// Whether a file of the operation is already as it is to be.
  func isStarted(_ intent: Intent) throws(SlipboxError) -> Bool {
    for path in intent.paths where path.before != path.after {
      if try contentID(path.path) == path.after { return true }
    }
    return false
  }

  /// Writes a file that still is as it was; one that someone changed since is left alone.
  private func finish(_ path: PreparedCommit.Path) throws(SlipboxError) {
    let before = try bytes(at: path.path)
    guard try contentID(path.path) == path.before, path.before != path.after else { return }
    let after = try path.after.map { (id) throws(SlipboxError) in
      try git { () throws(GitError) in try repository.blob(id) }
    }
    do throws(ReplaceError) {
      try folder.write(FileChange(path: path.path, before: before, after: after))
    } catch {
      if case .refused(let refusal) = Interference(error, path: path.path) { throw refusal }
    }
  }

  private func contentID(_ path: [UInt8]) throws(SlipboxError) -> ObjectID? {
    guard let bytes = try bytes(at: path) else { return nil }
    return try git { () throws(GitError) in try repository.contentID(of: bytes, path: repositoryPath(path)) }
  }

  /// Removes git's own lock files that the killed command left: younger than its record, and open in no process.
  private func removeStaleLocks(olderThan record: [UInt8]) {
    guard let written = try? Files.status(record, followLinks: false)?.modified else { return }
    var locks = [BytePath.join(repository.gitDirectory, Array("index.lock".utf8))]
    if case .branch(let name, _)? = try? repository.head() {
      locks.append(BytePath.join(repository.commonDirectory, Array("refs/heads/\(name).lock".utf8)))
      locks.append(BytePath.join(repository.gitDirectory, Array("HEAD.lock".utf8)))
    }
    for lock in locks {
      guard let status = try? Files.status(lock, followLinks: false), status.modified >= written,
        !ProcessTable.isOpen(lock)
      else { continue }
      try? Files.remove(lock)
    }
  }

  /// Removes the temporary files of the interrupted operation. One that holds anything else than a version of a note
  /// that git has, or the beginning of one, may be what another program saved, and is kept.
  private func removeStaleTemporaries(of intent: Intent) {
    let walk = DirectoryWalk.files(under: root, include: { _ in false })
    guard !walk.temporaries.isEmpty else { return }
    let versions = intent.paths.flatMap { [$0.before, $0.after] }.compactMap { id in
      id.flatMap { try? repository.blob($0) }
    }
    remove(walk.temporaries) { bytes in versions.contains { $0.starts(with: bytes) } }
  }

  /// Removes temporary files that a command could not remove, or that a power cut brought back, where git has what
  /// they hold: those that a walk has found, and those beside the files to be written and those just recovered. Runs
  /// under the lock.
  func removeLeftTemporaries(beside paths: [[UInt8]]) {
    let left = (knownTemporaries ?? []) + temporaries(beside: paths + recoveredPaths)
    guard !left.isEmpty else { return }
    let name = repositoryPath(Array("note.md".utf8))
    remove(left) { bytes in
      guard !bytes.isEmpty else { return true }
      guard let id = try? repository.contentID(of: bytes, path: name) else { return false }
      return (try? repository.blob(id)) != nil
    }
  }

  /// Removes temporary files whose bytes are also kept elsewhere, for good: a power cut would bring names back.
  private func remove(_ temporaries: [[UInt8]], isKnown: ([UInt8]) -> Bool) {
    let kept = Set(folder.removeStaleTemporaries(temporaries, olderThanSeconds: -1, isKnown: isKnown))
    for folder in Set(temporaries.filter { !kept.contains($0) }.map(BytePath.folder)) {
      // Where that fails, the next command that finds one removes it.
      try? Files.syncDirectory(absolutePath(folder))
    }
  }

  private func temporaries(beside paths: [[UInt8]]) -> [[UInt8]] {
    Set(paths.map(BytePath.folder)).flatMap { folder in
      let names = (try? Files.list(absolutePath(folder))) ?? []
      return names.filter(DirectoryWalk.isTemporary).map { BytePath.join(folder, $0) }
    }
  }
}
