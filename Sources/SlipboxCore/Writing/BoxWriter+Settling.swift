import Git
import Platform

/// The moment between git's index and its HEAD.
///
/// A checkout, a merge or a reset holds the lock of the index while it writes the files, gives it back with the new index,
/// and moves HEAD only then. In between the files and the index are of a commit that HEAD does not stand on yet, and would
/// look like staged changes.
///
/// Before it takes the lock of the index it has read HEAD. A merge that finds HEAD or the index elsewhere then fails, and
/// resets the files to the commit that it had read: those of a commit that came in between are gone from the disk.
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
    return zip(prepared.files, prepared.committed).contains { file, committed in
      let taken = (draft.files == .asFound ? file.new : file.old)?.id
      guard taken != committed else { return false }
      return staged.entries[box.repositoryPath(file.path)]?.id == taken
    }
  }

  /// The commands of git that end with moving HEAD.
  private static let moving = rewriting.union(["bisect", "commit", "pull"])

  /// The commands of git that read HEAD, and later write files, the index or the branch by what they have read. Others
  /// start one of them for that, or compare the branch.
  private static let rewriting: Set<String> = [
    "am", "checkout", "cherry-pick", "merge", "read-tree", "rebase", "reset", "restore", "revert", "stash",
    "switch",
  ]

  private var isGitMoving: Bool {
    Self.isAny(of: Self.moving, in: ProcessTable.commandLines(of: "git", in: box.workTree))
  }

  /// Whether a git is at work that may have read HEAD and is going to write; not one that waits for its hook to end, in
  /// which this command runs.
  var isGitRewriting: Bool {
    Self.isAny(
      of: Self.rewriting,
      in: ProcessTable.commandLines(of: "git", in: box.workTree, skippingAncestors: true))
  }

  private static func isAny(of commands: Set<String>, in lines: [[[UInt8]]]) -> Bool {
    lines.contains { words in
      var words = words.dropFirst().map { String(decoding: $0, as: UTF8.self) }[...]
      while let word = words.first, word.hasPrefix("-") {
        words = words.dropFirst(
          ["-C", "-c", "--git-dir", "--work-tree", "--namespace"].contains(word) ? 2 : 1)
      }
      return words.first.map(commands.contains) ?? false
    }
  }

  /// Waits for a git that writes files: one that has looked at a file before it is written here would write over it.
  func waitForCheckout() {
    // Whoever goes on for longer finds the file changed, or the text is kept apart from it by its record.
    _ = Waiting.retrying(milliseconds: Waits.overtakenMilliseconds) { !isGitRewriting }
  }

  /// Keeps git's index locked until each git has given up that may have read HEAD before it moved.
  func waitForOvertaken() {
    // One that goes on for longer began after the lock was taken, and is going to find it.
    _ = Waiting.retrying(milliseconds: Waits.overtakenMilliseconds) { !isGitRewriting }
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
