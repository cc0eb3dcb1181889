/// When a file was last changed and when it was added, as its history tells, and what it holds.
package struct PathTimes: Sendable, Equatable {
  /// The author's time of the commit that `git log -1 -- PATH` shows.
  package let modified: CommitTime
  /// The author's time of the commit that added the file, under whatever name it had then.
  ///
  /// It is followed through renames that left the bytes as they were.
  package let first: CommitTime
  /// The commit that `git log -1 -- PATH` shows.
  package let modifiedBy: ObjectID
  /// The content of the file at the commit that was asked for: a file on disk that differs was changed since.
  package let blob: ObjectID

  package init(modified: CommitTime, first: CommitTime, modifiedBy: ObjectID, blob: ObjectID) {
    self.modified = modified
    self.first = first
    self.modifiedBy = modifiedBy
    self.blob = blob
  }
}

extension Repository {
  /// The times of all files of a commit below a folder, by their paths from the root of the repository.
  ///
  /// As `pathTimesTable(at:under:cache:)`, with a value made for every file.
  package func pathTimes(
    at head: ObjectID, under prefix: [UInt8], cache: [UInt8]?
  ) throws(GitError) -> [[UInt8]: PathTimes] {
    try pathTimesTable(at: head, under: prefix, cache: cache).dictionary
  }

  /// The times of all files of a commit below a folder, looked up in the bytes of the cache: nothing is made per file.
  ///
  /// One pass over history answers for all of them. With a cache that was made for the same commit history is not read
  /// at all, nor libgit2 started; with one of an ancestor, history is read only down to that, and only what changed is
  /// written. A cache that is damaged or of another kind is ignored, and one that cannot be written is no error.
  /// - Parameter cache: the path of the cache file; another beside it holds the latest changes.
  package func pathTimesTable(
    at head: ObjectID, under prefix: [UInt8], cache: [UInt8]?
  ) throws(GitError) -> PathTimesTable {
    let slash = UInt8(ascii: "/")
    let folder = Array(prefix.drop { $0 == slash }.reversed().drop { $0 == slash }.reversed())
    let key = PathTimesKey(head: head, cut: try cutName(), prefix: folder)
    let files = cache.map { PathTimesCache($0) }
    let old = files?.read(key)
    if let old, old.key == key { return old }
    let source = try HistorySource(self)
    let base = try old.flatMap { table throws(GitError) in try usable(table, source, key) }
    let walked = try PathTimesWalk.rows(key, source, self, base: base)
    let table: PathTimesTable
    if let base {
      table = try base.replacing(walked, key)
    } else {
      table = PathTimesTable(try PathTimesRun(key, walked))
    }
    files?.write(table, unlike: old)
    return table
  }

  /// The newest part of an old table that the walk can end at, its commit being one of the past of the new one.
  private func usable(
    _ table: PathTimesTable, _ source: HistorySource, _ key: PathTimesKey
  ) throws(GitError) -> PathTimesTable? {
    for candidate in [table, table.withoutRecent] {
      guard let candidate, try hasObject(candidate.key.head) else { continue }
      if try source.seemsToReach(candidate.key.head, from: key.head) { return candidate }
    }
    return nil
  }

  /// Changes whenever the cut of a shallow clone does.
  func cutName() throws(GitError) -> ObjectID {
    try RawFile.read(commonDirectory / "shallow").map { SHA1.hash($0.bytes) } ?? .zero
  }
}
