import Bytes
import Glibc
import Platform

/// The index file as it was read.
struct IndexReading {
  let bytes: FileBytes
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

  /// Reads an index; nil if there is none.
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
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    return Double(Int64(now.tv_sec) - time.seconds) + Double(now.tv_nsec - Int(time.nanoseconds)) / 1e9
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

/// An index that was read, with what tells whether the file is still the same.
struct KnownIndex {
  /// A file that was written this shortly before it was read may be written again with the same time.
  private static let settledNanoseconds: Int64 = 20_000_000

  private let status: FileStatus
  let entries: IndexEntries

  /// Nil where the file is so new that a later change might not show in its status.
  init?(_ status: FileStatus, _ entries: IndexEntries) {
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let seconds = Int64(now.tv_sec) - status.changed.seconds
    let isSettled =
      seconds > 1
      || seconds * 1_000_000_000 + Int64(now.tv_nsec) - Int64(status.changed.nanoseconds)
        > Self.settledNanoseconds
    guard seconds >= 0, isSettled else { return nil }
    self.status = status
    self.entries = entries
  }

  func isOf(_ status: FileStatus) -> Bool { self.status == status }
}
