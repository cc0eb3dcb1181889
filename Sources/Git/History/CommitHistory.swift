import Bytes
import CLibgit2

extension Repository {
  /// The commits and how they relate to each other.
  package var history: CommitHistory { CommitHistory(repository: self) }
}

/// The commits of a repository: how they relate to each other, and which of them changed a file.
package struct CommitHistory {
  let repository: Repository

  /// Visits the commits that changed some paths, newest first, as `git log -- PATHS` does.
  ///
  /// A merge that equals one of its parents in these paths is followed to the first such parent alone. Commits come in the
  /// order of their dates, never before those of their children that have the same date; at the cut of a shallow clone
  /// history ends.
  /// - Parameters:
  ///   - paths: files or folders from the root of the repository; none means all commits.
  ///   - followsAncestry: whether a commit comes before its ancestors although they have later dates, because a clock went back.
  ///   - visit: answers whether to go on.
  /// - Complexity: linear in the commits of history.
  package func visit(
    from start: ObjectID, touching paths: [[UInt8]], limit: Int? = nil, followsAncestry: Bool = false,
    _ visit: (Commit) -> Bool
  ) throws(GitError) {
    var walk = HistoryWalk(HistorySource(objects), PathProbe(paths), followsAncestry: followsAncestry)
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
  /// It is kept in a file and grows by new commits. If the file is damaged, or of another folder or version, the index is
  /// rebuilt. A file that can't be written is not an error. Libgit2 is not started.
  /// - Parameters:
  ///   - prefix: the folder, from the root of the repository; empty for all.
  ///   - cache: the path of the file; nil to keep nothing.
  ///   - progress: receives the number of read commits and their total, unless they are few.
  /// - Complexity: that of one pass over the commits that are not yet in the file.
  package func index(
    at tip: ObjectID, under prefix: [UInt8], cache: [UInt8]?,
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }
  ) throws(GitError) -> HistoryIndex {
    let index = try builder(at: tip, under: prefix, cache: cache).index(progress: progress)
    guard let index else {
      throw GitError(.other, "the history has too many commits or paths for the history index")
    }
    return index
  }

  private func builder(
    at tip: ObjectID, under prefix: [UInt8], cache: [UInt8]?
  ) throws(GitError) -> HistoryBuilder {
    let folder = Self.normal(prefix)
    let open = repository.another
    let source = { @Sendable () in
      HistorySource { () throws(GitError) in try open().history.objects() }
    }
    return HistoryBuilder(
      tip: tip, prefix: folder, source: source,
      file: try cache.map { path throws(GitError) in try indexFile(under: folder, cache: path) })
  }

  /// The file of the index of a folder's history, whose key changes with the cut of a shallow clone.
  func indexFile(under prefix: [UInt8], cache: [UInt8]) throws(GitError) -> HistoryFile {
    let cut = try RawFile.read(repository.commonDirectory / "shallow")?.bytes ?? []
    return HistoryFile(cache, key: SHA1.hash(Self.normal(prefix) + [0] + cut))
  }

  private func objects() throws(GitError) -> HistoryObjects {
    let text = try RawFile.read(repository.commonDirectory / "shallow")?.bytes ?? []
    let cut = Set(text.split(separator: 10).compactMap { ObjectID(hex: $0.prefix(40)) })
    return HistoryObjects(
      cut: cut,
      bytes: { (id, kind) throws(GitError) in
        // A commit under another's name could be its own ancestor; trees are walked within bounds.
        try repository.object(id, kind, isVerified: kind == .commit).bytes
      },
      commit: { id throws(GitError) in try repository.read(id) })
  }

  /// A path without slashes around it or next to each other.
  private static func normal(_ path: [UInt8]) -> [UInt8] {
    Array(path.split(separator: UInt8(ascii: "/")).joined(separator: [UInt8(ascii: "/")]))
  }
}

extension CommitHistory {
  /// So many new commits are read for any question.
  private static let fewCommits = 1_024
  /// A walk that need not find everything may come to so many commits before all history is read instead.
  private static let longestShortWalk = 4_096

  /// Visits the commits that changed some paths, as `visit(from:touching:limit:_:)` does, by an index of history.
  ///
  /// The index is built when it is first needed for more than a short walk. If it can't be kept, history is walked.
  /// - Parameters:
  ///   - prefix: the folder of the index; queries for paths outside of it are answered by a walk.
  ///   - cache: the path of the file of the index.
  ///   - progress: receives the number of read commits and their total, unless they are few.
  /// - Complexity: O(m log n) for m commits that are shown, after one pass over the commits that are not yet in the file.
  package func visit(
    from start: ObjectID, touching paths: [[UInt8]], limit: Int? = nil, under prefix: [UInt8], cache: [UInt8],
    progress: (_ done: Int, _ total: Int) -> Void = { _, _ in }, _ visit: (Commit) -> Bool
  ) throws(GitError) {
    let names = paths.map(Self.normal)
    let folder = Self.normal(prefix)
    let isBelow = names.allSatisfy { !$0.isEmpty && (folder.isEmpty || $0.starts(with: folder / "")) }
    guard !names.isEmpty, isBelow,
      let commits = try indexed(start, names, limit, folder, cache, progress)
    else {
      return try self.visit(from: start, touching: paths, limit: limit, visit)
    }
    for commit in commits { guard visit(try repository.read(commit)) else { return } }
  }

  /// The commits by the index, or by a short walk; nil if a long walk is to be preferred.
  private func indexed(
    _ start: ObjectID, _ paths: [[UInt8]], _ limit: Int?, _ prefix: [UInt8], _ cache: [UInt8],
    _ progress: (_ done: Int, _ total: Int) -> Void
  ) throws(GitError) -> [ObjectID]? {
    let builder = try builder(at: start, under: prefix, cache: cache)
    let isKept = builder.file?.isWritable == true
    let most = limit == nil && isKept ? Int.max : Self.fewCommits
    if let index = try builder.index(limit: most, progress: progress) {
      return try index.commits(touching: paths, limit: limit)
    }
    guard isKept else { return nil }
    if let limit {
      var walk = HistoryWalk(HistorySource(objects), PathProbe(paths))
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

extension CommitHistory {
  /// The e-mail address of the author of the last commit of HEAD that changed a file; empty without such a commit.
  ///
  /// Wraps git-log(1).
  /// - Complexity: linear in the commits since then.
  package func lastAuthor(of path: [UInt8]) throws(GitError) -> String {
    guard try repository.head().tip != nil else { return "" }
    let literal = ":(top,literal)" + GitError.text(path)
    let output = try repository.git(["log", "-1", "--format=%ae", "HEAD", "--", literal])
    return GitError.text(output.prefix { $0 != 10 })
  }
}

extension CommitHistory {
  /// Rewrites the kept index of history, without the commits that are no longer reachable from a tip.
  ///
  /// - Parameters:
  ///   - prefix: the folder of the index, from the root of the repository.
  ///   - cache: the path of its file.
  /// - Returns: the number of removed commits; 0 if there is no index of the tip, or nothing to remove.
  package func compactIndex(
    at tip: ObjectID, under prefix: [UInt8], cache: [UInt8]
  ) throws(GitError) -> Int {
    let file = try indexFile(under: prefix, cache: cache)
    guard file.isWritable, let stored = file.read() else { return 0 }
    do {
      guard let number = try stored.graph.number(of: tip) else { return 0 }
      let rows = try stored.graph.rows(from: number)
      let dead = stored.graph.end - rows.commits.count
      if dead > 0 { _ = try file.replace(with: rows) }
      return dead
    } catch {
      // The next query rebuilds a damaged index.
      return 0
    }
  }
}

/// Ancestry between commits.
///
/// The libgit2 of Debian 12 looks up the parents of the commits at which a shallow clone is cut, and fails. It also refuses
/// commits whose date is too large for it. In a shallow clone and after such a failure git itself answers.
extension CommitHistory {
  /// The best common ancestors of two commits, in no order; none if they have none, or none that is here.
  ///
  /// Wraps `git_merge_bases`, in a shallow clone git-merge-base(1).
  /// - Complexity: linear in the commits that the two do not share.
  package func mergeBases(of one: ObjectID, and other: ObjectID) throws(GitError) -> [ObjectID] {
    if repository.isShallow { return try mergeBasesByGit(of: one, and: other) }
    var names = (one.oid, other.oid)
    var found = git_oidarray()
    let status = git_merge_bases(&found, try repository.open().repository, &names.0, &names.1)
    if status == GIT_ENOTFOUND.rawValue { return [] }
    guard status >= 0 else { return try mergeBasesByGit(of: one, and: other) }
    defer { git_oidarray_dispose(&found) }
    return (0..<found.count).map { ObjectID(found.ids[$0]) }
  }

  private func mergeBasesByGit(of one: ObjectID, and other: ObjectID) throws(GitError) -> [ObjectID] {
    // Git exits with 1 if the commits have no common ancestor.
    try ids(repository.git(["merge-base", "--all", one.hex, other.hex], accepting: [0, 1]))
  }

  /// Whether a commit is another one or comes before it, as far as the history is here.
  ///
  /// Wraps `git_graph_descendant_of`, in a shallow clone git-merge-base(1).
  package func isAncestor(_ one: ObjectID, of other: ObjectID) throws(GitError) -> Bool {
    if one == other { return true }
    if repository.isShallow { return try mergeBases(of: one, and: other) == [one] }
    var (first, second) = (one.oid, other.oid)
    let status = git_graph_descendant_of(try repository.open().repository, &second, &first)
    return try status < 0 ? mergeBasesByGit(of: one, and: other) == [one] : status == 1
  }

  /// How many commits each of two has that the other has not, as far as the history is here.
  ///
  /// Wraps `git_graph_ahead_behind`, in a shallow clone git-rev-list(1).
  /// - Complexity: linear in the commits that the two do not share.
  package func distance(
    from one: ObjectID, to other: ObjectID
  ) throws(GitError) -> (ahead: Int, behind: Int) {
    let byGit = { () throws(GitError) -> (ahead: Int, behind: Int) in
      let answer = try repository.git(["rev-list", "--left-right", "--count", "\(one.hex)...\(other.hex)"])
      let counts = answer.split { $0 <= UInt8(ascii: " ") }.compactMap {
        Int(String(decoding: $0, as: UTF8.self))
      }
      guard counts.count == 2 else { throw GitError(.other, "git rev-list did not print two numbers") }
      return (counts[0], counts[1])
    }
    if repository.isShallow { return try byGit() }
    var (ahead, behind) = (0, 0)
    var (first, second) = (one.oid, other.oid)
    let status = git_graph_ahead_behind(&ahead, &behind, try repository.open().repository, &first, &second)
    return status < 0 ? try byGit() : (ahead, behind)
  }

  /// The commits that lead to one and not to another, newest first and each before its parents; all that lead to it if the
  /// other is nil.
  ///
  /// Wraps `git_revwalk_next`, in a shallow clone git-rev-list(1).
  package func commits(to tip: ObjectID, notTo other: ObjectID?) throws(GitError) -> [Commit] {
    if repository.isShallow { return try commitsByGit(to: tip, notTo: other) }
    let opened = try repository.open()
    let walk = try Handle("walk the history", free: git_revwalk_free) {
      git_revwalk_new($0, opened.repository)
    }
    var start = tip.oid
    if git_revwalk_push(walk.pointer, &start) < 0 { return try commitsByGit(to: tip, notTo: other) }
    git_revwalk_sorting(walk.pointer, GIT_SORT_TOPOLOGICAL.rawValue | GIT_SORT_TIME.rawValue)
    if let other {
      var end = other.oid
      if git_revwalk_hide(walk.pointer, &end) < 0 { return try commitsByGit(to: tip, notTo: other) }
    }
    var found: [Commit] = []
    var next = git_oid()
    while true {
      let status = git_revwalk_next(&next, walk.pointer)
      if status == GIT_ITEROVER.rawValue { return found }
      if status < 0 { return try commitsByGit(to: tip, notTo: other) }
      found.append(try repository.read(ObjectID(next)))
    }
  }

  private func commitsByGit(to tip: ObjectID, notTo other: ObjectID?) throws(GitError) -> [Commit] {
    var found: [Commit] = []
    let range = [tip.hex] + (other.map { ["^\($0.hex)"] } ?? [])
    let listed = try repository.git(["rev-list", "--date-order"] + range + ["--"])
    for id in ids(listed) { found.append(try repository.read(id)) }
    return found
  }

  /// The ids in lines of git's output.
  private func ids(_ output: [UInt8]) -> [ObjectID] {
    output.split(separator: 10).compactMap { ObjectID(hex: $0) }
  }
}
