/// A file that was taken away, and that the tip has not, or has again.
package struct DeletedFile: Sendable {
  /// From the root of the repository.
  package let path: [UInt8]
  /// The commit that took it away: of several the latest, a merge only where no other did.
  package let deletedBy: ObjectID
  /// The author's time of that commit.
  package let deleted: CommitTime
  /// Grows along the line of first parents, by the commit at which the file went from there; 0 where it never was on it.
  package let order: Int
  /// The file as it last was: on the line of first parents, where it was on it.
  package let last: PathTimes
  /// Whether the tip has a file of that path again.
  package let isBack: Bool
}

extension HistoryIndex {
  /// The files that some commit took away, in the order of their paths.
  ///
  /// A file that was renamed without a change of its bytes lives on under the other name, and is none of them.
  /// - Parameter isWanted: whether a path, from the root of the repository, is asked for at all.
  /// - Complexity: linear in the index.
  package func deletedFiles(
    where isWanted: (_ path: [UInt8]) -> Bool
  ) throws(GitError) -> [DeletedFile] {
    let trees = TreeReader(prefix: prefix, source: builder.source())
    return try answer { known throws(HistoryFailure) in
      var search = try DeletionSearch(known, trees)
      var paths = HistoryPaths(known.graph)
      var gone: [DeletionSearch.Gone] = []
      while let path = try paths.next() {
        if let deletions = try search.look(at: path, paths.rows), isWanted(above(path)) {
          gone.append(deletions)
        }
      }
      var files: [DeletedFile] = []
      // Which deletions were renamings is known once all paths were looked at.
      for file in gone {
        guard let found = try search.deletion(of: file) else { continue }
        files.append(
          DeletedFile(
            path: above(file.path), deletedBy: found.commit.id, deleted: found.commit.authored,
            order: found.order, last: found.last, isBack: found.isBack))
      }
      return files
    }
  }
}

/// Looks for the deletions of files, one path after the other.
private struct DeletionSearch {
  /// A commit that took a file away.
  struct Deletion {
    let number: Int
    let commit: CommitRow
    let isMerge: Bool

    /// Whether it counts before another: as the later one, and a merge only where no other did it.
    func precedes(_ other: Deletion) -> Bool {
      if isMerge != other.isMerge { return other.isMerge }
      return (commit.committed, number) > (other.commit.committed, other.number)
    }
  }

  /// A file that was taken away, by some commits.
  struct Gone {
    let path: [UInt8]
    let rows: [Range<Int>]
    let deletions: [Deletion]
  }

  /// The deletion of a file that counts.
  struct Found {
    let order: Int
    let commit: CommitRow
    let last: PathTimes
    let isBack: Bool
  }

  /// A commit that took a file away and added one of the same bytes.
  private struct Renaming: Hashable {
    let commit: Int
    let path: [UInt8]
  }

  private let graph: HistoryGraph
  private let tip: Int
  private let past: [Bool]
  private let line: [ClosedRange<Int>]
  private var trace: PathTrace
  private var renamings: Set<Renaming> = []

  init(_ known: HistoryIndex.Known, _ trees: TreeReader) throws(HistoryFailure) {
    graph = known.graph
    tip = known.tip
    past = try known.graph.reached(from: known.tip)
    line = try known.graph.line(from: known.tip)
    trace = try PathTrace(known.graph, trees)
  }

  /// The deletions of a path; nil where it never was taken away.
  mutating func look(
    at path: [UInt8], _ rows: [Range<Int>]
  ) throws(HistoryFailure) -> Gone? {
    var deletions: [Deletion] = []
    for (rows, segment) in zip(rows, graph.segments) {
      for row in rows {
        let change = try segment[segment.changes, row]
        let number = Int(change.commit)
        guard number < past.count, past[number] else { continue }
        switch FileRelation(packed: change.relation) {
        case .gone:
          deletions.append(
            Deletion(
              number: number, commit: try graph.commit(number),
              isMerge: try graph.parents(of: number).count > 1))
        // A file in a hidden folder, as the trash of another program, is deleted.
        case .renamed(let rank) where !path.split(separator: UInt8(ascii: "/")).contains { $0.first == 0x2E }:
          renamings.insert(Renaming(commit: number, path: Array(try segment.path(rank))))
        default: break
        }
      }
    }
    return deletions.isEmpty ? nil : Gone(path: path, rows: rows, deletions: deletions)
  }

  /// The deletion of a file that counts; nil where it always went on under another name.
  mutating func deletion(of file: Gone) throws(HistoryFailure) -> Found? {
    let real = file.deletions.filter { deletion in
      !renamings.contains(Renaming(commit: deletion.number, path: file.path))
    }
    guard let latest = real.min(by: { $0.precedes($1) }) else { return nil }
    let order =
      real.map(\.number).filter { number in line.contains { $0.contains(number) } }.max() ?? 0
    let isBack = try trace.times(at: tip, file.rows, file.path) != nil
    // What another branch had of it counts only where the box's own line never had it.
    let own = order > 0 ? try graph.parents(of: order).prefix(1) : []
    for parent in try own + graph.parents(of: latest.number) {
      guard let last = try trace.times(at: parent, file.rows, file.path) else { continue }
      return Found(order: order, commit: latest.commit, last: last, isBack: isBack)
    }
    return nil
  }
}
