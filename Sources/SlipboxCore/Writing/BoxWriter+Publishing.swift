import Bytes
import Git
import Platform
import Text

/// How long others are waited for.
enum Waits {
  /// Another command of slip, in milliseconds.
  static let slipMilliseconds = 5_000
  /// Another sync of the same repository, in milliseconds.
  static let syncMilliseconds = 60_000
  /// Git, by one command in all, in milliseconds.
  static let gitMilliseconds = 5_000
  /// How long HEAD has to stay where it is while the index is of another tree, in milliseconds.
  static let settlingMilliseconds: Int64 = 250
  /// A git that has read HEAD before it moved, in milliseconds.
  static let overtakenMilliseconds = 1_000
}

/// The statuses of files whose bytes are known, by path; one that is missing has git look at the file itself.
typealias FileStatuses = [[UInt8]: FileStatus]

extension BoxWriter {
  /// Runs a body while the locks of git's index and of the branch are held, so that git writes neither meanwhile.
  ///
  /// Signals wait until it is done; while the locks are waited for, they do not.
  func holdingGitsLocks(_ body: () throws(WriteConflict) -> Void) throws(WriteConflict) {
    var inTheWay: [UInt8] = []
    let isDone = try waiting { () throws(WriteConflict) -> Bool in
      try Signals.deferring { () throws(WriteConflict) -> Bool in
        let lock = try refusing { () throws(SlipboxError) in
          try box.git { repository throws(GitError) in try repository.tryHolding() }
        }
        if let lock {
          inTheWay = lock
          return false
        }
        defer { box.withRepository { $0.releaseHeld() } }
        try body()
        return true
      }
    }
    if !isDone { throw .notNow(SlipboxError(GitError.locked(inTheWay))) }
  }

  /// Waits while another program holds the lock of git's index: what it is doing to the files is half done.
  func waitWhileGitWrites() throws(WriteConflict) {
    let (lock, mark) = box.withRepository { ($0.indexLockPath, $0.lockMark) }
    let isDone = try waiting { () throws(WriteConflict) -> Bool in
      // One that can't be looked at is found when it is to be taken.
      let status = (try? Files.status(lock)) ?? nil
      return status == nil || mark?.isOn(lock) == true
    }
    if !isDone { throw .notNow(SlipboxError(GitError.locked(lock))) }
  }

  /// Repeats an attempt while there is patience left.
  private func waiting(_ attempt: () throws(WriteConflict) -> Bool) throws(WriteConflict) -> Bool {
    let start = Waiting.now()
    defer { patience = max(0, patience - Int(Waiting.now() - start)) }
    return try Waiting.retrying(milliseconds: patience, attempt)
  }
}

extension BoxWriter {
  /// Looks again at all that a prepared commit was made of, then makes it real. Runs under git's locks.
  func makeReal(_ prepared: PreparedCommit, _ draft: CommitDraft) throws(WriteConflict) {
    guard try refusing({ () throws(SlipboxError) in try box.tip() }) == prepared.parent else {
      throw .movedMeanwhile
    }
    try postponing { () throws(SlipboxError) in try refuseWhereNoCommitIsPossible() }
    let names = prepared.paths.map { box.repositoryPath($0.path) }
    let staged = try refusing { () throws(SlipboxError) in
      try box.git { repository throws(GitError) in
        try repository.stagedState(of: names, at: prepared.parent)
      }
    }
    try refuseHidden(prepared, draft, staged)
    try refuseUnsettled(prepared, draft, staged)
    try refuseOtherStagedContent(prepared, draft, staged)
    if isGitRewriting { throw .unsettled }
    let found = try lookAgain(draft)
    let intent = Intent(prepared)
    try refusing { () throws(SlipboxError) in try intent.write(in: box.stateFolder) }
    // Another user's command may have to finish it.
    box.withRepository { $0.share(Intent.file(in: box.stateFolder)) }
    let written: FileStatuses
    do throws(WriteConflict) {
      if let found {
        written = found
      } else {
        written = try writeFiles(draft.changes, clearing: draft.joining?.emptyFolders ?? [])
      }
    } catch {
      // What could not be put back is finished by the next command.
      if (try? isStarted(intent)) != true { Intent.remove(in: box.stateFolder) }
      throw error
    }
    do throws(SlipboxError) {
      try publish(prepared, written)
    } catch {
      throw .begun(error)
    }
    Intent.remove(in: box.stateFolder)
    waitForOvertaken()
  }

  /// The statuses of files that are committed as they are; nil where they are still to be written.
  /// - Throws: `changedMeanwhile` for one that no longer holds what it held.
  private func lookAgain(_ draft: CommitDraft) throws(WriteConflict) -> FileStatuses? {
    guard let expected = draft.expected else { return nil }
    var statuses: FileStatuses = [:]
    for (change, state) in zip(draft.changes, expected) {
      let found = try refusing { () throws(SlipboxError) in try box.workTreeFile(at: change.path) }
      guard found.state == state else { throw .changedMeanwhile(change.path) }
      if state == change.to { statuses[change.path] = found.status }
    }
    return statuses
  }

  /// Index, then ref: the last two steps. Either way git may pack the objects from then on.
  func publish(_ prepared: PreparedCommit, _ statuses: FileStatuses) throws(SlipboxError) {
    context.reporter.report(.committing, 0, of: prepared.paths.count)
    var edits: [Repository.IndexEdit] = []
    for path in prepared.paths {
      let name = box.repositoryPath(path.path)
      guard let blob = path.after else {
        edits.append(.remove(path: name))
        continue
      }
      let status = path.isLeftOut ? nil : Repository.IndexStatus(statuses[path.path])
      edits.append(.put(path: name, blob: blob, mode: path.mode, status: status))
    }
    if let repair = try box.git({ repository throws(GitError) in try repository.updateIndex(edits) }) {
      tell(of: repair)
    }
    defer { box.withRepository { $0.releasePacks() } }
    try box.git { repository throws(GitError) in
      try repository.moveBranch(
        from: prepared.parent, to: prepared.commit, message: "slip: \(prepared.subject)")
    }
  }

  private func tell(of repair: IndexRepair) {
    switch repair {
    case .missing: context.reporter.warn("git's index was missing; it was rebuilt from the last commit")
    case .damaged(let kept):
      context.reporter.warn(
        "git's index was corrupt and was rebuilt from the last commit; staged changes are lost; the old index is kept at "
          + Visible.escape(kept))
    }
  }
}

extension BoxWriter {
  /// Writes the files of a change; all or none.
  /// - Parameter folders: folders that are removed if they are empty when the files that go are gone.
  func writeFiles(
    _ changes: [FileChange], clearing folders: [[UInt8]] = []
  ) throws(WriteConflict) -> FileStatuses {
    defer { box.rescueKeptFiles(context) }
    let written = changes.filter(\.isWritten)
    return try box.folder.takingFoldersBack { () throws(WriteConflict) in
      try written.count <= Self.batchLimit || !folders.isEmpty || Self.needOrder(written)
        ? writeOneByOne(written, clearing: folders) : writeBatch(written)
    }
  }

  /// Whether changes can't be made as a batch: of symbolic links, and of files that take the place of a folder, or the
  /// reverse.
  private static func needOrder(_ changes: [FileChange]) -> Bool {
    var removed: Set<[UInt8]> = []
    var removedFolders: Set<[UInt8]> = []
    for change in changes {
      if case .link = change.from { return true }
      if case .link = change.to { return true }
      guard change.to == .absent else { continue }
      removed.insert(change.path)
      var folder = BytePath.folder(of: change.path)
      while !folder.isEmpty, removedFolders.insert(folder).inserted { folder = BytePath.folder(of: folder) }
    }
    guard !removed.isEmpty else { return false }
    return changes.contains { change in
      guard change.from == .absent else { return false }
      if removedFolders.contains(change.path) { return true }
      var folder = BytePath.folder(of: change.path)
      while !folder.isEmpty {
        if removed.contains(folder) { return true }
        folder = BytePath.folder(of: folder)
      }
      return false
    }
  }

  private func writeOneByOne(
    _ changes: [FileChange], clearing folders: [[UInt8]]
  ) throws(WriteConflict) -> FileStatuses {
    var statuses: FileStatuses = [:]
    var back: [FileChange] = []
    // Files that go first make room for those that come.
    let going = changes.filter { $0.to == .absent }
    let coming = changes.filter { $0.to != .absent }
    for (number, change) in (going + coming).enumerated() {
      if number == going.count {
        for folder in folders { Files.removeEmptyFolders(box.absolutePath(folder)) }
      }
      // One that can't be looked at can't be removed either.
      let old = change.to == .absent ? (try? box.folder.status(change.path)) ?? nil : nil
      do throws(ReplaceError) {
        statuses[change.path] = try box.folder.write(change)
        back.append(
          FileChange(
            path: change.path, from: change.to, to: change.from,
            permissions: old.map { FilePermissions(like: $0) }))
      } catch {
        // What can't be put back stays written and shows up as an outside change: nothing is lost.
        for change in back.reversed() { _ = try? box.folder.write(change) }
        throw WriteConflict(error, path: change.path)
      }
    }
    return statuses
  }

  /// Many files at once: all are durable before the first name changes, with one sync instead of one a file.
  private func writeBatch(_ changes: [FileChange]) throws(WriteConflict) -> FileStatuses {
    context.reporter.report(.writing, 0, of: changes.count)
    do throws(BatchError) {
      let written = try box.folder.replaceAll(changes.map { Replacement($0) })
      return Dictionary(
        zip(changes, written).compactMap { change, status in status.map { (change.path, $0) } }
      ) {
        $1
      }
    } catch {
      throw WriteConflict(error.error, path: error.index.map { changes[$0].path } ?? box.root)
    }
  }
}

extension FileChange {
  /// Whether the work tree changes; not if the file is left out of it before and after.
  fileprivate var isWritten: Bool {
    switch (from, to) {
    case (.leftOut, .leftOut), (.leftOut, .absent), (.absent, .leftOut): false
    default: true
    }
  }
}
