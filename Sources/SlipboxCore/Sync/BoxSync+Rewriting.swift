import Bytes
import Git
import Notes
import Text

/// A branch there whose history was rewritten: what was there before is no part of it any more.
extension BoxSync {
  /// Refuses, or keeps the commits of the box under a ref and puts the branch onto the new history, with what was made
  /// here since the last sync on top of it.
  ///
  /// - Parameters:
  ///   - previous: what was there at the last sync.
  ///   - there: what is there now.
  func acceptRewritten(_ previous: ObjectID, _ there: ObjectID) throws(SlipboxError) {
    let name = Visible.escape(target.name)
    guard request.acceptsRewrite else {
      throw SlipboxError(
        .badData, "\(name) was rewritten (force-pushed) since the last sync; nothing was changed",
        hints: [
          "git log \(ShellWord.quoted(Array(target.name.utf8))) shows the remote history",
          "slip sync --accept-rewrite uses the rewritten history; your commits are kept in refs/slipbox/kept/",
        ])
    }
    guard let tip = try box.tip() else { return }
    let isUnrelated = try RepositoryMergeStore(box).bases(of: tip, and: there).isEmpty
    if isUnrelated, !request.isAgreed {
      throw SlipboxError(
        .badData,
        "\(name) has no commit in common with this box: it may be another box; nothing was changed",
        hints: [
          "check the remote with: slip remote list",
          "slip sync --accept-rewrite --yes replaces your notes with the remote notes",
        ])
    }
    let kept = try keep(tip)
    let writer = BoxWriter(box, context, runsFilters: true)
    let moved = try rebuilt(tip, previous, there, writer)
    // The files follow by a commit on top of the old history; then the branch changes over to the same files.
    let bridge = try box.git { repository throws(GitError) in
      let commit = try repository.read(moved)
      return try repository.writeCommit(
        tree: commit.tree, parents: [tip], message: "forward to \(target.name)\n", author: commit.author,
        committer: commit.committer)
    }
    let taken = try writer.take(bridge, named: target.name, allowsLosses: request.isAgreed)
    let lock = try writer.acquireLock()
    defer { withExtendedLifetime(lock) {} }
    try box.git { repository throws(GitError) in
      try repository.moveBranch(from: bridge, to: moved, message: "slip: accept the rewritten \(target.name)")
      try repository.setReference(target.syncedName, to: there)
    }
    result.keptName = kept
    result.came += SyncResult.File.all(taken.changes)
  }

  /// The new history, with what was made here since the last sync as one commit on top of it.
  private func rebuilt(
    _ tip: ObjectID, _ previous: ObjectID, _ there: ObjectID, _ writer: BoxWriter
  ) throws(SlipboxError) -> ObjectID {
    let rules = try writer.mergeRules(tip, there)
    let merge = try TreeMerge(
      RepositoryMergeStore(box), base: previous, bases: [previous], one: tip, other: there, rules: rules)
    let edits = try merge.edits(of: there)
    result.conflicts += merge.conflicts
    guard !edits.isEmpty else { return there }
    let draft = CommitDraft(
      command: "sync", subject: "Rebase local changes onto \(target.name)", changes: [])
    return try writer.writeCommit(edits, on: [there], message: try writer.message(of: draft, files: []))
  }

  /// Keeps a commit under a ref with the date.
  private func keep(_ tip: ObjectID) throws(SlipboxError) -> String {
    let now = context.clock.now.rfc3339.filter { $0.isNumber || $0 == "T" || $0 == "-" }.prefix(17)
    var kept = ""
    try alone { repository throws(GitError) in
      for number in 1...1_000 {
        kept = "refs/slipbox/kept/\(now)" + (number == 1 ? "" : "-\(number)")
        let known = try repository.reference(kept)
        if known == tip { return }
        guard known == nil else { continue }
        return try repository.setReference(kept, to: tip)
      }
    }
    return kept
  }
}
