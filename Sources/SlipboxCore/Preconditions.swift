import Git
import Notes
import Platform
import Text

/// What has to hold before a commit is made.
extension Slipbox {
  /// How long another command is waited for, in milliseconds.
  private static let lockTimeoutMilliseconds = 5_000

  /// The file whose lock the one writer of the box holds.
  var lockFile: [UInt8] { BytePath.join(stateFolder, Array("lock".utf8)) }

  /// Takes the box's lock, making its folder where it is missing.
  func acquireLock() throws(SlipboxError) -> FileLock {
    let warn = surroundings.warn
    try system { () throws(SystemError) in try Files.makeDirectory(stateFolder) }
    do throws(LockError) {
      return try FileLock.acquire(lockFile, timeoutMilliseconds: Self.lockTimeoutMilliseconds) {
        warn("waiting for another slip to finish")
      }
    } catch {
      switch error {
      case .busy:
        throw SlipboxError(.busy, "another slip is at work in this box", hints: ["try again when it is done"])
      case .unsupported(let error):
        throw SlipboxError(
          .configuration, "this file system can't lock files (\(error.reason)), so changes would not be safe",
          hints: ["keep the box on a local disk and sync it with git"])
      case .failed(let error): throw SlipboxError(error)
      }
    }
  }

  /// Refuses while git is in the middle of something, off a branch, or without an identity.
  func refuseWhereNoCommitIsPossible() throws(SlipboxError) {
    if let operation = repository.operationUnderWay {
      throw SlipboxError(
        .busy, "a \(operation.name) is under way in this repository",
        hints: [
          "finish it with: git \(operation.command) --continue",
          "or drop it with: git \(operation.command) --abort",
        ])
    }
    if case .detached(let commit) = try git({ () throws(GitError) in try repository.head() }) {
      throw SlipboxError(
        .configuration, "HEAD is detached at \(commit.hex.prefix(8)), so a commit would be on no branch",
        hints: ["git switch BRANCH goes back to one, git switch -c NAME makes one here"])
    }
    let now = surroundings.clock.now
    _ = try git { () throws(GitError) in try repository.identity(at: (now.seconds, now.offsetSeconds / 60)) }
  }

  /// Refuses where the user has staged another content of a target than its file holds: a commit would sweep one of
  /// the two away.
  func refuseOtherStagedContent(_ changes: [FileChange]) throws(Interference) {
    do throws(SlipboxError) {
      let tip = try tip()
      for change in try suspects(changes) { try refuseOtherStagedContent(change, tip) }
    } catch {
      throw .refused(error)
    }
  }

  /// Above this many changes the index and HEAD are read once for all of them.
  private static let manyChanges = 200

  /// The changes to files of which something else may be staged than HEAD has.
  private func suspects(_ changes: [FileChange]) throws(SlipboxError) -> [FileChange] {
    guard changes.count > Self.manyChanges else { return changes }
    let state = try CommittedState(of: self)
    return changes.filter { !state.isStagedAsCommitted($0.path) }
  }

  private func refuseOtherStagedContent(_ change: FileChange, _ tip: ObjectID?) throws(SlipboxError) {
    let name = repositoryPath(change.path)
    let staged = try git { () throws(GitError) in try repository.stagedDifferently(name, from: tip) }
    guard let staged else { return }
    for bytes in [change.before, change.after] {
      guard let bytes else {
        if staged == .zero { return }
        continue
      }
      let id = try git { () throws(GitError) in try repository.contentID(of: bytes, path: name) }
      if id == staged { return }
    }
    let path = Visible.escape(change.path)
    throw SlipboxError(
      .busy, "\(path) has other content staged than its file holds",
      hints: ["git commit it, or unstage it with: git restore --staged \(path)"])
  }

  /// Names, once a command, what git would do at a commit and slip does not.
  func sayWhatIsSkipped() {
    guard !hasSaidWhatIsSkipped else { return }
    hasSaidWhatIsSkipped = true
    let skipped = repository.skippedByCommit()
    if !skipped.isEmpty { surroundings.warn("not run: \(skipped.joined(separator: ", "))") }
  }

  /// Lets git pack its objects when there are many, apart from this command.
  func startGarbageCollection() { GitProgram.startAutoGC(repository) }
}

extension Repository.Operation {
  /// What people call it.
  fileprivate var name: String {
    switch self {
    case .cherryPick: "cherry-pick"
    case .applyMailbox: "mailbox being applied"
    default: rawValue
    }
  }

  /// The git command that ends it.
  fileprivate var command: String {
    switch self {
    case .cherryPick: "cherry-pick"
    case .applyMailbox: "am"
    default: rawValue
    }
  }
}
