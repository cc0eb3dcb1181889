/// The line of first parents, by dates.
extension HistoryIndex {
  /// The last commit on the line of first parents from the tip on whose committer's time is not after a moment; nil where
  /// all are after it.
  ///
  /// It is the one that `git rev-list -1 --first-parent --before` names.
  /// - Parameter seconds: since 1970, UTC.
  /// - Complexity: O(log n) where dates rise from parent to child.
  package func lastCommit(notAfter seconds: Int64) throws(GitError) -> ObjectID? {
    try answer { known throws(HistoryFailure) in
      let number = try known.graph.last(notAfter: seconds, from: known.tip)
      return try number.map { (number) throws(HistoryFailure) in try known.graph.id(number) }
    }
  }

  /// The oldest commit on the line of first parents from the tip on, with its committer's time in seconds since 1970.
  package func oldestCommit() throws(GitError) -> (id: ObjectID, seconds: Int64) {
    try answer { known throws(HistoryFailure) in
      let commit = try known.graph.commit(try known.graph.first(from: known.tip))
      return (commit.id, commit.committed)
    }
  }

  /// The commit so many generations before the tip on the line of first parents, as `HEAD~N` names it; nil where the line
  /// is shorter.
  /// - Complexity: O(1) where every commit has one parent and one child, else linear in the chains of such commits.
  package func ancestor(_ generations: Int) throws(GitError) -> ObjectID? {
    try answer { known throws(HistoryFailure) in
      var left = generations
      for chain in try known.graph.line(from: known.tip) {
        if left < chain.count { return try known.graph.id(chain.upperBound - left) }
        left -= chain.count
      }
      return nil
    }
  }
}
