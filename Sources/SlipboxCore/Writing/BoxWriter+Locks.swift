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
        throw SlipboxError(.busy, "another slip command is running in this box", hints: ["try again later"])
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

  /// The file that marks the locks of git's that this box's writer takes.
  private var markFile: [UInt8] { box.stateFolder / "lock-mark" }

  /// Has git's locks be taken with the mark of this box. Runs under the box's lock, which makes all that bear it ours.
  func markLocks() throws(SlipboxError) {
    try box.git { [markFile] repository throws(GitError) in
      guard repository.lockMark == nil else { return }
      repository.lockMark = try LockMark(at: markFile)
      repository.share(markFile)
    }
  }

  /// Whether a command that was killed has left git's index locked.
  var hasLeftLock: Bool {
    let lock = box.withRepository { $0.indexLockPath }
    // A lock that can't be looked at is not ours to remove.
    guard ((try? Files.status(lock)) ?? nil) != nil else { return false }
    return LockMark(existingAt: markFile)?.isOn(lock) ?? false
  }

  /// Runs a body while the locks of git's index and of the branch are held, so that git writes neither meanwhile.
  ///
  /// Signals wait until it is done; while the locks are waited for, they do not.
  func holdingGitsLocks(_ body: () throws(WriteConflict) -> Void) throws(WriteConflict) {
    var inTheWay: [UInt8] = []
    let isDone = try waiting { () throws(WriteConflict) -> Bool in
      try Signals.deferring { () throws(WriteConflict) -> Bool in
        let lock = try refusing { () throws(SlipboxError) in
          try box.git { repository throws(GitError) in try repository.tryHolding() }
        }
        if let lock {
          inTheWay = lock
          return false
        }
        defer { box.withRepository { $0.releaseHeld() } }
        try body()
        return true
      }
    }
    if !isDone { throw .notNow(SlipboxError(GitError.locked(inTheWay))) }
  }

  /// Waits while another program holds the lock of git's index: what it is doing to the files is half done.
  func waitWhileGitWrites() throws(WriteConflict) {
    let (lock, mark) = box.withRepository { ($0.indexLockPath, $0.lockMark) }
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
