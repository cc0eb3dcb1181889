import Bytes
import CLibgit2

/// How commits stand to each other.
///
/// The libgit2 of Debian 12 asks for the parents of the commits at which a shallow clone is cut, and fails. In a shallow
/// clone git itself answers.
extension Repository {
  /// The best common ancestors of two commits, in no order; none if they have none, or none that is here.
  ///
  /// Wraps `git_merge_bases`, in a shallow clone git-merge-base(1).
  /// - Complexity: linear in the commits that the two do not share.
  package func mergeBases(of one: ObjectID, and other: ObjectID) throws(GitError) -> [ObjectID] {
    if isShallow {
      // Exit code 1 means that there is none.
      return try ids(
        git(["merge-base", "--all", one.hex, other.hex], accepting: [0, 1]))
    }
    var names = (one.oid, other.oid)
    var found = git_oidarray()
    let status = git_merge_bases(&found, try open().repository, &names.0, &names.1)
    if status == GIT_ENOTFOUND.rawValue { return [] }
    try GitLibrary.check(status, "find the common ancestors of two commits")
    defer { git_oidarray_dispose(&found) }
    return (0..<found.count).map { ObjectID(found.ids[$0]) }
  }

  /// Whether a commit is another one or comes before it, as far as the history is here.
  ///
  /// Wraps `git_graph_descendant_of`, in a shallow clone git-merge-base(1).
  package func isAncestor(_ one: ObjectID, of other: ObjectID) throws(GitError) -> Bool {
    if one == other { return true }
    if isShallow { return try mergeBases(of: one, and: other) == [one] }
    var (first, second) = (one.oid, other.oid)
    let status = git_graph_descendant_of(try open().repository, &second, &first)
    if status < 0 { try GitLibrary.check(status, "compare two commits") }
    return status == 1
  }

  /// How many commits each of two has that the other has not, as far as the history is here.
  ///
  /// Wraps `git_graph_ahead_behind`, in a shallow clone git-rev-list(1).
  /// - Complexity: linear in the commits that the two do not share.
  package func distance(
    from one: ObjectID, to other: ObjectID
  ) throws(GitError) -> (ahead: Int, behind: Int) {
    if isShallow {
      let answer = try git(["rev-list", "--left-right", "--count", "\(one.hex)...\(other.hex)"])
      let counts = answer.split { $0 <= UInt8(ascii: " ") }.compactMap {
        Int(String(decoding: $0, as: UTF8.self))
      }
      guard counts.count == 2 else { throw GitError(.other, "git rev-list gave no two numbers") }
      return (counts[0], counts[1])
    }
    var (ahead, behind) = (0, 0)
    var (first, second) = (one.oid, other.oid)
    let status = git_graph_ahead_behind(&ahead, &behind, try open().repository, &first, &second)
    try GitLibrary.check(status, "compare two commits")
    return (ahead, behind)
  }

  /// The commits that lead to one and not to another, newest first; all that lead to it if the other is nil.
  ///
  /// Wraps `git_revwalk_next`, in a shallow clone git-rev-list(1).
  package func commits(to tip: ObjectID, notTo other: ObjectID?) throws(GitError) -> [Commit] {
    if isShallow {
      var found: [Commit] = []
      let range = [tip.hex] + (other.map { ["^\($0.hex)"] } ?? [])
      for id in try ids(git(["rev-list"] + range + ["--"])) { found.append(try read(id)) }
      return found
    }
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
    while true {
      let status = git_revwalk_next(&next, walk.pointer)
      if status == GIT_ITEROVER.rawValue { return found }
      try GitLibrary.check(status, "walk the history")
      found.append(try read(ObjectID(next)))
    }
  }

  /// The ids in lines of git's output.
  private func ids(_ output: [UInt8]) -> [ObjectID] {
    output.split(separator: 10).compactMap { ObjectID(hex: $0) }
  }
}
