/// A file that history has and the tip has not.
package struct DeletedFile: Sendable {
  /// From the root of the repository.
  package let path: [UInt8]
  /// The commit that took it away: of several the latest, a merge only where no other did.
  package let deletedBy: ObjectID
  /// The author's time of that commit.
  package let deleted: CommitTime
  /// Grows along the line of first parents, by the commit at which the file went from there; 0 where it never was on it.
  package let order: Int
  /// The file as it was before.
  package let last: PathTimes
}

extension HistoryIndex {
  /// The files that some commit of history has and the tip has not, in the order of their paths.
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
      var found: [DeletionSearch.Found] = []
      while let path = try paths.next() {
        if let deletion = try search.look(at: path, paths.rows), isWanted(above(path)) {
          found.append(deletion)
        }
      }
      return found.filter { !search.isRenamed($0) }.map { file in
        DeletedFile(
          path: above(file.path), deletedBy: file.commit.id, deleted: file.commit.authored,
          order: file.order, last: file.last)
      }
    }
  }
}

/// Looks for the deletions of files, one path after the other.
private struct DeletionSearch {
  /// A file that is gone, and the commit that took it away.
  struct Found {
    let path: [UInt8]
    let number: Int
    let order: Int
    let commit: CommitRow
    let last: PathTimes
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

  /// Whether the file went on under another name.
  func isRenamed(_ file: Found) -> Bool {
    renamings.contains(Renaming(commit: file.number, path: file.path))
  }

  /// The deletion of a path; nil where it never was in history, or still is there.
  mutating func look(
    at path: [UInt8], _ rows: [Range<Int>]
  ) throws(HistoryFailure) -> Found? {
    var latest: (number: Int, row: CommitRow, isMerge: Bool)?
    var order = 0
    for (rows, segment) in zip(rows, graph.segments) {
      for row in rows {
        let change = try segment[segment.changes, row]
        let number = Int(change.commit)
        guard number < past.count, past[number] else { continue }
        switch FileRelation(packed: change.relation) {
        case .gone:
          if number > order, line.contains(where: { $0.contains(number) }) { order = number }
          let commit = try graph.commit(number)
          let isMerge = try graph.parents(of: number).count > 1
          if let known = latest {
            let isLater = (commit.committed, number) > (known.row.committed, known.number)
            guard known.isMerge == isMerge ? isLater : known.isMerge else { continue }
          }
          latest = (number, commit, isMerge)
        case .renamed(let rank):
          renamings.insert(Renaming(commit: number, path: Array(try segment.path(rank))))
        default: break
        }
      }
    }
    guard let latest, try trace.times(at: tip, rows, path) == nil else { return nil }
    for parent in try graph.parents(of: latest.number) {
      guard let last = try trace.times(at: parent, rows, path) else { continue }
      return Found(path: path, number: latest.number, order: order, commit: latest.row, last: last)
    }
    return nil
  }
}
