import Git

/// A merge of two or more commits that slip did not make.
package struct ForeignMerge: Sendable {
  /// The commit that has the result.
  let commit: ObjectID
  /// The merged commits, at least two. For a squash these are the parent and the last commit of each other branch.
  let sides: [ObjectID]
  /// Slip's merges of all sides but one, if there are more than two and these merges are compared too.
  var partial: [ObjectID] = []

  /// Returns nil for any other commit.
  init?(_ commit: Commit) {
    guard commit.parents.count > 1, OperationTrailers.operation(of: commit).command != "sync" else {
      return nil
    }
    (self.commit, sides) = (commit.id, commit.parents)
  }

  /// Parses the message that `git merge --squash` proposes, which lists the commits of the other branches, newest first.
  ///
  /// Returns nil for other commits, and if the repository no longer has the other branches.
  init?(squash commit: Commit, in box: Box) {
    let lines = commit.message.split(separator: "\n", omittingEmptySubsequences: true)
    guard let parent = commit.parents.first, commit.parents.count == 1,
      let start = lines.firstIndex(of: "Squashed commit of the following:")
    else { return nil }
    let listed = lines[start...].filter { $0.hasPrefix("commit ") }
      .compactMap { ObjectID(hex: Array($0.utf8.dropFirst(7))) }
    // A branch ends at a listed commit that is not a parent of another one. If a commit is missing, the ends are unknown.
    let ends = try? box.git { repository throws(GitError) in
      var parents: Set<ObjectID> = []
      for id in listed { parents.formUnion(try repository.read(id).parents) }
      var ends: [ObjectID] = []
      for id in listed where !parents.contains(id) {
        if try !repository.history.isAncestor(id, of: parent) { ends.append(id) }
      }
      return ends
    }
    guard let ends, !ends.isEmpty else { return nil }
    (self.commit, sides) = (commit.id, [parent] + ends)
  }
}
