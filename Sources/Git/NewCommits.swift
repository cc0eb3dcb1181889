/// The commits that can be reached from one and are not in an index of history, chain after chain, the youngest first.
///
/// A chain goes from a commit to its first parent and on. The first is that of the commit where they were looked for.
struct NewCommits {
  /// The oldest commit of a chain, by its place, and what its chain leads on to.
  struct End {
    let place: Int
    let parent: ObjectID?
  }

  /// A commit with several parents, by its place, and those after the first.
  struct Merge {
    let place: Int
    let others: [ObjectID]
  }

  private(set) var ids: [ObjectID] = []
  private(set) var trees: [ObjectID] = []
  private(set) var dates: [Int64] = []
  private(set) var ends: [End] = []
  private(set) var merges: [Merge] = []
  private(set) var places: [ObjectID: Int] = [:]
  /// Whether some were left out, because there are more than were asked for.
  private(set) var isCutShort = false

  private let source: HistorySource
  private let index: PathHistoryIndex?

  init(_ source: HistorySource, since index: PathHistoryIndex?) {
    self.source = source
    self.index = index
  }

  /// Looks for commits, of which there are none yet.
  mutating func find(from head: ObjectID, limit: Int = .max) throws {
    var heads = [head]
    var next = 0
    while next < heads.count {
      if try !isKnown(heads[next]) { try findChain(heads[next], &heads, limit) }
      if isCutShort { return }
      next += 1
    }
  }

  private func isKnown(_ id: ObjectID) throws(PathHistoryFailure) -> Bool {
    if places[id] != nil { return true }
    return try index?.number(of: id) != nil
  }

  private mutating func findChain(_ youngest: ObjectID, _ heads: inout [ObjectID], _ limit: Int) throws {
    var id = youngest
    while true {
      let place = ids.count
      guard place < limit else {
        isCutShort = true
        return
      }
      let commit = try source.links(id)
      places[id] = place
      ids.append(id)
      trees.append(commit.tree)
      dates.append(commit.committed)
      if commit.parents.count > 1 {
        let others = Array(commit.parents.dropFirst())
        merges.append(Merge(place: place, others: others))
        heads.append(contentsOf: others)
      }
      guard let parent = commit.parents.first, try !isKnown(parent) else {
        ends.append(End(place: place, parent: commit.parents.first))
        return
      }
      id = parent
    }
  }

  /// The tree of the first parent of each commit; nil where there is none.
  func firstParentTrees() throws(GitError) -> [ObjectID?] {
    var result: [ObjectID?] = Array(trees.dropFirst())
    result.append(nil)
    for end in ends {
      guard let parent = end.parent else {
        result[end.place] = nil
        continue
      }
      if let place = places[parent] {
        result[end.place] = trees[place]
      } else {
        result[end.place] = try source.links(parent).tree
      }
    }
    return result
  }
}

extension PathHistoryRows {
  /// The commits without what they changed; those of the last chain come first, so that the head is the last of all.
  init(_ commits: NewCommits, after index: PathHistoryIndex?) throws(PathHistoryFailure) {
    self.init(first: index?.end ?? 0)
    let last = first + commits.ids.count - 1
    func number(_ id: ObjectID) throws(PathHistoryFailure) -> UInt32 {
      if let place = commits.places[id] { return UInt32(truncatingIfNeeded: last - place) }
      guard let number = try index?.number(of: id) else { throw .damaged }
      return UInt32(truncatingIfNeeded: number)
    }
    ids = commits.ids.reversed()
    dates = commits.dates.reversed()
    for end in commits.ends.reversed() {
      var parent: UInt32?
      if let id = end.parent { parent = try number(id) }
      starts.append(Start(number: UInt32(truncatingIfNeeded: last - end.place), parent: parent))
    }
    for merge in commits.merges.reversed() {
      var others: [UInt32] = []
      for parent in merge.others { others.append(try number(parent)) }
      merges.append(Merge(number: UInt32(truncatingIfNeeded: last - merge.place), others: others))
    }
  }
}
