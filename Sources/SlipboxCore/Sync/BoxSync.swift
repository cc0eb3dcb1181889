import Bytes
import Git
import Notes
import Platform
import Text

/// One sync of a box with a remote branch. It commits the changes of other programs, fetches, takes the fetched commits,
/// and pushes. If another device pushes first, it repeats that. An operation that git stopped is finished before
/// (StoppedNotes.swift).
///
/// The sync never holds the box's lock while it uses the network. Each step leaves a state from which the next sync can
/// continue.
package final class BoxSync {
  /// The maximum number of attempts to push if other devices push first.
  private static let attempts = 5

  let box: Box
  let context: CommandContext
  let request: SyncRequest
  /// The result so far, even if a step failed.
  package internal(set) var result: SyncResult
  /// Whether the user has agreed to send commits that touch files outside the box.
  private var sendsOutside: Bool
  /// The incoming merge commits of other programs, and the files that may be damaged.
  var suspects: (merges: [ForeignMerge], paths: Set<[UInt8]>) = ([], [])

  /// - Throws: as `Box.syncTarget(named:)`, and `.notPermitted` if the repository's own settings name a program.
  package init(_ box: Box, _ context: CommandContext, _ request: SyncRequest) throws(SlipboxError) {
    self.box = box
    self.context = context
    self.request = request
    sendsOutside = request.isAgreed
    try BoxWriter(box, context).refuseWhereNoCommitIsPossible(makesCommit: false)
    result = SyncResult(target: try box.syncTarget(named: request.remote))
    let remote = target.remote
    try remotely { repository throws(GitError) in
      try repository.remotes.refuseForeignPrograms()
      try repository.remotes.refuseAddresses(of: remote, .fetch)
    }
  }

  var target: SyncTarget { result.target }

  /// Runs the sync.
  /// - Throws: `.unavailable`, `.notPermitted` and others with the output of the remote; `.badData` if the branch there
  ///   was rewritten or emptied, or would delete most notes; `.busy` if other devices pushed first each time. The commits
  ///   made here stay in any case.
  package func run() throws(SlipboxError) -> SyncResult {
    try BoxWriter(box, context).refuseInOwnHook()
    let lock = try acquireSyncLock()
    defer { withExtendedLifetime(lock) {} }
    try releaseLeftLocks()
    try refusePreparedChanges()
    try commitEdits()
    suspects.paths.formUnion(try box.markedSettings().map(\.path))
    try findBranchThere()
    try refuseOtherDestination()
    var overtaken: RemoteFault?
    for attempt in 1...Self.attempts {
      let there = try fetch()
      if let there { try take(there) }
      try heal()
      try bakeAfterMerges()
      guard let tip = try box.tip() else {
        throw SlipboxError(
          .notFound, "there is no commit to sync yet", hints: ["\(slip: "new", .value("A first thought"))"])
      }
      if let there, try box.isLevel(tip, there) {
        try remember(there)
        return result
      }
      overtaken = try push(tip, onto: there)
      if overtaken == nil {
        try remember(tip)
        return result
      }
      if attempt < Self.attempts { pauseAfterRace(attempt) }
    }
    let again: Phrase = "your commits are kept locally; run: \(slip: "sync")"
    if let overtaken, overtaken.isLocked {
      throw SlipboxError(
        .busy, "\(target.name) is locked on the remote",
        hints: overtaken.words.map { Phrase($0) }, retry: again)
    }
    throw SlipboxError(
      .busy,
      "\(target.name): push rejected \(Self.attempts) times because the remote branch changed",
      retry: again)
  }

  /// Acquires the lock that allows one sync at a time in a repository and its linked worktrees, which share the
  /// remote-tracking branches.
  ///
  /// Returns nil if the lock can't be created: the steps of the sync then report the fault of the repository.
  /// - Throws: `.busy` if another sync holds the lock for a minute.
  private func acquireSyncLock() throws(SlipboxError) -> FileLock? {
    let reporter = context.reporter
    let folder = box.commonDirectory / "slipbox"
    guard (try? box.makeSharedFolder(folder)) != nil else { return nil }
    let file = folder / "sync-lock"
    do throws(LockError) {
      let lock = try FileLock.acquire(file, timeoutMilliseconds: Waits.syncMilliseconds) {
        reporter.warn("waiting for another slip sync to finish")
      }
      box.withRepository { $0.permissions.share(file) }
      return lock
    } catch {
      guard error == .busy else { return nil }
      throw SlipboxError(
        .busy, "another slip sync is running in this repository", retry: "try again later")
    }
  }

  /// Removes the stale locks of refs that a killed sync left, its own and those of git: a fetch would fail at them.
  private func releaseLeftLocks() throws(SlipboxError) {
    let remote = target.remote.name
    let locks = box.withRepository { repository in
      ["refs/remotes/\(remote)", "refs/slipbox"].flatMap { repository.references.locks(under: $0) }
    }
    guard !locks.isEmpty else { return }
    try alone { $0.releaseLeft(locks) }
    box.withRepository { $0.remotes.releaseLeftTrackingLocks(of: remote) }
  }

  /// Runs a body while no other command writes in the box.
  func alone(_ body: (Repository) throws(GitError) -> Void) throws(SlipboxError) {
    let lock = try BoxWriter(box, context).acquireLock()
    defer { withExtendedLifetime(lock) {} }
    try box.git(body)
  }

  /// Runs a body whose failures are those of the remote.
  func remotely<Result>(_ body: (Repository) throws(GitError) -> Result) throws(SlipboxError) -> Result {
    let remote = target.remote
    return try box.withRepository { (repository) throws(SlipboxError) in
      do throws(GitError) {
        return try body(repository)
      } catch {
        guard case .remote(let fault) = error.reason else { throw SlipboxError(error) }
        throw SlipboxError(fault, remote: remote.name, address: remote.address)
      }
    }
  }

  func network(_ stage: Reporter.Stage) -> NetworkUse {
    let reporter = context.reporter
    return NetworkUse(mayAsk: request.mayAsk) { reporter.report(stage, $0, of: $1) }
  }

  /// Waits for a random time that grows with each attempt (exponential backoff with jitter), so that two concurrent syncs
  /// do not collide again.
  private func pauseAfterRace(_ attempt: Int) {
    let most = UInt64(100 << attempt)
    Waiting.pause(milliseconds: Int(most / 2 + context.ids.number() % (most / 2)))
  }
}

extension Box {
  /// Returns whether the remote branch needs no commits from here: it is the same commit, or the two histories differ
  /// only in merges.
  func isLevel(_ tip: ObjectID, _ there: ObjectID) throws(SlipboxError) -> Bool {
    if tip == there { return true }
    let store = RepositoryMergeStore(self)
    let bases = try store.bases(of: tip, and: there)
    if bases.contains(there) || bases.contains(tip) { return false }
    return try !MergeNews(store).isAny(between: tip, there)
  }
}

extension BoxSync {
  /// Finds the remote branch at the first sync: the one of the same name. A remote without branches gets a new one.
  ///
  /// A remote with branches of other names gets a new branch only if git-push(1) would create it.
  /// - Throws: `.configuration` with the command that publishes the branch.
  private func findBranchThere() throws(SlipboxError) {
    guard target.branchThere == nil else { return }
    let (remote, use) = (target.remote, network(.fetching))
    let found = try remotely { repository throws(GitError) in
      try repository.remotes.branches(of: remote, use)
    }
    let names = found.branches.keys.sorted()
    // The default branch is the right one for a box to which a remote was added.
    let isUsual = found.branches[target.branch] != nil && (found.head ?? names.first) == target.branch
    let isFollowed = found.branches[target.branch] != nil && !target.isFirst
    guard names.isEmpty || isUsual || isFollowed || target.makesBranches else {
      throw target.unpublished(names: names, head: found.head)
    }
    result = SyncResult(target.on(target.branch), result)
  }

  /// Refuses if refspecs of the remote (`remote.NAME.push`) push the branch to another one than the one it is synced
  /// with.
  ///
  /// Git reports the destination of a push, which needs the network.
  private func refuseOtherDestination() throws(SlipboxError) {
    let (target, use) = (target, network(.fetching))
    let destinations = try remotely { repository throws(GitError) in
      try repository.remotes.configuredDestinations(of: target.branch, on: target.remote, use)
    }
    guard let destinations, destinations != ["refs/heads/\(target.branchThere ?? target.branch)"] else {
      return
    }
    throw target.sentElsewhere(destinations)
  }

  /// Fetches the branch; returns nil if it does not exist there yet.
  private func fetch() throws(SlipboxError) -> ObjectID? {
    let (target, use) = (target, network(.fetching))
    let (previous, wasThere) = try previous()
    let there = try remotely { repository throws(GitError) in
      try repository.remotes.fetch(target.branchThere ?? target.branch, of: target.remote, use)
    }
    let tip = try box.tip()
    guard let there else {
      if wasThere { try refuseEmptied() }
      return nil
    }
    guard let previous else { return there }
    // A merge must not restore a commit that this branch no longer has, for example because it was amended here.
    let isRewritten = try box.git { repository throws(GitError) in
      let history = repository.history
      guard let tip, try !history.isAncestor(previous, of: there) else { return false }
      // A remote to which nothing is pushed may lag behind.
      if try history.isAncestor(there, of: tip), try repository.remotes.pushesElsewhere(target.remote) {
        return false
      }
      return try history.isAncestor(previous, of: tip)
    }
    if isRewritten {
      try refuseShallow(previous, there)
      try acceptRewritten(previous, there)
    }
    if !isRewritten, let tip { try refuseRewrittenHere(previous, tip, there) }
    return there
  }

  /// Refuses if the history that would tell whether the branch there was rewritten is not in this clone.
  private func refuseShallow(_ previous: ObjectID, _ there: ObjectID) throws(SlipboxError) {
    guard box.isShallow, try RepositoryMergeStore(box).bases(of: previous, and: there).isEmpty else { return }
    throw Taking.shallow(target.name)
  }

  private func refuseEmptied() throws(SlipboxError) {
    guard !request.isAgreed else { return }
    throw SlipboxError(
      .badData,
      "\(target.name) existed at the last sync and is missing now; nothing was changed",
      hints: [
        "check the remote with: \(slip: "remote list")", "\(slip: "sync", "--yes") pushes everything again",
      ])
  }

  /// Takes the fetched commits. Edits that another program makes meanwhile are committed first.
  private func take(_ there: ObjectID) throws(SlipboxError) {
    let before = try box.tip()
    for attempt in 1...Self.attempts {
      do throws(SlipboxError) {
        let taken = try BoxWriter(box, context).take(
          there, named: target.name, allowsLosses: request.isAgreed)
        if taken.way == .nothing { return }
        return try tell(taken, there, since: before)
      } catch {
        guard error.kind == .busy, attempt < Self.attempts, try commitEdits() else {
          throw namingUnreadable(error, in: there, since: before)
        }
      }
    }
  }

  /// Repairs certain damage that other programs did to the incoming notes, in a separate commit.
  private func heal() throws(SlipboxError) {
    guard !suspects.merges.isEmpty || !suspects.paths.isEmpty else { return }
    defer { suspects = ([], []) }
    let snapshot = try WorkTreeReader(box, context).snapshot()
    let healing = try Healer(snapshot, context).damage(of: suspects.merges)
    let certain = healing.certain.filter { finding in
      switch finding.damage {
      case .markers: suspects.paths.contains(finding.path)
      case .copies(let paths): !suspects.paths.isDisjoint(with: paths)
      case .duplicate: true
      case .sameID, .dropped, .moveDropped, .deleted, .droppedBeforeDeletion: false
      }
    }
    guard !certain.isEmpty else {
      result.healed.left += healing.notes.filter { !$0.isCertain }
      return
    }
    _ = try BoxWriter(box, context, after: snapshot).record(healing.plan(certain))
    result.healed.repaired += certain
    // The repairs may have restored all dropped changes.
    let repaired = try WorkTreeReader(box, context).snapshot()
    result.healed.left += try Healer(repaired, context).damage(of: suspects.merges).notes.filter {
      !$0.isCertain
    }
  }

  /// Updates the lists in notes if a merge was made since the last sync, here or elsewhere, by slip or by git.
  private func bakeAfterMerges() throws(SlipboxError) {
    guard let baking = request.baking, let tip = try box.tip() else { return }
    let synced = try previous().commit
    let hasMerge = try box.git { repository throws(GitError) in
      try repository.history.commits(to: tip, notTo: synced).contains { $0.parents.count > 1 }
    }
    guard hasMerge else { return }
    let snapshot = try WorkTreeReader(box, context).snapshot()
    guard snapshot.settings["bake"] != "never" else { return }
    let found = try baking(snapshot)
    guard !found.stale.isEmpty else { return }
    if let remark = found.remark { context.reporter.warnOnce(remark) }
    _ = try BoxWriter(box, context, after: snapshot).record(found.plan)
  }

  private func tell(_ taken: TakenCommits, _ there: ObjectID, since before: ObjectID?) throws(SlipboxError) {
    result.came += SyncResult.File.all(taken.changes)
    result.conflicts += taken.conflicts
    let settings = taken.conflicts.map(\.path).filter { $0.starts(with: box.repositoryPath(Settings.folder)) }
    let commits = try box.git { repository throws(GitError) in
      for path in settings {
        try repository.history.visit(from: there, touching: [path], limit: 1) { commit in
          result.settingsCommits[path] = commit.id
          return false
        }
      }
      return try repository.history.commits(to: there, notTo: before)
    }
    result.cameCommits += commits.count
    suspects.merges += commits.compactMap { ForeignMerge($0) }
    for change in taken.changes
    where change.after.map(MergeMarkers.isAnywhere) ?? false || ConflictCopy(change.path) != nil {
      suspects.paths.insert(change.path)
    }
    for author in commits.map(\.author.name) where !result.authors.contains(author) {
      result.authors.append(author)
    }
  }

  /// Pushes; returns the output of the remote if another device pushed first.
  private func push(_ tip: ObjectID, onto there: ObjectID?) throws(SlipboxError) -> RemoteFault? {
    let remote = target.remote
    try remotely { repository throws(GitError) in try repository.remotes.refuseAddresses(of: remote, .push) }
    if !sendsOutside {
      let outside = try box.outsideCommits(to: tip, notTo: there)
      if !outside.isEmpty {
        guard try request.sendsOutside(outside) else {
          throw SlipboxError(.notPermitted, "nothing was pushed", hints: ["the fetched commits are kept"])
        }
        sendsOutside = true
      }
    }
    let (target, use) = (target, network(.sending))
    let mark = [CommandContext.hookVariable: box.hookMark]
    do throws(GitError) {
      result.words = try box.withRepository { repository throws(GitError) in
        try repository.remotes.push(
          tip, of: target.branch, to: target.branchThere ?? target.branch, of: target.remote, use,
          hookVariables: mark)
      }
    } catch {
      guard case .remote(let fault) = error.reason else { throw SlipboxError(error) }
      if fault.kind == .overtaken { return fault }
      throw SlipboxError(fault, remote: target.remote.name, address: target.remote.address)
    }
    result.went = try box.syncedFiles(from: there, to: tip)
    try reportMarkers(from: there, to: tip)
    result.wentCommits = try box.git { repository throws(GitError) in
      guard let there else { return try repository.history.commits(to: tip, notTo: nil).count }
      return try repository.history.distance(from: tip, to: there).ahead
    }
    return nil
  }

  /// Records the present remote tip, and at the first sync the branch that this one follows.
  private func remember(_ tip: ObjectID) throws(SlipboxError) {
    let target = target
    var old: [String] = []
    let tracking = try box.git { repository throws(GitError) in try target.trackingName(in: repository) }
    for name in [target.syncedName, tracking] {
      if try box.git({ repository throws(GitError) in try repository.references[name] }) != tip {
        old.append(name)
      }
    }
    guard !old.isEmpty || target.isFirst else { return }
    try alone { repository throws(GitError) in
      for name in old { try repository.references.set(name, to: tip) }
      guard target.isFirst else { return }
      try repository.settings.set("branch.\(target.branch).remote", to: target.remote.name)
      try repository.settings.set(
        "branch.\(target.branch).merge", to: "refs/heads/\(target.branchThere ?? target.branch)")
    }
  }
}
