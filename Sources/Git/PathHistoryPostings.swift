import Synchronization

/// Collects what commits changed, the youngest commit first.
struct PathHistoryPostings: Sendable {
  private var numbers: [[UInt8]: Int] = [:]
  private var last: [Int] = []
  private var changes: [(path: UInt32, place: UInt32)] = []
  /// The places of commits that could not be compared with their first parents.
  private var unknown: [Int] = []

  /// Compares some commits with their first parents.
  ///
  /// Where a tree cannot be read the commit stays unknown: a history that does not lead through that tree can be told.
  /// - Parameter progress: is told how many are done.
  init(
    _ places: Range<Int>, of commits: CommitTrees, _ source: HistorySource, progress: (Int) -> Void = { _ in }
  ) {
    for place in places {
      let known = changes.count
      do {
        try ChangedPaths.visit(commits.trees[place], against: commits.parents[place], source) {
          add($0, place)
        }
      } catch {
        changes.removeLast(changes.count - known)
        unknown.append(place)
      }
      if place % 256 == 0 { progress(place - places.lowerBound) }
    }
  }

  private mutating func add(_ path: [UInt8], _ place: Int) {
    let number = numbers[path] ?? numbers.count
    if number == last.count {
      numbers[path] = number
      last.append(-1)
    }
    guard last[number] != place else { return }
    last[number] = place
    changes.append((UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: place)))
  }

  /// Adds the changes to those of older commits.
  /// - Parameter rows: rows with all the commits.
  func append(to rows: inout PathHistoryRows) {
    let end = rows.end - 1
    var newer = PathHistoryRows(first: rows.first)
    newer.unknown = unknown.reversed().map { UInt32(truncatingIfNeeded: end - $0) }
    let sorted = numbers.sorted { $0.key[...].precedes($1.key[...]) }
    var ranks = [Int](repeating: 0, count: sorted.count)
    for (rank, path) in sorted.enumerated() { ranks[path.value] = rank }
    newer.paths = sorted.map(\.key)
    newer.postings = Array(repeating: [], count: sorted.count)
    for change in changes.reversed() {
      newer.postings[ranks[Int(change.path)]].append(UInt32(truncatingIfNeeded: end - Int(change.place)))
    }
    rows.appendChanges(newer)
  }
}

/// The trees of commits, the youngest commit first.
struct CommitTrees: Sendable {
  let trees: [ObjectID]
  /// Those of their first parents; nil where there is none.
  let parents: [ObjectID?]
}

extension CommitTrees {
  /// Fewer commits are compared sooner than a thread is started.
  private static let fewest = 512

  /// Gives rows what their commits changed; the older half is compared on a thread of its own.
  func fill(
    _ rows: inout PathHistoryRows, _ source: HistorySource, progress: (_ done: Int) -> Void
  ) {
    let count = trees.count
    guard count >= Self.fewest else {
      return PathHistoryPostings(0..<count, of: self, source).append(to: &rows)
    }
    let places = count / 2..<count
    let found = Found()
    let another = source.another
    let thread = BackgroundAnswer {
      guard let source = try? another() else { return false }
      let older = PathHistoryPostings(places, of: self, source)
      found.older.withLock { $0 = older }
      return true
    }
    let younger = PathHistoryPostings(0..<count / 2, of: self, source) { progress($0 * 2) }
    let older = thread.value ? found.older.withLock { $0 } : nil
    (older ?? PathHistoryPostings(places, of: self, source)).append(to: &rows)
    younger.append(to: &rows)
  }

  /// What the thread has found.
  private final class Found: Sendable {
    let older = Mutex<PathHistoryPostings?>(nil)
  }
}
