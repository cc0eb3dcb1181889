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
  /// Where the index is kept; nil for none.
  let file: HistoryFile?

  /// The index: as it is kept, with the commits that are new; nil where these are more than a limit.
  /// - Parameter progress: is told how many commits of how many were read, where they are not few.
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

  /// The whole of history, read anew.
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

  /// Adds to the rows what the new commits changed; where these are many, the older half is compared on another thread.
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

  /// What the other thread has found.
  private final class OlderHalf: Sendable {
    let found = Mutex<Compared?>(nil)
  }

  /// What some of the commits changed, by their places.
  ///
  /// A commit is marked as unknown where a tree cannot be read, or holds no end of paths: questions that do not lead
  /// through that tree have an answer.
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
