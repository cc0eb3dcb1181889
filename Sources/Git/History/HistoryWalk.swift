import Bytes

/// A walk over history from one commit, simplified for some paths.
struct HistoryWalk {
  private let source: HistorySource
  private var probe: PathProbe
  private var queue = PriorityQueue<Int64, Commit>()
  private var seen: Set<ObjectID> = []
  /// Whether a commit counts as no older than its ancestors, so that it comes before them after a clock went back.
  private let followsAncestry: Bool

  init(_ source: HistorySource, _ probe: PathProbe, followsAncestry: Bool = false) {
    self.source = source
    self.probe = probe
    self.followsAncestry = followsAncestry
  }

  /// How many commits it has come to.
  var length: Int { seen.count }

  mutating func begin(_ id: ObjectID) throws(GitError) {
    let commit = try source.commit(id)
    seen.insert(id)
    queue.push(commit, commit.committer.seconds)
  }

  /// The shown commits of the latest date left, children first; nil at the end.
  ///
  /// A parent that claims to be younger than its child counts as equally old.
  mutating func nextOfOneDate() throws(GitError) -> [Commit]? {
    guard let date = queue.topPriority else { return nil }
    var steps: [HistoryStep<Commit>] = []
    while queue.topPriority == date, let commit = queue.pop() {
      let step = try simplified(commit)
      steps.append(step)
      for parent in step.followed where seen.insert(parent).inserted {
        let next = try source.commit(parent)
        let isOnlyLine = step.followed.count == 1 && queue.topPriority == nil
        let own = followsAncestry && !isOnlyLine ? try latestDate(of: next) : next.committer.seconds
        queue.push(next, min(own, date))
      }
    }
    return HistoryStep.childrenFirst(steps)
  }

  /// So many ancestors are searched for a later date.
  private static let mostAncestors = 256

  /// The latest date of a commit and its nearest ancestors.
  private func latestDate(of commit: Commit) throws(GitError) -> Int64 {
    var (latest, found) = (commit.committer.seconds, [commit.id])
    var (seen, place) = (Set(found), 0)
    while place < found.count, place < Self.mostAncestors {
      let links = try source.links(found[place])
      place += 1
      latest = max(latest, links.committed)
      for parent in links.parents where seen.insert(parent).inserted { found.append(parent) }
    }
    return latest
  }

  private mutating func simplified(_ commit: Commit) throws(GitError) -> HistoryStep<Commit> {
    let parents = try source.parents(of: commit)
    guard !probe.isEmpty else { return HistoryStep(id: commit.id, followed: parents, shown: commit) }
    let own = try probe.items(in: commit.tree, source)
    for parent in parents {
      let tree = try source.links(parent).tree
      if try probe.items(in: tree, source) == own {
        return HistoryStep(id: commit.id, followed: [parent], shown: nil)
      }
    }
    let isShown = !parents.isEmpty || own.contains { $0 != nil }
    return HistoryStep(id: commit.id, followed: parents, shown: isShown ? commit : nil)
  }
}

/// A commit that a walk over history came to.
struct HistoryStep<Value> {
  let id: ObjectID
  /// The commits that the walk goes on to from here.
  let followed: [ObjectID]
  /// The shown value of the commit; nil if it is skipped.
  let shown: Value?
}

extension HistoryStep {
  /// The shown values of the commits of one date: children before parents, the higher name first if neither is the other's.
  ///
  /// The order depends on history alone, not on the way of a walk through it.
  /// - Complexity: O(n log n).
  static func childrenFirst(_ steps: [HistoryStep]) -> [Value] {
    guard steps.count > 1 else { return steps.compactMap(\.shown) }
    let numbers = Dictionary(steps.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    var children = [Int](repeating: 0, count: steps.count)
    for step in steps {
      for parent in step.followed { if let number = numbers[parent] { children[number] += 1 } }
    }
    var passed: [Int] = []
    var ready = PriorityQueue<ObjectID, Int>()
    func release(_ number: Int) {
      if steps[number].shown == nil { passed.append(number) } else { ready.push(number, steps[number].id) }
    }
    for number in steps.indices where children[number] == 0 { release(number) }
    var result: [Value] = []
    while let number = passed.popLast() ?? ready.pop() {
      if let shown = steps[number].shown { result.append(shown) }
      for parent in steps[number].followed {
        guard let number = numbers[parent] else { continue }
        children[number] -= 1
        if children[number] == 0 { release(number) }
      }
    }
    return result
  }
}

/// A queue that gives the element of the highest priority first, among equals the one that came first.
struct PriorityQueue<Priority: Comparable, Element> {
  private struct Item {
    let priority: Priority
    let number: Int
    let element: Element
  }

  private var heap: [Item] = []
  private var pushed = 0

  var topPriority: Priority? { heap.first?.priority }

  /// Adds an element. Complexity: O(log n).
  mutating func push(_ element: Element, _ priority: Priority) {
    heap.append(Item(priority: priority, number: pushed, element: element))
    pushed += 1
    var child = heap.count - 1
    while child > 0, Self.isBefore(heap[child], heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes the first element out. Complexity: O(log n).
  mutating func pop() -> Element? {
    guard let first = heap.first else { return nil }
    let last = heap.removeLast()
    if !heap.isEmpty {
      heap[0] = last
      sink()
    }
    return first.element
  }

  private mutating func sink() {
    var parent = 0
    while true {
      var best = parent
      for child in [2 * parent + 1, 2 * parent + 2]
      where child < heap.count && Self.isBefore(heap[child], heap[best]) {
        best = child
      }
      if best == parent { return }
      heap.swapAt(parent, best)
      parent = best
    }
  }

  private static func isBefore(_ left: Item, _ right: Item) -> Bool {
    left.priority != right.priority ? left.priority > right.priority : left.number < right.number
  }
}

/// A walk over history that goes from one commit that changed some paths to the next, by an index.
///
/// It gives the results of `HistoryWalk` in the same order. Between two stops no commit is read: a commit that equals its
/// first parent in the paths is followed to that parent alone. Only at merges the further parents' trees are read.
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

  /// Puts the next stop at or before a commit into the queue; returns it if all commits on the way are of the same date.
  ///
  /// The oldest date on the way counts for it, as if every commit had been read. On two ways to one stop the later
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
