import Bytes
import CLibgit2

/// How commits stand to each other.
extension Repository {
  /// Whether a commit is another one or comes before it.
  ///
  /// Wraps `git_graph_descendant_of`.
  package func isAncestor(_ one: ObjectID, of other: ObjectID) throws(GitError) -> Bool {
    if one == other { return true }
    var (first, second) = (one.oid, other.oid)
    let status = git_graph_descendant_of(try open().repository, &second, &first)
    if status < 0 { try GitLibrary.check(status, "compare two commits") }
    return status == 1
  }

  /// How many commits each of two has that the other has not.
  ///
  /// Wraps `git_graph_ahead_behind`.
  /// - Complexity: linear in the commits that the two do not share.
  package func distance(
    from one: ObjectID, to other: ObjectID
  ) throws(GitError) -> (ahead: Int, behind: Int) {
    var (ahead, behind) = (0, 0)
    var (first, second) = (one.oid, other.oid)
    let status = git_graph_ahead_behind(&ahead, &behind, try open().repository, &first, &second)
    try GitLibrary.check(status, "compare two commits")
    return (ahead, behind)
  }

  /// The commits that lead to one and not to another, newest first; all that lead to it where the other is nil.
  ///
  /// Wraps `git_revwalk_next`.
  package func commits(to tip: ObjectID, notTo other: ObjectID?) throws(GitError) -> [Commit] {
    let repository = try open().repository
    let walk = try Handle("walk the history", free: git_revwalk_free) { git_revwalk_new($0, repository) }
    var start = tip.oid
    try GitLibrary.check(git_revwalk_push(walk.pointer, &start), "walk the history")
    if let other {
      var end = other.oid
      try GitLibrary.check(git_revwalk_hide(walk.pointer, &end), "walk the history")
    }
    var found: [Commit] = []
    var next = git_oid()
    while git_revwalk_next(&next, walk.pointer) >= 0 { found.append(try read(ObjectID(next))) }
    return found
  }
}
