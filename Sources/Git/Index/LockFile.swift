import Bytes
import Platform

/// The lock of the index, held from before the index is read until all that goes with the change is done.
///
/// The new index is written beside the old one and renamed over it, so that a crash leaves one of the two, whole.
final class IndexLock {
  private let lock: LockFile
  private let target: [UInt8]
  private let draft: [UInt8]
  private let mode: SharedMode

  /// Takes the lock of an index; nil if another program holds it.
  /// - Parameter mode: The permissions of a new index.
  init?(of index: [UInt8], mark: LockMark?, mode: SharedMode) throws(GitError) {
    guard let lock = try LockFile(Self.path(of: index), mark: mark) else { return nil }
    self.lock = lock
    self.mode = mode
    target = index
    draft = index + Array(".slip".utf8)
  }

  /// The path of an index's lock.
  static func path(of index: [UInt8]) -> [UInt8] { index + Array(".lock".utf8) }

  /// Whether the lock was not released yet.
  var isHeld: Bool { lock.isHeld }

  /// Gives the lock back.
  func release() { lock.release() }

  /// How many bytes are hashed and written at a time, while the processor still has them at hand.
  private static let stretch = 1 << 18

  /// Writes the parts of a new index and its hash beside the old one, durably.
  func write(_ pieces: [IndexPiece], of old: UnsafeRawBufferPointer) throws(GitError) {
    // One that a killed command left.
    RawFile.remove(draft)
    do throws(GitError) {
      try GitError.wrapping("write", draft) { () throws(SystemError) in
        let file = try FileWriter(creating: draft)
        var hash = SHA1()
        for piece in pieces {
          switch piece {
          case .old(let range): try write(old[rebased: range], &hash, file)
          case .new(let bytes):
            try bytes.span.withUnsafeBytes { (bytes) throws(SystemError) in try write(bytes, &hash, file) }
          }
        }
        try file.write(hash.finish().bytes)
        if let old = RawFile.status(target) { file.setMode(old.mode) }
        try file.sync()
      }
    } catch {
      RawFile.remove(draft)
      throw error
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, _ hash: inout SHA1, _ file: FileWriter
  ) throws(SystemError) {
    var start = 0
    while start < bytes.count {
      let part = bytes[rebased: start..<min(start + Self.stretch, bytes.count)]
      hash.update(part)
      try file.write(part)
      start += part.count
    }
  }

  /// Renames the written draft into place.
  func commit() throws(GitError) { try putInPlace(draft) }

  /// Removes the draft.
  func discard() { RawFile.remove(draft) }

  /// Puts a finished file, written by git beside the index, in place.
  func commit(file: [UInt8]) throws(GitError) {
    try RawFile.syncFile(file)
    try putInPlace(file)
  }

  private func putInPlace(_ file: [UInt8]) throws(GitError) {
    mode.apply(to: file)
    do throws(GitError) {
      try RawFile.rename(file, to: target)
    } catch {
      RawFile.remove(file)
      throw error
    }
    RawFile.syncFolder(target.parentPath)
  }
}

/// The mark that distinguishes our lock files from those of any other program, without a clock.
///
/// It is a file of ours with a random number. A lock is a hard link to it: it has its bytes from its creation on,
/// whatever interrupts us, and no other program writes these bytes.
package struct LockMark: Sendable {
  private let file: [UInt8]
  private let bytes: [UInt8]

  /// Reads the mark at a path, or makes one there.
  package init(at file: [UInt8]) throws(GitError) {
    self.file = file
    if let known = try RawFile.read(file)?.bytes, Self.isWhole(known) {
      bytes = known
      return
    }
    let number = (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
    let fresh = Array(
      "slipbox lock \(number)\nHeld by slip for a moment; the next slip command removes it.\n".utf8)
    try GitError.wrapping("write", file) { () throws(SystemError) in try Files.write(fresh, to: file) }
    bytes = fresh
  }

  /// Reads the mark at a path; nil if there is none.
  package init?(existingAt file: [UInt8]) {
    guard let bytes = (try? RawFile.read(file))??.bytes, Self.isWhole(bytes) else { return nil }
    self.file = file
    self.bytes = bytes
  }

  private static func isWhole(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: "slipbox lock ".utf8) && bytes.last == 10 && bytes.count < 200
  }

  /// Whether a lock file is ours.
  package func isOn(_ lock: [UInt8]) -> Bool {
    guard let status = RawFile.status(lock), status.size == Int64(bytes.count) else { return false }
    // A lock that can't be read is somebody else's.
    return (try? Files.read(lock, limit: bytes.count)) == bytes
  }

  /// Whether a file could not get a second name for a reason other than that name.
  private static func hasNoSecondName(_ error: SystemError) -> Bool {
    typealias Code = SystemError.Code
    let codes = [
      Code.notPermitted, Code.unsupported, Code.noSuchCall, Code.otherFileSystem, Code.tooManyNames,
      Code.missing,
    ]
    return codes.contains(error.code)
  }

  /// Gives the mark the name of a lock; false if another program has a file of that name.
  ///
  /// Only the holder of the box's own lock takes a lock with this mark. An existing one was left by a killed command, and
  /// is taken over.
  fileprivate func take(_ lock: [UInt8]) throws(SystemError) -> Bool {
    do throws(SystemError) {
      do throws(SystemError) {
        try Files.link(file, as: lock)
      } catch {
        // File systems without second names; a mark that was removed meanwhile.
        guard Self.hasNoSecondName(error) else { throw error }
        try bytes.span.withUnsafeBytes { (bytes) throws(SystemError) in try Files.create(lock, bytes) }
      }
      return true
    } catch {
      guard error.isOccupied else { throw error }
      return isOn(lock)
    }
  }
}

/// A lock file as git makes them: a name that only one can have. Released at the end of this object at the latest.
final class LockFile {
  let path: [UInt8]
  private(set) var isHeld = true

  /// Takes a lock; nil if another program holds it.
  init?(_ path: [UInt8], mark: LockMark?) throws(GitError) {
    self.path = path
    do throws(SystemError) {
      if let mark {
        if try mark.take(path) { return }
      } else {
        _ = try FileWriter(creating: path)
        return
      }
    } catch {
      guard error.isOccupied else { throw .system("make", path, code: error.code) }
    }
    isHeld = false
    return nil
  }

  /// Gives the lock back; one that can't be removed is known as ours by the next command.
  func release() {
    guard isHeld else { return }
    isHeld = false
    if (try? Files.remove(path)) == nil { RawFile.remove(path) }
  }

  deinit { release() }
}

/// How lock files are taken.
package struct LockPolicy {
  /// The mark of the locks; without one they are not known again after a crash.
  package var mark: LockMark?
  /// The longest wait for a lock of another program.
  package var timeoutMilliseconds = 5_000

  /// Takes a lock.
  /// - Throws: `locked`, with its path and age, if another program holds it until the wait is over.
  func take(_ path: [UInt8]) throws(GitError) -> LockFile {
    var lock: LockFile?
    _ = try Waiting.retrying(milliseconds: timeoutMilliseconds) { () throws(GitError) in
      lock = try LockFile(path, mark: mark)
      return lock != nil
    }
    guard let lock else { throw .locked(path) }
    return lock
  }
}
