import Bytes
import CLibgit2
import Glibc
import Platform

/// A repository while git's index and the branch that HEAD is on are locked. It alone changes the index and moves the
/// branch.
///
/// Its repository must be the caller's alone while it is asked. At most one may exist in a repository: a second one would
/// take the marked locks of the first for those of a killed command.
package final class HeldRepository {
  let repository: Repository
  let index: IndexLock
  /// Nil on a detached HEAD, on a branch without a commit, and after a move.
  private var branch: (name: [UInt8], lock: LockFile)?
  /// Whether names in the git folder have changed that are not durable yet.
  private var needsSync = false

  fileprivate init(_ repository: Repository, _ index: IndexLock, _ branch: (name: [UInt8], lock: LockFile)?) {
    self.repository = repository
    self.index = index
    self.branch = branch
  }

  deinit { release() }

  /// Releases the locks. Nothing can be changed afterwards.
  package func release() {
    branch?.lock.release()
    index.release()
    if needsSync { RawFile.syncFolder(repository.gitDirectory) }
    needsSync = false
  }

  /// Moves the branch that HEAD is on from one commit to another, and notes it in its log and HEAD's.
  ///
  /// It compares under the branch's lock, which it then releases. The log follows the branch, so that no failure and no
  /// crash leaves a line about a move that never happened; a line that can't be written is missing. If the move fails, the
  /// branch is read again: an error after the rename does not mean that nothing happened.
  /// - Parameter old: nil if the branch must not exist yet.
  /// - Throws: `moved` if the branch is elsewhere; `locked`; `other` on a detached HEAD.
  package func moveBranch(from old: ObjectID?, to new: ObjectID, message: String) throws(GitError) {
    precondition(index.isHeld)
    let references = repository.references
    guard let head = try repository.headBranch() else {
      throw GitError(.other, "HEAD is detached; run: git switch BRANCH")
    }
    let name = try references.resolved(head).name
    do throws(GitError) {
      if old == nil { try repository.refuseNameConflict(name) }
      // A branch without a commit is not locked yet, and another program may have put HEAD on another branch.
      if branch?.name != name {
        let lock = try repository.lock(ofReference: name)
        branch?.lock.release()
        branch = (name, lock)
      }
      guard try references.object(at: name) == old else { throw .moved(name) }
      needsSync = true
      try repository.write(new, to: name)
      let names = [name] + (head == name ? [Array("HEAD".utf8)] : [head, Array("HEAD".utf8)])
      try? repository.log(names, old ?? .zero, new, message)
      // The syncs come after the lock is gone, so that no power cut brings it back.
      branch?.lock.release()
      branch = nil
      RawFile.syncFolder((repository.commonDirectory / name).parentPath)
    } catch {
      if let tip = try? references.object(at: name), tip == new { return }
      throw error
    }
  }
}

extension Repository {
  /// The result of one attempt to take the locks.
  package enum Holding {
    case held(HeldRepository)
    /// The lock that another program holds.
    case blocked(by: [UInt8])
  }

  /// Takes the locks of the index and of HEAD's branch, both or none, without waiting.
  package func tryHolding() throws(GitError) -> Holding {
    guard workTree != nil else { throw GitError(.other, "a bare repository has no index") }
    guard let index = try IndexLock(of: indexPath, mark: lockPolicy.mark, mode: permissions.mode) else {
      return .blocked(by: indexLockPath)
    }
    guard let branch = try headBranch().map(references.resolved), let tip = branch.id, tip != .zero else {
      return .held(HeldRepository(self, index, nil))
    }
    let path = lockPath(ofReference: branch.name)
    guard let lock = try LockFile(path, mark: lockPolicy.mark) else {
      index.release()
      return .blocked(by: path)
    }
    return .held(HeldRepository(self, index, (branch.name, lock)))
  }

  /// Removes the locks that bear this repository's mark: those of a command that was killed.
  ///
  /// Only who alone takes locks with the mark may call it, and holds none now.
  /// - Parameter others: further lock files than those of the index and of HEAD's branch.
  package func releaseLeft(_ others: [[UInt8]] = []) {
    guard let mark = lockPolicy.mark else { return }
    // A branch that can't be found has no lock of ours that matters now.
    let branch = try? headBranch().map { name throws(GitError) in try references.resolved(name).name }
    let locks = [indexLockPath] + [branch].compactMap { $0.map(lockPath) } + others
    for lock in locks where mark.isOn(lock) { RawFile.remove(lock) }
  }

  /// The index's lock file.
  package var indexLockPath: [UInt8] { IndexLock.path(of: indexPath) }

  /// Takes the lock of a ref.
  /// - Throws: `locked` if another program holds it until the wait is over.
  func lock(ofReference name: [UInt8]) throws(GitError) -> LockFile {
    try lockPolicy.take(lockPath(ofReference: name))
  }

  /// The lock file of a ref, in a folder that exists.
  private func lockPath(ofReference name: [UInt8]) -> [UInt8] {
    let path = commonDirectory / name + Array(".lock".utf8)
    // A branch that only `packed-refs` knows may have no folder. Where it can't be made, the lock can't be either.
    try? permissions.makeFolder(path.parentPath)
    return path
  }
}

extension GitError {
  fileprivate static func moved(_ name: [UInt8]) -> GitError {
    GitError(.moved, "\(text(name)) was moved by another program at the same time")
  }
}

extension Repository {
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
    let lock = try lock(ofReference: name)
    defer { lock.release() }
    guard try references.object(at: name) == old else { throw .moved(name) }
    try write(new, to: name)
    try? log([name], old ?? .zero, new, message)
    // The sync comes after the lock is gone, so that no power cut brings it back.
    lock.release()
    RawFile.syncFolder((commonDirectory / name).parentPath)
  }

  /// Puts the name of a commit in a ref's file in one step, which is durable when both folders are synced.
  func write(_ commit: ObjectID, to name: [UInt8]) throws(GitError) {
    let draft = gitDirectory / "branch.slip"
    let target = commonDirectory / name
    // One that a killed command left.
    RawFile.remove(draft)
    do throws(GitError) {
      try RawFile.createDurably(draft, Array("\(commit.hex)\n".utf8), mode: 0o666)
      permissions.share(draft)
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
  fileprivate func log(
    _ names: [[UInt8]], _ old: ObjectID, _ new: ObjectID, _ message: String
  ) throws(GitError) {
    let setting = settings["core.logAllRefUpdates"]?.lowercased()
    let makesLogs = setting.map { !["false", "no", "off", "0"].contains($0) } ?? (workTree != nil)
    let now = LocalClock.now().seconds
    let time = (seconds: now, offsetMinutes: LocalClock.offset(at: now) / 60)
    // An author without an identity could not make the commit; an empty identity is logged all the same.
    let line = (try? identity(at: time).committer.line) ?? "unknown <unknown> \(now) +0000"
    let text = message.split(separator: "\n").joined(separator: " ")
    for name in names {
      let folder = name == Array("HEAD".utf8) ? gitDirectory : commonDirectory
      let file = folder / "logs" / name
      guard makesLogs || RawFile.status(file) != nil else { continue }
      Files.removeEmptyFolders(file)
      try GitError.wrapping("write", file) { () throws(SystemError) in
        try permissions.makeFolder(file.parentPath)
        try Files.append(Array("\(old.hex) \(new.hex) \(line)\t\(text)\n".utf8), to: file)
        permissions.share(file)
      }
    }
  }
}

extension Repository {
  /// Refuses to make a branch whose name git does not allow, or that has another branch's name as a folder, or the
  /// reverse.
  ///
  /// Wraps `git_reference_name_is_valid`.
  fileprivate func refuseNameConflict(_ name: [UInt8]) throws(GitError) {
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
