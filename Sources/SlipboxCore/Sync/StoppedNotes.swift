import Bytes
package import Git
import Notes
import Platform
import Text

/// The notes of a merge, rebase, cherry-pick or revert at which git stopped, and how slip merges them.
package struct StoppedNotes: Sendable {
  /// A file of the box, with what it is to be.
  struct File: Sendable {
    /// In the box.
    let path: [UInt8]
    let found: FileState
    /// For the commit.
    let wanted: TreeEntry?
    /// The text for the work tree, if somebody has edited the file since git stopped: `wanted` with that edit, which is not
    /// committed with the merge.
    var text: [UInt8]?
  }

  package let operation: Repository.Operation
  /// The notes and settings that slip merges.
  let files: [File]
  /// Those whose conflict the user has settled; they stay as they are.
  let edited: [File]
  /// What is left to the user, from the root of the repository: files that are no notes, and notes with markers of git
  /// in a text that the user edited.
  package let left: [[UInt8]]
  /// Where both versions are kept.
  package let conflicts: [MergeConflict]
  /// Whether the user wanted to edit this commit of a rebase, which git goes on with only then.
  package let stopsForUser: Bool

  /// The paths in the box of what slip merges.
  package var paths: [[UInt8]] { files.map(\.path) }

  /// The paths in the box of what the user has edited.
  package var editedPaths: [[UInt8]] { edited.map(\.path) }
}

extension BoxWriter {
  /// How often git may stop again while one operation is finished.
  private static let mostStops = 10_000

  /// Works out how the notes are merged at which git stopped; nil if it did not stop, or stopped for something else.
  ///
  /// The notes are merged as in a sync, from the three trees that git merged. A conflict that the user has settled stays so;
  /// other edits since then are joined to the merged text.
  package func stoppedNotes() throws(SlipboxError) -> StoppedNotes? {
    guard let stopped = try box.git({ repository throws(GitError) in try repository.stoppedMerge() }) else {
      return nil
    }
    let merge = try merged(stopped)
    var sorter = try StoppedSorter(stopped, try merge.edits(of: stopped.tip), box)
    try sorter.sortAll()
    // The rest is the user's.
    let settled = Set(sorter.files.map { box.repositoryPath($0.path) })
    return StoppedNotes(
      operation: stopped.operation, files: sorter.files, edited: sorter.edited, left: sorter.left,
      conflicts: merge.conflicts.filter { settled.contains($0.path) }, stopsForUser: stopped.stopsForUser)
  }

  private func merged(
    _ stopped: StoppedMerge
  ) throws(SlipboxError) -> TreeMerge<RepositoryMergeStore> {
    let store = RepositoryMergeStore(box)
    let (tip, other) = (stopped.tip, stopped.other)
    let rules = try mergeRules(tip, other)
    if stopped.operation == .merge { return try CommitMerge(store, rules: rules).merge(tip, other) }
    return try TreeMerge(
      store, base: stopped.base, bases: stopped.base.map { [$0] } ?? [], one: tip, other: other, rules: rules,
      isPicked: true)
  }

  /// Merges the notes at which git stopped and, if nothing is left to the user, has git finish the operation; at each
  /// further stop of it the same.
  ///
  /// Git's own state is the record: a command that is killed leaves an operation that git or the next sync goes on with.
  /// - Returns: what was merged, a value for each stop; the last one tells what is left to the user.
  /// - Throws: `.busy` if another program changes the files meanwhile, `.inputOutput` with git's words.
  package func finishStopped() throws(SlipboxError) -> [StoppedNotes] {
    let lock = try acquireLock()
    defer { withExtendedLifetime(lock) {} }
    setUpCloneOnce()
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

  /// - Parameter stash: the stash of the edits that stood in git's way.
  private func finishStops(_ stash: inout ObjectID?) throws(SlipboxError) -> [StoppedNotes] {
    var done: [StoppedNotes] = []
    while done.count < Self.mostStops, let notes = try stoppedNotes() {
      done.append(notes)
      try settle(notes)
      guard notes.left.isEmpty, !notes.stopsForUser else { break }
      if notes.operation != .merge, stash == nil {
        stash = try box.git { repository throws(GitError) in
          try repository.stashEdits("slip: edits during a \(notes.operation.name)")
        }
      }
      let words = try box.git { repository throws(GitError) in try repository.conclude(notes.operation) }
      // Git may have stopped at the next commit.
      guard let words, try !hasConflicts() else { continue }
      throw SlipboxError(
        .inputOutput, "git could not finish the \(notes.operation.name)",
        hints: words.split(separator: "\n").prefix(5).map { Visible.escape(String($0)) })
    }
    return done
  }

  /// Brings edits back that a stash holds.
  private func restore(_ stash: ObjectID?) {
    guard let stash else { return }
    let isBack = try? box.git { repository throws(GitError) in try repository.popStash(stash) }
    if isBack != true {
      context.reporter.warn(
        "your uncommitted edits are in git's stash, because git can't restore them yet; "
          + "after the conflicts are resolved, run: git stash pop")
    }
  }

  private func hasConflicts() throws(SlipboxError) -> Bool {
    try box.git { repository throws(GitError) in try !repository.unmergedPaths().isEmpty }
  }

  /// Writes the merged notes, then names them in git's index as `git add` does.
  private func settle(_ notes: StoppedNotes) throws(SlipboxError) {
    var entries: [[UInt8]: TreeEntry?] = [:]
    for file in notes.files { entries[box.repositoryPath(file.path)] = .some(file.wanted) }
    for file in notes.edited {
      let name = box.repositoryPath(file.path)
      entries[name] = .some(try entry(of: file.found, name))
    }
    let changes = try changes(notes.files)
    do throws(WriteConflict) {
      try Signals.deferring { () throws(WriteConflict) in
        _ = try writeFiles(changes)
        try refusing { () throws(SlipboxError) in
          try box.git { [entries] repository throws(GitError) in try repository.settleIndex(entries) }
        }
      }
    } catch {
      throw error.refusal
    }
  }

  private func entry(of state: FileState, _ name: [UInt8]) throws(SlipboxError) -> TreeEntry? {
    guard let bytes = state.bytes, let mode = state.mode else { return nil }
    let blob = try box.git { repository throws(GitError) in try repository.writeBlob(bytes, path: name) }
    return TreeEntry(path: name, id: blob, mode: mode)
  }

  private func changes(_ files: [StoppedNotes.File]) throws(SlipboxError) -> [FileChange] {
    let wanted = files.filter { $0.text == nil }.compactMap { file in file.wanted.map { (file.path, $0) } }
    let contents = try box.checkedOut(wanted.map(\.1))
    let bytes = Dictionary(zip(wanted.map(\.0), contents)) { $1 }
    return files.compactMap { file -> FileChange? in
      let to: FileState =
        if let entry = file.wanted, let bytes = file.text ?? bytes[file.path] {
          .file(bytes, isExecutable: entry.mode & 0o100 != 0)
        } else {
          .absent
        }
      return file.found == to ? nil : FileChange(path: file.path, from: file.found, to: to)
    }
  }
}
