import Git
import NoteIndex
import Notes
import Platform
import Text

/// The only type that changes the files of a box.
///
/// The order of a write, from top to bottom in this file:
///
/// 1. `record`: take the lock of the box; finish the operation of an interrupted command (Recovery.swift).
/// 2. `carryOut`: read the files and compute their new states (`changes(by:)`, Plan.swift).
/// 3. `commit`: write blobs, trees and commits; nothing refers to them yet (PreparedCommit.swift). Uncommitted changes
///    of these files by other programs become a commit of their own before. The commit removes the former path of a note
///    that another program moved (MovedByHand.swift).
/// 4. `commit`: take git's locks of the index and the branch (BoxWriter+Locks.swift). `makeReal`: read the branch and the
///    index again, and the files that are committed as they are. If something changed, go back to 2.
/// 5. Write the intent record to disk (Intent.swift). From here on the next command finishes the operation after a crash.
/// 6. Write the files, each only if its content is unchanged; if one fails, restore those before it (FileWriting.swift).
/// 7. `publish`: change the entries of these files in git's index, then move the branch.
/// 8. Remove the intent record, and add the notes to the cached catalogue.
///
/// With hooks the commit is git's own (BoxWriter+Hooks.swift).
///
/// Reasons: decisions 0001, 0015 and 0016.
package final class BoxWriter {
  let box: Box
  let context: CommandContext
  /// The snapshot that the changes are based on; nil if nothing was read yet.
  let snapshot: BoxSnapshot?
  /// The files of an interrupted operation that this writer finished.
  var recoveredPaths: [[UInt8]] = []
  var hasSaidWhatIsSkipped = false
  /// The remaining time for which the writer may wait for git, in milliseconds.
  var patience = Waits.gitMilliseconds
  /// The index and HEAD as the writer first saw them differ, as in the middle of a checkout.
  var doubt: (state: Doubt, since: Int64)?

  /// Creates the writer of a command.
  package init(
    _ box: Box, _ context: CommandContext, after snapshot: BoxSnapshot? = nil
  ) {
    self.box = box
    self.context = context
    self.snapshot = snapshot
  }

  /// The temporary files that the scan of this command has found; empty if it has not scanned the box.
  var knownTemporaries: [[UInt8]] { snapshot?.knownContents?.workTree?.temporaries ?? [] }
}

extension BoxWriter {
  /// The maximum number of attempts after lost races.
  private static let attempts = 20
  /// The number of files above which one sync makes all of them durable, instead of one sync per file.
  static let batchLimit = 16

  /// Applies a plan as one commit.
  ///
  /// - Throws: `.busy` if a lock or another change blocks it, `.notFound` if a target is gone, and the errors of the
  ///   plan's own edits; nothing is changed then.
  package func record(_ plan: Plan) throws(SlipboxError) -> CommitResult {
    try refuseExposure(by: plan)
    return try record(beside: plan.edits.map(\.path), savesAlways: plan.savesAlways) {
      () throws(SlipboxError) in
      try discard(plan.discarded)
      let changes = try changes(by: plan)
      var draft = CommitDraft(
        command: plan.command, subject: changes.isEmpty ? "" : plan.subject(changes), reason: plan.reason,
        changes: changes, moves: plan.moves, reversal: plan.reversal, face: context.face)
      draft.operation = context.operation
      return draft
    }
  }

  /// Deletes files that hold certain bytes, without a commit.
  private func discard(_ files: [[UInt8]: [UInt8]]) throws(SlipboxError) {
    for (path, bytes) in files where box.isThere(path) {
      do throws(ReplaceError) {
        try box.folder.remove(path, expecting: bytes)
      } catch {
        throw SlipboxError(.busy, "\(path) was changed meanwhile", retry: "try again")
      }
    }
  }

  /// Returns the changes of files that a plan makes. If another command moved a note meanwhile, the note is found by its
  /// id, and changed at its new path.
  ///
  /// - Throws: `.busy` with the new path of the note if the plan is valid for its former path alone.
  private func changes(by plan: Plan) throws(SlipboxError) -> [FileChange] {
    do throws(SlipboxError) {
      return try box.preview(plan, context.reporter)
    } catch {
      guard error.kind == .notFound, let before = try snapshot?.catalogue() else { throw error }
      let now = try WorkTreeReader(box, context).snapshot().catalogue()
      var isMoved = false
      let followed = try plan.replacing { (edit) throws(SlipboxError) in
        guard !box.isThere(edit.path), let note = before.entry(path: edit.path)?.note, let id = note.id,
          let place = now.entry(id: id)?.note.path
        else { return edit }
        isMoved = true
        return try edit.following(note, to: place)
      }
      guard isMoved else { throw error }
      return try box.preview(followed, context.reporter)
    }
  }

  func record(
    beside paths: [[UInt8]], savesAlways: Bool, _ draft: () throws(SlipboxError) -> CommitDraft
  ) throws(SlipboxError) -> CommitResult {
    let lock = try acquireLock()
    defer { withExtendedLifetime(lock) {} }
    box.withRepository { $0.settings.keep() }
    defer { box.withRepository { $0.settings.release() } }
    MergeDriverRegistration(in: box).registerOnce(context)
    var refusal: SlipboxError?
    do throws(WriteConflict) {
      try waitWhileGitWrites()
      try takeUpLeft()
    } catch {
      guard case .notNow(let reason) = error else { throw error.refusal }
      refusal = reason
    }
    removeLeftTemporaries(beside: paths)
    if let refusal, !savesAlways { throw refusal }
    return try carryOut(refusal, savesAlways: savesAlways, draft)
  }

  /// Repeats an attempt until it wins its races, or saves the files if they are to be saved in any case.
  private func carryOut(
    _ refusal: SlipboxError?, savesAlways: Bool, _ make: () throws(SlipboxError) -> CommitDraft
  ) throws(SlipboxError) -> CommitResult {
    var lost = 0
    var refusal = refusal
    var held = HeldFiles(box, context.reporter)
    var draft = try make()
    while true {
      guard !draft.changes.isEmpty || draft.joining != nil else {
        return CommitResult(outcome: .unchanged, changes: [], subject: nil)
      }
      let outcome: CommitResult.Outcome
      do throws(WriteConflict) {
        if let refusal { outcome = try save(draft, refusal) } else { outcome = .committed(try commit(draft)) }
        keepNotes(of: draft.changes)
        startGarbageCollection()
        return CommitResult(outcome: outcome, changes: draft.changes, subject: draft.subject)
      } catch {
        switch error {
        case .refused(let refusal): throw refusal
        case .hook(let refusal):
          guard savesAlways else { throw refusal }
          return CommitResult(
            outcome: .refused(message: refusal.message, hints: refusal.hints), changes: draft.changes,
            subject: draft.subject)
        case .begun(let reason):
          guard savesAlways else { throw error.refusal }
          return CommitResult(
            outcome: .saved(reason.kind, reason: reason.message, hints: reason.remedies),
            changes: draft.changes, subject: draft.subject)
        case .notNow(let reason):
          guard savesAlways, refusal == nil else { throw reason }
          refusal = reason
        case .heldOpen(let path): try held.wait(for: path)
        case .unsettled: refusal = try waitUntilSettled(savesAlways: savesAlways)
        case .changedMeanwhile, .movedMeanwhile:
          lost += 1
          if lost == Self.attempts {
            guard savesAlways, refusal == nil else { throw error.refusal }
            refusal = error.refusal
          }
          if lost > 2 * Self.attempts { throw error.refusal }
        }
      }
      draft = try make()
    }
  }

  /// Adds the changed notes to the cached catalogue, so that later commands need not read the box again.
  private func keepNotes(of changes: [FileChange]) {
    if CatalogueCache(box).keepNotes(of: changes, in: box) { context.startMaintenance(box.root) }
  }

  /// Commits a draft as the next commit of the branch.
  func commit(_ draft: CommitDraft) throws(WriteConflict) -> ObjectID {
    try refusing { () throws(SlipboxError) in try refuseExposedText(draft) }
    if draft.joining == nil, box.runsCommitHooks { return try commitRunningHooks(draft) }
    try postponing { () throws(SlipboxError) in
      try refuseWhereNoCommitIsPossible(makesCommit: draft.makesCommit)
    }
    let prepared = try refusing { () throws(SlipboxError) in try prepare(draft) }
    // The files were compared with another HEAD than the present one.
    let isOutdated = zip(prepared.files, draft.changes).contains { file, change in
      !file.changesBytes && change.from.mode == change.to.mode
    }
    if draft.files == .asFound, isOutdated { throw .movedMeanwhile }
    sayWhatIsSkipped()
    if draft.files != .before { waitForNewerIndex(prepared.files) }
    try holdingGitsLocks { held throws(WriteConflict) in try makeReal(prepared, draft, held) }
    return prepared.commit
  }

  /// Checks again all inputs of a prepared commit, then writes the files and publishes the commit.
  func makeReal(
    _ prepared: PreparedCommit, _ draft: CommitDraft, _ held: HeldRepository
  ) throws(WriteConflict) {
    guard try refusing({ () throws(SlipboxError) in try box.tip() }) == prepared.parent else {
      throw .movedMeanwhile
    }
    try postponing { () throws(SlipboxError) in
      try refuseWhereNoCommitIsPossible(makesCommit: draft.makesCommit)
    }
    try refuseForStagedState(prepared, draft)
    if isGitRewriting { throw .unsettled }
    let found = try lookAgain(draft)
    let intent = Intent(prepared)
    try refusing { () throws(SlipboxError) in try intent.write(in: box) }
    // Another user's command may have to finish it.
    box.withRepository { $0.permissions.share(box.intentFile) }
    let written: FileStatuses
    do throws(WriteConflict) {
      if let found {
        written = found
      } else {
        written = try writeFiles(draft.changes, clearing: draft.joining?.emptyFolders ?? [])
      }
    } catch {
      // The next command finishes files that could not be restored.
      if (try? isStarted(intent)) != true { Intent.remove(in: box) }
      throw error
    }
    do throws(SlipboxError) {
      try publish(prepared, written, held)
    } catch {
      throw .begun(error)
    }
    Intent.remove(in: box)
  }

  /// Refuses a draft because of the state of its files in git's index.
  func refuseForStagedState(_ prepared: PreparedCommit, _ draft: CommitDraft) throws(WriteConflict) {
    let names = prepared.files.map { box.repositoryPath($0.path) }
    let staged = try refusing { () throws(SlipboxError) in
      try box.git { repository throws(GitError) in
        try repository.index.stagedState(of: names, at: prepared.parent)
      }
    }
    try refuseHidden(prepared, draft, staged)
    try refuseUnsettled(prepared, draft, staged)
    try refuseOtherStagedContent(prepared, draft, staged)
  }

  /// Returns the statuses of files that are committed as they are; nil if they are still to be written.
  /// - Throws: `changedMeanwhile` for a file whose content has changed.
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

  /// Updates the index, then the ref: the last two steps. Even if they fail, git may pack the objects from then on.
  func publish(
    _ prepared: PreparedCommit, _ statuses: FileStatuses, _ held: HeldRepository
  ) throws(SlipboxError) {
    context.reporter.report(.committing, 0, of: prepared.files.count)
    var edits: [TreeEdit] = []
    var indexStatuses: FileStatuses = [:]
    for file in prepared.files {
      let name = box.repositoryPath(file.path)
      edits.append(file.new.map { .put(path: name, blob: $0.id, mode: $0.mode) } ?? .remove(path: name))
      if !prepared.leftOut.contains(file.path) { indexStatuses[name] = statuses[file.path] ?? .unknown }
    }
    let repair = try box.git { _ throws(GitError) in try held.updateIndex(edits, statuses: indexStatuses) }
    if let repair { tell(of: repair) }
    defer { box.withRepository { $0.releasePacks() } }
    try box.git { _ throws(GitError) in
      try held.moveBranch(
        from: prepared.parent, to: prepared.commit, message: "slip: \(prepared.subject)")
    }
  }

  private func tell(of repair: IndexRepair) {
    switch repair {
    case .missing: context.reporter.warn("git's index was missing; it was rebuilt from the last commit")
    case .damaged(let kept):
      context.reporter.warn(
        "git's index was corrupt and was rebuilt from the last commit; staged changes are lost; the old index is kept at "
          + Phrase(kept))
    }
  }
}

/// Commits of files as other programs left them.
extension BoxWriter {
  /// Commits files as they are on disk: each change is from HEAD's content to the content of the file.
  ///
  /// - Parameters:
  ///   - savesAlways: whether an operation is recorded that can't be committed now.
  ///   - preparing: runs before each read of the files, under the box's lock, while git writes nothing.
  /// - Throws: as `record(_:)`.
  func recordAsFound(
    _ paths: [[UInt8]], savesAlways: Bool = false, preparing: () throws(SlipboxError) -> Void = {},
    _ operation: ([FileChange]) -> CommitDraft
  ) throws(SlipboxError) -> CommitResult {
    try record(beside: paths, savesAlways: savesAlways) { () throws(SlipboxError) in
      try preparing()
      return operation(try changesAsFound(paths))
    }
  }

  private func changesAsFound(_ paths: [[UInt8]]) throws(SlipboxError) -> [FileChange] {
    let tip = try box.tip()
    let committed = try CommitLookup(box, at: tip, count: paths.count)
    var changes: [FileChange] = []
    var unfinished = UnfinishedFiles(box, context.reporter)
    let entries = try box.git { repository throws(GitError) in try repository.index.entries() }
    for (index, path) in paths.enumerated() {
      context.reporter.report(.preparing, index, of: paths.count)
      unfinished.wait(for: path)
      if let flag = entries.entry(at: box.repositoryPath(path))?.hidingFlag {
        context.reporter.warnOnce(
          "\(path) is hidden from git (\(flag)), so it is not committed")
        continue
      }
      let found = try box.workTreeFile(at: path)
      if found.isObstructed, !Self.isFolder(found, of: paths) { throw Box.obstructed(path) }
      let entry = try committed.file(path)
      if try box.isCommitted(entry, found) { continue }
      changes.append(FileChange(path: path, from: try box.state(of: entry), to: found.state))
    }
    return changes.filter(\.isChange)
  }

  /// Returns whether a folder is at the path of a file and contains other files of the list.
  private static func isFolder(_ file: WorkTreeFile, of paths: [[UInt8]]) -> Bool {
    let prefix = file.path + [UInt8(ascii: "/")]
    return file.status?.kind == .directory && paths.contains { $0.starts(with: prefix) }
  }
}
