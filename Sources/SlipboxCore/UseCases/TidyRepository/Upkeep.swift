import Bytes
package import Git
import Notes
import Platform

/// What the repository of a box could do with, beside its notes.
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

  /// Why maintenance pays for a storage.
  ///
  /// - Parameter commits: is asked where only the number of commits can tell.
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

extension BoxSnapshot {
  /// What the repository could do with.
  ///
  /// - Complexity: a look at each loose object; without a commit-graph also one pass over the commits that are new.
  package func upkeep() throws(SlipboxError) -> Upkeep {
    let storage = box.withRepository { $0.objectStorage() }
    let reasons = try Upkeep.reasons(storage) { () throws(SlipboxError) in
      // Git writes none for a history that is cut.
      guard !isShallow, let tip = try box.tip() else { return 0 }
      return try box.git { repository throws(GitError) in
        try repository.historyIndex(at: tip, under: box.prefix, cache: box.historyFile).commitCount
      }
    }
    return Upkeep(storage: storage, reasons: reasons, leftovers: leftovers())
  }

  /// The caches of earlier versions, halves of files that a killed command left, and lists of terminals long closed.
  private func leftovers() -> [[UInt8]] {
    let now = clock.now.seconds
    let isOld = { (path: [UInt8], days: Int64) in
      guard let status = (try? Files.status(path)) ?? nil, status.kind == .file else { return false }
      return now - status.modified.seconds > days * 86_400
    }
    let folder = box.privateFolder
    let names = (try? Files.list(folder)) ?? []
    let files = names.filter { name in
      let text = String(decoding: name, as: UTF8.self)
      return Upkeep.formerCaches.contains(text) || (text.contains(".new-") && isOld(folder / name, 1))
    }
    let lists = folder / "lists"
    let oldLists = ((try? Files.list(lists)) ?? []).filter { isOld(lists / $0, 30) }
    return files.map { folder / $0 } + oldLists.map { lists / $0 }
  }
}

extension Upkeep {
  /// What earlier versions kept.
  fileprivate static let formerCaches: Set<String> = ["path-times", "path-history"]
}
