/// The one pass over history that finds the times of all files.
///
/// Every file begins at the head and stands at one commit at a time. Where it is the same in a parent, it goes to the
/// first such parent, as `git log` would; where it differs from all, that commit is the answer, and to learn who added it,
/// it goes on to the first parent that has it, be it under another name. Files that stand together go on together: a set
/// is moved as a whole, and only the files that a commit changed are touched.
struct PathTimesWalk {
  private let source: HistorySource
  private let prefix: [UInt8]
  private var files: WalkedFiles
  private var sets = MovingSets()
  private var schedule: CommitSchedule
  /// Sets that reached the head of the old table.
  private var arrived: Int?

  /// A file that a commit changed, on its way to a parent.
  private struct Leaving {
    let file: Int
    let path: [UInt8]
    let blob: ObjectID
    /// The first parent that has the file, with another content.
    var keeper: ObjectID?
  }

  /// Walks until every file is answered.
  /// - Returns: a row for each file; with an old table, for each that differs from it.
  static func rows(
    _ key: PathTimesKey, _ source: HistorySource, _ repository: Repository, base: PathTimesTable?
  ) throws(GitError) -> [PathTimesRow] {
    let files = try WalkedFiles(key, source, repository, base: base)
    var walk = PathTimesWalk(source, key.prefix, files, until: base?.key.head)
    try walk.run(from: key.head)
    return walk.files.rows(below: key.prefix) { [walk] place in
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
    let firstTree = try commit.parents.first.map { id throws(GitError) in try source.links(id).tree }
    let changes = try comparison.changes(in: commit.tree, against: firstTree, under: prefix)
    var leaving: [Leaving] = []
    for change in changes {
      guard let id = change.id else { continue }
      let keeper = change.other == nil ? nil : commit.parents.first
      for file in members(change.path, of: set) {
        leaving.append(Leaving(file: file, path: change.path, blob: id, keeper: keeper))
      }
    }
    for parent in commit.parents.dropFirst() where !leaving.isEmpty {
      leaving = try left(leaving, set, commit, parent)
    }
    var renames = RenamedFiles(changes)
    for item in leaving {
      files.change(item.file, at: commit)
      if let keeper = item.keeper {
        try move(item.file, from: set, to: keeper)
      } else if let parent = commit.parents.first, let path = renames.source(of: item.path, item.blob) {
        files.rename(item.file, to: path)
        try move(item.file, from: set, to: parent)
      } else {
        sets.drop(from: set)
        files.finish(item.file, at: commit)
      }
    }
    if let parent = commit.parents.first, sets.count(set) > 0 {
      sets.move(set, to: parent)
      try schedule.add(parent)
    }
  }

  /// Moves those files on to another parent that are the same in it; the others are left.
  private mutating func left(
    _ leaving: [Leaving], _ set: Int, _ commit: CommitLinks, _ parent: ObjectID
  ) throws(GitError) -> [Leaving] {
    let tree = try source.links(parent).tree
    var differing: [[UInt8]: Bool] = [:]
    for change in try TreeComparison(source: source).changes(in: commit.tree, against: tree, under: prefix) {
      differing[change.path] = change.other != nil
    }
    var left: [Leaving] = []
    for var item in leaving {
      if let isInParent = differing[item.path] {
        if item.keeper == nil, isInParent { item.keeper = parent }
        left.append(item)
      } else {
        try move(item.file, from: set, to: parent)
      }
    }
    return left
  }

  /// The files of a set that have a path where it stands.
  private mutating func members(_ path: [UInt8], of set: Int) -> [Int] {
    files.all(at: path).filter { file in
      files.place(file).map { sets.root($0) == sets.root(set) } ?? false
    }
  }

  private mutating func move(_ file: Int, from set: Int, to parent: ObjectID) throws(GitError) {
    sets.drop(from: set)
    files.setPlace(file, sets.join(parent))
    try schedule.add(parent)
  }
}

/// The files that a commit took away, by what they held: where another of that content came, it was renamed.
private struct RenamedFiles {
  /// Git's name of the empty file, of which there may be many that have nothing to do with each other.
  private static let empty = SHA1.objectID(kind: "blob", [])

  private let changes: [ChangedFile]
  private var removed: [ObjectID: [[UInt8]]]?

  init(_ changes: [ChangedFile]) { self.changes = changes }

  /// The former path of a file that came: one of the same name, else the first.
  mutating func source(of path: [UInt8], _ blob: ObjectID) -> [UInt8]? {
    guard blob != Self.empty, let sources = all()[blob] else { return nil }
    let name = path.split(separator: UInt8(ascii: "/")).last ?? []
    return sources.first { source in
      source.split(separator: UInt8(ascii: "/")).last?.elementsEqual(name) ?? false
    } ?? sources.min { $0[...].precedes($1[...]) }
  }

  private mutating func all() -> [ObjectID: [[UInt8]]] {
    if let removed { return removed }
    var found: [ObjectID: [[UInt8]]] = [:]
    for change in changes where change.id == nil {
      if let id = change.other { found[id, default: []].append(change.path) }
    }
    removed = found
    return found
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
