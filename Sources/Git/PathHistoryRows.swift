/// Commits with the paths that each of them changed, as an index of history is put together from them.
///
/// Commits have numbers, without gaps from the first on. Along a chain the number of a commit is one more than that of its
/// first parent. All that a commit refers to has a number, here or in the rows that these follow on.
struct PathHistoryRows {
  /// The oldest commit of a chain.
  struct Start {
    let number: UInt32
    /// Its first parent, the chain's link to another.
    let parent: UInt32?
  }

  /// A commit with several parents.
  struct Merge {
    let number: UInt32
    /// The parents after the first.
    let others: [UInt32]
  }

  let first: Int
  var ids: [ObjectID] = []
  /// The committers' seconds.
  var dates: [Int64] = []
  var starts: [Start] = []
  var merges: [Merge] = []
  /// Commits that could not be compared with their first parents.
  var unknown: [UInt32] = []
  /// In the order of their bytes.
  var paths: [[UInt8]] = []
  /// For each path the commits that differ there from their first parents, ascending.
  var postings: [[UInt32]] = []

  init(first: Int) { self.first = first }

  /// The number after the last.
  var end: Int { first + ids.count }

  /// Grows with what new rows would cost to be written again.
  var weight: Int { ids.count + postings.reduce(0) { $0 + $1.count } }

  /// Adds rows that follow on these.
  mutating func append(_ newer: PathHistoryRows) {
    var added = newer.starts[...]
    // The chain goes on.
    if let next = added.first, !ids.isEmpty, next.number == end, next.parent == next.number &- 1 {
      added.removeFirst()
    }
    starts.append(contentsOf: added)
    ids.append(contentsOf: newer.ids)
    dates.append(contentsOf: newer.dates)
    merges.append(contentsOf: newer.merges)
    appendChanges(newer)
  }

  /// Adds what later commits changed.
  mutating func appendChanges(_ newer: PathHistoryRows) {
    unknown.append(contentsOf: newer.unknown)
    var all: [[UInt8]] = []
    var numbers: [[UInt32]] = []
    all.reserveCapacity(paths.count + newer.paths.count)
    numbers.reserveCapacity(paths.count + newer.paths.count)
    var mine = 0
    var theirs = 0
    while mine < paths.count || theirs < newer.paths.count {
      if theirs == newer.paths.count
        || mine < paths.count && paths[mine][...].precedes(newer.paths[theirs][...])
      {
        all.append(paths[mine])
        numbers.append(postings[mine])
        mine += 1
      } else {
        let isShared = mine < paths.count && paths[mine] == newer.paths[theirs]
        all.append(newer.paths[theirs])
        numbers.append((isShared ? postings[mine] : []) + newer.postings[theirs])
        mine += isShared ? 1 : 0
        theirs += 1
      }
    }
    paths = all
    postings = numbers
  }
}
