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

/// The lock of the box and those of git, and the waits for them.
extension BoxWriter {
  /// Takes the box's lock, making its folder where it is missing.
  func acquireLock() throws(SlipboxError) -> FileLock {
    try refuseInOwnHook()
    let reporter = context.reporter
    try system { () throws(SystemError) in try box.makeStateFolder() }
    let lock: FileLock
    do throws(LockError) {
      lock = try box.acquireLock(timeoutMilliseconds: Waits.slipMilliseconds) {
        reporter.warn("waiting for another slip command to finish")
      }
    } catch {
      switch error {
      case .busy:
        throw SlipboxError(.busy, "another slip command is running in this box", retry: "try again later")
      case .unsupported(let error):
        throw SlipboxError(
          .configuration,
          "this file system can't lock files (\(error.reason)), so changes can't be made safely",
          hints: ["keep the box on a local disk and sync it with git"])
      case .failed(let error): throw SlipboxError(error)
      }
    }
    try markLocks()
    return lock
  }

  /// Has git's locks be taken with the mark of this box. Runs under the box's lock, which makes all that bear it ours.
  func markLocks() throws(SlipboxError) {
    let file = box.lockMarkFile
    try box.git { repository throws(GitError) in
      guard repository.lockPolicy.mark == nil else { return }
      repository.lockPolicy.mark = try LockMark(at: file)
      repository.permissions.share(file)
    }
  }

  /// Runs a body while the locks of git's index and of the branch are held, so that git writes neither meanwhile.
  ///
  /// Signals wait until it is done; while the locks are waited for, they do not. The locks outlast each git that may have
  /// read HEAD before it moved: it finds them and gives up.
  func holdingGitsLocks(
    _ body: (HeldRepository) throws(WriteConflict) -> Void
  ) throws(WriteConflict) {
    var inTheWay: [UInt8] = []
    let isDone = try waiting { () throws(WriteConflict) -> Bool in
      try Signals.deferring { () throws(WriteConflict) -> Bool in
        let holding = try refusing { () throws(SlipboxError) in
          try box.git { repository throws(GitError) in try repository.tryHolding() }
        }
        switch holding {
        case .blocked(by: let lock):
          inTheWay = lock
          return false
        case .held(let held):
          defer { held.release() }
          try body(held)
          waitForOvertaken()
          return true
        }
      }
    }
    if !isDone { throw .notNow(SlipboxError(GitError.locked(inTheWay))) }
  }

  /// Waits until git's index becomes newer than files that a filter stores in other bytes each time.
  ///
  /// Git compares a file that is as new as its index by its content, and would find it changed.
  func waitForNewerIndex(_ files: [FileDifference]) {
    let second = LocalClock.now().seconds
    var blobs: [[UInt8]: ObjectID] = [:]
    for file in files {
      guard let new = file.new, new.isRegular, (try? box.isFiltered(file.path)) == true,
        let status = try? Files.status(box.absolutePath(file.path)), status.modified.seconds >= second
      else { continue }
      blobs[box.repositoryPath(file.path)] = new.id
    }
    guard !blobs.isEmpty else { return }
    // A filter that fails now stores nothing.
    let names = Array(blobs.keys)
    let again = box.withRepository { try? $0.conversion.storedIDs(ofFiles: names) } ?? [:]
    guard again.contains(where: { blobs[$0.key] != $0.value }) else { return }
    _ = Waiting.retrying(milliseconds: Self.secondMilliseconds) { LocalClock.now().seconds > second }
  }

  /// A second and the time until a clock that is asked now and then shows the next one.
  private static let secondMilliseconds = 1_200

  /// Waits while another program holds the lock of git's index: what it is doing to the files is half done.
  func waitWhileGitWrites() throws(WriteConflict) {
    let (lock, mark) = box.withRepository { ($0.index.lockPath, $0.lockPolicy.mark) }
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
    let index: FileStatus?
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

  /// Waits until each git has given up that may have read HEAD before it moved.
  private func waitForOvertaken() {
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
