/// The one pass over history that finds the times of all files.
///
/// Every file begins at the head and stands at one commit at a time. Where it is the same in a parent, it goes to the
/// first such parent, as `git log` would; where it differs from all, that commit is the answer, and to learn who added it,
/// it goes on to the first parent that has it. Files that stand together go on together: a set is moved as a whole, and
/// only the files that a commit changed are touched.
struct PathTimesWalk {
  private let source: HistorySource
  private let prefix: [UInt8]
  private var files: WalkedFiles
  private var sets = MovingSets()
  private var schedule: CommitSchedule
  /// Sets that reached the head of the old table.
  private var arrived: Int?

  /// Walks until every file is answered.
  static func table(
    _ key: PathTimesTable.Key, _ source: HistorySource, _ repository: Repository, base: PathTimesTable?
  ) throws(GitError) -> PathTimesTable {
    let files = try WalkedFiles(key, source, repository, base: base)
    var walk = PathTimesWalk(source, key.prefix, files, until: base?.key.head)
    try walk.run(from: key.head)
    return try walk.files.table(key) { [walk] place in
      walk.arrived != nil && walk.sets.root(place) == walk.arrived
    }
  }

  private init(_ source: HistorySource, _ prefix: [UInt8], _ files: WalkedFiles, until stop: ObjectID?) {
    self.source = source
    self.prefix = prefix
    self.files = files
    schedule = CommitSchedule(source, until: stop)
  }

  private mutating func run(from head: ObjectID) throws(GitError) {
    try sets.begin(at: head, count: files.count)
    try schedule.add(head)
    while let commit = try schedule.next() {
      guard let set = sets.take(from: commit.id), sets.count(set) > 0 else { continue }
      if commit.id == schedule.stop {
        arrived = arrived.map { sets.unite($0, set) } ?? set
      } else {
        try leave(commit, set)
      }
      arrived = arrived.map { sets.root($0) }
    }
  }

  /// Moves the files of a set on to the parents of the commit where it stands, or answers for them.
  private mutating func leave(_ commit: CommitLinks, _ set: Int) throws(GitError) {
    let comparison = TreeComparison(source: source)
    guard let firstParent = commit.parents.first else {
      for change in try comparison.changes(in: commit.tree, against: nil, under: prefix) {
        if let file = member(change.path, of: set) { finish(file, at: commit) }
      }
      return
    }
    var leaving: [(file: Int, path: [UInt8], keeper: ObjectID?)] = []
    let firstTree = try source.links(firstParent).tree
    for change in try comparison.changes(in: commit.tree, against: firstTree, under: prefix) {
      guard let file = member(change.path, of: set) else { continue }
      leaving.append((file, change.path, change.isInOther ? firstParent : nil))
    }
    for parent in commit.parents.dropFirst() where !leaving.isEmpty {
      let tree = try source.links(parent).tree
      var differing: [[UInt8]: Bool] = [:]
      for change in try comparison.changes(in: commit.tree, against: tree, under: prefix) {
        differing[change.path] = change.isInOther
      }
      var left: [(file: Int, path: [UInt8], keeper: ObjectID?)] = []
      for (file, path, keeper) in leaving {
        if let isInParent = differing[path] {
          left.append((file, path, keeper ?? (isInParent ? parent : nil)))
        } else {
          try move(file, from: set, to: parent)
        }
      }
      leaving = left
    }
    for (file, _, keeper) in leaving {
      files.change(file, at: commit)
      if let keeper { try move(file, from: set, to: keeper) } else { finish(file, at: commit) }
    }
    if sets.count(set) > 0 {
      sets.move(set, to: firstParent)
      try schedule.add(firstParent)
    }
  }

  /// The number of a path, where it is in a set.
  private mutating func member(_ path: [UInt8], of set: Int) -> Int? {
    guard let file = files.number(of: path), let place = files.place(file), sets.root(place) == sets.root(set)
    else {
      return nil
    }
    return file
  }

  private mutating func move(_ file: Int, from set: Int, to parent: ObjectID) throws(GitError) {
    sets.drop(from: set)
    files.setPlace(file, sets.join(parent))
    try schedule.add(parent)
  }

  private mutating func finish(_ file: Int, at commit: CommitLinks) {
    files.change(file, at: commit)
    files.finish(file, at: commit)
  }
}

/// Sets of files, each standing at a commit; two that meet become one.
private struct MovingSets {
  private var parents: [Int] = []
  private var counts: [Int] = []
  private var standing: [ObjectID: Int] = [:]

  mutating func begin(at commit: ObjectID, count: Int) throws(GitError) {
    parents = [0]
    counts = [count]
    standing = [commit: 0]
  }

  func count(_ set: Int) -> Int { counts[root(set)] }

  /// The set that a set has become part of.
  func root(_ set: Int) -> Int {
    var set = set
    while parents[set] != set { set = parents[set] }
    return set
  }

  /// Takes the set that stands at a commit away from there.
  mutating func take(from commit: ObjectID) -> Int? { standing.removeValue(forKey: commit).map { root($0) } }

  mutating func drop(from set: Int) { counts[root(set)] -= 1 }

  /// Adds one file to the set at a commit, which is made where there is none.
  mutating func join(_ commit: ObjectID) -> Int {
    if let set = standing[commit].map({ root($0) }) {
      counts[set] += 1
      return set
    }
    parents.append(parents.count)
    counts.append(1)
    standing[commit] = parents.count - 1
    return parents.count - 1
  }

  /// Moves a whole set to a commit.
  mutating func move(_ set: Int, to commit: ObjectID) {
    let moved = root(set)
    standing[commit] = standing[commit].map { unite($0, moved) } ?? moved
  }

  /// Makes two sets one and returns it. The smaller is hung under the larger, which keeps `root` at O(log n).
  @discardableResult
  mutating func unite(_ one: Int, _ two: Int) -> Int {
    let (one, two) = (root(one), root(two))
    guard one != two else { return one }
    let (large, small) = counts[one] >= counts[two] ? (one, two) : (two, one)
    parents[small] = large
    counts[large] += counts[small]
    return large
  }
}
