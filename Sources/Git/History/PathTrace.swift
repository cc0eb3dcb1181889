import Bytes

/// The way of one file back through history, by an index.
///
/// From a commit it goes to the first parent that has the same file, as `git log` would. If the file differs from
/// all, that commit changed it. To learn who added it, the way goes on to the first parent that has it, possibly under
/// another name. No tree is read except for commits that could not be compared.
struct PathTrace {
  private let graph: HistoryGraph
  /// Commits that could not be compared with their parents, ascending.
  private let unknown: [Int]
  private let trees: TreeReader
  /// The chain followed last, up to the youngest requested commit.
  private var chain = (commits: 0..<0, parent: Int?.none)
  /// A graph that is not damaged leads no further.
  private var remaining = 0

  /// A commit at which the file differs, or may differ, from the first parent.
  private enum Stop {
    case row(Int, in: Int)
    case unknown
  }

  init(_ graph: HistoryGraph, _ trees: TreeReader) throws(HistoryFailure) {
    self.graph = graph
    self.trees = trees
    unknown = try graph.unknown()
  }

  /// The times of a file; nil if the commit does not have it.
  /// - Parameters:
  ///   - tip: the number of the commit.
  ///   - rows: for each segment those of the path.
  ///   - path: below the folder that the graph is of.
  mutating func times(
    at tip: Int, _ rows: [Range<Int>], _ path: [UInt8]
  ) throws(HistoryFailure) -> PathTimes? {
    var (number, rows, path) = (tip, rows, path)
    var (blob, modified) = (ObjectID?.none, CommitRow?.none)
    remaining = 2 * graph.end + 2
    while let (stop, place) = try lastStop(upTo: number, rows) {
      let (relation, content) = try self.relation(at: stop, place, path)
      guard relation != .gone else { break }
      blob = blob ?? content
      if case .same(let parent) = relation {
        number = try self.parent(stop, parent)
        continue
      }
      let commit = modified == nil || relation == .added ? try graph.commit(stop) : nil
      modified = modified ?? commit
      switch relation {
      case .changed(let parent): number = try self.parent(stop, parent)
      case .renamed(let rank):
        guard case .row(_, let segment) = place else { throw .damaged }
        (path, rows) = try former(rank, segment)
        number = try parent(stop, 0)
      default:
        guard let modified, let commit, let blob else { throw .damaged }
        let first = try firstAddition(of: path, rows, content, before: stop) ?? commit
        return PathTimes(
          modified: modified.authored, first: first.authored, firstBy: first.id, modifiedBy: modified.id,
          blob: blob)
      }
    }
    // An existing file must have been added by some commit.
    guard modified == nil, blob == nil else { throw .damaged }
    return nil
  }

  /// The commit that added a file first, if the file was deleted and came back with bytes that it had before; else nil.
  /// - Parameters:
  ///   - content: the bytes with which it came back.
  ///   - addition: the number of the commit that brought it back.
  private mutating func firstAddition(
    of path: [UInt8], _ rows: [Range<Int>], _ content: ObjectID, before addition: Int
  ) throws(HistoryFailure) -> CommitRow? {
    guard try mayDiffer(before: addition, rows) else { return nil }
    var (path, rows, wanted) = (path, rows, content)
    var (first, isSame) = (CommitRow?.none, false)
    var next = try graph.parents(of: addition).first
    while let number = next, let (stop, place) = try lastStop(upTo: number, rows) {
      let (relation, content) = try self.relation(at: stop, place, path)
      isSame = relation != .gone && (isSame || content == wanted)
      switch relation {
      case .same(let parent), .changed(let parent): next = try self.parent(stop, parent)
      case .renamed(let rank) where isSame:
        guard case .row(_, let segment) = place else { throw .damaged }
        (path, rows) = try former(rank, segment)
        next = try parent(stop, 0)
      case .gone, .added, .renamed:
        if isSame { (first, wanted) = (try graph.commit(stop), content) }
        isSame = false
        next = try graph.parents(of: stop).first
      }
    }
    return first
  }

  /// Whether a file may differ from a parent at a commit before another one.
  /// - Complexity: linear in the segments.
  private func mayDiffer(before number: Int, _ rows: [Range<Int>]) throws(HistoryFailure) -> Bool {
    guard unknown.isEmpty else { return true }
    for (segment, rows) in zip(graph.segments, rows) {
      guard let row = rows.first else { continue }
      if try Int(segment[segment.changes, row].commit) < number { return true }
    }
    return false
  }

  /// How a file relates to the parents of a commit at which it differs, and its content.
  private func relation(
    at number: Int, _ stop: Stop, _ path: [UInt8]
  ) throws(HistoryFailure) -> (FileRelation, ObjectID) {
    switch stop {
    case .row(let row, let segment):
      let change = try graph.segments[segment][graph.segments[segment].changes, row]
      return (FileRelation(packed: change.relation), change.blob)
    case .unknown: return try trees.relation(of: path, in: graph.commit(number).id)
    }
  }

  /// The path of a file before it was renamed, and the rows of that path.
  private func former(
    _ rank: Int, _ segment: Int
  ) throws(HistoryFailure) -> (path: [UInt8], rows: [Range<Int>]) {
    let path = Array(try graph.segments[segment].path(rank))
    var rows = try graph.rows(of: path, before: segment)
    rows[segment] = try graph.segments[segment].rows(ofPath: rank)
    return (path, rows)
  }

  private func parent(_ number: Int, _ place: Int) throws(HistoryFailure) -> Int {
    if place == 0, chain.commits.contains(number), number > chain.commits.lowerBound { return number - 1 }
    let parents = try graph.parents(of: number)
    guard place < parents.count else { throw .damaged }
    return parents[place]
  }

  /// The next stop on the way along first parents.
  private mutating func lastStop(
    upTo number: Int, _ rows: [Range<Int>]
  ) throws(HistoryFailure) -> (number: Int, Stop)? {
    var number = number
    while true {
      guard number < graph.end, remaining > 0 else { throw .damaged }
      remaining -= 1
      let place = graph.place(of: number)
      if !chain.commits.contains(number) {
        let (start, parent) = try graph.chain(of: number)
        chain = (start..<number + 1, parent)
      }
      let start = chain.commits.lowerBound
      var found: (number: Int, Stop)?
      let row = try lastRow(upTo: number, rows[place], in: graph.segments[place])
      if let row, row.commit >= start {
        found = (row.commit, .row(row.row, in: place))
      }
      if !unknown.isEmpty, let last = unknown.last(where: { $0 <= number }), last >= start,
        last > found?.number ?? -1
      {
        found = (last, .unknown)
      }
      if let found { return found }
      guard let parent = chain.parent else { return nil }
      number = parent
    }
  }

  private func lastRow(
    upTo number: Int, _ rows: Range<Int>, in segment: HistorySegment
  ) throws(HistoryFailure) -> (row: Int, commit: Int)? {
    guard let last = rows.last else { return nil }
    func commit(_ row: Int) throws(HistoryFailure) -> Int { Int(try segment[segment.changes, row].commit) }
    // Mostly nothing has changed it since.
    let latest = try commit(last)
    if latest <= number { return (last, latest) }
    var (low, high) = (rows.lowerBound, last)
    while low < high {
      let middle = (low + high) / 2
      if try commit(middle) <= number { low = middle + 1 } else { high = middle }
    }
    return low > rows.lowerBound ? (low - 1, try commit(low - 1)) : nil
  }
}

/// Reads the trees of commits that an index does not know enough of.
struct TreeReader {
  let prefix: [UInt8]
  let source: HistorySource

  /// How a file relates to the parents of a commit, and its content; renames are not looked for.
  func relation(of path: [UInt8], in id: ObjectID) throws(HistoryFailure) -> (FileRelation, ObjectID) {
    try HistoryFailure.reading { () throws(GitError) in
      let commit = try source.links(id)
      var probe = PathProbe([prefix.isEmpty ? path : prefix / path])
      guard let own = try probe.items(in: commit.tree, source).first ?? nil, own.isFile else {
        return (.gone, .zero)
      }
      var items: [TreeItem?] = []
      for parent in commit.parents { items += try probe.items(in: source.links(parent).tree, source) }
      if let equal = items.firstIndex(of: own) { return (.same(parent: equal), own.id) }
      let keeper = items.firstIndex { $0?.isFile == true }
      return (keeper.map { .changed(parent: $0) } ?? .added, own.id)
    }
  }
}

/// Some paths, looked up in one tree after another.
struct PathProbe {
  private static let keptTrees = 8_192

  private let paths: [[ArraySlice<UInt8>]]
  /// For each path, the entries of the next name in the trees on the way to it.
  private var known: [[Place: TreeItem?]]

  /// A tree on the way to a path. One tree may be on two levels, where different names are looked for in it: it is, where
  /// all files were moved to a folder.
  private struct Place: Hashable {
    let tree: ObjectID
    let level: Int
  }

  init(_ paths: [[UInt8]]) {
    self.paths = paths.map { $0.split(separator: UInt8(ascii: "/")) }
    known = Array(repeating: [:], count: paths.count)
  }

  var isEmpty: Bool { paths.isEmpty }

  /// The entries of a root tree at each path.
  mutating func items(in root: ObjectID, _ source: HistorySource) throws(GitError) -> [TreeItem?] {
    var result: [TreeItem?] = []
    for number in paths.indices { result.append(try item(number, in: root, source)) }
    return result
  }

  private mutating func item(
    _ number: Int, in root: ObjectID, _ source: HistorySource
  ) throws(GitError) -> TreeItem? {
    var found = TreeItem(name: [], mode: TreeItem.folder, id: root)
    for (level, part) in paths[number].enumerated() {
      guard found.isFolder else { return nil }
      let place = Place(tree: found.id, level: level)
      let next: TreeItem?
      if let answer = known[number][place] {
        next = answer
      } else {
        next = try source.tree(found.id).item(named: part)
        if known[number].count >= Self.keptTrees { known[number].removeAll(keepingCapacity: true) }
        known[number][place] = .some(next)
      }
      guard let next else { return nil }
      found = next
    }
    return found
  }
}
