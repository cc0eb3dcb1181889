/// When a file was last changed and when it was added, as its history tells.
package struct PathTimes: Sendable, Equatable {
  /// The author's time of the commit that `git log -1 -- PATH` shows.
  package let modified: CommitTime
  /// The author's time of the commit that added the file.
  package let first: CommitTime
  /// The commit that `git log -1 -- PATH` shows.
  package let modifiedBy: ObjectID

  package init(modified: CommitTime, first: CommitTime, modifiedBy: ObjectID) {
    self.modified = modified
    self.first = first
    self.modifiedBy = modifiedBy
  }
}

extension Repository {
  /// The times of all files of a commit below a folder, by their paths from the root of the repository.
  ///
  /// One pass over history answers for all of them. With a cache that was made for the same commit history is not read
  /// at all; with one of an ancestor, only down to that. A cache that is damaged or of another kind is ignored, and one
  /// that cannot be written is no error.
  /// - Parameter cache: the path of the cache file.
  package func pathTimes(
    at head: ObjectID, under prefix: [UInt8], cache: [UInt8]?
  ) throws(GitError) -> [[UInt8]: PathTimes] {
    try pathTimesTable(at: head, under: prefix, cache: cache).dictionary
  }

  /// As `pathTimes(at:under:cache:)`, looked up in the bytes of the cache: nothing is made per file.
  package func pathTimesTable(
    at head: ObjectID, under prefix: [UInt8], cache: [UInt8]?
  ) throws(GitError) -> PathTimesTable {
    let folder = Array(
      prefix.drop { $0 == UInt8(ascii: "/") }.reversed().drop { $0 == UInt8(ascii: "/") }.reversed())
    let key = PathTimesTable.Key(head: head, cut: try cutName(), prefix: folder)
    let old = cache.flatMap { try? RawFile.read($0)?.bytes }.flatMap { PathTimesTable(bytes: $0) }
    if let old, old.key == key { return old }
    let source = try HistorySource(self)
    let base = old.flatMap { $0.key.cut == key.cut && $0.key.prefix == folder ? $0 : nil }
    let table = try PathTimesWalk.table(key, source, self, base: try usable(base))
    if let cache { RawFile.replaceQuietly(cache, with: table.bytes) }
    return table
  }

  /// The old table, where its commit can still be read.
  private func usable(_ table: PathTimesTable?) throws(GitError) -> PathTimesTable? {
    guard let table, try hasObject(table.key.head) else { return nil }
    return table
  }

  /// Changes whenever the cut of a shallow clone does.
  private func cutName() throws(GitError) -> ObjectID {
    try RawFile.read(commonDirectory / "shallow").map { SHA1.hash($0.bytes) } ?? .zero
  }
}

extension RawFile {
  /// Replaces a cache file in one step; where that fails, nothing happens.
  static func replaceQuietly(_ path: [UInt8], with bytes: [UInt8]) {
    let temporary = path + uniqueName(".new")
    guard (try? create(temporary, bytes)) != nil else { return }
    if (try? rename(temporary, to: path)) == nil { remove(temporary) }
  }
}
