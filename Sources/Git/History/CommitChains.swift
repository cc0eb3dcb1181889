import Bytes
/// Commits that can be reached from one, chain after chain, each chain from its youngest commit to its oldest.
///
/// A chain goes from a commit to its first parent and on. The first chain is that of the commit where the search began.
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
