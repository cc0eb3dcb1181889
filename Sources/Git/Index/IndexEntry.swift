import Bytes
package import Platform

extension FileStatus {
  /// The status of a file that git is to compare by its content: all numbers are zero.
  package static let unknown: FileStatus = {
    let never = FileTime(seconds: 0, nanoseconds: 0)
    return FileStatus(
      kind: .file, size: 0, modified: never, changed: never, inode: 0, device: 0, mode: 0, owner: 0, group: 0)
  }()
}

/// An entry of git's index: the content of a path in the next commit.
package struct IndexEntry: Sendable, Equatable {
  package let path: [UInt8]
  package let id: ObjectID
  package let mode: UInt32
  /// 0, or 1 to 3 for the base, our and their version of a conflict.
  package let stage: Int
  /// The file is left out of the work tree (sparse checkout).
  package let skipWorktree: Bool
  /// The file is announced by `git add -N`, its content is not staged.
  package let intentToAdd: Bool
  /// The user promised git that the file does not change.
  package let assumeValid: Bool
  /// The low 32 bits of the file's size when it was staged; 0 also if git must look at the content.
  package let size: UInt32
  package let modified: FileTime
  package let changed: FileTime
  /// The low 32 bits of the number.
  package let inode: UInt32

  /// Whether it is a file, not a symbolic link or submodule.
  package var isFile: Bool { mode & Self.kindBits == 0o100000 }
  /// The bits of a mode that distinguish files, links and folders, in git as in stat(2).
  static let kindBits: UInt32 = 0o170000

  package var isSubmodule: Bool { mode == TreeItem.submodule }

  /// The flag that hides changes of the file from git, as git-update-index(1) names it; nil if there is none.
  package var hidingFlag: String? {
    if skipWorktree { return "skip-worktree" }
    return assumeValid ? "assume-unchanged" : nil
  }
}

/// Why an index was not read.
package enum IndexDamage: Sendable, Equatable {
  case missing
  /// It is there and neither this module nor git can read it.
  case damaged
}

/// A repair of the index before its change.
package enum IndexRepair: Sendable, Equatable {
  /// There was no index file; it was built again from HEAD and the files.
  case missing
  /// The index file could not be read and was kept at this path; a new one was built. What was staged is lost.
  case damaged(kept: [UInt8])
}

/// The entries of git's index, by path and stage.
///
/// An entry is decoded at its use: those of a large box would take many times the memory of the file.
package struct IndexEntries: RandomAccessCollection, Sendable {
  private enum Source {
    case file(IndexFile)
    case listed([IndexEntry])
  }

  private let source: Source

  init(_ file: IndexFile) { source = .file(file) }

  package init(_ entries: [IndexEntry]) { source = .listed(entries) }

  package var startIndex: Int { 0 }

  package var endIndex: Int {
    switch source {
    case .file(let file): file.count
    case .listed(let entries): entries.count
    }
  }

  /// - Complexity: O(m) for a path of m bytes, which is copied.
  package subscript(position: Int) -> IndexEntry {
    switch source {
    case .file(let file): file.entry(position)
    case .listed(let entries): entries[position]
    }
  }

  /// Whether the path of an entry sorts before another, as by `memcmp`.
  package func path(_ position: Int, precedes other: [UInt8]) -> Bool {
    other.withUnsafeBytes { other in withPath(at: position) { ByteOrder.compare($0, other) < 0 } }
  }

  /// The first entry of a path; nil if there is none.
  /// - Complexity: O(log n).
  package func entry(at path: [UInt8]) -> IndexEntry? {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if self.path(middle, precedes: path) { low = middle + 1 } else { high = middle }
    }
    guard low < count, withPath(at: low, { $0.elementsEqual(path) }) else { return nil }
    return self[low]
  }

  /// The entries with a flag that hides changes of the file from git.
  /// - Complexity: O(n); an entry is made only of those found.
  package var flagged: [IndexEntry] {
    switch source {
    case .file(let file): file.flagged.map { file.entry($0) }
    case .listed(let entries): entries.filter { $0.hidingFlag != nil }
    }
  }

  /// Lends the path of an entry.
  package func withPath<Result>(at position: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    switch source {
    case .file(let file): file.withPath(position, body)
    case .listed(let entries): entries[position].path.withUnsafeBytes(body)
    }
  }
}

/// The index file as it was read.
struct IndexReading {
  let bytes: ByteRegion
  let status: FileStatus
  /// Nil if the file is damaged or has an unknown form.
  let file: IndexFile?

  /// How often a file that may be half written is read.
  private static let attempts = 7
  /// The first pause between two attempts; each one is twice as long as the one before.
  private static let pauseMilliseconds = 5
  /// A file that has not changed for this long is not being written.
  private static let quietSeconds = 2.0
  /// A file that has not changed for this long is read without a check of its hash if it has the form of an index.
  private static let settledSeconds = 0.1

  /// Reads an index; nil without a file.
  ///
  /// Git replaces the file by a rename, but go-git and isomorphic-git rewrite it in place, without a lock. So the file is
  /// read, not mapped, and if it may be half written it is read again.
  /// - Parameter isVerified: whether the hash is checked although the file has the form of an index.
  init?(_ path: [UInt8], isVerified: Bool = false) throws(GitError) {
    var pause = Self.pauseMilliseconds
    for attempt in 1... {
      guard let (bytes, status, isSteady) = try RawFile.copy(path) else { return nil }
      let file = try? IndexFile(bytes)
      let age = Self.secondsSince(status.changed)
      let needsHash = isVerified || file == nil || age < Self.settledSeconds
      let isWhole = isSteady && (!needsHash || IndexFile.isSound(bytes.buffer))
      if isWhole || attempt >= Self.attempts || isSteady && age > Self.quietSeconds {
        (self.bytes, self.status, self.file) = (bytes, status, file)
        return
      }
      Waiting.pause(milliseconds: pause)
      pause *= 2
    }
    return nil
  }

  private static func secondsSince(_ time: FileTime) -> Double {
    let now = LocalClock.now()
    return Double(now.seconds - time.seconds) + Double(now.nanoseconds - time.nanoseconds) / 1e9
  }
}

/// The index as a repository last read it.
struct IndexCache {
  /// Nil if the file may change without a trace in its status.
  var known: KnownIndex?
  /// The files of HEAD in the place of an index that could not be read.
  var standIn: (tip: ObjectID, entries: IndexEntries)?
  /// Nil if the index was read, or was not needed.
  var damage: IndexDamage?
}

/// An index that was read, with the status by which a change of the file is detected.
struct KnownIndex {
  /// A file that was written this shortly before it was read may be written again with the same time.
  private static let settledNanoseconds: Int64 = 20_000_000

  private let status: FileStatus
  let entries: IndexEntries

  /// nil if the file is so new that a later change might not show in its status.
  init?(_ status: FileStatus, _ entries: IndexEntries) {
    let now = LocalClock.now()
    let seconds = now.seconds - status.changed.seconds
    let isSettled =
      seconds > 1
      || seconds * 1_000_000_000 + Int64(now.nanoseconds) - Int64(status.changed.nanoseconds)
        > Self.settledNanoseconds
    guard seconds >= 0, isSettled else { return nil }
    self.status = status
    self.entries = entries
  }

  func isOf(_ status: FileStatus) -> Bool { self.status == status }
}
