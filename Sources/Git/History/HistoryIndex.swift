import Bytes
import Synchronization

/// The history of a folder as far as it can be reached from one commit: who changed which files, and when.
///
/// Queries read the index in its file, from any number of threads at once. If a page of it is damaged, the index is
/// rebuilt.
package final class HistoryIndex: Sendable {
  /// The commit whose history is requested.
  package let tip: ObjectID
  /// The folder, from the root of the repository, without slashes around it.
  let prefix: [UInt8]

  let builder: HistoryBuilder
  let known: Mutex<Known>

  /// The graph, in which the tip has a number.
  struct Known: Sendable {
    let graph: HistoryGraph
    let tip: Int
  }

  init(_ builder: HistoryBuilder, _ known: Known) {
    self.builder = builder
    self.known = Mutex(known)
    tip = builder.tip
    prefix = builder.prefix
  }

  /// The commits that changed some paths, newest first, as `Repository.history(from:touching:limit:_:)` visits them.
  /// - Parameters:
  ///   - paths: files or folders from the root of the repository, below the folder of the index.
  ///   - start: the commit to begin at; the tip by default, and if the index does not have it.
  /// - Complexity: O(m log n) for m commits that changed them, and a few trees for each merge among these.
  package func commits(
    touching paths: [[UInt8]], from start: ObjectID? = nil, limit: Int? = nil
  ) throws(GitError) -> [ObjectID] {
    let names = paths.compactMap { below($0) }
    let source = builder.source()
    return try answer { known throws(HistoryFailure) in
      var walk = try IndexedWalk(known.graph, source, names, under: prefix)
      let number = try start.flatMap { id throws(HistoryFailure) in try known.graph.number(of: id) }
      return try walk.commits(from: number ?? known.tip, limit: limit ?? .max)
    }
  }

  /// The commits that have a file at a path at which none of their parents has one.
  /// - Parameter path: from the root of the repository.
  /// - Complexity: linear in the commits that changed it.
  package func additions(of path: [UInt8]) throws(GitError) -> Set<ObjectID> {
    guard let name = below(path) else { return [] }
    return try answer { known throws(HistoryFailure) in
      var result: Set<ObjectID> = []
      for segment in known.graph.segments {
        guard let rank = try segment.rank(of: name) else { continue }
        for row in try segment.rows(ofPath: rank) {
          let change = try segment[segment.changes, row]
          switch FileRelation(packed: change.relation) {
          case .added, .renamed: result.insert(try known.graph.id(Int(change.commit)))
          case .gone, .changed, .same: break
          }
        }
      }
      return result
    }
  }

  /// The times at which a file was last changed and added, and its blob; nil if the tip does not have it.
  /// - Parameter path: from the root of the repository.
  /// - Complexity: O(m log n) for m commits that changed it.
  package func times(of path: [UInt8]) throws(GitError) -> PathTimes? {
    guard let below = below(path) else { return nil }
    var cursor = cursor()
    return try cursor.times(of: below)
  }

  /// A place from which files are looked up in the order of their paths.
  package func cursor() -> HistoryCursor {
    HistoryCursor(self, known.withLock { $0 }, TreeReader(prefix: prefix, source: builder.source()))
  }

  /// Releases the memory of read pages, if the index is in a file.
  package func unloadPages() { known.withLock { $0.graph }.unloadPages() }

  /// The paths of files that some commit of history has and the tip has not, from the root of the repository, in order.
  /// - Complexity: linear in the index.
  package func deletedPaths() throws(GitError) -> [[UInt8]] {
    let trees = TreeReader(prefix: prefix, source: builder.source())
    return try answer { known throws(HistoryFailure) in
      let past = try known.graph.chains(from: known.tip).places
      var trace = try PathTrace(known.graph, trees)
      var paths = HistoryPaths(known.graph)
      var result: [[UInt8]] = []
      while let path = try paths.next() {
        var wasThere = false
        for (rows, segment) in zip(paths.rows, known.graph.segments) where !wasThere {
          for row in rows {
            let change = try segment[segment.changes, row]
            guard FileRelation(packed: change.relation) != .gone else { continue }
            wasThere = wasThere || past[Int(change.commit)] != nil
          }
        }
        guard wasThere else { continue }
        if try trace.times(at: known.tip, paths.rows, path) == nil { result.append(above(path)) }
      }
      return result
    }
  }

  /// The paths at which a commit differs from its first parent, from the root of the repository, each once.
  ///
  /// It need not be one of those that can be reached from the tip.
  /// - Complexity: linear in the folders that differ.
  package func paths(touchedBy commit: ObjectID) throws(GitError) -> [[UInt8]] {
    let source = builder.source()
    let links = try source.links(commit)
    var parents: [ObjectID] = []
    if let parent = links.parents.first { parents.append(try source.links(parent).tree) }
    let changes = try TreeChanges.of(links.tree, parents: parents, under: prefix, source)
    return Set(changes.map(\.path)).map(above).sorted { $0[...].precedes($1[...]) }
  }

  /// The path below the folder; nil if it is not in there.
  func below(_ path: [UInt8]) -> [UInt8]? {
    guard !prefix.isEmpty else { return path }
    return path.starts(with: prefix / "") ? Array(path.dropFirst(prefix.count + 1)) : nil
  }

  func above(_ path: [UInt8]) -> [UInt8] { prefix.isEmpty ? path : prefix / path }

  /// Queries the graph, and once more if it had to be rebuilt.
  func answer<Answer>(
    _ question: (Known) throws(HistoryFailure) -> Answer
  ) throws(GitError) -> Answer {
    do { return try question(known.withLock { $0 }) } catch {
      let repaired = try repair(after: error)
      do { return try question(repaired) } catch { throw HistoryFailure.error(error) }
    }
  }

  /// The graph, rebuilt if it is damaged.
  func repair(after failure: HistoryFailure) throws(GitError) -> Known {
    guard case .damaged = failure else { throw HistoryFailure.error(failure) }
    let fresh: Known
    do { fresh = try builder.build() } catch { throw HistoryFailure.error(error) }
    known.withLock { $0 = fresh }
    return fresh
  }
}

/// A commit with the time at which it was made part of history.
package struct DatedCommit: Sendable, Equatable {
  package let id: ObjectID
  /// The committer's seconds since 1970.
  package let committed: Int64

  package init(id: ObjectID, committed: Int64) {
    self.id = id
    self.committed = committed
  }
}

extension HistoryIndex {
  /// The commits from the tip to the oldest, each the first parent of the one before it.
  ///
  /// At the cut of a shallow clone the line ends. Their times need not fall: clocks differ.
  /// - Complexity: linear in the commits of the line.
  package func firstParents() throws(GitError) -> [DatedCommit] {
    try answer { known throws(HistoryFailure) in
      var line: [DatedCommit] = []
      var number = known.tip
      while true {
        // A line longer than the index goes in a circle.
        guard number < known.graph.end, line.count <= known.graph.end else { throw .damaged }
        let row = try known.graph.commit(number)
        line.append(DatedCommit(id: row.id, committed: row.committed))
        guard row.parent != CommitRow.none else { return line }
        number = Int(row.parent)
      }
    }
  }

  /// How many commits the index holds, those that the tip no longer leads to among them.
  package var commitCount: Int { known.withLock { $0.graph.end } }
}

/// The line of first parents, by dates.
extension HistoryIndex {
  /// The last commit on the line of first parents from the tip on whose committer's time is not after a moment; nil if
  /// all are after it.
  ///
  /// It is the one that `git rev-list -1 --first-parent --before` names.
  /// - Parameter seconds: since 1970, UTC.
  /// - Complexity: O(log n) where dates rise from parent to child.
  package func lastCommit(notAfter seconds: Int64) throws(GitError) -> ObjectID? {
    try answer { known throws(HistoryFailure) in
      let number = try known.graph.last(notAfter: seconds, from: known.tip)
      return try number.map { (number) throws(HistoryFailure) in try known.graph.id(number) }
    }
  }

  /// The oldest commit on the line of first parents from the tip on, with its committer's time in seconds since 1970.
  package func oldestCommit() throws(GitError) -> (id: ObjectID, seconds: Int64) {
    try answer { known throws(HistoryFailure) in
      let commit = try known.graph.commit(try known.graph.first(from: known.tip))
      return (commit.id, commit.committed)
    }
  }

  /// The commit so many generations before the tip on the line of first parents, as `HEAD~N` names it; nil if the line
  /// is shorter.
  /// - Complexity: O(1) where every commit has one parent and one child, else linear in the chains of such commits.
  package func ancestor(_ generations: Int) throws(GitError) -> ObjectID? {
    try answer { known throws(HistoryFailure) in
      var left = generations
      for chain in try known.graph.line(from: known.tip) {
        if left < chain.count { return try known.graph.id(chain.upperBound - left) }
        left -= chain.count
      }
      return nil
    }
  }
}

/// A commit that renamed a file and left its bytes as they were.
package struct FileRename: Sendable {
  /// From the root of the repository.
  package let from: [UInt8]
  package let to: [UInt8]
  package let commit: ObjectID
}

/// The names that a file had.
extension HistoryIndex {
  /// The renames of all commits that the tip can reach, in the order of the new paths.
  ///
  /// - Complexity: linear in the index.
  package func renames() throws(GitError) -> [FileRename] {
    try answer { known throws(HistoryFailure) in
      let past = try known.graph.reached(from: known.tip)
      var paths = HistoryPaths(known.graph)
      var renames: [FileRename] = []
      while let path = try paths.next() {
        for (rows, segment) in zip(paths.rows, known.graph.segments) {
          for row in rows {
            let change = try segment[segment.changes, row]
            let number = Int(change.commit)
            guard case .renamed(let rank) = FileRelation(packed: change.relation), number < past.count,
              past[number]
            else { continue }
            let former = above(Array(try segment.path(rank)))
            renames.append(FileRename(from: former, to: above(path), commit: try known.graph.id(number)))
          }
        }
      }
      return renames
    }
  }

  /// The commits that took a file away from the path that it had and did not add its bytes at another one.
  ///
  /// - Parameter isWanted: whether a path, from the root of the repository, counts.
  /// - Complexity: linear in the index.
  package func deletingCommits(
    where isWanted: (_ path: [UInt8]) -> Bool
  ) throws(GitError) -> Set<ObjectID> {
    try answer { known throws(HistoryFailure) in
      var numbers: Set<Int> = []
      for segment in known.graph.segments {
        var (gone, renamed): ([Int: Set<Int>], [Int: Set<Int>]) = ([:], [:])
        for rank in 0..<segment.pathCount {
          var counts: Bool?
          for row in try segment.rows(ofPath: rank) {
            let change = try segment[segment.changes, row]
            let relation = FileRelation(packed: change.relation)
            switch relation {
            case .gone, .renamed: break
            case .added, .changed, .same: continue
            }
            if counts == nil { counts = isWanted(above(Array(try segment.path(rank)))) }
            guard counts == true else { break }
            if case .renamed(let former) = relation {
              renamed[Int(change.commit), default: []].insert(former)
            } else {
              gone[Int(change.commit), default: []].insert(rank)
            }
          }
        }
        for (number, ranks) in gone where !ranks.isSubset(of: renamed[number] ?? []) {
          numbers.insert(number)
        }
      }
      var commits: Set<ObjectID> = []
      for number in numbers { commits.insert(try known.graph.id(number)) }
      return commits
    }
  }

  /// The times of a file as the first parent of a commit has it; nil if that does not have it.
  ///
  /// - Parameter path: from the root of the repository.
  package func times(of path: [UInt8], before commit: ObjectID) throws(GitError) -> PathTimes? {
    guard let below = below(path) else { return nil }
    let trees = TreeReader(prefix: prefix, source: builder.source())
    return try answer { known throws(HistoryFailure) -> PathTimes? in
      guard let number = try known.graph.number(of: commit),
        let parent = try known.graph.parents(of: number).first
      else { return nil }
      var trace = try PathTrace(known.graph, trees)
      var paths = HistoryPaths(known.graph)
      guard try paths.seek(below) else { return nil }
      return try trace.times(at: parent, paths.rows, below)
    }
  }

  /// Which of some commits a commit has in its history, itself among them; nil if the index does not have it.
  ///
  /// - Complexity: linear in its history.
  package func ancestors(
    of commit: ObjectID, among others: [ObjectID]
  ) throws(GitError) -> Set<ObjectID>? {
    try answer { known throws(HistoryFailure) in
      guard let number = try known.graph.number(of: commit) else { return nil }
      let past = try known.graph.reached(from: number)
      var found: Set<ObjectID> = []
      for other in others {
        guard let place = try known.graph.number(of: other), place < past.count, past[place] else { continue }
        found.insert(other)
      }
      return found
    }
  }
}

/// The times at which a file was last changed and added, according to its history, and its blob.
package struct PathTimes: Sendable, Equatable {
  /// The author's time of the commit that `git log -1 -- PATH` shows.
  package let modified: CommitTime
  /// The author's time of the commit that added the file, under whatever name it had then.
  ///
  /// It is followed through renames that left the bytes as they were, and through deletions after which the file came
  /// back at its path with bytes that it had there before.
  package let first: CommitTime
  /// The commit of `first`.
  package let firstBy: ObjectID
  /// The commit that `git log -1 -- PATH` shows.
  package let modifiedBy: ObjectID
  /// The content of the file at the requested commit: a file on disk that differs was changed since.
  package let blob: ObjectID

  package init(
    modified: CommitTime, first: CommitTime, firstBy: ObjectID, modifiedBy: ObjectID, blob: ObjectID
  ) {
    self.modified = modified
    self.first = first
    self.firstBy = firstBy
    self.modifiedBy = modifiedBy
    self.blob = blob
  }
}
