import Bytes
import Git
import Notes
import Platform
import Text

/// Operations that are saved in their files until a commit is possible.
extension BoxWriter {
  /// Writes the files of a draft, and records the operation for the next command that can commit it.
  func save(_ draft: CommitDraft, _ refusal: SlipboxError) throws(WriteConflict) -> CommitResult.Outcome {
    let changes = followingSaved(draft)
    let operation = SavedOperation(
      command: draft.command, subject: draft.subject, reason: draft.reason, changes: changes,
      committed: committedBlobs(of: changes), isResetByGit: isResetByGit(draft, changes))
    waitForCheckout()
    try Signals.deferring { () throws(WriteConflict) in
      let record = try refusing { () throws(SlipboxError) in try operation.keep(in: box.savedFolder) }
      guard draft.files == .before else { return }
      do throws(WriteConflict) {
        _ = try writeFiles(draft.changes)
      } catch {
        SavedOperation.remove(record)
        throw error
      }
    }
    return .saved(refusal.kind, reason: refusal.message, hints: refusal.remedies + hintsOnGit(draft))
  }

  /// Returns whether the user's way out of git's operation in progress, such as `git merge --abort`, overwrites the files
  /// of a draft. A rebase overwrites all files, the other operations those in conflict. False for a file in conflict that
  /// an editor saved: its change is from HEAD, so it contains the side that is dropped.
  private func isResetByGit(_ draft: CommitDraft, _ changes: [FileChange]) -> Bool {
    let unmerged = Set(box.unmergedPaths)
    if changes.contains(where: { unmerged.contains(box.repositoryPath($0.path)) }) {
      return draft.files != .asFound || changes != draft.changes
    }
    return box.withRepository { $0.operation.kind } == .rebase
  }

  /// Returns the changes of a draft. If an editor changed a text that an earlier command had saved, the change is from
  /// that text instead of HEAD's text. So it can be merged on its own.
  private func followingSaved(_ draft: CommitDraft) -> [FileChange] {
    guard draft.files == .asFound else { return draft.changes }
    let saved = SavedOperation.files(in: box.savedFolder).flatMap { record in
      (try? Files.read(record)).flatMap { SavedOperation($0) }?.changes ?? []
    }
    return draft.changes.map { change in
      guard let last = saved.last(where: { $0.path == change.path }), let before = last.after,
        let after = change.after, before != after, case .holdsIt = SavedText(last, after)
      else { return change }
      return FileChange(path: change.path, before: before, after: after).withMode(of: change.to)
    }
  }

  /// Returns hints for the operations and switches of branches that git continues only if no file differs from its staged
  /// content.
  private func hintsOnGit(_ draft: CommitDraft) -> [Phrase] {
    let paths = draft.changes.filter { $0.before != nil }.map {
      Phrase(typed: box.repositoryPath($0.path))
    }
    guard !paths.isEmpty else { return [] }
    let operation = box.withRepository { $0.operation.kind }
    var isDetached = false
    if case .detached = box.withRepository({ try? $0.head() }) { isDetached = true }
    let needsStash =
      switch operation {
      case .rebase, .applyMailbox, .bisect: true
      case nil: isDetached
      default: false
      }
    guard needsStash else { return [] }
    let names = paths.joined(separator: " ")
    return ["if git refuses that: git stash push \(names) before it, git stash pop after it"]
  }

  /// Returns the blobs that HEAD has for changes; nil if HEAD can't be read, which may be the reason for saving them.
  private func committedBlobs(of changes: [FileChange]) -> [ObjectID?]? {
    guard let committed = try? CommitLookup(box, at: box.tip(), count: changes.count) else { return nil }
    return try? changes.map { try committed.file($0.path)?.id }
  }

  /// Commits the operations that earlier commands saved, each as its own commit, the oldest first.
  ///
  /// - Throws: `notNow` if that is still not possible. If a single operation is refused, the reason is reported, and it
  ///   and the later ones stay saved.
  func completeSaved() throws(WriteConflict) {
    let records = SavedOperation.files(in: box.savedFolder)
    guard !records.isEmpty else { return }
    try postponing { () throws(SlipboxError) in try refuseWhereNoCommitIsPossible() }
    let operations = records.map { record in
      // A record that can't be read is ignored: its files are treated as changed by other programs.
      (try? Files.read(record)).flatMap { SavedOperation($0) }
    }
    for (number, record) in records.enumerated() {
      if let operation = operations[number] {
        do throws(WriteConflict) {
          try complete(
            operation, after: operations[..<number].compactMap { $0 },
            before: operations[(number + 1)...].compactMap { $0 })
        } catch {
          if case .hook(let reason) = error {
            SavedOperation.remove(record)
            return context.reporter.warn(
              "the saved changes are not committed: \(operation.subject): \(reason.message)")
          }
          guard case .refused(let reason) = error else { throw error }
          return context.reporter.warn(
            "the saved changes can't be committed yet: \(operation.subject): \(reason.message)"
          )
        }
      }
      SavedOperation.remove(record)
    }
  }

  private func complete(
    _ operation: SavedOperation, after earlier: [SavedOperation], before later: [SavedOperation]
  ) throws(WriteConflict) {
    for _ in 0..<5 {
      let draft = try refusing { () throws(SlipboxError) in
        try self.draft(of: operation, after: earlier, before: later)
      }
      guard let draft else { return }
      do throws(WriteConflict) {
        _ = try commit(draft)
        return context.reporter.warn("committed the saved changes: \(operation.subject)")
      } catch {
        switch error {
        case .changedMeanwhile, .movedMeanwhile: continue
        case .heldOpen, .unsettled: throw .notNow(error.refusal)
        case .notNow, .begun, .refused, .hook: throw error
        }
      }
    }
    throw .notNow(WriteConflict.movedMeanwhile.refusal)
  }

  /// Returns the part of an operation that is still to be committed; nil if there is none.
  private func draft(
    of operation: SavedOperation, after earlier: [SavedOperation], before later: [SavedOperation]
  ) throws(SlipboxError) -> CommitDraft? {
    let committed = try CommitLookup(box, at: try box.tip(), count: operation.changes.count)
    var changes: [FileChange] = []
    var found: [FileState] = []
    for (number, change) in operation.changes.enumerated() {
      let state = try box.workTreeFile(at: change.path).state
      let bytes = state.bytes
      let known = operation.committed.map { $0[number] }
      let chain = SavedChain(change, earlier, later)
      let text = chain.text(in: bytes, isResetByGit: operation.isResetByGit)
      guard let own = try rebased(change, known, committed, over: bytes, text) else { continue }
      switch text {
      case .holdsIt:
        changes.append(own.withMode(of: state))
        found.append(state)
      case .fits(let merged) where operation.changes.count == 1:
        // Another program, such as a checkout, overwrote the text; it is merged into the present content.
        return CommitDraft(
          command: operation.command, subject: operation.subject, reason: operation.reason,
          changes: [FileChange(path: change.path, before: bytes, after: merged).withMode(of: state)])
      // The last text of the chain contains this one, and is kept.
      case .isGone where chain.isTakenOut(of: bytes) && chain.isFollowed: continue
      case .fits, .isGone: keepApart(change)
      }
    }
    guard !changes.isEmpty else { return nil }
    return CommitDraft(
      command: operation.command, subject: operation.subject, reason: operation.reason, changes: changes,
      files: .saved(found))
  }

  /// Returns a saved change as a change of HEAD, because another program may have committed the file since; nil if HEAD
  /// has it.
  ///
  /// - Parameters:
  ///   - known: the blob that HEAD had when the change was saved; nil if that is not known.
  ///   - found: the present bytes of the file.
  ///   - text: the part of the change that these bytes have.
  private func rebased(
    _ change: FileChange, _ known: ObjectID??, _ committed: CommitLookup, over found: [UInt8]?,
    _ text: SavedText
  ) throws(SlipboxError) -> FileChange? {
    let head = try committed.file(change.path)?.id
    if try contentID(of: change.after, at: change.path) == head { return nil }
    // Content that was uncommitted when the change was saved is committed before it, as an outside change.
    let before = try contentID(of: change.before, at: change.path)
    // Git's conflict markers are not, once they are no longer in the file.
    let hasMarkers = { (bytes: [UInt8]?) in bytes.map(MergeMarkers.isAnywhere(in:)) ?? false }
    let isOfStoppedMerge = hasMarkers(change.before) && !hasMarkers(found)
    if head == before || head == known && !isOfStoppedMerge { return change }
    let bytes = try head.map { (id) throws(SlipboxError) in try box.content(of: id, at: change.path) }
    switch SavedText(change, bytes) {
    case .holdsIt: return nil
    case .fits(let merged): return FileChange(path: change.path, before: bytes, after: merged)
    case .isGone:
      // The text is only in its file, and can't be distinguished from later edits. If it is neither there nor in HEAD, it
      // has to be kept apart.
      if case .isGone = text { return change }
      return known == nil ? change : nil
    }
  }

  private func contentID(of bytes: [UInt8]?, at path: [UInt8]) throws(SlipboxError) -> ObjectID? {
    try bytes.map { (bytes) throws(SlipboxError) in try box.contentID(of: bytes, at: path) }
  }

  /// Saves a text in the state folder that has been removed from its file since.
  private func keepApart(_ change: FileChange) {
    guard let text = change.after else { return }
    let name = Note(path: change.path, text: NoteText(text)).id?.description ?? "note"
    let path = Phrase(change.path)
    let folder = box.folderBehindFilter(of: change.path)
    guard
      let file = try? box.keepApart(
        text, name: Array("\(name).md".utf8), in: folder, at: context.clock.now)
    else {
      return context.reporter.warn("the text saved in \(path) was overwritten and is not committed")
    }
    context.reporter.warn(
      "the text saved in \(path) was overwritten and is not committed; it is kept at \(file)"
    )
  }
}

/// The relation between the content of a file and a text that was saved in it.
private enum SavedText {
  /// The file has exactly the text, or the text and more.
  case holdsIt
  /// The file has another text, into which the change can be merged.
  case fits([UInt8])
  case isGone

  init(_ change: FileChange, _ found: [UInt8]?) {
    guard found != change.after else {
      self = .holdsIt
      return
    }
    guard let found, let after = change.after, found != change.before else {
      self = .isGone
      return
    }
    guard let before = change.before else {
      self = .holdsIt
      return
    }
    let merged = NoteMerge.merge(base: NoteText(before), one: NoteText(found), other: NoteText(after))
    guard let merged, merged.conflicts.isEmpty,
      MergeMarkers.isAnywhere(in: found) || !MergeMarkers.isAnywhere(in: merged.text.bytes)
    else {
      self = .isGone
      return
    }
    self = merged.text.bytes == found ? .holdsIt : .fits(merged.text.bytes)
  }
}

/// Saved changes of one file, each based on the text that the one before it had saved.
private struct SavedChain {
  private let first: FileChange
  private let change: FileChange
  private let last: FileChange
  /// Whether another change is based on the text of the change.
  let isFollowed: Bool

  /// Creates the chain that contains a change.
  /// - Parameters:
  ///   - earlier: the operations that were saved before the operation of the change, in order.
  ///   - later: the operations that were saved after it.
  init(_ change: FileChange, _ earlier: [SavedOperation], _ later: [SavedOperation]) {
    let changes = { (operations: [SavedOperation]) in
      operations.flatMap(\.changes).filter { $0.path == change.path }
    }
    var (first, last, isFollowed) = (change, change, false)
    for other in changes(earlier).reversed() {
      guard other.after == first.before else { break }
      first = other
    }
    for other in changes(later) {
      guard other.before == last.after else { break }
      (last, isFollowed) = (other, true)
    }
    self.isFollowed = isFollowed
    self.first = first
    self.change = change
    self.last = last
  }

  /// Returns whether a file has the text from before all changes of the chain.
  func isTakenOut(of found: [UInt8]?) -> Bool { first.before == found }

  /// Returns the relation between the content of a file and the change.
  ///
  /// If the file does not have the last text of the chain, each change is merged into it separately, so that they add up.
  /// - Parameter isResetByGit: whether git, not the user, may have restored the text from before.
  func text(in found: [UInt8]?, isResetByGit: Bool) -> SavedText {
    let all = FileChange(path: change.path, before: change.before, after: last.after)
    if isFollowed, found == last.after || all.before != all.after, case .holdsIt = SavedText(all, found) {
      return .holdsIt
    }
    if isResetByGit, let found, found == change.before, let after = change.after {
      let bringsMarkers = MergeMarkers.isAnywhere(in: after) && !MergeMarkers.isAnywhere(in: found)
      return bringsMarkers ? .isGone : .fits(after)
    }
    return isTakenOut(of: found) && found != change.after ? .isGone : SavedText(change, found)
  }
}

extension FileChange {
  /// Returns the same change of bytes, with the executable bit of another state.
  fileprivate func withMode(of state: FileState) -> FileChange {
    guard case .file(_, let isExecutable) = state else { return self }
    let changed = { (state: FileState) in
      state.bytes.map { FileState.file($0, isExecutable: isExecutable) } ?? state
    }
    return FileChange(path: path, from: changed(from), to: changed(to), permissions: permissions)
  }
}
