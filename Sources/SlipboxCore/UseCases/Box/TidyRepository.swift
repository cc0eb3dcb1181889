import Bytes
package import Git
import Notes
import Platform
import Text

/// The result of tidying the repository of a box.
package struct TidyResult: Sendable {
  package let before: ObjectStorage
  /// nil if git's maintenance was not run.
  package let after: ObjectStorage?
  /// How long it took.
  package let milliseconds: Int64
  /// Files of the box's state that nothing read any more.
  package let removedFiles: Int
  /// Commits that were taken out of the index of history, because no branch leads to them any more.
  package let removedCommits: Int
}

extension BoxWriter {
  /// Runs git's maintenance if it pays, and removes leftovers from the state folder.
  ///
  /// The box's lock is held while files of the state are removed. Git packs without it: it deletes only objects that no
  /// current writer could refer to, and other commands need not wait.
  /// - Parameter force: whether git is run although it does not pay.
  /// - Throws: `.busy` if another git gc is running, `.inputOutput` with git's own message if it fails.
  package func tidy(_ upkeep: Upkeep, force: Bool) throws(SlipboxError) -> TidyResult {
    let start = Waiting.now()
    let (files, commits, isInterrupted) = try clearAway(upkeep)
    guard force || !upkeep.reasons.isEmpty else {
      return TidyResult(
        before: upkeep.storage, after: nil, milliseconds: Waiting.now() - start, removedFiles: files,
        removedCommits: commits)
    }
    do throws(GitError) {
      // Objects of an interrupted change stay until it is completed, however old they are.
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
          try repository.history.compactIndex(at: tip, under: box.prefix, cache: box.historyFile)
        }
      } ?? 0
    let intent = (try? Files.status(box.intentFile)) ?? nil
    return (files, commits, intent != nil)
  }

  private static func refusal(_ error: GitError) -> SlipboxError {
    guard case .locked = error.reason else {
      return SlipboxError(error.reason == .io ? .inputOutput : .configuration, Phrase(error.message))
    }
    return SlipboxError(
      .busy, "git is already running maintenance on this repository", retry: "try again later")
  }
}

/// The maintenance that the repository of a box needs, beside its notes.
package struct Upkeep: Sendable {
  /// Why it pays to run git's maintenance.
  package enum Reason: Sendable, Equatable {
    case looseObjects(Int)
    case packs(Int)
    /// So many commits and no commit-graph.
    case commits(Int)
  }

  package let storage: ObjectStorage
  package let reasons: [Reason]
  /// Files in the state folder that nothing reads any more.
  let leftovers: [[UInt8]]

  /// How many files are left over.
  package var leftoverCount: Int { leftovers.count }
}

extension Upkeep {
  /// From so many on, each look for an object takes longer than it has to, and backups copy many small files.
  private static let manyLoose = 5_000
  /// From so many on, each object is looked for in too many places.
  private static let manyPacks = 20
  /// From so many on, git walks history noticeably faster with a commit-graph.
  private static let manyCommits = 20_000

  /// The reasons why maintenance pays for a storage.
  ///
  /// - Parameter commits: is called only if the number of commits decides.
  static func reasons(
    _ storage: ObjectStorage, commits: () throws(SlipboxError) -> Int
  ) throws(SlipboxError) -> [Reason] {
    var reasons: [Reason] = []
    if storage.looseCount >= manyLoose { reasons.append(.looseObjects(storage.looseCount)) }
    if storage.packCount >= manyPacks { reasons.append(.packs(storage.packCount)) }
    if !storage.hasCommitGraph {
      let commits = try commits()
      if commits >= manyCommits { reasons.append(.commits(commits)) }
    }
    return reasons
  }
}

extension Upkeep {
  /// The maintenance that the repository needs.
  ///
  /// - Complexity: an `fstatat` of each loose object; without a commit-graph also one pass over the new commits.
  package init(of snapshot: BoxSnapshot) throws(SlipboxError) {
    let box = snapshot.box
    let storage = box.withRepository { $0.objectStorage() }
    let reasons = try Self.reasons(storage) { () throws(SlipboxError) in
      // Git writes none for a history that is cut.
      guard !box.isShallow, let tip = try box.tip() else { return 0 }
      return try box.git { repository throws(GitError) in
        try repository.history.index(at: tip, under: box.prefix, cache: box.historyFile).commitCount
      }
    }
    self.init(storage: storage, reasons: reasons, leftovers: Self.leftovers(in: snapshot))
  }

  /// The caches of earlier versions, halves of files that a killed command left, and lists of terminals long closed.
  private static func leftovers(in snapshot: BoxSnapshot) -> [[UInt8]] {
    let now = snapshot.clock.now.seconds
    let isOld = { (path: [UInt8], days: Int64) in
      guard let status = (try? Files.status(path)) ?? nil, status.kind == .file else { return false }
      return now - status.modified.seconds > days * 86_400
    }
    let folder = snapshot.box.privateFolder
    let names = (try? Files.list(folder)) ?? []
    let files = names.filter { name in
      let text = String(decoding: name, as: UTF8.self)
      return formerCaches.contains(text) || (text.contains(".new-") && isOld(folder / name, 1))
    }
    let lists = folder / "lists"
    let oldLists = ((try? Files.list(lists)) ?? []).filter { isOld(lists / $0, 30) }
    return files.map { folder / $0 } + oldLists.map { lists / $0 }
  }

  /// The caches of earlier versions.
  private static let formerCaches: Set<String> = ["path-times", "path-history"]
}
