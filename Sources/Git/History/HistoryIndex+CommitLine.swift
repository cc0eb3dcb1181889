import Synchronization

/// A commit with the time at which it was made part of history.
package struct DatedCommit: Sendable, Equatable {
  package let id: ObjectID
  /// The committer's seconds since 1970.
  package let committed: Int64

  package init(id: ObjectID, committed: Int64) {
    self.id = id
    self.committed = committed
  }
}

extension HistoryIndex {
  /// The commits from the tip to the oldest, each the first parent of the one before it.
  ///
  /// At the cut of a shallow clone the line ends. Their times need not fall: clocks differ.
  /// - Complexity: linear in the commits of the line.
  package func firstParents() throws(GitError) -> [DatedCommit] {
    try answer { known throws(HistoryFailure) in
      var line: [DatedCommit] = []
      var number = known.tip
      while true {
        // A line longer than the index goes in a circle.
        guard number < known.graph.end, line.count <= known.graph.end else { throw .damaged }
        let row = try known.graph.commit(number)
        line.append(DatedCommit(id: row.id, committed: row.committed))
        guard row.parent != CommitRow.none else { return line }
        number = Int(row.parent)
      }
    }
  }

  /// How many commits the index holds, those that the tip no longer leads to among them.
  package var commitCount: Int { known.withLock { $0.graph.end } }
}
