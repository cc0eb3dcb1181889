import Git
import Platform

/// The moment between git's index and its HEAD.
///
/// A checkout, a merge or a reset holds the lock of the index while it writes the files, gives it back with the new index,
/// and moves HEAD only then. In between the files and the index are of a commit that HEAD does not stand on yet, and would
/// look like staged changes.
extension BoxWriter {
  /// A state in which HEAD may be about to move.
  struct Doubt: Equatable {
    let index: Repository.IndexStatus?
    let head: Repository.Head
  }

  /// Refuses while git may be about to move HEAD. Runs under git's locks.
  func refuseUnsettled(
    _ prepared: PreparedCommit, _ draft: CommitDraft, _ staged: StagedState
  ) throws(WriteConflict) {
    guard isDoubtful(prepared, draft, staged) else {
      doubt = nil
      return
    }
    let head = try refusing { () throws(SlipboxError) in
      try box.git { repository throws(GitError) in try repository.head() }
    }
    let now = Doubt(index: staged.status, head: head)
    if doubt?.state != now { doubt = (now, Waiting.now()) }
    let waited = doubt.map { Waiting.now() - $0.since } ?? 0
    let isOld = staged.status.map { LocalClock.now().seconds - $0.modified.seconds > 2 } ?? false
    guard isOld || waited >= Waits.settlingMilliseconds, !isGitMoving else { throw .unsettled }
  }

  /// Whether the index holds what a checkout would have left in it: another tree as a whole, or, of what the commit would
  /// take over from the files, the same as the files.
  private func isDoubtful(_ prepared: PreparedCommit, _ draft: CommitDraft, _ staged: StagedState) -> Bool {
    if staged.isOfOtherTree { return true }
    return zip(prepared.paths, prepared.committed).contains { path, committed in
      let taken = draft.files == .asFound ? path.after : path.before
      guard taken != committed else { return false }
      return staged.entries[box.repositoryPath(path.path)]?.id == taken
    }
  }

  /// The commands of git that end with moving HEAD.
  private static let moving: Set<String> = [
    "am", "bisect", "checkout", "cherry-pick", "commit", "merge", "pull", "read-tree", "rebase", "reset",
    "restore",
    "revert", "stash", "switch",
  ]

  private var isGitMoving: Bool {
    ProcessTable.commandLines(of: "git", in: box.workTree).contains { words in
      var words = words.dropFirst().map { String(decoding: $0, as: UTF8.self) }[...]
      while let word = words.first, word.hasPrefix("-") {
        words = words.dropFirst(
          ["-C", "-c", "--git-dir", "--work-tree", "--namespace"].contains(word) ? 2 : 1)
      }
      return words.first.map(Self.moving.contains) ?? false
    }
  }

  /// Gives git time to move HEAD.
  /// - Returns: the refusal once there is no patience left, where the files are to be saved then; else nil.
  func waitUntilSettled(savesAlways: Bool) throws(SlipboxError) -> SlipboxError? {
    guard patience > 0 else {
      let refusal = WriteConflict.unsettled.refusal
      guard savesAlways else { throw refusal }
      return refusal
    }
    let pause = min(patience, 25)
    Waiting.pause(milliseconds: pause)
    patience -= pause
    return nil
  }
}
