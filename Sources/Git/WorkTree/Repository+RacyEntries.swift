import Bytes
import Glibc
import Platform

extension Repository {
  /// Files longer than this are not read to compare them; git is left to look at them.
  private static let longestCompared = 64 << 20

  /// The entries that a newer index would make look clean although their files may have changed.
  ///
  /// Git trusts size and time of a file unless it was written in the second of the index or later ("racy"). Such entries
  /// are compared by content, as git does when it writes an index; where that differs, the size in the entry becomes 0,
  /// by which git looks again. An entry whose file still has the very nanoseconds it was staged with, all before the
  /// index was written, needs no reading.
  /// Source: git's racy-git(7).
  func smudgedEntries(of file: IndexFile, writtenAt written: IndexTime, except paths: [[UInt8]]) -> [Int] {
    guard let workTree else { return [] }
    let changed = Set(paths)
    return file.entries(modifiedFrom: UInt32(truncatingIfNeeded: written.seconds)).filter { number in
      guard file.stage(number) == 0, !changed.contains(file.path(number)) else { return false }
      return isSuspect(file.entry(number), in: workTree, writtenAt: written)
    }
  }

  private func isSuspect(_ entry: IndexEntry, in workTree: [UInt8], writtenAt written: IndexTime) -> Bool {
    let path = workTree / entry.path
    // Where the status differs, git looks at the content anyway.
    guard let found = RawFile.status(path), found.mode & S_IFMT == entry.mode & S_IFMT else {
      return false
    }
    let status = IndexStatus(found)
    guard UInt32(truncatingIfNeeded: status.size) == entry.size, entry.size > 0,
      Self.isSameSecond(status.modified, entry.modified)
    else { return false }
    // The rest of the status git may be told not to compare.
    let isSame =
      UInt32(truncatingIfNeeded: status.inode) == entry.inode
      && Self.isSameSecond(status.changed, entry.changed)
      && status.modified.nanoseconds == entry.modified.nanoseconds
      && status.changed.nanoseconds == entry.changed.nanoseconds && entry.modified.nanoseconds > 0
    if isSame, status.modified < written, status.changed < written { return false }
    return !hasContent(of: entry, path, size: status.size)
  }

  /// Whether a time lies in the second of one that the index keeps in 32 bits.
  private static func isSameSecond(_ time: IndexTime, _ kept: IndexTime) -> Bool {
    UInt32(truncatingIfNeeded: time.seconds) == UInt32(truncatingIfNeeded: kept.seconds)
  }

  /// Whether a file holds what the entry says.
  private func hasContent(of entry: IndexEntry, _ path: [UInt8], size: Int64) -> Bool {
    guard size <= Self.longestCompared else { return false }
    if entry.mode & S_IFMT == S_IFLNK {
      guard let target = Files.linkTarget(path) else { return false }
      return SHA1.objectID(kind: "blob", target) == entry.id
    }
    guard let bytes = try? RawFile.read(path)?.bytes else { return false }
    return (try? contentID(of: bytes, path: entry.path)) == entry.id
  }
}
