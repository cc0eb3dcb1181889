import Bytes
import Platform
import Synchronization

/// Builds the index of the history of a folder up to a commit, or adds to the one that is kept.
struct HistoryBuilder: Sendable {
  /// So many commits are read without a word.
  private static let few = 1_024

  let tip: ObjectID
  /// Without slashes around it.
  let prefix: [UInt8]
  /// Makes a reader of commits and trees, for one thread.
  let source: @Sendable () -> HistorySource
  /// The file of the index; nil to keep none.
  let file: HistoryFile?

  /// The kept index with the new commits; nil if these are more than a limit.
  /// - Parameter progress: receives the number of read commits and their total, unless they are few.
  func index(
    limit: Int = .max, progress: (_ done: Int, _ total: Int) -> Void
  ) throws(GitError) -> HistoryIndex? {
    do {
      do {
        return try known(file?.read(), limit, progress).map { HistoryIndex(self, $0) }
      } catch HistoryFailure.damaged {
        return try known(nil, limit, progress).map { HistoryIndex(self, $0) }
      }
    } catch { throw HistoryFailure.error(error) }
  }

  /// Reads the whole history again.
  func build() throws(HistoryFailure) -> HistoryIndex.Known {
    guard let known = try known(nil, .max, { _, _ in }) else { throw .damaged }
    return known
  }

  private func known(
    _ stored: HistoryFile.Stored?, _ limit: Int, _ progress: (_ done: Int, _ total: Int) -> Void
  ) throws(HistoryFailure) -> HistoryIndex.Known? {
    if let graph = stored?.graph, let number = try graph.number(of: tip) {
      return HistoryIndex.Known(graph: graph, tip: number)
    }
    let source = source()
    let new = try NewCommits(from: tip, since: stored?.graph, limit: limit, source)
    guard !new.chains.isCutShort else { return nil }
    let commits = new.commits.map { CommitRow(id: $0.id, authored: $0.authored, committed: $0.committed) }
    let first = stored?.graph.end ?? 0
    var rows = try HistoryRows(new.chains, commits, after: first) { id throws(HistoryFailure) in
      try stored?.graph.number(of: id)
    }
    let isLong = commits.count > Self.few
    if isLong { progress(0, commits.count) }
    compare(new, &rows) { if isLong { progress($0, commits.count) } }
    if isLong { progress(commits.count, commits.count) }
    let graph: HistoryGraph
    if let file, let stored {
      graph = try file.append(rows, to: stored, tip: rows.end - 1)
    } else if let file {
      graph = try file.replace(with: rows)
    } else {
      graph = HistoryGraph(segments: [try HistorySegment.of(rows, key: .zero, on: nil)])
    }
    // The tip is the last of all.
    return HistoryIndex.Known(graph: graph, tip: graph.end - 1)
  }

  /// Adds the changes of the new commits to the rows; if these are many, the older half is compared on another thread.
  private func compare(
    _ new: NewCommits, _ rows: inout HistoryRows, progress: (_ done: Int) -> Void
  ) {
    let (count, last) = (new.commits.count, rows.end - 1)
    let middle = count < Self.few ? count : count / 2
    let older = OlderHalf()
    let thread = BackgroundTask { [self] in
      older.found.withLock { $0 = compared(middle..<count, of: new, last: last) { _ in } }
      return true
    }
    let younger = compared(0..<middle, of: new, last: last) { progress($0 * count / middle) }
    guard thread.value, let older = older.found.withLock({ $0 }) else { return }
    rows.unknown = older.unknown + younger.unknown
    rows.changes = HistoryChanges(joining: [older.changes, younger.changes])
  }

  private typealias Compared = (changes: HistoryChanges, unknown: [UInt32])

  /// The result of the other thread.
  private final class OlderHalf: Sendable {
    let found = Mutex<Compared?>(nil)
  }

  /// The changes of some of the commits, by their positions.
  ///
  /// A commit is marked as unknown if a tree can't be read, or holds no end of paths. Queries that do not need
  /// that tree can be answered.
  private func compared(
    _ places: Range<Int>, of new: NewCommits, last: Int, progress: (_ done: Int) -> Void
  ) -> Compared {
    let source = source()
    var collector = ChangeCollector()
    var unknown: [UInt32] = []
    for place in places {
      let number = UInt32(truncatingIfNeeded: last - place)
      do {
        let parents = try new.parentTrees(place, source)
        let changes = try TreeChanges.of(new.commits[place].tree, parents: parents, under: prefix, source)
        collector.add(changes, commit: number)
      } catch {
        unknown.append(number)
      }
      if place % 256 == 0 { progress(place - places.lowerBound) }
    }
    return (collector.changes, unknown.reversed())
  }
}

/// The part of a commit that a walk over history needs.
struct CommitLinks: Sendable {
  let id: ObjectID
  let tree: ObjectID
  let parents: [ObjectID]
  let authored: CommitTime
  /// Seconds of the committer.
  let committed: Int64
}

/// When a commit was made, by its author's clock.
package struct CommitTime: Sendable, Equatable, BitwiseCopyable {
  /// Since 1970, UTC.
  package let seconds: Int64
  /// East of UTC.
  package let offsetMinutes: Int

  package init(seconds: Int64, offsetMinutes: Int) {
    self.seconds = seconds
    self.offsetMinutes = offsetMinutes
  }
}

/// The source of a history.
struct HistoryObjects {
  /// Commits whose parents are not here, because the clone is shallow.
  let cut: Set<ObjectID>
  /// The bytes of an object; those of trees are not compared with its hash.
  let bytes: (ObjectID, ObjectKind) throws(GitError) -> [UInt8]
  let commit: (ObjectID) throws(GitError) -> Commit
}

/// The commits and trees of a repository for one walk, the last trees kept. The repository is opened when one is read.
final class HistorySource {
  private static let keptBytes = 32 << 20
  private static let keptCommits = 1 << 14

  private let open: () throws(GitError) -> HistoryObjects
  private var opened: HistoryObjects?
  private var trees: [ObjectID: Tree] = [:]
  private var treeBytes = 0
  private var commits: [ObjectID: CommitLinks] = [:]

  init(_ open: @escaping () throws(GitError) -> HistoryObjects) { self.open = open }

  private func here() throws(GitError) -> HistoryObjects {
    if let opened { return opened }
    let found = try open()
    opened = found
    return found
  }

  /// The parents that are here: none at the cut of a shallow clone.
  func parents(of commit: Commit) throws(GitError) -> [ObjectID] {
    try here().cut.contains(commit.id) ? [] : commit.parents
  }

  func commit(_ id: ObjectID) throws(GitError) -> Commit { try here().commit(id) }

  /// A commit without its message.
  func links(_ id: ObjectID) throws(GitError) -> CommitLinks {
    if let known = commits[id] { return known }
    let links = try readLinks(id)
    if commits.count >= Self.keptCommits { commits.removeAll(keepingCapacity: true) }
    commits[id] = links
    return links
  }

  private func readLinks(_ id: ObjectID) throws(GitError) -> CommitLinks {
    let here = try here()
    let bytes = try here.bytes(id, .commit)
    var tree: ObjectID?
    var parents: [ObjectID] = []
    var authored = CommitTime(seconds: 0, offsetMinutes: 0)
    var committed: Int64 = 0
    var start = 0
    while start < bytes.count, bytes[start] != 10 {
      let end = bytes[start...].firstIndex(of: 10) ?? bytes.count
      let line = bytes[start..<end]
      start = end + 1
      if line.starts(with: "parent ".utf8) {
        if let parent = ObjectID(hex: line.dropFirst(7)) { parents.append(parent) }
      } else if line.starts(with: "author ".utf8) {
        let signature = Signature(line: line.dropFirst(7)) { _ in "" }
        authored = CommitTime(seconds: signature.seconds, offsetMinutes: signature.offsetMinutes)
      } else if line.starts(with: "committer ".utf8) {
        committed = Signature(line: line.dropFirst(10)) { _ in "" }.seconds
        break
      } else if line.starts(with: "tree ".utf8) {
        tree = ObjectID(hex: line.dropFirst(5))
      }
    }
    guard let tree else {
      throw GitError(.damaged(object: id.hex), "the commit \(id.hex) can't be read; run: git fsck")
    }
    return CommitLinks(
      id: id, tree: tree, parents: here.cut.contains(id) ? [] : parents, authored: authored,
      committed: committed)
  }

  func tree(_ id: ObjectID) throws(GitError) -> Tree {
    if let known = trees[id] { return known }
    let tree = Tree(bytes: try here().bytes(id, .tree))
    if treeBytes > Self.keptBytes {
      trees.removeAll(keepingCapacity: true)
      treeBytes = 0
    }
    trees[id] = tree
    treeBytes += tree.bytes.count
    return tree
  }

  /// The tree of a folder; nil if there is none.
  func folder(_ path: [UInt8], in root: ObjectID) throws(GitError) -> ObjectID? {
    var id = root
    for part in path.split(separator: UInt8(ascii: "/")) {
      guard let item = try tree(id).item(named: part), item.isFolder else { return nil }
      id = item.id
    }
    return id
  }
}
