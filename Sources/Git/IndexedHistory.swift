/// A question for the history of some paths, answered by an index of all history.
///
/// The index is made when it is first asked for, from one pass over all commits, and grows by what is new.
struct IndexedHistory {
  /// So many commits are read without much ado.
  private static let few = 1_024
  /// A walk that need not find everything may come to so many commits before all history is read instead.
  private static let longestShortWalk = 4_096

  let source: HistorySource
  let start: ObjectID
  /// From the root of the repository, no slashes around them.
  let paths: [[UInt8]]
  let limit: Int?
  let cut: ObjectID
  let files: PathHistoryCache
  /// Is told how many commits of how many were read, where they are not few.
  let progress: (_ done: Int, _ total: Int) -> Void

  /// The commits that changed the paths, the youngest first; nil where a plain walk is to be preferred, or to tell what is
  /// wrong with the repository.
  func commits() -> [ObjectID]? {
    if let old = files.read(cut: cut) {
      do { return try commits(old) } catch PathHistoryFailure.damaged {} catch { return nil }
    }
    return try? commits(nil)
  }

  private func commits(_ old: PathHistoryIndex?) throws -> [ObjectID]? {
    if let old, let number = try old.number(of: start) { return try walk(old, from: number) }
    let isKept = files.isWritable
    var commits = NewCommits(source, since: old)
    try commits.find(from: start, limit: limit == nil && isKept ? .max : Self.few)
    if commits.isCutShort {
      guard isKept else { return nil }
      if let found = try shortWalk() { return found }
      commits = NewCommits(source, since: old)
      try commits.find(from: start)
    }
    guard let index = try index(old, with: commits) else { return nil }
    files.write(index, unlike: old)
    return try walk(index, from: index.end - 1)
  }

  private func walk(_ index: PathHistoryIndex, from number: Int) throws(PathHistoryFailure) -> [ObjectID] {
    var walk = try PathHistoryWalk(index, source, paths)
    return try walk.commits(from: number, limit: limit ?? .max)
  }

  private func index(_ old: PathHistoryIndex?, with commits: NewCommits) throws -> PathHistoryIndex? {
    let count = commits.ids.count
    let isLong = count > Self.few
    let trees = CommitTrees(trees: commits.trees, parents: try commits.firstParentTrees())
    var rows = try PathHistoryRows(commits, after: old)
    if isLong { progress(0, count) }
    trees.fill(&rows, source) { if isLong { progress($0, count) } }
    if isLong { progress(count, count) }
    if let old { return try old.appending(rows) }
    return PathHistoryRun(rows, cut: cut, on: nil).map { PathHistoryIndex($0) }
  }

  /// What a walk finds that does not go far; nil where that is not all that was asked for.
  private func shortWalk() throws(GitError) -> [ObjectID]? {
    guard let limit else { return nil }
    var walk = HistoryWalk(source, PathProbe(paths))
    try walk.begin(start)
    var found: [ObjectID] = []
    while found.count < limit {
      guard walk.length < Self.longestShortWalk else { return nil }
      guard let group = try walk.nextOfOneDate() else { break }
      found.append(contentsOf: group.map(\.id))
    }
    return Array(found.prefix(limit))
  }
}

extension Repository {
  /// Visits the commits that changed some paths, as `history(from:touching:limit:_:)` does, without a walk over history.
  ///
  /// What each commit changed is kept in a cache. One that is damaged or of another kind is made anew, and one that cannot
  /// be written is no error: then history is walked. Libgit2 is not started.
  /// - Parameters:
  ///   - cache: the path of the cache file; another beside it holds what came last.
  ///   - progress: is told how many commits of how many were read, where they are not few.
  /// - Complexity: O(m log n) for m commits that are shown, after one pass over the commits that are not yet in the cache.
  package func history(
    from start: ObjectID, touching paths: [[UInt8]], limit: Int? = nil, cache: [UInt8],
    progress: @escaping (_ done: Int, _ total: Int) -> Void = { _, _ in }, _ visit: (Commit) -> Bool
  ) throws(GitError) {
    let slash = UInt8(ascii: "/")
    let names = paths.map { Array($0.split(separator: slash).joined(separator: [slash])) }
    guard !names.isEmpty, !names.contains([]) else {
      return try history(from: start, touching: paths, limit: limit, visit)
    }
    let question = IndexedHistory(
      source: try HistorySource(self), start: start, paths: names, limit: limit, cut: try cutName(),
      files: PathHistoryCache(cache), progress: progress)
    guard let commits = question.commits() else {
      return try history(from: start, touching: paths, limit: limit, visit)
    }
    for commit in commits { guard visit(try read(commit)) else { return } }
  }
}
