import Bytes
/// The paths that commits changed, with a row for each path and commit.
struct HistoryChanges: Sendable {
  /// In the order of their bytes.
  private(set) var paths: [[UInt8]] = []
  /// By path, then by commit.
  private(set) var rows: [(path: UInt32, change: ChangeRow)] = []

  init() {}

  /// Sorts paths and rows; paths without rows are left out.
  init(unordered paths: [[UInt8]], _ rows: [(path: UInt32, change: ChangeRow)]) {
    var isUsed = [Bool](repeating: false, count: paths.count)
    for row in rows { isUsed[Int(row.path)] = true }
    let order = paths.indices.filter { isUsed[$0] }.sorted { paths[$0][...].precedes(paths[$1][...]) }
    var ranks = [UInt32](repeating: 0, count: paths.count)
    for (rank, place) in order.enumerated() { ranks[place] = UInt32(truncatingIfNeeded: rank) }
    self.paths = order.map { paths[$0] }
    self.rows = rows
    for row in rows.indices {
      self.rows[row].path = ranks[Int(rows[row].path)]
      if case .renamed(let former) = FileRelation(packed: rows[row].change.relation) {
        self.rows[row].change.relation = FileRelation.renamed(from: Int(ranks[former])).packed
      }
    }
    // Of a file and a folder of one name, the file comes last and counts.
    self.rows.sort {
      ($0.path, $0.change.commit, $0.change.relation) < ($1.path, $1.change.commit, $1.change.relation)
    }
  }

  /// Unites changes of different commits.
  init(joining parts: [HistoryChanges]) {
    var all = ChangeCollector()
    for part in parts { all.add(part.paths, part.rows) }
    self = all.changes
  }
}

/// Collects the paths that commits changed.
struct ChangeCollector {
  private var numbers: [[UInt8]: Int] = [:]
  private var paths: [[UInt8]] = []
  private var rows: [(path: UInt32, change: ChangeRow)] = []

  /// What was collected, in order.
  var changes: HistoryChanges { HistoryChanges(unordered: paths, rows) }

  /// Adds rows with paths of their own.
  mutating func add(_ paths: [[UInt8]], _ rows: [(path: UInt32, change: ChangeRow)]) {
    let own = paths.map { number(of: $0) }
    for var row in rows {
      row.path = UInt32(truncatingIfNeeded: own[Int(row.path)])
      if case .renamed(let former) = FileRelation(packed: row.change.relation) {
        row.change.relation = FileRelation.renamed(from: own[former]).packed
      }
      self.rows.append(row)
    }
  }

  /// Adds what one commit changed.
  mutating func add(_ changes: [TreeChanges.Change], commit: UInt32) {
    for change in changes {
      var relation = change.relation
      if case .renamed(let place) = relation { relation = .renamed(from: number(of: changes[place].path)) }
      let row = ChangeRow(commit: commit, relation: relation.packed, blob: change.blob ?? .zero)
      rows.append((UInt32(truncatingIfNeeded: number(of: change.path)), row))
    }
  }

  private mutating func number(of path: [UInt8]) -> Int {
    if let known = numbers[path] { return known }
    numbers[path] = paths.count
    paths.append(path)
    return paths.count - 1
  }
}
