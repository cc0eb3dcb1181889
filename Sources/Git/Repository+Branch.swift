import CLibgit2

extension Repository {
  /// Moves the branch that HEAD is on from one commit to another, and notes it in its log and HEAD's.
  ///
  /// Wraps `git_reference_create_matching`, which compares while it holds the branch's lock. Where it fails, the branch
  /// is read again: an error after the rename does not mean that nothing happened.
  /// - Parameter old: nil where the branch must not exist yet.
  /// - Throws: `moved` where the branch stands elsewhere; `locked`; `other` on a detached HEAD.
  package func moveBranch(from old: ObjectID?, to new: ObjectID, message: String) throws(GitError) {
    guard let branch = try headBranch() else {
      throw GitError(.other, "HEAD is on no branch; run: git switch BRANCH")
    }
    let name = try references.resolved(branch).name
    try prepareLog()
    do {
      let lock = commonDirectory / name + Array(".lock".utf8)
      try LockWait.retrying(lock, milliseconds: lockTimeoutMilliseconds) { () throws(GitError) -> Bool in
        try self.attemptMove(name, from: old, to: new, message: message)
      }
    } catch {
      if let tip = try? references.object(at: name), tip == new { return }
      throw error
    }
  }

  /// Moves the branch; false where its lock is held.
  private func attemptMove(
    _ name: [UInt8], from old: ObjectID?, to new: ObjectID, message: String
  ) throws(GitError) -> Bool {
    let repository = try open().repository
    var target = new.oid
    var expected = (old ?? .zero).oid
    var reference: OpaquePointer?
    let status = name.withCPath { name in
      git_reference_create_matching(&reference, repository, name, &target, 1, &expected, message)
    }
    git_reference_free(reference)
    if status == GIT_ELOCKED.rawValue { return false }
    guard status == GIT_EMODIFIED.rawValue || status == GIT_ENOTFOUND.rawValue else {
      try GitLibrary.check(status, "move the branch \(GitError.text(name))")
      return true
    }
    throw GitError(.moved, "\(GitError.text(name)) was moved by another program meanwhile")
  }

  /// Tells libgit2 who moves the branch; without identity its log says "unknown".
  private func prepareLog() throws(GitError) {
    guard let committer = try? identity(at: (0, 0)).committer else { return }
    let status = git_repository_set_ident(try open().repository, committer.name, committer.email)
    try GitLibrary.check(status, "set the identity for the log")
  }
}
