/// A file without a name, for programs and libraries that read settings from a path.
package struct MemoryFile: Sendable {
  private let file: Descriptor

  /// - Throws: `SystemError` if neither memory nor the folder of temporary files takes the bytes.
  package init(holding bytes: [UInt8]) throws(SystemError) {
    file = try Descriptor.anonymousFile(holding: bytes)
  }

  /// A path by which this process can open the file as long as the value lives.
  package var path: [UInt8] { Array("\(Self.folder)/\(file.number)".utf8) }

  #if os(Linux)
    private static let folder = "/proc/self/fd"
  #else
    private static let folder = "/dev/fd"
  #endif
}

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
      Waiting.pause(milliseconds: Int(pause))
    }
  }

  /// Acquires the lock of a folder, which needs no file in it.
  package static func acquire(
    folder path: [UInt8], timeoutMilliseconds: Int
  ) throws(LockError) -> FileLock {
    let start = Waiting.now()
    while true {
      do throws(SystemError) {
        let folder = try Descriptor.open(path, [.reading, .folder, .withoutWaiting])
        let code = folder.lock()
        if code == 0 { return FileLock(folder) }
        guard code == SystemError.Code.wouldBlock else {
          throw SystemError(operation: "lock", path: path, code: code)
        }
      } catch {
        throw error.operation == "lock" ? .unsupported(error) : .failed(error)
      }
      if Waiting.now() - start >= Int64(timeoutMilliseconds) { throw .busy }
      Waiting.pause(milliseconds: 50)
    }
  }

  /// Tries once; nil if another process holds it.
  private static func attempt(_ path: [UInt8]) throws(LockError) -> FileLock? {
    do throws(SystemError) {
      let file = try Descriptor.open(
        path, [.both, .making, .withoutWaiting, .withoutTerminal], permissions: 0o666)
      let code = file.lock()
      guard code == 0 else {
        if code == SystemError.Code.wouldBlock { return nil }
        throw SystemError(operation: "lock", path: path, code: code)
      }
      // Somebody may have removed or replaced the file: another process would then lock another one.
      let own = try file.status(path)
      let named = try Files.status(path, followLinks: true)
      guard own.inode == named?.inode, own.device == named?.device else { return nil }
      return FileLock(file)
    } catch {
      typealias Code = SystemError.Code
      let unsupported = [Code.noLocks, Code.noSuchCall, Code.unsupported, Code.invalid].contains(error.code)
      throw error.operation == "lock" && unsupported ? .unsupported(error) : .failed(error)
    }
  }
}
