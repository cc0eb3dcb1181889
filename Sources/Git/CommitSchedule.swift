/// The order in which a walk takes commits: youngest first, by which children mostly come before their parents.
///
/// Dates can lie. A commit that is added again after it was taken is taken again; when that happens often, the rest of
/// history is ordered by its links instead, and no commit is taken more than once after that.
struct CommitSchedule {
  private static let toleratedRepeats = 500

  /// Where the walk ends; nothing beyond is read.
  let stop: ObjectID?
  private let source: HistorySource
  private var queue = PriorityQueue<Int64, CommitLinks>()
  private var waiting: Set<ObjectID> = []
  private var taken: Set<ObjectID> = []
  private var repeats = 0
  private var ranks: [ObjectID: Int64]?

  init(_ source: HistorySource, until stop: ObjectID?) {
    self.source = source
    self.stop = stop
  }

  /// Adds a commit, unless it waits already.
  mutating func add(_ id: ObjectID) throws(GitError) {
    guard waiting.insert(id).inserted else { return }
    let commit = try source.links(id)
    queue.push(commit, ranks?[id] ?? commit.committed)
  }

  /// Takes the next commit out; nil at the end.
  mutating func next() throws(GitError) -> CommitLinks? {
    guard let commit = queue.pop() else { return nil }
    waiting.remove(commit.id)
    if !taken.insert(commit.id).inserted { repeats += 1 }
    if repeats > Self.toleratedRepeats, ranks == nil {
      try orderByLinks(commit)
      return try next()
    }
    return commit
  }

  /// Ranks all commits that can still be reached, each above its parents.
  private mutating func orderByLinks(_ commit: CommitLinks) throws(GitError) {
    var found: [ObjectID: Int64] = [:]
    var rank: Int64 = 0
    let starts = queue.elements + [commit]
    for start in starts where found[start.id] == nil {
      var open: [(commit: CommitLinks, next: Int)] = [(start, 0)]
      found[start.id] = 0
      while let (commit, next) = open.last {
        if next < commit.parents.count, commit.id != stop {
          open[open.count - 1].next += 1
          let parent = commit.parents[next]
          if found[parent] == nil {
            found[parent] = 0
            open.append((try source.links(parent), 0))
          }
        } else {
          rank += 1
          found[commit.id] = rank
          open.removeLast()
        }
      }
    }
    ranks = found
    queue = PriorityQueue()
    waiting = []
    for start in starts { try add(start.id) }
  }
}
