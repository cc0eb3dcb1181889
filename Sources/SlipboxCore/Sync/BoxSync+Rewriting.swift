import Bytes
import Git
import Notes
import Text

/// A branch whose history was rewritten, there or here: it no longer contains the remote tip of the last sync.
extension BoxSync {
  /// The maximum number of dropped commits that count as an amended commit.
  private static let mostAmended = 1

  /// Returns the tip of the remote branch at the last sync. Before the first sync, returns the fetched tip if this branch
  /// contains it or contained it before a rewrite, otherwise nil. Also returns whether the remote branch existed.
  func previous() throws(SlipboxError) -> (commit: ObjectID?, wasThere: Bool) {
    let target = target
    let (synced, fetched) = try box.git { repository throws(GitError) in
      let references = repository.references
      return (try references[target.syncedName], try references[target.trackingName(in: repository)])
    }
    guard synced == nil, let fetched else { return (synced, synced != nil) }
    // Commits that only git has fetched are new here.
    guard try hasHad(fetched) else { return (nil, true) }
    // The fetch moves that ref, and a refusal has to persist at the next sync too.
    try alone { repository throws(GitError) in try repository.references.set(target.syncedName, to: fetched) }
    return (fetched, true)
  }

  /// The maximum number of moves of the branch that are read from the reflog.
  private static let mostMoves = 100

  /// Returns whether this branch has a commit, or had it before it was rewritten, according to its reflog.
  private func hasHad(_ commit: ObjectID) throws(SlipboxError) -> Bool {
    guard let tip = try box.tip() else { return false }
    let branch = Array("refs/heads/\(target.branch)".utf8)
    return try box.git { repository throws(GitError) in
      if try repository.history.isAncestor(commit, of: tip) { return true }
      let former = repository.references.formerCommits(of: branch).prefix(Self.mostMoves)
      if former.contains(commit) { return true }
      for tip in former {
        // Git may have removed it.
        if (try? repository.history.isAncestor(commit, of: tip)) ?? false { return true }
      }
      return false
    }
  }

  /// Refuses if the branch here was rewritten since the last sync: a merge would bring the old commits back.
  ///
  /// A single amended commit is merged.
  /// - Parameters:
  ///   - previous: the remote tip of the last sync.
  ///   - tip: the local tip.
  ///   - there: the present remote tip.
  func refuseRewrittenHere(_ previous: ObjectID, _ tip: ObjectID, _ there: ObjectID) throws(SlipboxError) {
    guard !request.isAgreed else { return }
    let (dropped, came) = try box.git { repository throws(GitError) -> (Int, Int) in
      // If the remote branch has been rewritten too, the user has pushed the new history.
      guard try repository.history.isAncestor(previous, of: there),
        try !repository.history.isAncestor(previous, of: tip),
        try !repository.history.isAncestor(tip, of: previous)
      else { return (0, 0) }
      // If there are two remotes, one may have merges that the branch does not need.
      return (
        try repository.history.commits(to: previous, notTo: tip).count { $0.parents.count < 2 },
        try repository.history.commits(to: there, notTo: previous).count
      )
    }
    guard dropped > Self.mostAmended else { return }
    let (remote, branch) = (target.remote.name, target.branch)
    let refspec =
      branch == (target.branchThere ?? branch) ? branch : "\(branch):\(target.branchThere ?? branch)"
    let words = [remote, refspec].map { Phrase(typed: $0) }.joined(separator: " ")
    let last = Phrase(String(previous.hex.prefix(12)))
    // The fetch has moved the remote-tracking branch, which a lease without a commit compares with.
    let expected = "\(target.branchThere ?? branch):\(previous.hex.prefix(12))"
    let lease: Phrase = "--force-with-lease=\(typed: expected)"
    let way: Phrase =
      came == 0
      ? "git push \(lease) \(words) publishes the rewritten branch"
      : "git log \(last)..\(typed: target.name) shows the commits that came since; a forced push would drop them"
    throw SlipboxError(
      .badData,
      "this branch was rewritten: \(dropped) commits of the last sync with \(target.name) are gone from it",
      hints: [
        way,
        "\(slip: "sync", "--yes") merges the former commits into it again",
      ])
  }

  /// Moves the branch to the rewritten history of the remote, or refuses. The former commits of the box are kept under a
  /// ref, and those made here since the last sync are rebased onto the new history.
  ///
  /// - Parameters:
  ///   - previous: the remote tip of the last sync.
  ///   - there: the present remote tip.
  func acceptRewritten(_ previous: ObjectID, _ there: ObjectID) throws(SlipboxError) {
    let name = Phrase(target.name)
    guard request.acceptsRewrite else {
      throw SlipboxError(
        .badData, "\(name) was rewritten (force-pushed) since the last sync; nothing was changed",
        hints: [
          "git log \(typed: target.name) shows the remote history",
          "\(slip: "sync", "--accept-rewrite") uses the rewritten history; your commits are kept in refs/slipbox/kept/",
        ])
    }
    guard let tip = try box.tip() else { return }
    let isUnrelated = try RepositoryMergeStore(box).bases(of: tip, and: there).isEmpty
    if isUnrelated, !request.isAgreed {
      throw SlipboxError(
        .badData,
        "\(name) has no commit in common with this box: it may be another box; nothing was changed",
        hints: [
          "check the remote with: \(slip: "remote list")",
          "\(slip: "sync", "--accept-rewrite", "--yes") replaces your notes with the remote notes",
        ])
    }
    let kept = try keep(tip)
    let writer = BoxWriter(box, context)
    let moved = try rebuilt(tip, previous, there, writer)
    // A commit on top of the old history updates the files; then the branch switches to the same files.
    let bridge = try box.git { repository throws(GitError) in
      let commit = try repository.read(moved)
      return try repository.writeCommit(
        tree: commit.tree, parents: [tip], message: "forward to \(target.name)\n", author: commit.author,
        committer: commit.committer)
    }
    let taken = try writer.take(bridge, named: target.name, allowsLosses: request.isAgreed)
    let lock = try writer.acquireLock()
    defer { withExtendedLifetime(lock) {} }
    let message = "slip: accept the rewritten \(target.name)"
    do throws(WriteConflict) {
      try BoxWriter(box, context).holdingGitsLocks { held throws(WriteConflict) in
        try refusing { () throws(SlipboxError) in
          try box.git { _ throws(GitError) in try held.moveBranch(from: bridge, to: moved, message: message) }
        }
      }
    } catch { throw error.refusal }
    try box.git { repository throws(GitError) in try repository.references.set(target.syncedName, to: there) }
    result.keptName = kept
    result.came += SyncResult.File.all(taken.changes)
  }

  /// Returns the new history with the commits made here since the last sync on top of it, each with its message and
  /// author.
  ///
  /// If a merge is among them, one commit has all their changes.
  private func rebuilt(
    _ tip: ObjectID, _ previous: ObjectID, _ there: ObjectID, _ writer: BoxWriter
  ) throws(SlipboxError) -> ObjectID {
    guard let commits = try commits(to: tip, since: previous) else {
      let edits = try picked(from: previous, to: tip, onto: there, writer)
      let draft = CommitDraft(
        command: "sync", subject: "Rebase local changes onto \(target.name)", changes: [])
      let message = try writer.message(of: draft, files: [])
      return edits.isEmpty ? there : try writer.writeCommit(edits, on: [there], message: message)
    }
    var top = there
    for commit in commits {
      let edits = try picked(from: commit.parents[0], to: commit.id, onto: top, writer)
      guard !edits.isEmpty else { continue }
      top = try writer.writeCommit(edits, on: [top], message: commit.message, author: commit.author)
    }
    return top
  }

  /// Returns the commits that lead from one to another, oldest first; nil if a merge is among them.
  private func commits(to tip: ObjectID, since start: ObjectID) throws(SlipboxError) -> [Commit]? {
    try box.git { repository throws(GitError) in
      var commits: [Commit] = []
      var id = tip
      while id != start {
        let commit = try repository.read(id)
        guard commit.parents.count == 1 else { return nil }
        commits.append(commit)
        id = commit.parents[0]
      }
      return commits.reversed()
    }
  }

  /// Returns the changes between two commits, as edits of a third.
  private func picked(
    from base: ObjectID, to tip: ObjectID, onto there: ObjectID, _ writer: BoxWriter
  ) throws(SlipboxError) -> [TreeEdit] {
    let rules = try writer.mergeRules(tip, there)
    let merge = try TreeMerge(
      RepositoryMergeStore(box), base: base, bases: [base], one: tip, other: there, rules: rules,
      isPicked: true)
    let edits = try merge.edits(of: there)
    result.conflicts += merge.conflicts.filter { !result.conflicts.contains($0) }
    return edits
  }

  /// Stores a commit under a ref with the date in its name.
  private func keep(_ tip: ObjectID) throws(SlipboxError) -> String {
    let now = context.clock.now.rfc3339.filter { $0.isNumber || $0 == "T" || $0 == "-" }.prefix(17)
    var kept = ""
    try alone { repository throws(GitError) in
      for number in 1...1_000 {
        kept = "refs/slipbox/kept/\(now)" + (number == 1 ? "" : "-\(number)")
        let known = try repository.references[kept]
        if known == tip { return }
        guard known == nil else { continue }
        return try repository.references.set(kept, to: tip)
      }
    }
    return kept
  }
}
