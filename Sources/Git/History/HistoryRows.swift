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
  /// Where its further parents end among those of all commits of the segment.
  var othersEnd: UInt32 = 0
}

/// One path that one commit changed.
struct ChangeRow: Sendable, BitwiseCopyable {
  /// The number of the commit.
  var commit: UInt32
  /// As `FileRelation` packs it; for a renamed file with the place of the former path.
  var relation: UInt32
  /// The content of the file; zero where there is none.
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

  /// The commits of chains without what they changed, the last chain first, so that the head is the last of all.
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
