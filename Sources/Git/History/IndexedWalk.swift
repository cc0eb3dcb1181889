import Bytes
/// A walk over history that goes from one commit that changed some paths to the next, by what an index knows.
///
/// It shows what `HistoryWalk` shows, in the same order. Between two stops no commit is looked at: where a commit equals its
/// first parent in the paths, it is followed to that parent alone. Only at merges the further parents' trees are read.
struct IndexedWalk {
  private let graph: HistoryGraph
  private let source: HistorySource
  private var probe: PathProbe
  /// The commits that differ, or may differ, from their first parents.
  private let stops: [Int]
  private let unknown: Set<Int>
  private var queue = PriorityQueue<Int64, Int>()
  private var visited: Set<Int> = []

  /// - Parameter prefix: the folder that the graph is of; the paths are below it.
  init(
    _ graph: HistoryGraph, _ source: HistorySource, _ paths: [[UInt8]], under prefix: [UInt8]
  ) throws(HistoryFailure) {
    self.graph = graph
    self.source = source
    probe = PathProbe(paths.map { prefix.isEmpty ? $0 : prefix / $0 })
    let (changes, unknown) = (try graph.changes(of: paths), try graph.unknown())
    stops = unknown.isEmpty ? changes : Set(changes).union(unknown).sorted()
    self.unknown = Set(unknown)
  }

  /// The commits that changed the paths, the youngest first.
  mutating func commits(from start: Int, limit: Int) throws(HistoryFailure) -> [ObjectID] {
    var result: [ObjectID] = []
    _ = try go(to: start, date: .max)
    while result.count < limit, let group = try nextOfOneDate() { result.append(contentsOf: group) }
    return result.count > limit ? Array(result.prefix(limit)) : result
  }

  /// The shown commits of the latest date left, children first; nil at the end.
  private mutating func nextOfOneDate() throws(HistoryFailure) -> [ObjectID]? {
    guard let date = queue.topPriority else { return nil }
    var steps: [HistoryStep<ObjectID>] = []
    while queue.topPriority == date, let number = queue.pop() {
      guard visited.insert(number).inserted else { continue }
      let (parents, isShown) = try simplified(number)
      var followed: [ObjectID] = []
      for parent in parents {
        if let stop = try go(to: parent, date: date) { followed.append(try graph.id(stop)) }
      }
      let id = try graph.id(number)
      steps.append(HistoryStep(id: id, followed: followed, shown: isShown ? id : nil))
    }
    return HistoryStep.childrenFirst(steps)
  }

  /// Puts the next stop at or before a commit in the queue; answers it where all on the way there are of the same date.
  ///
  /// The oldest date on the way counts for it, as if every commit had been looked at. On two ways to one stop the later
  /// date is the right one; it is met first.
  private mutating func go(to number: Int, date: Int64) throws(HistoryFailure) -> Int? {
    var number = number
    var oldest = date
    for _ in 0...graph.end {
      let chain = try graph.chain(of: number)
      let stop = lastStop(upTo: number).flatMap { $0 >= chain.start ? $0 : nil }
      oldest = min(oldest, try graph.oldest((stop ?? chain.start)...number))
      if let stop {
        queue.push(stop, oldest)
        return oldest == date ? stop : nil
      }
      guard let parent = chain.parent else { return nil }
      number = parent
    }
    throw .damaged
  }

  /// Complexity: O(log n).
  private func lastStop(upTo number: Int) -> Int? {
    var low = 0
    var high = stops.count
    while low < high {
      let middle = (low + high) / 2
      if stops[middle] <= number { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? stops[low - 1] : nil
  }

  /// The parents that are followed from a stop, and whether it is shown.
  private mutating func simplified(_ number: Int) throws(HistoryFailure) -> (
    parents: [Int], isShown: Bool
  ) {
    let parents = try graph.parents(of: number)
    let isUnknown = unknown.contains(number)
    guard isUnknown || parents.count > 1 else { return (parents, true) }
    let own = try items(number)
    for parent in parents.dropFirst(isUnknown ? 0 : 1) where try items(parent) == own {
      return ([parent], false)
    }
    return (parents, !parents.isEmpty || own.contains { $0 != nil })
  }

  private mutating func items(_ number: Int) throws(HistoryFailure) -> [TreeItem?] {
    let id = try graph.id(number)
    return try HistoryFailure.reading { () throws(GitError) in
      try probe.items(in: source.links(id).tree, source)
    }
  }
}
