import Glibc

/// Why a lock was not acquired.
package enum LockError: Error, Sendable, Equatable {
  /// Another process held it all the time.
  case busy
  /// The file system knows no such locks.
  case unsupported(SystemError)
  case failed(SystemError)
}

/// An exclusive lock between processes, held as long as the value; the kernel drops it when the process dies.
///
/// Wraps flock(2) on a file that is made when missing and never removed.
package final class FileLock: Sendable {
  private let file: Descriptor

  private init(_ file: Descriptor) { self.file = file }

  /// Acquires the lock, waiting while another process holds it.
  /// - Parameter onWait: Called once, after half a second of waiting.
  package static func acquire(
    _ path: [UInt8], timeoutMilliseconds: Int, onWait: () -> Void = {}
  ) throws(LockError) -> FileLock {
    let start = Waiting.now()
    var hasTold = false
    while true {
      if let lock = try attempt(path) { return lock }
      let waited = Waiting.now() - start
      if waited >= Int64(timeoutMilliseconds) { throw .busy }
      if waited >= 500, !hasTold {
        hasTold = true
        onWait()
      }
      let pause = min(Int64.random(in: 10...50), max(1, Int64(timeoutMilliseconds) - waited))
      usleep(UInt32(pause * 1000))
    }
  }

  /// Tries once; nil where another process holds it.
  private static func attempt(_ path: [UInt8]) throws(LockError) -> FileLock? {
    do throws(SystemError) {
      let file = try Descriptor.open(path, O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY, mode: 0o666)
      guard retrying({ flock(file.number, LOCK_EX | LOCK_NB) }) == 0 else {
        if errno == EWOULDBLOCK { return nil }
        throw SystemError("lock", path)
      }
      // Somebody may have removed or replaced the file: another process would then lock another one.
      let own = try file.status(path)
      let named = try Files.status(path, followLinks: true)
      guard own.inode == named?.inode, own.device == named?.device else { return nil }
      return FileLock(file)
    } catch {
      let unsupported = [ENOLCK, ENOSYS, EOPNOTSUPP, EINVAL].contains(error.code)
      throw error.operation == "lock" && unsupported ? .unsupported(error) : .failed(error)
    }
  }
}
