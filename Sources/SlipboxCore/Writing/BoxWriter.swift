import Git
import Platform
import Text

/// The one hand that writes a box.
///
/// Under the box's lock: read the targets; write blobs, trees and commits (nobody refers to them yet). Then, with git's
/// locks of the index and the branch held and all that was read looked at again: write the intent record; write the files,
/// each only where it still holds the bytes that were read; bring git's index up to date for these paths alone; move the
/// branch; drop the record. A target that differs from HEAD because another program was used is committed first and apart.
/// See Decisions/0001, 0015 and 0016.
package final class BoxWriter {
  let box: Box
  let runsFilters: Bool
  let context: CommandContext
  /// The snapshot that the changes are made of; nil where nothing was read yet.
  let snapshot: BoxSnapshot?
  /// The files of an interrupted operation that this writer took up.
  var recoveredPaths: [[UInt8]] = []
  var hasSaidWhatIsSkipped = false
  /// How long git may still be waited for, in milliseconds.
  var patience = Waits.gitMilliseconds
  /// The index and HEAD as they were first seen to differ as in the middle of a checkout.
  var doubt: (state: Doubt, since: Int64)?

  /// Makes the writer of a command.
  /// - Parameter runsFilters: whether the filters that this clone has configured may run; only a sync allows it.
  package init(
    _ box: Box, _ context: CommandContext, after snapshot: BoxSnapshot? = nil, runsFilters: Bool = false
  ) {
    self.runsFilters = runsFilters
    self.box = box
    self.context = context
    self.snapshot = snapshot
  }

  /// The temporary files that the walk of this command has found; none where it has not walked.
  var knownTemporaries: [[UInt8]] { snapshot?.knownContents?.workTree?.temporaries ?? [] }
}

extension BoxWriter {
  /// How often a lost race is run again.
  private static let attempts = 20
  /// Above this many files they are made durable together, not one by one.
  static let batchLimit = 16

  /// Carries out a plan as one commit.
  ///
  /// - Throws: `.busy` where something is in the way, `.notFound` where a target is gone, and what the plan's own
  ///   edits throw; nothing is changed then.
  package func record(_ plan: Plan) throws(SlipboxError) -> CommitResult {
    try record(beside: plan.edits.map(\.path), savesAlways: plan.savesAlways) { () throws(SlipboxError) in
      let changes = try box.preview(plan, context.reporter)
      var draft = CommitDraft(
        command: plan.command, subject: changes.isEmpty ? "" : plan.subject(changes), reason: plan.reason,
        changes: changes, moves: plan.moves, reversal: plan.reversal, face: context.face)
      draft.operation = context.operation
      return draft
    }
  }

  /// Commits files as they are on disk: the change is from what HEAD has to what the file holds.
  ///
  /// - Parameters:
  ///   - savesAlways: whether an operation is remembered that can't be committed now.
  ///   - preparing: done under the box's lock, while git writes nothing, before each look at the files.
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

  func record(
    beside paths: [[UInt8]], savesAlways: Bool, _ draft: () throws(SlipboxError) -> CommitDraft
  ) throws(SlipboxError) -> CommitResult {
    let lock = try acquireLock()
    defer { withExtendedLifetime(lock) {} }
    setUpCloneOnce()
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

  /// Repeats what may lose a race until it holds, or saves the files where they are to be kept in any case.
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
        case .begun(let reason):
          guard savesAlways else { throw error.refusal }
          return CommitResult(
            outcome: .saved(reason.kind, reason: reason.message, hints: reason.hintsWithoutRetry),
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

  private func changesAsFound(_ paths: [[UInt8]]) throws(SlipboxError) -> [FileChange] {
    let tip = try box.tip()
    let committed = try CommitLookup(box, at: tip, count: paths.count)
    var changes: [FileChange] = []
    var unfinished = UnfinishedFiles(box, context.reporter)
    let entries = try box.git { repository throws(GitError) in try repository.indexEntries() }
    for (index, path) in paths.enumerated() {
      context.reporter.report(.preparing, index, of: paths.count)
      unfinished.wait(for: path)
      if let flag = entries.entry(at: box.repositoryPath(path))?.hidingFlag {
        context.reporter.warnOnce(
          "\(Visible.escape(path)) is hidden from git (\(flag)), so it is not committed")
        continue
      }
      let found = try box.workTreeFile(at: path)
      if found.isObstructed { throw Box.obstructed(path) }
      let entry = try committed.file(path)
      if try box.isCommitted(entry, found) { continue }
      changes.append(FileChange(path: path, from: try box.state(of: entry), to: found.state))
    }
    return changes.filter(\.isChange)
  }

  /// Lets later commands know the notes of a change without reading the box again.
  private func keepNotes(of changes: [FileChange]) {
    if CatalogueCache(box).keepNotes(of: changes, in: box) { context.startMaintenance(box.root) }
  }

  /// Makes a draft the next commit of the branch.
  func commit(_ draft: CommitDraft) throws(WriteConflict) -> ObjectID {
    try postponing { () throws(SlipboxError) in try refuseWhereNoCommitIsPossible() }
    let prepared = try refusing { () throws(SlipboxError) in try prepare(draft) }
    // The files were found to differ from another HEAD than that of now.
    if draft.files == .asFound, zip(prepared.paths, draft.changes).contains(where: { $0.0.isUnchanged($0.1) })
    {
      throw .movedMeanwhile
    }
    sayWhatIsSkipped()
    try holdingGitsLocks { () throws(WriteConflict) in try makeReal(prepared, draft) }
    return prepared.commit
  }
}
