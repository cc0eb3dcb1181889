/// A content that a file had, from one commit of history to another.
package struct FileVersion: Sendable {
  /// A commit at an end of the time of a version.
  package struct End: Sendable, Equatable {
    package let commit: ObjectID
    /// The author's time.
    package let time: CommitTime

    init(_ row: CommitRow) {
      commit = row.id
      time = row.authored
    }
  }

  /// From the root of the repository.
  package let path: [UInt8]
  package let blob: ObjectID
  /// The commit that gave the file this content.
  package let began: End
  /// The commit that changed it or took it away; nil where the tip has it.
  package let ended: End?
}

extension HistoryIndex {
  /// All contents that files ever had, by path and from the oldest to the latest.
  ///
  /// On lines of history beside each other the versions of a file follow on each other by their dates.
  /// - Parameter isWanted: whether a path, from the root of the repository, is asked for.
  /// - Complexity: linear in the index.
  package func versions(where isWanted: (_ path: [UInt8]) -> Bool) throws(GitError) -> [FileVersion] {
    let trees = TreeReader(prefix: prefix, source: builder.source())
    return try answer { known throws(HistoryFailure) in
      let past = try known.graph.reached(from: known.tip)
      var trace = try PathTrace(known.graph, trees)
      var paths = HistoryPaths(known.graph)
      var result: [FileVersion] = []
      while let path = try paths.next() {
        let name = above(path)
        guard isWanted(name) else { continue }
        let changes = try known.graph.contents(of: paths.rows, in: past)
        guard !changes.isEmpty else { continue }
        let current = try trace.times(at: known.tip, paths.rows, path)?.blob
        result += FileVersion.all(of: name, changes, current: current)
      }
      return result
    }
  }
}

extension FileVersion {
  /// The versions that changes of one path make, each up to the next one.
  fileprivate static func all(
    of path: [UInt8], _ changes: [HistoryGraph.ContentChange], current: ObjectID?
  ) -> [FileVersion] {
    var result: [FileVersion] = []
    var open: (blob: ObjectID, began: CommitRow)?
    for change in changes {
      if let known = open {
        if known.blob == change.blob { continue }
        result.append(
          FileVersion(path: path, blob: known.blob, began: End(known.began), ended: End(change.commit)))
      }
      open = change.blob.map { ($0, change.commit) }
    }
    guard let open else { return result }
    // What a merge left out ended with itself, as far as dates tell.
    let ended = open.blob == current ? nil : End(open.began)
    return result + [FileVersion(path: path, blob: open.blob, began: End(open.began), ended: ended)]
  }
}

extension HistoryGraph {
  /// The content that a commit gave to a path; no blob where it took it away.
  struct ContentChange {
    let commit: CommitRow
    let number: Int
    let blob: ObjectID?
  }

  /// The contents that a path had, by the committers' times.
  /// - Parameter rows: for each segment those of the path.
  fileprivate func contents(
    of rows: [Range<Int>], in past: [Bool]
  ) throws(HistoryFailure) -> [ContentChange] {
    var result: [ContentChange] = []
    for (rows, segment) in zip(rows, segments) {
      for row in rows {
        let change = try segment[segment.changes, row]
        let number = Int(change.commit)
        guard number < past.count, past[number] else { continue }
        let isGone = FileRelation(packed: change.relation) == .gone
        result.append(
          ContentChange(commit: try commit(number), number: number, blob: isGone ? nil : change.blob))
      }
    }
    return result.sorted { ($0.commit.committed, $0.number) < ($1.commit.committed, $1.number) }
  }
}
