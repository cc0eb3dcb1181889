import Bytes
import Git
import NoteIndex
import Platform
import Text

/// The files of a box in a commit and in git's index.
package final class CommittedFiles: Sendable {
  /// The difference between a file on disk and HEAD.
  package enum Difference: String, Sendable {
    case unchanged, changed, new, deleted, conflicted
    /// The file may differ, and a flag of git's index hides that.
    case hidden
    /// A symbolic link replaces the file, or the reverse; only git commits that.
    case otherType
  }

  private let box: Box
  private let commit: ObjectID?
  private let computedFiles = Computed<TreeListing, SlipboxError>()
  /// The entries of the index below the box, by path and stage; their paths are from the root of the repository.
  private let index: Slice<IndexEntries>

  /// - Parameters:
  ///   - commit: the commit whose files are used; nil before the first one.
  ///   - withIndex: whether the index counts too.
  init(_ box: Box, at commit: ObjectID?, withIndex: Bool) throws(SlipboxError) {
    self.box = box
    self.commit = commit
    guard withIndex else {
      index = IndexEntries([])[...]
      return
    }
    let entries = try box.git { repository throws(GitError) in try repository.index.entries() }
    let prefix = box.prefix
    let start = Self.place(of: prefix, in: entries.indices) { entries.path($0, precedes: $1) }
    var end = start
    while end < entries.count, entries.withPath(at: end, { $0.starts(with: prefix) }) { end += 1 }
    index = entries[start..<end]
  }

  /// Warns if git's index could not be read, so that the last commit is used instead.
  static func warnOfIndexDamage(in box: Box, _ reporter: Reporter) {
    switch box.withRepository({ $0.index.damage }) {
    case nil: break
    case .missing:
      reporter.warnOnce("git's index is missing; the next change rebuilds it from the last commit")
    case .damaged:
      reporter.warnOnce(
        "git's index can't be read; the next change saves a copy and rebuilds it from the last commit")
    }
  }

  /// Returns the files of the commit below the box, by path; their paths are from the root of the repository.
  /// - Complexity: O(n) in the files of the commit, once.
  func files() throws(SlipboxError) -> TreeListing {
    try computedFiles.value { () throws(SlipboxError) in
      guard let commit else { return TreeListing() }
      let prefix = Array(box.prefix.dropLast())
      return try box.git { repository throws(GitError) in try repository.files(at: commit, under: prefix) }
    }
  }

  /// Returns the file at a path of the box in the commit.
  /// - Complexity: O(log n).
  func file(_ path: [UInt8]) throws(SlipboxError) -> TreeEntry? {
    let (name, files) = (box.repositoryPath(path), try files())
    let place = Self.place(of: name, in: files.indices) { files.path($0, precedes: $1) }
    return place < files.count && files.path(at: place).elementsEqual(name) ? files[place] : nil
  }

  /// Returns the first entry of the index for a path of the box.
  func staged(_ path: [UInt8]) -> IndexEntry? {
    index.base.entry(at: box.repositoryPath(path))
  }

  /// Returns whether git tracks the file: it is in the commit or staged.
  package func isTracked(_ path: [UInt8]) throws(SlipboxError) -> Bool {
    if staged(path).map({ $0.stage == 0 }) == true { return true }
    return try file(path) != nil
  }

  /// Returns the paths of the commit's files below a folder of the box, in order.
  func paths(under folder: [UInt8]) throws(SlipboxError) -> [[UInt8]] {
    let (name, files) = (box.repositoryPath(folder), try files())
    let start = Self.place(of: name, in: files.indices) { files.path($0, precedes: $1) }
    return files[start...].prefix { $0.path.starts(with: name) }.map {
      Array($0.path.dropFirst(box.prefix.count))
    }
  }

  /// Returns the paths of the commit's symbolic links below a folder of the box, in order.
  func links(under folder: [UInt8]) throws(SlipboxError) -> [[UInt8]] {
    let (start, files) = (box.repositoryPath(folder) + [UInt8(ascii: "/")], try files())
    let first = Self.place(of: start, in: files.indices) { files.path($0, precedes: $1) }
    return files[first...].prefix { $0.path.starts(with: start) }
      .filter { $0.mode == TreeEntry.symbolicLink }
      .map { Array($0.path.dropFirst(box.prefix.count)) }
  }

  /// Returns the flag that hides changes of the file from git; nil if there is none. A sparse checkout may leave a file
  /// with `skip-worktree` out of the work tree.
  func hidingFlag(_ path: [UInt8]) -> String? { staged(path)?.hidingFlag }

  /// Returns the difference between a file of the box and the commit.
  ///
  /// - Parameter status: the status of the file. If it equals that in the index, the file is unchanged.
  /// - Parameter bytes: reads the bytes; called only if the status does not decide.
  func difference(
    _ path: [UInt8], status: FileStatus, bytes: () throws(SlipboxError) -> [UInt8]
  ) throws(SlipboxError) -> Difference {
    let entry = staged(path)
    if let entry, entry.stage > 0 { return .conflicted }
    guard let file = try file(path) else { return .new }
    if let entry, entry.id == file.id, entry.describes(status) { return .unchanged }
    let state = FileState.file(try bytes(), isExecutable: status.mode & 0o100 != 0)
    if try box.holds(file, WorkTreeFile(path: path, state: state, status: status), entry) {
      return .unchanged
    }
    return entry?.hidingFlag == nil ? .changed : .hidden
  }

  /// Returns the first place whose path is not less than a name.
  private static func place(
    of name: [UInt8], in places: Range<Int>, _ precedes: (Int, [UInt8]) -> Bool
  ) -> Int {
    var (low, high) = (places.lowerBound, places.upperBound)
    while low < high {
      let middle = (low + high) / 2
      if precedes(middle, name) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension CommittedFiles {
  /// Iterates over the files of the commit and of the index in parallel with an ordered list of paths.
  struct Cursor {
    private let files: TreeListing
    private let index: Slice<IndexEntries>
    private let prefixLength: Int
    private var file = 0
    private var entry: Int

    init(_ committed: CommittedFiles) throws(SlipboxError) {
      files = try committed.files()
      index = committed.index
      prefixLength = committed.box.prefix.count
      entry = committed.index.startIndex
    }

    /// Returns the file and the first index entry of a path. The paths of successive calls must ascend.
    /// - Parameter passing: receives each file of the commit before the path, with its index entry.
    mutating func seek(
      _ path: [UInt8], passing: (TreeEntry, IndexEntry?) throws(SlipboxError) -> Void
    ) throws(SlipboxError) -> (file: TreeEntry?, entry: IndexEntry?) {
      while file < files.count {
        let name = files.path(at: file).dropFirst(prefixLength)
        guard name.lexicographicallyPrecedes(path) else { break }
        try passing(files[file], indexEntry(name))
        file += 1
      }
      let found = file < files.count && files.path(at: file).dropFirst(prefixLength).elementsEqual(path)
      let result = (found ? files[file] : nil, indexEntry(path[...]))
      if found { file += 1 }
      return result
    }

    /// Visits the remaining files of the commit.
    mutating func finish(
      _ passing: (TreeEntry, IndexEntry?) throws(SlipboxError) -> Void
    ) throws(SlipboxError) {
      while file < files.count {
        try passing(files[file], indexEntry(files.path(at: file).dropFirst(prefixLength)))
        file += 1
      }
    }

    private mutating func indexEntry(_ path: ArraySlice<UInt8>) -> IndexEntry? {
      let entries = index.base
      while entry < index.endIndex,
        entries.withPath(at: entry, { $0.dropFirst(prefixLength).lexicographicallyPrecedes(path) })
      {
        entry += 1
      }
      guard entry < index.endIndex,
        entries.withPath(at: entry, { $0.dropFirst(prefixLength).elementsEqual(path) })
      else { return nil }
      return entries[entry]
    }
  }
}

extension IndexEntry {
  /// Returns whether the entry's recorded status equals that of a file, and is old enough to be trusted.
  ///
  /// Source: git's technical/racy-git: an entry not older than the index may hide a later edit of the same size.
  func describes(_ file: FileStatus) -> Bool {
    size == UInt32(truncatingIfNeeded: file.size) && modified.isLow(of: file.modified)
      && changed.isLow(of: file.changed) && inode == UInt32(truncatingIfNeeded: file.inode)
  }
}

extension IndexEntry {
  /// Returns the same for a status as it is stored for notes.
  func describes(_ file: FileStamp) -> Bool {
    size == UInt32(truncatingIfNeeded: file.size)
      && modified.isLow(of: FileTime(nanosecondsSince1970: file.modified))
      && changed.isLow(of: FileTime(nanosecondsSince1970: file.changed))
      && inode == UInt32(truncatingIfNeeded: file.inode)
  }
}

extension FileTime {
  /// Returns whether it is a file's time as the index stores it: the low 32 bits of each number.
  fileprivate func isLow(of time: FileTime) -> Bool {
    seconds == Int64(UInt32(truncatingIfNeeded: time.seconds)) && nanoseconds == time.nanoseconds
  }
}
