import Bytes

/// A commit in an index of history.
struct CommitRow: Sendable, BitwiseCopyable {
  /// In place of a number: there is no such commit.
  static let none = UInt32.max

  let id: ObjectID
  let authored: CommitTime
  /// The committer's seconds.
  let committed: Int64
  /// The oldest commit of its chain.
  var chainStart = Self.none
  /// The first parent.
  var parent = Self.none
  /// The end of its further parents among those of all commits of the segment.
  var othersEnd: UInt32 = 0
}

/// One path that one commit changed.
struct ChangeRow: Sendable, BitwiseCopyable {
  /// The number of the commit.
  var commit: UInt32
  /// As `FileRelation` packs it; for a renamed file with the place of the former path.
  var relation: UInt32
  /// The content of the file; zero if there is none.
  var blob: ObjectID
}

/// Commits with the paths that each of them changed, as a segment of an index is put together from them.
///
/// Commits have numbers, without gaps from the first on. Along a chain the number of a commit is one more than that of its
/// first parent. All that a commit refers to has a number, here or in the segments below.
struct HistoryRows: Sendable {
  let first: Int
  var commits: [CommitRow] = []
  /// The parents of merges after the first.
  var others: [UInt32] = []
  /// Commits that could not be compared with their parents, ascending.
  var unknown: [UInt32] = []
  var changes = HistoryChanges()

  init(first: Int) { self.first = first }

  /// The commits of chains without their changes, the last chain first, so that the head is the last of all.
  /// - Parameters:
  ///   - commits: in the order of the chains.
  ///   - known: the numbers of other commits.
  init<Key>(
    _ chains: CommitChains<Key>, _ commits: [CommitRow], after first: Int,
    known: (Key) throws(HistoryFailure) -> Int?
  ) throws(HistoryFailure) {
    self.init(first: first)
    let last = first + commits.count - 1
    for place in commits.indices.reversed() {
      var numbers: [UInt32] = []
      for key in chains.parents[place] {
        var number = chains.places[key].map { last - $0 }
        if number == nil { number = try known(key) }
        guard let number else { throw .damaged }
        numbers.append(UInt32(truncatingIfNeeded: number))
      }
      var row = commits[place]
      row.chainStart = UInt32(truncatingIfNeeded: last - chains.oldest[place])
      row.parent = numbers.first ?? CommitRow.none
      others.append(contentsOf: numbers.dropFirst())
      row.othersEnd = UInt32(truncatingIfNeeded: others.count)
      self.commits.append(row)
    }
  }

  /// The number after the last.
  var end: Int { first + commits.count }

  /// Grows with the cost to write the rows again.
  var weight: Int { commits.count + changes.rows.count }

  /// Commits whose first parents, in the same chain, claim to be younger.
  var inversions: [UInt32] {
    commits.indices.dropFirst().compactMap { place in
      let number = UInt32(truncatingIfNeeded: first + place)
      let isInverted = commits[place - 1].committed > commits[place].committed
      return isInverted && commits[place].chainStart != number ? number : nil
    }
  }

  /// Adds rows that follow on these.
  mutating func append(_ newer: HistoryRows) {
    let shift = UInt32(truncatingIfNeeded: others.count)
    for var commit in newer.commits {
      commit.othersEnd += shift
      commits.append(commit)
    }
    others.append(contentsOf: newer.others)
    unknown.append(contentsOf: newer.unknown)
    changes = HistoryChanges(joining: [changes, newer.changes])
  }
}

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

  /// The collected changes, in order.
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

  /// Adds the changes of one commit.
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

/// The commits reachable from one, chain after chain, each chain from its youngest commit to its oldest.
///
/// A chain goes from a commit to its first parent and on. The first chain is that of the commit at which the search began.
struct CommitChains<Key: Hashable & Sendable>: Sendable {
  private(set) var keys: [Key] = []
  private(set) var places: [Key: Int] = [:]
  /// The parents of each commit.
  private(set) var parents: [[Key]] = []
  /// For each commit the place of the oldest of its chain.
  private(set) var oldest: [Int] = []
  /// Whether there are more commits than the limit.
  private(set) var isCutShort = false

  /// Finds the commits, as long as they are not known already.
  /// - Parameter parents: is asked once for each commit, in the order of `keys`.
  init(
    from head: Key, limit: Int = .max, isKnown: (Key) throws(HistoryFailure) -> Bool,
    parents: (Key) throws(HistoryFailure) -> [Key]
  ) throws(HistoryFailure) {
    var heads = [head]
    var next = 0
    while next < heads.count {
      var key = Optional(heads[next])
      let start = keys.count
      while let commit = key {
        guard places[commit] == nil, try !isKnown(commit) else { break }
        guard keys.count < limit else {
          isCutShort = true
          return
        }
        places[commit] = keys.count
        keys.append(commit)
        let found = try parents(commit)
        self.parents.append(found)
        heads.append(contentsOf: found.dropFirst())
        key = found.first
      }
      oldest.append(contentsOf: repeatElement(keys.count - 1, count: keys.count - start))
      next += 1
    }
  }
}

/// The commits that are not yet in an index, read from the repository.
struct NewCommits: Sendable {
  let chains: CommitChains<ObjectID>
  /// In the order of the chains.
  let commits: [CommitLinks]

  init(
    from head: ObjectID, since graph: HistoryGraph?, limit: Int, _ source: HistorySource
  ) throws(HistoryFailure) {
    var commits: [CommitLinks] = []
    chains = try CommitChains(from: head, limit: limit) { id throws(HistoryFailure) in
      try graph?.number(of: id) != nil
    } parents: { id throws(HistoryFailure) in
      let commit = try HistoryFailure.reading { () throws(GitError) in try source.links(id) }
      commits.append(commit)
      return commit.parents
    }
    self.commits = commits
  }

  /// The trees of the parents of a commit.
  func parentTrees(_ place: Int, _ source: HistorySource) throws(GitError) -> [ObjectID] {
    var result: [ObjectID] = []
    for parent in commits[place].parents {
      if let place = chains.places[parent] {
        result.append(commits[place].tree)
      } else {
        result.append(try source.links(parent).tree)
      }
    }
    return result
  }
}
