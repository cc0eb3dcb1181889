package import Git

/// What a sync may do, and whom it asks.
package struct SyncRequest {
  /// The name of the remote; nil for the usual one.
  package var remote: String?
  /// Whether a branch whose history was rewritten there is taken as it is now.
  package var acceptsRewrite = false
  /// Whether the user has said yes beforehand: to losses, to unrelated histories, to commits outside the box.
  package var isAgreed = false
  /// Whether git and ssh may ask on the terminal.
  package var mayAsk = false
  /// Asked before linked files of more than a limit are committed, with their bytes.
  package var takesLinkedFiles: (Int64) throws(SlipboxError) -> Bool = { _ in true }
  /// Asked before commits go that touch files outside the box.
  package var sendsOutside: ([OutsideCommit]) throws(SlipboxError) -> Bool = { _ in false }

  package init() {}
}

/// A commit that is to be sent and touches files outside the box.
package struct OutsideCommit: Sendable {
  package let id: ObjectID
  package let subject: String
  /// One of these files, from the root of the repository.
  package let path: [UInt8]
}

extension Box {
  /// The commits between two that touch files outside the box, newest first; none where the repository is the box.
  ///
  /// What a merge only brings together from its parents does not count.
  func outsideCommits(to tip: ObjectID, notTo other: ObjectID?) throws(SlipboxError) -> [OutsideCommit] {
    guard !prefix.isEmpty else { return [] }
    return try git { repository throws(GitError) in
      var found: [OutsideCommit] = []
      for commit in try repository.commits(to: tip, notTo: other) {
        var paths: Set<[UInt8]>?
        let parents: [ObjectID?] = commit.parents.isEmpty ? [nil] : commit.parents
        for parent in parents {
          let changed = try repository.changedFiles(from: parent, to: commit.id, under: []).map(\.path)
          let outside = changed.filter { !$0.starts(with: prefix) }
          paths = paths?.intersection(outside) ?? Set(outside)
        }
        if let path = paths?.min(by: { $0.lexicographicallyPrecedes($1) }) {
          found.append(OutsideCommit(id: commit.id, subject: commit.subject, path: path))
        }
      }
      return found
    }
  }
}
