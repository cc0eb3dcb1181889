import Bytes
import Platform

/// The locks of the index and of the branch, held together while a commit is made real.
final class HeldLocks {
  let index: IndexLock
  /// Nil on a branch that is not born yet.
  let branch: LockFile?
  /// Whether names in the git folder have changed that are not durable yet.
  var needsSync = false

  init(index: IndexLock, branch: LockFile?) {
    self.index = index
    self.branch = branch
  }
}

extension Repository {
  /// Takes the locks of the index and of HEAD's branch, both or none, without waiting.
  ///
  /// Until `releaseHeld()` neither git's index nor the branch changes but by this repository's `updateIndex` and
  /// `moveBranch`, which need no locks of their own then.
  /// - Returns: the lock that is in the way; nil where both are held now.
  package func tryHolding() throws(GitError) -> [UInt8]? {
    guard heldLocks == nil else { return nil }
    guard workTree != nil else { throw GitError(.other, "a bare repository has no index") }
    guard let index = try IndexLock(of: indexPath, mark: lockMark, mode: sharedMode) else {
      return indexLockPath
    }
    guard let branch = try headBranch().map(references.resolved), let tip = branch.id, tip != .zero else {
      heldLocks = HeldLocks(index: index, branch: nil)
      return nil
    }
    let path = lockPath(ofBranch: branch.name)
    guard let lock = try LockFile(path, mark: lockMark) else {
      index.release()
      return path
    }
    heldLocks = HeldLocks(index: index, branch: lock)
    return nil
  }

  /// Gives back what `tryHolding()` took.
  package func releaseHeld() {
    heldLocks?.branch?.release()
    heldLocks?.index.release()
    if heldLocks?.needsSync == true { RawFile.syncFolder(gitDirectory) }
    heldLocks = nil
  }

  /// Removes the locks that bear this repository's mark: those of a command that was killed.
  ///
  /// Only who alone takes locks with the mark may call it, and holds none now.
  /// - Parameter others: further lock files than those of the index and of HEAD's branch.
  package func releaseLeft(_ others: [[UInt8]] = []) {
    guard let mark = lockMark else { return }
    // A branch that can't be found has no lock of ours that matters now.
    let locks = [indexLockPath] + [(try? branchLockPath()) ?? nil].compactMap { $0 } + others
    for lock in locks where mark.isOn(lock) { RawFile.remove(lock) }
  }

  /// The index's lock file.
  package var indexLockPath: [UInt8] { IndexLock.path(of: indexPath) }

  /// The lock file of the branch that HEAD is on; nil on a detached HEAD.
  package func branchLockPath() throws(GitError) -> [UInt8]? {
    try headBranch().map { name throws(GitError) in lockPath(ofBranch: try references.resolved(name).name) }
  }

  /// The lock file of a branch, in a folder that exists.
  func lockPath(ofBranch name: [UInt8]) -> [UInt8] {
    let path = commonDirectory / name + Array(".lock".utf8)
    // A branch that only `packed-refs` knows may have no folder. Where it can't be made, the lock can't be either.
    try? makeSharedFolder(path.parentPath)
    return path
  }
}
