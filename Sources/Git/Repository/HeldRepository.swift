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
      if old == nil { try references.refuseNameConflict(name) }
      // A branch without a commit is not locked yet, and another program may have put HEAD on another branch.
      if branch?.name != name {
        let lock = try references.lock(name)
        branch?.lock.release()
        branch = (name, lock)
      }
      guard try references.object(at: name) == old else { throw .moved(name) }
      needsSync = true
      try references.write(new, to: name)
      let names = [name] + (head == name ? [Array("HEAD".utf8)] : [head, Array("HEAD".utf8)])
      try? references.log(names, old ?? .zero, new, message)
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
    let path = references.lockPath(branch.name)
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
    let locks = [indexLockPath] + [branch].compactMap { $0.map(references.lockPath) } + others
    for lock in locks where mark.isOn(lock) { RawFile.remove(lock) }
  }

  /// The index's lock file.
  package var indexLockPath: [UInt8] { IndexLock.path(of: indexPath) }
}
