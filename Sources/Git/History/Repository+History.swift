import Bytes

extension Repository {
  /// Visits the commits that changed some paths, newest first, as `git log -- PATHS` does.
  ///
  /// A merge that equals one of its parents in these paths is followed to the first such parent alone. Commits come in the
  /// order of their dates, never before those of their children that have the same date; at the cut of a shallow clone
  /// history ends.
  /// - Parameters:
  ///   - paths: files or folders from the root of the repository; none means all commits.
  ///   - visit: answers whether to go on.
  /// - Complexity: linear in the commits of history.
  package func history(
    from start: ObjectID, touching paths: [[UInt8]], limit: Int? = nil, _ visit: (Commit) -> Bool
  ) throws(GitError) {
    var walk = HistoryWalk(HistorySource(historyObjects), PathProbe(paths))
    try walk.begin(start)
    var left = limit ?? .max
    while left > 0, let group = try walk.nextOfOneDate() {
      for commit in group {
        guard left > 0, visit(commit) else { return }
        left -= 1
      }
    }
  }

  /// The index of the history of a folder, as far as it can be reached from a commit.
  ///
  /// It is kept in a file and grows by what is new. A file that is damaged, or of another folder or version, is built
  /// anew, and one that cannot be written is no error. Libgit2 is not started.
  /// - Parameters:
  ///   - prefix: the folder, from the root of the repository; empty for all.
  ///   - cache: the path of the file; nil to keep nothing.
  ///   - progress: is told how many commits of how many were read, where they are not few.
  /// - Complexity: that of one pass over the commits that are not yet in the file.
  package func historyIndex(
    at tip: ObjectID, under prefix: [UInt8], cache: [UInt8]?,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(GitError) -> HistoryIndex {
    let index = try historyBuilder(at: tip, under: prefix, cache: cache).index(progress: progress)
    guard let index else {
      throw GitError(.other, "the history has too many commits or paths for the history index")
    }
    return index
  }

  private func historyBuilder(
    at tip: ObjectID, under prefix: [UInt8], cache: [UInt8]?
  ) throws(GitError) -> HistoryBuilder {
    let folder = Self.normal(prefix)
    let open = another
    let source = { @Sendable () in
      HistorySource { () throws(GitError) in try open().historyObjects() }
    }
    return HistoryBuilder(
      tip: tip, prefix: folder, source: source,
      file: try cache.map { path throws(GitError) in try historyFile(under: folder, cache: path) })
  }

  /// The file of the index of a folder's history, whose key changes with the cut of a shallow clone.
  func historyFile(under prefix: [UInt8], cache: [UInt8]) throws(GitError) -> HistoryFile {
    let cut = try RawFile.read(commonDirectory / "shallow")?.bytes ?? []
    return HistoryFile(cache, key: SHA1.hash(Self.normal(prefix) + [0] + cut))
  }

  private func historyObjects() throws(GitError) -> HistoryObjects {
    let text = try RawFile.read(commonDirectory / "shallow")?.bytes ?? []
    let cut = Set(text.split(separator: 10).compactMap { ObjectID(hex: $0.prefix(40)) })
    return HistoryObjects(
      cut: cut,
      bytes: { (id, kind) throws(GitError) in
        // A commit under another's name could be its own ancestor; trees are walked within bounds.
        try self.object(id, kind, isVerified: kind == .commit).bytes
      },
      commit: { id throws(GitError) in try self.read(id) })
  }

  /// A path without slashes around it or next to each other.
  private static func normal(_ path: [UInt8]) -> [UInt8] {
    Array(path.split(separator: UInt8(ascii: "/")).joined(separator: [UInt8(ascii: "/")]))
  }
}

extension Repository {
  /// So many new commits are read for any question.
  private static let fewCommits = 1_024
  /// A walk that need not find everything may come to so many commits before all history is read instead.
  private static let longestShortWalk = 4_096

  /// Visits the commits that changed some paths, as `history(from:touching:limit:_:)` does, by an index of history.
  ///
  /// The index is built when it is first needed for more than a short walk. Where it cannot be kept, history is walked.
  /// - Parameters:
  ///   - prefix: the folder that the index is of; questions for paths that are not in there are answered by a walk.
  ///   - cache: the path of the file of the index.
  ///   - progress: is told how many commits of how many were read, where they are not few.
  /// - Complexity: O(m log n) for m commits that are shown, after one pass over the commits that are not yet in the file.
  package func history(
    from start: ObjectID, touching paths: [[UInt8]], limit: Int? = nil, under prefix: [UInt8], cache: [UInt8],
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }, _ visit: (Commit) -> Bool
  ) throws(GitError) {
    let names = paths.map(Self.normal)
    let folder = Self.normal(prefix)
    let isBelow = names.allSatisfy { !$0.isEmpty && (folder.isEmpty || $0.starts(with: folder / "")) }
    guard !names.isEmpty, isBelow,
      let commits = try indexed(start, names, limit, folder, cache, progress)
    else {
      return try history(from: start, touching: paths, limit: limit, visit)
    }
    for commit in commits { guard visit(try read(commit)) else { return } }
  }

  /// The commits by the index, or by a short walk; nil where a long walk is to be preferred.
  private func indexed(
    _ start: ObjectID, _ paths: [[UInt8]], _ limit: Int?, _ prefix: [UInt8], _ cache: [UInt8],
    _ progress: (_ done: Int, _ total: Int) -> Void
  ) throws(GitError) -> [ObjectID]? {
    let builder = try historyBuilder(at: start, under: prefix, cache: cache)
    let isKept = builder.file?.isWritable == true
    let most = limit == nil && isKept ? Int.max : Self.fewCommits
    if let index = try builder.index(limit: most, progress: progress) {
      return try index.commits(touching: paths, limit: limit)
    }
    guard isKept else { return nil }
    if let limit {
      var walk = HistoryWalk(HistorySource(historyObjects), PathProbe(paths))
      try walk.begin(start)
      var found: [ObjectID] = []
      while found.count < limit, walk.length < Self.longestShortWalk {
        guard let group = try walk.nextOfOneDate() else { return found }
        found.append(contentsOf: group.map(\.id))
      }
      if found.count >= limit { return Array(found.prefix(limit)) }
    }
    return try builder.index(progress: progress)?.commits(touching: paths, limit: limit)
  }
}

extension Repository {
  /// The e-mail address of the author of the last commit of HEAD that changed a file; empty if there is none.
  ///
  /// Wraps git-log(1).
  /// - Complexity: linear in the commits since then.
  package func lastAuthor(of path: [UInt8]) throws(GitError) -> String {
    guard try head().tip != nil else { return "" }
    let literal = ":(top,literal)" + GitError.text(path)
    let output = try git(["log", "-1", "--format=%ae", "HEAD", "--", literal])
    return GitError.text(output.prefix { $0 != 10 })
  }
}

extension Repository {
  /// Writes the kept index of history anew, without the commits that a tip no longer leads to.
  ///
  /// - Parameters:
  ///   - prefix: the folder of the index, from the root of the repository.
  ///   - cache: the path of its file.
  /// - Returns: how many commits were taken out; 0 where there is no index of the tip, or nothing to take out.
  package func compactHistoryIndex(
    at tip: ObjectID, under prefix: [UInt8], cache: [UInt8]
  ) throws(GitError) -> Int {
    let file = try historyFile(under: prefix, cache: cache)
    guard file.isWritable, let stored = file.read() else { return 0 }
    do {
      guard let number = try stored.graph.number(of: tip) else { return 0 }
      let rows = try stored.graph.rows(from: number)
      let dead = stored.graph.end - rows.commits.count
      if dead > 0 { _ = try file.replace(with: rows) }
      return dead
    } catch {
      // A damaged index is built anew by the next question.
      return 0
    }
  }
}
