import Bytes
import Git
import Notes
import Platform
import Text

/// The creation of a snapshot of the box of a command.
package enum BoxOpening {
  /// Finds the box of a command, finishes the operation of a killed command, and creates a snapshot of the work tree.
  ///
  /// - Parameters:
  ///   - named: the path of the box; nil searches for it as `BoxLocation.find` does.
  ///   - isLenient: whether the default settings are used if the settings can't be read.
  /// - Throws: as `BoxLocation.find` and `Box.init(at:)`; `.configuration` if the settings can't be read.
  package static func snapshot(
    named: [UInt8]?, isLenient: Bool = false, _ context: CommandContext
  ) throws(SlipboxError) -> BoxSnapshot {
    try WorkTreeReader(try box(named: named, context), context).snapshot(isLenient: isLenient)
  }

  /// Like `snapshot(named:_:)`, but returns a snapshot of a point in the past, with the settings and the clock of that
  /// time.
  ///
  /// - Parameter point: a revision or a date, as `Box.pastPoint` parses it.
  package static func snapshot(
    named: [UInt8]?, asOf point: String, isLenient: Bool = false, _ context: CommandContext
  ) throws(SlipboxError) -> BoxSnapshot {
    let box = try box(named: named, context)
    return try box.snapshot(at: try box.pastPoint(point, context), isLenient: isLenient, context)
  }

  private static func box(named: [UInt8]?, _ context: CommandContext) throws(SlipboxError) -> Box {
    let box = try Box(at: try BoxLocation.find(named: named, in: context))
    box.fetchLeftHistory(context)
    box.takeUpInterrupted(context)
    // A box with unreadable history must not look like a new one, even if the command does not use history.
    do throws(SlipboxError) { _ = try box.tip() } catch {
      context.reporter.warnUnlessRefused("history could not be read: \(error.message)", fact: error.message)
    }
    return box
  }
}

extension Box {
  /// Finishes the operation of a killed command and commits saved operations: see `BoxWriter.takeUpInterrupted`.
  package func takeUpInterrupted(_ context: CommandContext) {
    if hasInterrupted { BoxWriter(self, context).takeUpInterrupted() }
  }

  /// Whether a killed command left an intent record or a lock of git's index, or a saved operation exists.
  ///
  /// Each command checks that first: if nothing is left, it needs nothing else of a writer.
  private var hasInterrupted: Bool {
    isLeft(intentFile) || isLeft(savedFolder) || hasLeftLock
  }

  /// Whether a killed command has left git's index locked.
  private var hasLeftLock: Bool {
    let lock = gitDirectory / "index.lock"
    // A lock that can't be read is not ours to remove.
    return isLeft(lock) && LockMark(existingAt: lockMarkFile)?.isOn(lock) ?? false
  }

  private func isLeft(_ file: [UInt8]) -> Bool { (try? Files.status(file)) ?? nil != nil }
}

/// The recovery after a killed command.
extension BoxWriter {
  /// Finishes the operation of a killed command and commits saved operations. This precedes all reading, so that notes
  /// are found in their intended state.
  ///
  /// If another command or git is running, or this command may not write, the recovery is left to the next command.
  fileprivate func takeUpInterrupted() {
    guard !context.isInHook(of: box), let lock = try? box.acquireLock(timeoutMilliseconds: 0) else { return }
    defer { withExtendedLifetime(lock) {} }
    patience = 0
    do throws(WriteConflict) {
      try refusing { () throws(SlipboxError) in try markLocks() }
      try waitWhileGitWrites()
      try takeUpLeft()
      // The temporary files that could not be removed at first: later commands may never write to their folders.
      removeLeftTemporaries(beside: [])
    } catch {
      if case .notNow = error { return }
      context.reporter.warn("the interrupted change can't be finished yet: \(error.refusal.message)")
    }
  }

  /// Finishes the interrupted operation, then commits the saved ones. Runs under the box's lock.
  func takeUpLeft() throws(WriteConflict) {
    box.withRepository { $0.releaseLeft() }
    try recoverInterrupted()
    try completeSaved()
  }

  /// Finishes or drops the operation of an intent record.
  ///
  /// If none of its files had been written, nothing happened yet and the record is dropped. Otherwise the rest of its
  /// files, the index and the ref are written. The record stays if that fails, and while git has another operation in
  /// progress.
  private func recoverInterrupted() throws(WriteConflict) {
    let file = box.intentFile
    guard let bytes = try? Files.read(file, limit: 256 << 20) else { return }
    let first = Intent(bytes).flatMap { $0.parent == nil ? $0.commit : nil }
    box.withRepository { $0.firstCommit = first }
    defer { box.withRepository { $0.firstCommit = nil } }
    guard try refusing({ () throws(SlipboxError) in try isOnBranchAlone() }) else { return }
    if let intent = Intent(bytes) {
      recoveredPaths = intent.files.map(\.path)
      removeStaleTemporaries(of: intent)
      try holdingGitsLocks { held throws(WriteConflict) in
        if isGitRewriting { throw .notNow(WriteConflict.unsettled.refusal) }
        try refusing { () throws(SlipboxError) in try finish(intent, held) }
      }
      keepUnwrittenText(of: intent)
      removeEmptyFolders(of: intent)
    }
    Intent.remove(in: box)
    box.withRepository { $0.releasePacks() }
  }

  private func finish(_ intent: Intent, _ held: HeldRepository) throws(SlipboxError) {
    guard try box.tip() == intent.parent, try isStarted(intent) else { return }
    guard isReadable(intent) else {
      return context.reporter.warn("the interrupted change can't be finished: its content in git is corrupt")
    }
    var statuses: FileStatuses = [:]
    for file in intent.files where !intent.leftOut.contains(file.path) {
      statuses[file.path] = try finish(file)
    }
    // Makes the last unlink of a temporary file in each folder durable; later commands may never write there.
    for folder in Set(intent.files.map { BytePath.folder(of: $0.path) }) {
      try? Files.syncDirectory(box.absolutePath(folder))
    }
    try publish(intent.prepared, statuses, held)
    context.reporter.warn("finished an interrupted change: \(intent.subject)")
  }

  /// Saves the texts that a killed command was to write, if neither the file nor HEAD has them.
  ///
  /// A new file and an appended text are saved; so is any other body, if the command was to write only that file. The
  /// rest (fields, links that follow a title) can be entered again, and an import or a sync of many files can be
  /// repeated.
  private func keepUnwrittenText(of intent: Intent) {
    guard intent.files.count <= Self.typedFiles else { return }
    for file in intent.files {
      guard let after = file.new?.id, let text = try? box.content(of: after, at: file.path),
        isTyped(text, before: file.old?.id, at: file.path, isAlone: intent.files.count == 1),
        (try? contentID(file.path)) != after,
        (try? CommitLookup(box, at: box.tip(), count: intent.files.count).file(file.path)?.id) != after,
        let kept = try? box.keepApart(
          text, name: BytePath.name(of: file.path), in: box.folderBehindFilter(of: file.path),
          at: context.clock.now)
      else { continue }
      context.reporter.warn(
        "an interrupted change was not written; the text of \(file.path) is kept at "
          + Phrase(kept))
    }
  }

  /// The maximum number of files of a change that a user may have typed.
  private static let typedFiles = 20

  /// Removes the folders that were created for new files and are empty: the same command would move notes into one of
  /// them.
  private func removeEmptyFolders(of intent: Intent) {
    for file in intent.files where file.old == nil {
      var folder = BytePath.folder(of: file.path)
      while !folder.isEmpty, !box.passesThroughLink(folder) {
        do throws(SystemError) {
          try Files.removeFolder(box.absolutePath(folder))
        } catch {
          // A missing folder may have an empty one above it.
          guard error.isMissing else { break }
        }
        folder = BytePath.folder(of: folder)
      }
    }
  }

  /// Returns whether a user may have typed a text, in place of the former one.
  private func isTyped(_ text: [UInt8], before: ObjectID?, at path: [UInt8], isAlone: Bool) -> Bool {
    guard let before else { return true }
    guard let old = try? box.content(of: before, at: path) else { return false }
    if text.starts(with: old) { return text.count > old.count }
    return isAlone && text[NoteText(text).body] != old[NoteText(old).body]
  }

  /// Returns whether HEAD is on a branch and no merge or other operation is in progress.
  private func isOnBranchAlone() throws(SlipboxError) -> Bool {
    guard box.withRepository({ $0.operation.kind }) == nil else { return false }
    if case .branch = try box.git({ repository throws(GitError) in try repository.head() }) { return true }
    return false
  }

  private func isReadable(_ intent: Intent) -> Bool {
    intent.files.compactMap(\.new).allSatisfy { (try? box.stored($0.id)) != nil }
  }

  /// Returns whether a file of the operation is already in its new state.
  func isStarted(_ intent: Intent) throws(SlipboxError) -> Bool {
    for file in intent.files where file.changesBytes && !intent.leftOut.contains(file.path) {
      let found = try box.workTreeFile(at: file.path)
      if try box.holds(file.new, found, nil) { return true }
    }
    return false
  }

  /// Writes a file that is still in its former state; a file that has changed since is left alone.
  /// - Returns: the status of the file if it is in its new state.
  private func finish(_ file: FileDifference) throws(SlipboxError) -> FileStatus? {
    let found = try box.workTreeFile(at: file.path)
    if try box.holds(file.new, found, nil) { return found.status }
    guard try box.holds(file.old, found, nil) else { return nil }
    let to = try checkedOut(file)
    defer { box.rescueKeptFiles(context) }
    do throws(ReplaceError) {
      return try box.folder.write(FileChange(path: file.path, from: found.state, to: to))
    } catch {
      let conflict = WriteConflict(error, path: file.path)
      guard case .changedMeanwhile = conflict else { throw conflict.refusal }
      return nil
    }
  }

  /// Returns the state of a file in the work tree after the operation.
  private func checkedOut(_ file: FileDifference) throws(SlipboxError) -> FileState {
    guard let entry = file.new else { return .absent }
    if entry.mode == TreeEntry.symbolicLink { return .link(try box.stored(entry.id)) }
    let name = box.repositoryPath(file.path)
    let bytes = try box.git { repository throws(GitError) in
      try repository.conversion.checkedOut([CheckoutFile(path: name, blob: entry.id, mode: entry.mode)])
    }
    return .file(bytes.first ?? [], isExecutable: entry.mode & 0o100 != 0)
  }

  private func contentID(_ path: [UInt8]) throws(SlipboxError) -> ObjectID? {
    try box.contentID(of: try box.workTreeFile(at: path).state, at: path)
  }

  /// Removes the temporary files of the interrupted operation. A file is removed only if it has a version of a note that
  /// git has, or the beginning of one. Any other file may be the save of another program, and is kept.
  private func removeStaleTemporaries(of intent: Intent) {
    let walk = DirectoryWalk.files(under: box.root, include: { _ in false })
    guard !walk.temporaries.isEmpty else { return }
    let versions = intent.files.flatMap { [$0.old, $0.new] }.compactMap { entry in
      entry.flatMap { $0.isRegular ? try? box.content(of: $0) : try? box.stored($0.id) }
    }
    remove(walk.temporaries) { bytes in versions.contains { $0.starts(with: bytes) } }
  }

  /// Removes temporary files that a command could not remove, or that a power failure restored, if git has their
  /// content. These are the files that a scan has found, and those beside the files to be written and the files just
  /// recovered. Runs under the lock.
  func removeLeftTemporaries(beside paths: [[UInt8]]) {
    let left = knownTemporaries + temporaries(beside: paths + recoveredPaths)
    guard !left.isEmpty else { return }
    remove(left) { bytes in bytes.isEmpty || box.holdsBlob(of: bytes) }
  }

  /// Removes the temporary files that the scan of this command has found, if nothing else is to be written.
  func removeFoundTemporaries() throws(SlipboxError) {
    guard !knownTemporaries.isEmpty else { return }
    let lock = try acquireLock()
    defer { withExtendedLifetime(lock) {} }
    removeLeftTemporaries(beside: [])
  }

  /// Removes temporary files whose bytes also exist elsewhere, and makes that durable: a power failure would bring their
  /// names back.
  private func remove(_ temporaries: [[UInt8]], isKnown: ([UInt8]) -> Bool) {
    let kept = Set(box.folder.removeStaleTemporaries(temporaries, olderThanSeconds: -1, isKnown: isKnown))
    for folder in Set(temporaries.filter { !kept.contains($0) }.map(BytePath.folder)) {
      // If the sync fails, the next command that finds a temporary file removes it.
      try? Files.syncDirectory(box.absolutePath(folder))
    }
  }

  private func temporaries(beside paths: [[UInt8]]) -> [[UInt8]] {
    Set(paths.map(BytePath.folder)).flatMap { folder in
      let names = (try? Files.list(box.absolutePath(folder))) ?? []
      return names.filter(DirectoryWalk.isTemporary).map { BytePath.join(folder, $0) }
    }
  }
}
