import Bytes
package import Git
import Notes
import Platform
import Text

/// The notes of a merge, rebase, cherry-pick, revert or `git stash pop` at which git stopped, with slip's merge of them.
package struct StoppedNotes: Sendable {
  /// A file of the box, with its intended state.
  struct File: Sendable {
    /// The path in the box.
    let path: [UInt8]
    let found: FileState
    /// The entry for the commit.
    let wanted: TreeEntry?
    /// The text for the work tree, if the user has edited the file since git stopped: `wanted` with that edit, which is
    /// not committed with the merge.
    var text: [UInt8]?
    /// Whether the user deleted the file after git stopped and did not stage that: the commit has `wanted`, and the file
    /// stays deleted.
    var isDeleted = false
  }

  package let operation: Repository.Operation
  /// The commit that is merged or picked.
  let other: ObjectID
  /// The notes and settings that slip merges.
  let files: [File]
  /// The files whose conflict the user has settled; they stay as they are.
  let edited: [File]
  /// The notes that the user took out of git's index with `git rm --cached`; they stay in the work tree alone.
  let untracked: [[UInt8]]
  /// The files that are left to the user, from the root of the repository: files that are not notes, and notes with git's
  /// markers in a text that the user edited.
  package let left: [[UInt8]]
  /// The conflicts in which both versions are kept.
  package let conflicts: [MergeConflict]
  /// The name of the stash that stopped, such as `stash@{0}`; nil for another operation.
  package let stash: String?
  /// The untracked files of the stash that git did not restore, from the root of the repository.
  package let stashedFiles: [[UInt8]]
  /// Whether the user goes on: after the edit of a commit of a rebase, and with the commit of a revert that may have been
  /// begun with `--no-commit`.
  package let stopsForUser: Bool

  /// The paths in the box of the files that slip merges.
  package var paths: [[UInt8]] { files.map(\.path) }

  /// The paths in the box of the files that the user has edited.
  package var editedPaths: [[UInt8]] { edited.filter { $0.found != .absent }.map(\.path) }

  /// The paths in the box of what the user has removed, also from git's index alone.
  package var removedPaths: [[UInt8]] { edited.filter { $0.found == .absent }.map(\.path) + untracked }
}

/// The progress of slip with an operation at which git had stopped.
package struct FinishedStops: Sendable {
  /// The merged notes at each stop; the last value has the files that are left to the user.
  package internal(set) var stops: [StoppedNotes] = []
  /// The step of a rebase at which git stopped again, such as `break`, with git's output; nil if it is finished, or if
  /// files are left to the user.
  package internal(set) var pause: (step: String, words: [String])?
  /// Whether the notes are merged and staged, and the user commits the revert.
  package internal(set) var isCommitLeft = false
}

extension BoxWriter {
  /// The maximum number of further stops of git while one operation is finished.
  private static let mostStops = 10_000

  /// Merges the notes at which git stopped, without writing them; returns nil if git did not stop, or stopped for another
  /// reason.
  ///
  /// The notes are merged as in a sync, from the three trees that git merged. A conflict that the user has settled stays
  /// settled; other edits since then are merged into the result.
  package func stoppedNotes() throws(SlipboxError) -> StoppedNotes? {
    guard
      let stopped = try box.git({ repository throws(GitError) in try repository.operation.stoppedMerge() })
    else {
      return nil
    }
    let (merge, sorter) = try sorted(stopped)
    // The remaining files are left to the user.
    let settled = Set(sorter.files.map { box.repositoryPath($0.path) })
    let (stash, stashed) = try box.git { repository throws(GitError) -> (String?, [[UInt8]]) in
      guard stopped.operation == .stash else { return (nil, []) }
      let stashes = repository.stashes
      return (try stashes.name(of: stopped.other), try stashes.untrackedLeft(in: stopped.other))
    }
    return StoppedNotes(
      operation: stopped.operation, other: stopped.other, files: sorter.files, edited: sorter.edited,
      untracked: sorter.untracked, left: sorter.left,
      conflicts: merge.conflicts.filter { settled.contains($0.path) }, stash: stash,
      stashedFiles: stashed, stopsForUser: stopped.stopsForUser)
  }

  private func sorted(
    _ stopped: StoppedMerge
  ) throws(SlipboxError) -> (TreeMerge<RepositoryMergeStore>, StoppedSorter) {
    do throws(SlipboxError) {
      var decisions = try StoppedDecisions(stopped, box)
      let merge = try merged(stopped, removed: decisions.removed)
      report(merge.renumbered)
      let contested = Set(merge.conflicts.map(\.path))
      try decisions.decide(merge.placedFiles)
      var sorter = try StoppedSorter(stopped, try merge.edits(of: stopped.tip), contested, decisions, box)
      try sorter.sortAll()
      if let path = sorter.blocking.first { throw Self.blocked(path) }
      if let note = sorter.lost.first { throw lost(note, stopped.operation) }
      return (merge, sorter)
    } catch {
      if error.kind == .configuration, let way = box.wayOutWithoutFilter(of: stopped.operation) {
        throw SlipboxError(.configuration, way[0], hints: Array(way.dropFirst()))
      }
      guard error.kind == .notPermitted, stopped.operation != .stash else { throw error }
      // Git may have merged the lines of a ciphertext, which no filter can decrypt any more.
      let (name, command) = (stopped.operation.name, stopped.operation.command)
      throw error.adding(hint: "or drop the \(name) with: git \(command) --abort; then run: \(slip: "sync")")
    }
  }

  private static func blocked(_ path: [UInt8]) -> SlipboxError {
    SlipboxError(
      .busy, "\(Phrase(path)) blocks an incoming file; nothing was changed",
      hints: ["move it away, then run: \(slip: "resolve", "--yes")"])
  }

  private func lost(_ note: StoppedDecisions.LostNote, _ operation: Repository.Operation) -> SlipboxError {
    // The version of one side lacks the changes of the other.
    let merged = note.merged.hex.prefix(12)
    var hints: [Phrase] = [
      "to keep it: git show \(merged) >NEW.md && git add NEW.md && \(slip: "resolve", "--yes")"
    ]
    switch operation {
    case .merge: hints.append("to finish without it: git commit --no-edit")
    case .stash: break
    default: hints.append("to finish without it: git \(operation.command) --continue")
    }
    return SlipboxError(
      .busy,
      "the note \(Phrase(note.path)) of \(note.commit.hex.prefix(12)) would be lost: its path has another note",
      hints: hints)
  }

  private func merged(
    _ stopped: StoppedMerge, removed: Set<[UInt8]>
  ) throws(SlipboxError) -> TreeMerge<RepositoryMergeStore> {
    let store = RepositoryMergeStore(box)
    let (tip, other) = (stopped.tip, stopped.other)
    let rules = try mergeRules(tip, other)
    if stopped.operation == .merge {
      return try CommitMerge(store, rules: rules, removed: removed).merge(tip, other)
    }
    return try TreeMerge(
      store, base: stopped.base, bases: stopped.base.map { [$0] } ?? [], one: tip, other: other, rules: rules,
      isPicked: true, removed: removed)
  }

  /// Merges the notes at which git stopped. If nothing is left to the user, has git finish the operation, and repeats
  /// that at each further stop.
  ///
  /// Git's own state is the record: after a killed command, git or the next sync continues the operation.
  /// - Throws: `.busy` if another program changes the files meanwhile, `.inputOutput` with git's output.
  package func finishStopped() throws(SlipboxError) -> FinishedStops {
    let lock = try acquireLock()
    defer { withExtendedLifetime(lock) {} }
    MergeDriverRegistration(in: box).registerOnce(context)
    var stash: ObjectID?
    do throws(SlipboxError) {
      let done = try finishStops(&stash)
      restore(stash)
      return done
    } catch {
      restore(stash)
      throw error
    }
  }

  /// - Parameter stash: the stash of the edits that blocked git.
  private func finishStops(_ stash: inout ObjectID?) throws(SlipboxError) -> FinishedStops {
    var done = FinishedStops()
    while done.stops.count < Self.mostStops, let notes = try stoppedNotes() {
      done.stops.append(notes)
      try settle(notes)
      guard notes.left.isEmpty else { return done }
      // The changes of a stash stay uncommitted, and the stash stays.
      if notes.operation == .revert, notes.stopsForUser {
        let isStaged = try box.git { repository throws(GitError) in
          try repository.operation.hasStagedChanges()
        }
        done.isCommitLeft = isStaged
        // Git skips a revert that changes nothing.
        if isStaged { return done }
      } else if notes.stopsForUser || notes.operation == .stash {
        break
      }
      if notes.operation != .merge, stash == nil {
        try reportRestored(notes.operation)
        stash = try box.git { repository throws(GitError) in
          try repository.stashes.pushEdits(Stashes.editsMessage + notes.operation.name)
        }
      }
      sayWhatIsSkipped()
      let mark = [CommandContext.hookVariable: box.hookMark]
      let stop = try box.git { repository throws(GitError) in
        try repository.operation.conclude(notes.operation, hookVariables: mark)
      }
      // Git may have stopped at the next commit, or at one that has become empty, which is skipped then.
      guard let stop, try !hasConflicts() else { continue }
      if stop.refusal == nil, try isAtEmptyCommit(notes.operation, after: notes) { continue }
      if let hook = stop.refusal { throw Self.refusal(of: hook, stop.words) }
      let lines = stop.words.split(separator: "\n").prefix(5).map { String($0) }
      if notes.operation == .rebase, let step = try lastStep(), Self.isCommand(step) {
        done.pause = (step, lines)
        return done
      }
      throw SlipboxError(
        .inputOutput, "git could not finish the \(notes.operation.name)", hints: lines.map { Phrase($0) })
    }
    guard done.stops.last?.operation == .rebase, let step = try lastStep() else { return done }
    done.pause = (step, [])
    return done
  }

  /// Reports the deleted files that `pushEdits` restores.
  private func reportRestored(_ operation: Repository.Operation) throws(SlipboxError) {
    let paths = try box.git { repository throws(GitError) in try repository.stashes.missingFiles() }
    for path in paths.prefix(Self.mostNamed) {
      context.reporter.warn(
        "\(path) was missing and is restored, because git can't finish the \(operation.name) without it")
    }
    let more = paths.count - Self.mostNamed
    if more > 0 { context.reporter.warn("\(more) more missing files were restored") }
  }

  /// The maximum number of restored files that are named.
  private static let mostNamed = 10

  /// Returns whether git stopped at another commit whose changes the branch already has.
  private func isAtEmptyCommit(
    _ operation: Repository.Operation, after notes: StoppedNotes
  ) throws(SlipboxError) -> Bool {
    guard operation == .cherryPick || operation == .revert else { return false }
    return try box.git { repository throws(GitError) in
      guard try !repository.operation.hasStagedChanges(), try !repository.operation.hasEdits(),
        let next = try repository.operation.stoppedMerge()
      else { return false }
      return next.operation == operation && next.other != notes.other
    }
  }

  /// Returns the last step of the rebase in progress; nil if there is none.
  private func lastStep() throws(SlipboxError) -> String? {
    try box.git { repository throws(GitError) in
      guard repository.operation.kind == .rebase else { return nil }
      if let next = try repository.operation.stepWithMessage() { return "before \(next)" }
      return try repository.operation.lastStep() ?? "pick"
    }
  }

  /// Returns whether a step of a rebase runs a command.
  private static func isCommand(_ step: String) -> Bool { step.hasPrefix("exec ") || step.hasPrefix("x ") }

  /// Restores the edits of a stash.
  private func restore(_ stash: ObjectID?) {
    guard let stash else { return }
    let hadConflicts = (try? hasConflicts()) ?? true
    let isBack = try? box.git { repository throws(GitError) in try repository.stashes.pop(stash) }
    if isBack != true, !hadConflicts, let path = box.unmergedPaths.first {
      context.reporter.warn(
        "your uncommitted edits are restored, with conflicts in \(path); git's stash has them too: resolve the "
          + "conflicts, then run: git stash drop")
    } else if isBack != true {
      context.reporter.warn(
        "your uncommitted edits are in git's stash, because git can't restore them yet; "
          + "after the conflicts are resolved, run: git stash pop")
    }
  }

  private func hasConflicts() throws(SlipboxError) -> Bool {
    try box.git { repository throws(GitError) in try !repository.index.unmergedPaths().isEmpty }
  }

  /// Writes the merged notes, then adds them to git's index as `git add` does.
  private func settle(_ notes: StoppedNotes) throws(SlipboxError) {
    var entries: [[UInt8]: TreeEntry?] = [:]
    for file in notes.files { entries[box.repositoryPath(file.path)] = .some(file.wanted) }
    for file in notes.edited {
      let name = box.repositoryPath(file.path)
      entries[name] = .some(try entry(of: file.found, name))
    }
    if notes.operation == .stash, let tip = try box.tip() {
      let committed = try CommitLookup(box, at: tip, count: entries.count)
      for file in notes.files + notes.edited {
        let name = box.repositoryPath(file.path)
        let head = try committed.file(file.path)
        entries[name] = .some(head.map { TreeEntry(path: name, id: $0.id, mode: $0.mode) })
      }
    }
    let changes = try changes(notes.files)
    var filtered: [[UInt8]] = []
    for file in notes.files
    where notes.operation != .stash && file.wanted?.isRegular == true && file.text == nil && !file.isDeleted {
      if try box.isFiltered(file.path) { filtered.append(box.repositoryPath(file.path)) }
    }
    if notes.operation != .stash { try exclude(notes.untracked) }
    do throws(WriteConflict) {
      try Signals.deferring { () throws(WriteConflict) in
        _ = try writeFiles(changes)
        try refusing { () throws(SlipboxError) in
          try box.git { [entries, filtered] repository throws(GitError) in
            try repository.index.settle(entries, filtered: filtered)
          }
        }
      }
    } catch {
      throw error.refusal
    }
  }

  /// Has git ignore notes that the user took out of its index, so that no later command commits them.
  private func exclude(_ paths: [[UInt8]]) throws(SlipboxError) {
    for path in paths where try !box.isIgnored(path) {
      let name = box.repositoryPath(path)
      try box.git { repository throws(GitError) in try repository.ignoreRules.exclude(name) }
      context.reporter.warn("\(path) stays out of the repository: git ignores it by .git/info/exclude")
    }
  }

  private func entry(of state: FileState, _ name: [UInt8]) throws(SlipboxError) -> TreeEntry? {
    if case .link(let target) = state {
      let blob = try box.git { repository throws(GitError) in try repository.writeBlob(asStored: target) }
      return TreeEntry(path: name, id: blob, mode: TreeEntry.symbolicLink)
    }
    guard let bytes = state.bytes, let mode = state.mode else { return nil }
    let blob = try box.git { repository throws(GitError) in
      try repository.conversion.writeBlob(bytes, path: name)
    }
    return TreeEntry(path: name, id: blob, mode: mode)
  }

  private func changes(_ files: [StoppedNotes.File]) throws(SlipboxError) -> [FileChange] {
    let wanted = files.filter { $0.text == nil }.compactMap { file in file.wanted.map { (file.path, $0) } }
      .filter { $0.1.isRegular }
    let contents = try box.checkedOut(wanted.map(\.1))
    let bytes = Dictionary(zip(wanted.map(\.0), contents)) { $1 }
    var changes: [FileChange] = []
    for file in files where !file.isDeleted {
      let to: FileState
      if let entry = file.wanted, entry.mode == TreeEntry.symbolicLink {
        to = .link(try box.stored(entry.id))
      } else if let entry = file.wanted, let bytes = file.text ?? bytes[file.path] {
        to = .file(bytes, isExecutable: entry.mode & 0o100 != 0)
      } else {
        to = .absent
      }
      if file.found != to { changes.append(FileChange(path: file.path, from: file.found, to: to)) }
    }
    return changes
  }
}

extension Box {
  /// Returns the bytes of files as git checks them out.
  func checkedOut(_ entries: [TreeEntry]) throws(SlipboxError) -> [[UInt8]] {
    let files = entries.map { CheckoutFile(path: $0.path, blob: $0.id, mode: $0.mode) }
    return try git { repository throws(GitError) in try repository.conversion.checkedOut(files) }
  }
}

extension Box {
  /// The name of the stash with edits that a command of slip stored and did not restore; nil if there is none.
  package var stashOfEdits: String? {
    withRepository { (try? $0.stashes.nameOfKeptEdits()) ?? nil }
  }
}
