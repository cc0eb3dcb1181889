extension Repository {
  /// Visits the commits that changed some paths, newest first, as `git log -- PATHS` does.
  ///
  /// A merge that equals one of its parents in these paths is followed to the first such parent alone. Commits come in the
  /// order of their dates, never before those of their children that have the same date; at the cut of a shallow clone
  /// history ends.
  /// - Parameters:
  ///   - paths: files or folders from the root of the repository; none means all commits.
  ///   - visit: answers whether to go on.
  package func history(
    from start: ObjectID, touching paths: [[UInt8]], limit: Int? = nil, _ visit: (Commit) -> Bool
  ) throws(GitError) {
    var walk = HistoryWalk(try HistorySource(self), PathProbe(paths))
    try walk.begin(start)
    var left = limit ?? .max
    while left > 0, let group = try walk.nextOfOneDate() {
      for commit in group {
        guard left > 0, visit(commit) else { return }
        left -= 1
      }
    }
  }
}

/// A walk over history from one commit, simplified for some paths.
private struct HistoryWalk {
  private let source: HistorySource
  private var probe: PathProbe
  private var queue = PriorityQueue<Int64, Commit>()
  private var seen: Set<ObjectID> = []

  init(_ source: HistorySource, _ probe: PathProbe) {
    self.source = source
    self.probe = probe
  }

  mutating func begin(_ id: ObjectID) throws(GitError) {
    let commit = try source.commit(id)
    seen.insert(id)
    queue.push(commit, commit.committer.seconds)
  }

  /// A commit with what the paths make of it.
  private struct Step {
    let commit: Commit
    let followed: [ObjectID]
    let isShown: Bool
  }

  /// The shown commits of the latest date left, children first; nil at the end.
  ///
  /// A parent that claims to be younger than its child counts as equally old.
  mutating func nextOfOneDate() throws(GitError) -> [Commit]? {
    guard let date = queue.topPriority else { return nil }
    var steps: [Step] = []
    while queue.topPriority == date, let commit = queue.pop() {
      let step = try simplified(commit)
      steps.append(step)
      for parent in step.followed where seen.insert(parent).inserted {
        let next = try source.commit(parent)
        queue.push(next, min(next.committer.seconds, date))
      }
    }
    return Self.childrenFirst(steps).filter(\.isShown).map(\.commit)
  }

  private mutating func simplified(_ commit: Commit) throws(GitError) -> Step {
    let parents = source.parents(of: commit)
    guard !probe.isEmpty else { return Step(commit: commit, followed: parents, isShown: true) }
    let own = try probe.items(in: commit.tree, source)
    for parent in parents {
      let tree = try source.links(parent).tree
      if try probe.items(in: tree, source) == own {
        return Step(commit: commit, followed: [parent], isShown: false)
      }
    }
    let isShown = !parents.isEmpty || own.contains { $0 != nil }
    return Step(commit: commit, followed: parents, isShown: isShown)
  }

  private static func childrenFirst(_ steps: [Step]) -> [Step] {
    guard steps.count > 1 else { return steps }
    let numbers = Dictionary(uniqueKeysWithValues: steps.enumerated().map { ($1.commit.id, $0) })
    var children = [Int](repeating: 0, count: steps.count)
    for step in steps {
      for parent in step.followed { if let number = numbers[parent] { children[number] += 1 } }
    }
    var ready = steps.indices.filter { children[$0] == 0 }
    var next = 0
    while next < ready.count {
      for parent in steps[ready[next]].followed {
        guard let number = numbers[parent] else { continue }
        children[number] -= 1
        if children[number] == 0 { ready.append(number) }
      }
      next += 1
    }
    return ready.map { steps[$0] }
  }
}

/// Some paths, looked up in one tree after another.
private struct PathProbe {
  private static let keptTrees = 8_192

  private let paths: [[ArraySlice<UInt8>]]
  /// For each path, what the trees on the way to it hold under the next name.
  private var known: [[ObjectID: TreeItem?]]

  init(_ paths: [[UInt8]]) {
    self.paths = paths.map { $0.split(separator: UInt8(ascii: "/")) }
    known = Array(repeating: [:], count: paths.count)
  }

  var isEmpty: Bool { paths.isEmpty }

  /// What a root tree holds at each path.
  mutating func items(in root: ObjectID, _ source: HistorySource) throws(GitError) -> [TreeItem?] {
    var result: [TreeItem?] = []
    for number in paths.indices { result.append(try item(number, in: root, source)) }
    return result
  }

  private mutating func item(
    _ number: Int, in root: ObjectID, _ source: HistorySource
  ) throws(GitError) -> TreeItem? {
    var found = TreeItem(name: [], mode: TreeItem.folder, id: root)
    for part in paths[number] {
      guard found.isFolder else { return nil }
      let next: TreeItem?
      if let answer = known[number][found.id] {
        // The same tree on two levels would hold different names of the path.
        next =
          answer.map { $0.name.elementsEqual(part) } == false
          ? try source.tree(found.id).item(named: part) : answer
      } else {
        next = try source.tree(found.id).item(named: part)
        if known[number].count >= Self.keptTrees { known[number].removeAll(keepingCapacity: true) }
        known[number][found.id] = .some(next)
      }
      guard let next else { return nil }
      found = next
    }
    return found
  }
}
