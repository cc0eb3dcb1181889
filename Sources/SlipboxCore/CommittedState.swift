package import Git
package import Platform
import Text

/// The files of a box as HEAD and git's index have them, to hold the files on disk against.
package struct CommittedState {
  /// How a file on disk stands to HEAD.
  package enum Difference: String, Sendable {
    case unchanged, changed, new, deleted, conflicted
  }

  private let committed: [[UInt8]: Repository.TreeEntry]
  private let staged: [[UInt8]: Repository.IndexEntry]
  private let conflicted: Set<[UInt8]>

  init(of box: Slipbox) throws(SlipboxError) {
    var committed: [[UInt8]: Repository.TreeEntry] = [:]
    if let tip = try box.tip() {
      for entry in try git({ () throws(GitError) in try box.repository.files(at: tip, under: box.prefix) }) {
        committed[Array(entry.path.dropFirst(box.prefix.count))] = entry
      }
    }
    var staged: [[UInt8]: Repository.IndexEntry] = [:]
    var conflicted: Set<[UInt8]> = []
    for entry in try git({ () throws(GitError) in try box.repository.indexEntries() })
    where entry.path.starts(with: box.prefix) {
      let path = Array(entry.path.dropFirst(box.prefix.count))
      if entry.stage == 0 { staged[path] = entry } else { conflicted.insert(path) }
    }
    self.committed = committed
    self.staged = staged
    self.conflicted = conflicted
  }

  /// The paths of HEAD.
  package var committedPaths: some Collection<[UInt8]> { committed.keys }

  /// The blob of a path in HEAD.
  package func blob(of path: [UInt8]) -> ObjectID? { committed[path]?.id }

  /// The mode of a path in HEAD.
  func mode(of path: [UInt8]) -> UInt32? { committed[path]?.mode }

  /// Whether git knows the file, in HEAD or staged.
  package func isTracked(_ path: [UInt8]) -> Bool { staged[path] != nil || committed[path] != nil }

  /// Whether a merge left the path with more than one version.
  package func isConflicted(_ path: [UInt8]) -> Bool { conflicted.contains(path) }

  /// Whether nothing else is staged for the path than HEAD has.
  func isStagedAsCommitted(_ path: [UInt8]) -> Bool {
    guard !conflicted.contains(path), let entry = staged[path], let head = committed[path] else {
      return false
    }
    return entry.id == head.id && entry.mode == head.mode
  }

  /// Whether the file is meant to be absent here (a sparse checkout).
  package func isSparse(_ path: [UInt8]) -> Bool { staged[path]?.skipWorktree ?? false }

  /// Whether the file's bytes are HEAD's, by the index's record of its state where that can be trusted.
  /// - Returns: nil where only the bytes can tell.
  package func isUnchanged(_ path: [UInt8], _ status: FileStatus) -> Bool? {
    guard let head = committed[path] else { return false }
    guard let entry = staged[path], entry.id == head.id, entry.describes(status) else { return nil }
    return true
  }
}

extension Repository.IndexEntry {
  /// Whether the entry's record is that of a file's state, and old enough to be trusted.
  ///
  /// Source: git's technical/racy-git: an entry not older than the index may hide a later edit of the same size.
  fileprivate func describes(_ file: FileStatus) -> Bool {
    size == UInt32(truncatingIfNeeded: file.size) && modified.isLow(of: file.modified)
      && changed.isLow(of: file.changed) && inode == UInt32(truncatingIfNeeded: file.inode)
  }
}

extension IndexTime {
  /// Whether it is a file's time as the index keeps it: the low 32 bits of each number.
  fileprivate func isLow(of time: FileTime) -> Bool {
    seconds == Int64(UInt32(truncatingIfNeeded: time.seconds)) && nanoseconds == Int64(time.nanoseconds)
  }
}

extension Slipbox {
  /// How a file's bytes stand to HEAD.
  package func difference(
    _ path: [UInt8], _ status: FileStatus, bytes: [UInt8]
  ) throws(SlipboxError) -> CommittedState.Difference {
    let state = try committedState()
    if state.isConflicted(path) { return .conflicted }
    guard let blob = state.blob(of: path) else { return .new }
    if let known = state.isUnchanged(path, status) { return known ? .unchanged : .changed }
    let id = try git { () throws(GitError) in
      try repository.contentID(of: bytes, path: repositoryPath(path))
    }
    return id == blob ? .unchanged : .changed
  }
}
