import Bytes
import CLibgit2

extension Repository {
  /// The branch of a remote that the current one follows, and how far apart they are.
  package struct Upstream: Sendable, Equatable {
    /// As people name it, such as `origin/main`.
    package let name: String
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
    let apart = try distance(from: tip, to: ObjectID(target.pointee))
    return Upstream(name: String(cString: name), ahead: apart.ahead, behind: apart.behind)
  }
}
