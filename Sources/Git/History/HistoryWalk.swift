import Bytes
/// A walk over history from one commit, simplified for some paths.
struct HistoryWalk {
  private let source: HistorySource
  private var probe: PathProbe
  private var queue = PriorityQueue<Int64, Commit>()
  private var seen: Set<ObjectID> = []

  init(_ source: HistorySource, _ probe: PathProbe) {
    self.source = source
    self.probe = probe
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
        queue.push(next, min(next.committer.seconds, date))
      }
    }
    return HistoryStep.childrenFirst(steps)
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
