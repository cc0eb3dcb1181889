package import Git
import Platform

/// The result of tidying the repository of a box.
package struct TidyResult: Sendable {
  package let before: ObjectStorage
  /// Nil where git's maintenance was not run.
  package let after: ObjectStorage?
  /// How long it took.
  package let milliseconds: Int64
  /// Files of the box's state that nothing read any more.
  package let removedFiles: Int
  /// Commits that were taken out of the index of history, because no branch leads to them any more.
  package let removedCommits: Int
}

extension BoxWriter {
  /// Runs git's maintenance where it pays, and clears away what is left over in the state folder.
  ///
  /// The box's lock is held while files of the state are cleared away. Git packs without it: what it takes away is nothing
  /// that a writer of now could refer to, and other commands need not wait.
  /// - Parameter force: whether git is run although it does not pay.
  /// - Throws: `.busy` where another git is at it, `.inputOutput` with git's own words where it fails.
  package func tidy(_ upkeep: Upkeep, force: Bool) throws(SlipboxError) -> TidyResult {
    let start = Waiting.now()
    let (files, commits, isInterrupted) = try clearAway(upkeep)
    guard force || !upkeep.reasons.isEmpty else {
      return TidyResult(
        before: upkeep.storage, after: nil, milliseconds: Waiting.now() - start, removedFiles: files,
        removedCommits: commits)
    }
    do throws(GitError) {
      // What an interrupted change has written stays until it is finished, however old it is.
      try box.withRepository { repository throws(GitError) in
        try GitProgram.tidy(repository, prunes: !isInterrupted)
      }
    } catch {
      throw Self.refusal(error)
    }
    return TidyResult(
      before: upkeep.storage, after: box.withRepository { $0.objectStorage() },
      milliseconds: Waiting.now() - start, removedFiles: files, removedCommits: commits)
  }

  private func clearAway(
    _ upkeep: Upkeep
  ) throws(SlipboxError) -> (files: Int, commits: Int, isInterrupted: Bool) {
    let lock = try acquireLock()
    defer { withExtendedLifetime(lock) {} }
    // One that stays takes up room, and no more.
    let files = upkeep.leftovers.count { (try? Files.remove($0)) != nil }
    let commits =
      try box.tip().map { (tip) throws(SlipboxError) in
        try box.git { repository throws(GitError) in
          try repository.compactHistoryIndex(at: tip, under: box.prefix, cache: box.historyFile)
        }
      } ?? 0
    let intent = (try? Files.status(Intent.file(in: box.stateFolder))) ?? nil
    return (files, commits, intent != nil)
  }

  private static func refusal(_ error: GitError) -> SlipboxError {
    guard error.message.contains("gc is already running") else {
      return SlipboxError(error.reason == .io ? .inputOutput : .configuration, error.message)
    }
    return SlipboxError(
      .busy, "git is already running maintenance on this repository", hints: ["try again later"])
  }
}
