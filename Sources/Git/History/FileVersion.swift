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
  /// The commit that changed it or took it away; nil if the tip has it.
  package let ended: End?
}

extension HistoryIndex {
  /// All contents that files ever had, by path and from the oldest to the latest.
  ///
  /// On parallel lines of history the versions of a file are ordered by their dates.
  /// - Parameter isWanted: whether a path, from the root of the repository, is requested.
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
    if let open {
      // A version that a merge left out ended by itself, as far as dates show.
      result.append(
        FileVersion(path: path, blob: open.blob, began: End(open.began), ended: End(open.began)))
    }
    // If dates are not in the order of history, an earlier one is that of the tip.
    if let last = result.lastIndex(where: { $0.blob == current }) {
      let version = result[last]
      result[last] = FileVersion(path: path, blob: version.blob, began: version.began, ended: nil)
    }
    return result
  }
}

extension HistoryGraph {
  /// The content that a commit gave to a path; no blob if the commit deleted it.
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

/// A file that was taken away, and that the tip has not, or has again; or a file that a merge dropped.
package struct DeletedFile: Sendable {
  /// From the root of the repository.
  package let path: [UInt8]
  /// The commit that took it away: of several the latest, a merge only if no other did. A merge that dropped a file which
  /// only another parent than the first had is one too.
  package let deletedBy: ObjectID
  /// The author's time of that commit.
  package let deleted: CommitTime
  /// Grows along the line of first parents, by the commit at which the file went from there; 0 if it never was on it.
  package let order: Int
  /// The last version of the file: on the line of first parents, if the file was on it.
  package let last: PathTimes
  /// Whether the tip has a file of that path again.
  package let isBack: Bool
}

extension HistoryIndex {
  /// The files that some commit deleted, and those that a merge dropped, in the order of their paths.
  ///
  /// A file that was renamed without a change of its bytes continues under the other name, and is not deleted.
  /// - Parameter isWanted: whether a path, from the root of the repository, is requested.
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

    /// Whether it counts before another: as the later one, and a merge only if no other did it.
    func precedes(_ other: Deletion) -> Bool {
      if isMerge != other.isMerge { return other.isMerge }
      return (commit.committed, number) > (other.commit.committed, other.number)
    }
  }

  /// A file that was taken away, by some commits.
  struct Gone {
    let path: [UInt8]
    let rows: [Range<Int>]
    /// None if a merge dropped the file.
    let deletions: [Deletion]
    /// The last commit before the merge that changed the file; nil if commits deleted it.
    var lastChange: Int?
    /// The former path of a file that was renamed on the side which a merge dropped.
    var former: [UInt8]?
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
  /// The commits on the line of first parents.
  private let isOnLine: [Bool]
  /// The merges that the tip can reach, the oldest first; none if all commits are on the line.
  private let merges: [Int]
  private var trace: PathTrace
  private var renamings: Set<Renaming> = []

  init(_ known: HistoryIndex.Known, _ trees: TreeReader) throws(HistoryFailure) {
    graph = known.graph
    tip = known.tip
    past = try known.graph.reached(from: known.tip)
    line = try known.graph.line(from: known.tip)
    var isOnLine = [Bool](repeating: false, count: past.count)
    for chain in line { for number in chain where number < isOnLine.count { isOnLine[number] = true } }
    self.isOnLine = isOnLine
    var merges: [Int] = []
    if past != isOnLine {
      for number in past.indices where past[number] {
        if try known.graph.parents(of: number).count > 1 { merges.append(number) }
      }
    }
    self.merges = merges
    trace = try PathTrace(known.graph, trees)
  }

  /// The deletions of a path; nil if it never was taken away.
  mutating func look(
    at path: [UInt8], _ rows: [Range<Int>]
  ) throws(HistoryFailure) -> Gone? {
    var deletions: [Deletion] = []
    var dropped = Gone(path: path, rows: rows, deletions: [])
    var isOnLine = merges.isEmpty
    for (rows, segment) in zip(rows, graph.segments) {
      for row in rows {
        let change = try segment[segment.changes, row]
        let number = Int(change.commit)
        guard number < past.count, past[number] else { continue }
        isOnLine = isOnLine || self.isOnLine[number]
        dropped.lastChange = max(number, dropped.lastChange ?? 0)
        if case .renamed(let rank) = FileRelation(packed: change.relation) {
          dropped.former = Array(try segment.path(rank))
        }
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
    if !deletions.isEmpty { return Gone(path: path, rows: rows, deletions: deletions) }
    // A file that was never on the line of first parents is in no merge on it.
    return isOnLine || dropped.lastChange == nil ? nil : dropped
  }

  /// The merge that dropped a file which was never on the line of first parents; nil without one.
  private mutating func drop(of file: Gone) throws(HistoryFailure) -> Found? {
    guard let last = file.lastChange, try trace.times(at: tip, file.rows, file.path) == nil else {
      return nil
    }
    if let former = file.former, try isOnLine(former) { return nil }
    for merge in merges where merge > last {
      let parents = try graph.parents(of: merge)
      for parent in parents.dropFirst() where parent >= last {
        guard let times = try trace.times(at: parent, file.rows, file.path),
          try trace.times(at: merge, file.rows, file.path) == nil
        else { continue }
        return Found(order: 0, commit: try graph.commit(merge), last: times, isBack: false)
      }
    }
    return nil
  }

  /// Whether a path was ever on the line of first parents.
  private func isOnLine(_ path: [UInt8]) throws(HistoryFailure) -> Bool {
    for segment in graph.segments {
      guard let rank = try segment.rank(of: path) else { continue }
      for row in try segment.rows(ofPath: rank) {
        let number = Int(try segment[segment.changes, row].commit)
        if number < isOnLine.count, isOnLine[number] { return true }
      }
    }
    return false
  }

  /// The deletion of a file that counts; nil if it always went on under another name.
  mutating func deletion(of file: Gone) throws(HistoryFailure) -> Found? {
    if file.deletions.isEmpty { return try drop(of: file) }
    let real = file.deletions.filter { deletion in
      !renamings.contains(Renaming(commit: deletion.number, path: file.path))
    }
    guard let latest = real.min(by: { $0.precedes($1) }) else { return nil }
    let order =
      real.map(\.number).filter { number in line.contains { $0.contains(number) } }.max() ?? 0
    let isBack = try trace.times(at: tip, file.rows, file.path) != nil
    // A file of another branch counts only if the box's own line never had it.
    let own = order > 0 ? try graph.parents(of: order).prefix(1) : []
    for parent in try own + graph.parents(of: latest.number) {
      guard let last = try trace.times(at: parent, file.rows, file.path) else { continue }
      return Found(order: order, commit: latest.commit, last: last, isBack: isBack)
    }
    return nil
  }
}
