import Bytes
import Glibc
import Platform

/// The mark by which our lock files are told from those of any other program, without a look at a clock.
///
/// It is a file of ours with a number drawn by chance. A lock is a second name of it: it has its bytes from its first
/// moment on, whatever interrupts us, and no other program writes these bytes.
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

  /// Reads the mark at a path; nil where there is none.
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

  /// Gives the mark the name of a lock; false where something has it that is not ours.
  ///
  /// Who holds the box's own lock is the only one to take a lock with this mark, so one that is there was left by a
  /// command that was killed, and is taken over.
  fileprivate func take(_ lock: [UInt8]) throws(SystemError) -> Bool {
    do throws(SystemError) {
      do throws(SystemError) {
        try Files.link(file, as: lock)
      } catch {
        // File systems without second names; a mark that was removed meanwhile.
        guard [EPERM, EOPNOTSUPP, ENOSYS, EXDEV, EMLINK, ENOENT].contains(error.code) else { throw error }
        try bytes.span.withUnsafeBytes { (bytes) throws(SystemError) in try Files.create(lock, bytes) }
      }
      return true
    } catch {
      guard error.code == EEXIST else { throw error }
      return isOn(lock)
    }
  }
}

/// A lock file as git makes them: a name that only one can have. Released at the end of this object at the latest.
final class LockFile {
  let path: [UInt8]
  private(set) var isHeld = true

  /// Takes a lock; nil where another program holds it.
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
      guard error.code == EEXIST else { throw .system("make", path, code: error.code) }
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
