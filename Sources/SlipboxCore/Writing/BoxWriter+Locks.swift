import Bytes
import Git
import Platform
import Text

/// The timeouts for other programs.
enum Waits {
  /// The timeout for another command of slip, in milliseconds.
  static let slipMilliseconds = 5_000
  /// The timeout for another sync of the same repository, in milliseconds.
  static let syncMilliseconds = 60_000
  /// The total time that one command waits for git, in milliseconds.
  static let gitMilliseconds = 5_000
  /// The time for which HEAD must not move while the index belongs to another tree, in milliseconds.
  static let settlingMilliseconds: Int64 = 250
  /// The timeout for a git process that has read HEAD before it moved, in milliseconds.
  static let overtakenMilliseconds = 1_000
}

/// The lock of the box, the locks of git, and the waits for them.
extension BoxWriter {
  /// Acquires the box's lock, and creates its folder if it is missing.
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

  /// Makes git's locks get the mark of this box. Runs under the box's lock, so every lock with the mark is ours.
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
  /// Signals are deferred until the body is done, but not while the writer waits for the locks. The locks outlast each
  /// git that may have read HEAD before it moved: it finds the locks and exits.
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

  /// Waits until git's index becomes newer than the files that a filter converts to different bytes each time.
  ///
  /// If a file is as new as the index, git compares its content, and would find it changed.
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

  /// A second and the time until a polled clock shows the next one, in milliseconds.
  private static let secondMilliseconds = 1_200

  /// Waits while another program holds the lock of git's index: its changes of the files are incomplete.
  func waitWhileGitWrites() throws(WriteConflict) {
    let (lock, mark) = box.withRepository { ($0.index.lockPath, $0.lockPolicy.mark) }
    let isDone = try waiting { () throws(WriteConflict) -> Bool in
      // A lock that can't be read is found when the writer acquires it.
      let status = (try? Files.status(lock)) ?? nil
      return status == nil || mark?.isOn(lock) == true
    }
    if !isDone { throw .notNow(SlipboxError(GitError.locked(lock))) }
  }

  /// Repeats an attempt until it succeeds or the remaining `patience` is used up.
  private func waiting(_ attempt: () throws(WriteConflict) -> Bool) throws(WriteConflict) -> Bool {
    let start = Waiting.now()
    defer { patience = max(0, patience - Int(Waiting.now() - start)) }
    return try Waiting.retrying(milliseconds: patience, attempt)
  }
}

/// The race between git's update of the index and its update of HEAD.
///
/// A checkout, a merge or a reset holds the lock of the index while it writes the files. It releases the lock with the
/// new index, and moves HEAD only then. In between, the files and the index belong to a commit that HEAD does not point
/// to yet, and would look like staged changes.
///
/// Git reads HEAD before it takes the lock of the index. If a merge then finds that HEAD or the index has changed, it
/// fails and resets the files to the commit that it had read. The files of a commit that was made in between are lost
/// from the disk.
extension BoxWriter {
  /// A state in which HEAD may be about to move.
  struct Doubt: Equatable {
    let index: FileStatus?
    let head: Repository.Head
  }

  /// Refuses to commit while git may be about to move HEAD. Runs under git's locks.
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

  /// Returns whether the index is as a checkout would leave it: it is of another tree as a whole, or it equals the files
  /// at the paths whose content the commit would take over from the files.
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

  /// The commands of git that read HEAD, and later write files, the index or the branch according to it. Other commands
  /// start one of these, or compare the branch first.
  private static let rewriting: Set<String> = [
    "am", "checkout", "cherry-pick", "merge", "read-tree", "rebase", "reset", "restore", "revert", "stash",
    "switch",
  ]

  private var isGitMoving: Bool {
    Self.isAny(of: Self.moving, in: ProcessTable.commandLines(of: "git", in: box.workTree))
  }

  /// Whether a git process runs that may have read HEAD and is going to write. A git process that waits for its hook, in
  /// which this command runs, does not count.
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

  /// Waits for a git process that writes files: if it has read a file before slip writes it, git would overwrite it.
  func waitForCheckout() {
    // A git that runs for longer finds the file changed, or the record of the operation lets slip save the text apart
    // from it.
    _ = Waiting.retrying(milliseconds: Waits.overtakenMilliseconds) { !isGitRewriting }
  }

  /// Waits until each git process that may have read HEAD before it moved has exited.
  private func waitForOvertaken() {
    // A git that runs for longer began after the lock was taken, and is going to find it.
    _ = Waiting.retrying(milliseconds: Waits.overtakenMilliseconds) { !isGitRewriting }
  }

  /// Waits for git to move HEAD.
  /// - Returns: the refusal if no patience is left and the files are to be saved in that case; otherwise nil.
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
