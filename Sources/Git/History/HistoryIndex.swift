import Bytes
import Synchronization

/// The history of a folder as far as it can be reached from one commit: who changed what, and when.
///
/// Questions are answered where the index lies in its file, by any number of threads at once. Where a page of it turns
/// out to be damaged, the index is built anew.
package final class HistoryIndex: Sendable {
  /// The commit that history is asked for.
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
  ///   - start: the commit to begin at; the tip by default, and where the index does not have it.
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

  /// When a file was last changed and added, and what it holds; nil where the tip does not have it.
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

  /// Gives back the memory of what was looked at, where the index lies in a file.
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

  /// The path below the folder; nil where it is not in there.
  func below(_ path: [UInt8]) -> [UInt8]? {
    guard !prefix.isEmpty else { return path }
    return path.starts(with: prefix / "") ? Array(path.dropFirst(prefix.count + 1)) : nil
  }

  func above(_ path: [UInt8]) -> [UInt8] { prefix.isEmpty ? path : prefix / path }

  /// Asks the graph, and once more where it had to be built anew.
  func answer<Answer>(
    _ question: (Known) throws(HistoryFailure) -> Answer
  ) throws(GitError) -> Answer {
    do { return try question(known.withLock { $0 }) } catch {
      let repaired = try repair(after: error)
      do { return try question(repaired) } catch { throw HistoryFailure.error(error) }
    }
  }

  /// The graph, built anew where it is damaged.
  func repair(after failure: HistoryFailure) throws(GitError) -> Known {
    guard case .damaged = failure else { throw HistoryFailure.error(failure) }
    let fresh: Known
    do { fresh = try builder.build() } catch { throw HistoryFailure.error(error) }
    known.withLock { $0 = fresh }
    return fresh
  }
}
