import Bytes
import CLibgit2
import Glibc
import Platform

extension Repository {
  /// Moves the branch that HEAD is on from one commit to another, and notes it in its log and HEAD's.
  ///
  /// It compares while the branch's lock is held. The log follows the branch, so that no failure and no crash leaves a
  /// line about a move that never happened; a line that can't be written is missing. If the move fails, the branch is read
  /// again: an error after the rename does not mean that nothing happened.
  /// - Parameter old: nil where the branch must not exist yet.
  /// - Throws: `moved` where the branch stands elsewhere; `locked`; `other` on a detached HEAD.
  package func moveBranch(from old: ObjectID?, to new: ObjectID, message: String) throws(GitError) {
    guard let branch = try headBranch() else {
      throw GitError(.other, "HEAD is detached; run: git switch BRANCH")
    }
    let name = try references.resolved(branch).name
    do throws(GitError) {
      if old == nil { try refuseNameConflict(name) }
      let lock = try takeLock(of: name)
      defer { if heldLocks?.branch == nil { lock.release() } }
      guard try references.object(at: name) == old else { throw Self.moved(name) }
      heldLocks?.needsSync = true
      try write(new, to: name)
      let names = [name] + (branch == name ? [Array("HEAD".utf8)] : [branch, Array("HEAD".utf8)])
      try? log(names, old ?? .zero, new, message)
      // The syncs come after the lock is gone, so that no power cut brings it back.
      lock.release()
      RawFile.syncFolder((commonDirectory / name).parentPath)
      if heldLocks == nil { RawFile.syncFolder(gitDirectory) }
    } catch {
      if let tip = try? references.object(at: name), tip == new { return }
      throw error
    }
  }

  /// The commit of a branch that no work tree has checked out; nil if there is no such branch.
  ///
  /// - Throws: `other` if a work tree is on the branch, or if git does not allow the name.
  package func tip(ofUncheckedBranch branch: String) throws(GitError) -> ObjectID? {
    let name = Array("refs/heads/\(branch)".utf8)
    guard References.isSafe(name) else { throw GitError(.other, "\(branch) is not a valid branch name") }
    let found = try references.resolved(name)
    if found.id == nil { try refuseNameConflict(name) }
    let links = commonDirectory / "worktrees"
    let folders = [gitDirectory, commonDirectory] + RawFile.names(in: links).map { links / $0 }
    for folder in folders {
      let others = References(gitDirectory: folder, commonDirectory: commonDirectory)
      guard case .symbolic(let head)? = try? others.value(of: Array("HEAD".utf8)) else { continue }
      guard head != name, try others.resolved(head).name != found.name else {
        throw GitError(.other, "\(branch) is checked out in a work tree")
      }
    }
    return found.id
  }

  /// Moves a branch that no work tree has checked out from one commit to another, and notes it in its log.
  ///
  /// - Parameter old: nil if the branch must not exist yet.
  /// - Throws: `moved` if the branch is elsewhere; `locked`.
  package func moveUncheckedBranch(
    _ branch: String, from old: ObjectID?, to new: ObjectID, message: String
  ) throws(GitError) {
    let name = try references.resolved(Array("refs/heads/\(branch)".utf8)).name
    let lock = try takeLock(of: name)
    defer { lock.release() }
    guard try references.object(at: name) == old else { throw Self.moved(name) }
    try write(new, to: name)
    try? log([name], old ?? .zero, new, message)
    // The sync comes after the lock is gone, so that no power cut brings it back.
    lock.release()
    RawFile.syncFolder((commonDirectory / name).parentPath)
  }

  private static func moved(_ name: [UInt8]) -> GitError {
    GitError(.moved, "\(GitError.text(name)) was moved by another program at the same time")
  }

  /// The lock of the branch that is held already, else a fresh one of a ref.
  func takeLock(of name: [UInt8]) throws(GitError) -> LockFile {
    if let branch = heldLocks?.branch { return branch }
    let path = lockPath(ofBranch: name)
    var lock: LockFile?
    try waitingForLock(path) { () throws(GitError) in
      lock = try LockFile(path, mark: lockMark)
      return lock != nil
    }
    guard let lock else { throw .locked(path) }
    return lock
  }

  /// Puts the name of a commit in a ref's file in one step, which is durable when both folders are synced.
  func write(_ commit: ObjectID, to name: [UInt8]) throws(GitError) {
    let draft = gitDirectory / "branch.slip"
    let target = commonDirectory / name
    // One that a killed command left.
    RawFile.remove(draft)
    do throws(GitError) {
      try RawFile.createDurably(draft, Array("\(commit.hex)\n".utf8), mode: 0o666)
      share(draft)
      // Left by branches that had this one's name as their folder.
      Files.removeEmptyFolders(target)
      try RawFile.rename(draft, to: target)
    } catch {
      RawFile.remove(draft)
      throw error
    }
  }
}

extension Repository {
  /// Notes in the logs of refs that they move, where git would.
  private func log(
    _ names: [[UInt8]], _ old: ObjectID, _ new: ObjectID, _ message: String
  ) throws(GitError) {
    let setting = configuration("core.logAllRefUpdates")?.lowercased()
    let makesLogs = setting.map { !["false", "no", "off", "0"].contains($0) } ?? (workTree != nil)
    let now = LocalClock.now().seconds
    let time = (seconds: now, offsetMinutes: LocalClock.offset(at: now) / 60)
    // Who can't be named here could not make the commit; an empty one is noted all the same.
    let line = (try? identity(at: time).committer.line) ?? "unknown <unknown> \(now) +0000"
    let text = message.split(separator: "\n").joined(separator: " ")
    for name in names {
      let folder = name == Array("HEAD".utf8) ? gitDirectory : commonDirectory
      let file = folder / "logs" / name
      guard makesLogs || RawFile.status(file) != nil else { continue }
      Files.removeEmptyFolders(file)
      try GitError.wrapping("write", file) { () throws(SystemError) in
        try makeSharedFolder(file.parentPath)
        try Files.append(Array("\(old.hex) \(new.hex) \(line)\t\(text)\n".utf8), to: file)
        share(file)
      }
    }
  }
}

extension Repository {
  /// Refuses to make a branch whose name git does not allow, or that has another branch's name as a folder, or the
  /// reverse.
  ///
  /// Wraps `git_reference_name_is_valid`.
  private func refuseNameConflict(_ name: [UInt8]) throws(GitError) {
    var isValid: Int32 = 0
    let status = name.withCPath { git_reference_name_is_valid(&isValid, $0) }
    let shown = GitError.text(name)
    guard status >= 0, isValid != 0 else {
      throw GitError(
        .other, "\(shown) is not a valid branch name")
    }
    var other = try references.firstReference(below: name)
    for (index, byte) in name.enumerated() where byte == UInt8(ascii: "/") && other == nil {
      let above = Array(name[..<index])
      if References.isSafe(above), try references.object(at: above) != nil { other = above }
    }
    guard let other else { return }
    throw GitError(
      .other,
      "can't make the branch \(GitError.text(name)): \(GitError.text(other)) exists, and git can't have both")
  }
}

extension Repository {
  /// Where HEAD stands.
  package enum Head: Sendable, Equatable {
    /// On a branch, by its short name; without tip the branch is not born yet.
    case branch(name: String, tip: ObjectID?)
    /// On a commit, on no branch.
    case detached(ObjectID)

    /// The commit; nil on an unborn branch.
    package var tip: ObjectID? {
      switch self {
      case .branch(_, let tip): tip
      case .detached(let id): id
      }
    }
  }

  /// What git is in the middle of.
  package enum Operation: String, Sendable {
    case merge, rebase, cherryPick, revert, bisect, applyMailbox
  }

  var references: References {
    References(gitDirectory: gitDirectory, commonDirectory: commonDirectory)
  }

  /// Reads where HEAD stands, without libgit2.
  /// - Throws: `damaged` where HEAD holds no name of a commit; `lostBranch` where the branch had a commit and leads to
  ///   none, so that nothing is taken for the beginning of history that is not.
  package func head() throws(GitError) -> Head {
    guard let name = try headBranch() else {
      guard let id = try references.object(at: Array("HEAD".utf8)) else {
        throw GitError(.damaged(object: "HEAD"), "\(GitError.text(gitDirectory / "HEAD")) is missing")
      }
      return .detached(id)
    }
    let tip = try references.object(at: name)
    if tip == nil, let lost = references.lostBranch(name, expecting: firstCommit) { throw lost }
    let prefix = Array("refs/heads/".utf8)
    let short = name.starts(with: prefix) ? Array(name.dropFirst(prefix.count)) : name
    return .branch(name: String(decoding: short, as: UTF8.self), tip: tip)
  }

  /// The full name of the ref that HEAD stands for; nil where it is detached.
  func headBranch() throws(GitError) -> [UInt8]? {
    guard case .symbolic(let name) = try references.value(of: Array("HEAD".utf8)) else { return nil }
    guard References.isSafe(name) else {
      throw GitError(
        .damaged(object: "HEAD"), "\(GitError.text(gitDirectory / "HEAD")) does not name a branch")
    }
    return name
  }

  /// The commit that HEAD stood on when the merge under way began, and the first one that is merged into it; nil without a
  /// merge, or where git did not note both.
  package var mergeUnderWay: (start: ObjectID, merged: ObjectID)? {
    guard operationUnderWay == .merge, let start = try? RawFile.read(gitDirectory / "ORIG_HEAD")?.bytes,
      let merged = try? RawFile.read(gitDirectory / "MERGE_HEAD")?.bytes,
      let start = ObjectID(hex: start.prefix(40)), let merged = ObjectID(hex: merged.prefix(40))
    else { return nil }
    return (start, merged)
  }

  /// The operation that git is in the middle of in this work tree; nil where there is none.
  package var operationUnderWay: Operation? {
    let exists: (String) -> Bool = { [gitDirectory] name in RawFile.status(gitDirectory / name) != nil }
    if exists("rebase-merge") { return .rebase }
    if exists("rebase-apply") { return exists("rebase-apply/applying") ? .applyMailbox : .rebase }
    if exists("MERGE_HEAD") { return .merge }
    if exists("CHERRY_PICK_HEAD") { return .cherryPick }
    if exists("REVERT_HEAD") { return .revert }
    if let todo = try? RawFile.read(gitDirectory / "sequencer/todo")?.bytes.trimmed, !todo.isEmpty {
      return todo.starts(with: "revert".utf8) ? .revert : .cherryPick
    }
    return exists("BISECT_LOG") ? .bisect : nil
  }
}

extension Repository {
  /// The branch of a remote that the current one follows, and how far apart they are.
  package struct Upstream: Sendable, Equatable {
    /// As people name it, such as `origin/main`.
    package let name: String
    /// The last commit of the followed branch.
    package let tip: ObjectID
    /// Commits that only the current branch has.
    package let ahead: Int
    /// Commits that only the followed branch has.
    package let behind: Int
  }

  /// What the current branch follows; nil where it follows nothing, or nothing that was fetched yet.
  ///
  /// Wraps `git_branch_upstream`.
  /// - Complexity: linear in the commits that the two do not share.
  package func upstream() throws(GitError) -> Upstream? {
    guard case .branch(_, let tip?) = try head(), let branch = try headBranch() else { return nil }
    let repository = try open().repository
    var found: OpaquePointer?
    guard branch.withCPath({ git_reference_lookup(&found, repository, $0) }) >= 0, let local = found else {
      return nil
    }
    defer { git_reference_free(local) }
    var followed: OpaquePointer?
    guard git_branch_upstream(&followed, local) >= 0, let upstream = followed else { return nil }
    defer { git_reference_free(upstream) }
    var name: UnsafePointer<CChar>?
    guard git_branch_name(&name, upstream) >= 0, let name, let target = git_reference_target(upstream) else {
      return nil
    }
    let there = ObjectID(target.pointee)
    let apart = try distance(from: tip, to: there)
    return Upstream(name: String(cString: name), tip: there, ahead: apart.ahead, behind: apart.behind)
  }
}
