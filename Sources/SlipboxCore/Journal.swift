import Git
import Platform
import Text

/// What came of recording a plan.
package struct Recorded {
  package let outcome: Outcome
  package let changes: [FileChange]
  /// The sentence of the commit; nil where nothing changed.
  package let subject: String?
}

/// The one law for all writers.
///
/// Under the box's lock: read the targets; write blobs, trees and commits (nobody refers to them yet); write the
/// intent record; write the files, each only where it still holds what was read; bring git's index up to date for
/// these paths alone; move the branch by compare-and-swap; drop the record. A target that differs from HEAD because
/// another program was used is committed first and apart. See Decisions/0002.
extension Slipbox {
  /// How often a lost race is run again.
  private static let attempts = 5
  /// Above this many files they are made durable together, not one by one.
  static let batchLimit = 16

  /// Carries out a plan as one commit.
  ///
  /// - Throws: `.busy` where something is in the way, `.notFound` where a target is gone, and what the plan's own
  ///   edits throw; nothing is changed then.
  package func record(_ plan: Plan) throws(SlipboxError) -> Recorded {
    let lock = try acquireLock()
    defer { withExtendedLifetime(lock) {} }
    try setUpCloneOnce()
    try recoverInterrupted()
    removeLeftTemporaries(beside: plan.edits.map(\.path))
    defer { forget() }
    forget()
    var lastChange: SlipboxError?
    for _ in 0..<Self.attempts {
      let changes = try preview(plan)
      guard !changes.isEmpty else { return Recorded(outcome: .unchanged, changes: [], subject: nil) }
      let operation = Operation(
        command: plan.command, subject: plan.subject(changes), reason: plan.reason, changes: changes,
        savesAlways: plan.savesAlways)
      do throws(Interference) {
        let outcome = try commit(operation)
        keepNotes(of: changes)
        return Recorded(outcome: outcome, changes: changes, subject: operation.subject)
      } catch {
        switch error {
        case .changedMeanwhile(let path):
          lastChange = SlipboxError(
            .busy, "\(Visible.escape(path)) keeps changing while it is being written", hints: ["try again"])
        case .refused(let refusal): throw refusal
        }
      }
    }
    throw lastChange ?? SlipboxError(.busy, "the box keeps changing", hints: ["try again"])
  }

  /// Commits files as they are on disk: the change is from what HEAD has to what the file holds.
  ///
  /// - Throws: as `record(_:)`.
  func recordAsFound(
    _ paths: [[UInt8]], _ operation: ([FileChange]) -> Operation
  ) throws(SlipboxError) -> Recorded {
    let lock = try acquireLock()
    defer { withExtendedLifetime(lock) {} }
    try setUpCloneOnce()
    try recoverInterrupted()
    removeLeftTemporaries(beside: paths)
    defer { forget() }
    forget()
    var lastRefusal: SlipboxError?
    for _ in 0..<Self.attempts {
      let changes = try changesAsFound(paths)
      guard !changes.isEmpty else { return Recorded(outcome: .unchanged, changes: [], subject: nil) }
      do throws(Interference) {
        let operation = operation(changes)
        let outcome = try commit(operation)
        keepNotes(of: changes)
        return Recorded(outcome: outcome, changes: changes, subject: operation.subject)
      } catch {
        guard case .refused(let refusal) = error else { continue }
        guard refusal.kind == .busy else { throw refusal }
        lastRefusal = refusal
        break
      }
    }
    throw lastRefusal ?? SlipboxError(.busy, "the box keeps changing", hints: ["try again"])
  }

  private func changesAsFound(_ paths: [[UInt8]]) throws(SlipboxError) -> [FileChange] {
    let committed = try CommittedFiles(of: self, at: try tip(), count: paths.count)
    var changes: [FileChange] = []
    for (index, path) in paths.enumerated() {
      Progress.report(.preparing, index, of: paths.count)
      let before = try committed.entry(repositoryPath(path)).map { (entry) throws(SlipboxError) in
        try git { () throws(GitError) in try repository.blob(entry.id) }
      }
      let after = try bytes(at: path)
      let change = FileChange(path: path, before: before, after: after)
      if change.isChange { changes.append(change) }
    }
    return changes
  }

  private func commit(_ operation: Operation) throws(Interference) -> Outcome {
    do {
      try refuseWhereNoCommitIsPossible()
    } catch {
      guard operation.savesAlways else { throw .refused(error) }
      try writeFiles(operation.changes)
      return .saved(error.kind, reason: error.message, hints: error.hints)
    }
    try refuseOtherStagedContent(operation.changes)
    sayWhatIsSkipped()
    for _ in 0..<Self.attempts {
      if let commit = try attempt(operation) {
        startGarbageCollection()
        return .committed(commit)
      }
    }
    throw .refused(
      SlipboxError(
        .busy, "the branch keeps moving; the files are written but not committed",
        hints: ["slip commit completes it"]))
  }

  /// Prepares the commits on today's HEAD and makes them real; nil where the branch moved meanwhile.
  private func attempt(_ operation: Operation) throws(Interference) -> ObjectID? {
    let prepared: PreparedCommit
    let intent: Intent
    do {
      prepared = try prepare(operation)
      intent = Intent(prepared)
      try intent.write(in: stateFolder)
    } catch {
      throw .refused(error)
    }
    return try Signals.deferring { () throws(Interference) -> ObjectID? in
      do throws(Interference) {
        if !operation.isAsFound { try writeFiles(operation.changes) }
      } catch {
        // What could not be put back is finished by the next command.
        if (try? isStarted(intent)) != true { Intent.remove(in: stateFolder) }
        throw error
      }
      do throws(SlipboxError) {
        let moved = try publish(prepared)
        Intent.remove(in: stateFolder)
        return moved ? prepared.commit : nil
      } catch {
        throw .refused(error)
      }
    }
  }

  /// Index, then ref: the last two steps. False where the branch moved. Either way git may pack the objects from then on.
  func publish(_ prepared: PreparedCommit) throws(SlipboxError) -> Bool {
    Progress.report(.committing, 0, of: prepared.paths.count)
    var edits: [Repository.IndexEdit] = []
    for path in prepared.paths { edits.append(try indexEdit(path)) }
    if let repair = try git({ () throws(GitError) in try repository.updateIndex(edits) }) { tell(of: repair) }
    do throws(GitError) {
      try repository.moveBranch(
        from: prepared.parent, to: prepared.commit, message: "slip: \(prepared.subject)")
      repository.releasePacks()
      return true
    } catch {
      if case .moved = error.reason {
        repository.releasePacks()
        return false
      }
      throw SlipboxError(error)
    }
  }

  private func tell(of repair: IndexRepair) {
    switch repair {
    case .missing: surroundings.warn("git's index was missing; it is built again from the last commit")
    case .damaged(let kept):
      surroundings.warn(
        "git's index could not be read; it is built again, what was staged is lost, the old one is kept at "
          + Visible.escape(kept))
    }
  }

  private func indexEdit(_ path: PreparedCommit.Path) throws(SlipboxError) -> Repository.IndexEdit {
    let name = repositoryPath(path.path)
    guard let blob = path.after else { return .remove(path: name) }
    let status = try system { () throws(SystemError) in
      try Files.status(absolutePath(path.path), followLinks: false)
    }
    return .put(path: name, blob: blob, mode: path.mode, status: Repository.IndexStatus(status))
  }

  /// Writes the files of a change that are not yet as they are to be; all or none.
  private func writeFiles(_ changes: [FileChange]) throws(Interference) {
    guard changes.count <= Self.batchLimit else { return try writeBatch(changes) }
    var done: [FileChange] = []
    for change in changes {
      do throws(ReplaceError) {
        try folder.write(change)
        done.append(change)
      } catch {
        for change in done.reversed() {
          // What can't be put back stays written and shows up as an outside change: nothing is lost.
          try? folder.write(FileChange(path: change.path, before: change.after, after: change.before))
        }
        throw Interference(error, path: change.path)
      }
    }
  }

  /// Many files at once: all are durable before the first name changes, with one sync instead of one a file.
  private func writeBatch(_ changes: [FileChange]) throws(Interference) {
    Progress.report(.writing, 0, of: changes.count)
    do throws(BatchError) {
      _ = try folder.replaceAll(
        changes.map { Replacement(path: $0.path, bytes: $0.after, expecting: $0.before) })
    } catch {
      throw Interference(error.error, path: error.index.map { changes[$0].path } ?? root)
    }
  }
}

extension BoxFolder {
  /// Makes a change real, provided that the file still is as it was.
  func write(_ change: FileChange) throws(ReplaceError) {
    if let after = change.after {
      _ = try replace(change.path, with: after, expecting: change.before)
    } else if let before = change.before {
      try remove(change.path, expecting: before)
    }
  }
}

/// Why an attempt to write did not go through.
enum Interference: Error {
  /// The file no longer held what had been read: work it out again.
  case changedMeanwhile([UInt8])
  case refused(SlipboxError)

  init(_ error: ReplaceError, path: [UInt8]) {
    switch error {
    case .changed: self = .changedMeanwhile(path)
    case .leavesBox(let path):
      self = .refused(
        SlipboxError(.notPermitted, "\(Visible.escape(path)) leads out of the box through a symbolic link"))
    case .failed(let error): self = .refused(SlipboxError(error))
    }
  }
}

extension IndexTime {
  fileprivate init(_ time: FileTime?) {
    self.init(seconds: time?.seconds ?? 0, nanoseconds: Int64(time?.nanoseconds ?? 0))
  }
}

extension Repository.IndexStatus {
  /// The state of a file that does not exist (any more) is all zero: git looks at its bytes.
  init(_ status: FileStatus?) {
    self.init(
      modified: IndexTime(status?.modified), changed: IndexTime(status?.changed),
      device: status?.device ?? 0, inode: status?.inode ?? 0, mode: status?.mode ?? 0,
      owner: status?.owner ?? 0, group: status?.group ?? 0, size: status?.size ?? 0)
  }
}
