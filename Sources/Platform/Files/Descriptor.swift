import Glibc

/// An open file descriptor, closed with its last reference.
final class Descriptor: Sendable {
  let number: Int32

  init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// Opens a path, relative to the folder when one is given. `O_CLOEXEC` is always added.
  static func open(
    _ path: [UInt8], _ flags: Int32, mode: mode_t = 0, in folder: Int32 = AT_FDCWD
  ) throws(SystemError) -> Descriptor {
    let terminatedPath = try terminated(path, "open")
    let number = retrying { openat(folder, terminatedPath, flags | O_CLOEXEC, mode) }
    guard number >= 0 else { throw SystemError("open", path) }
    return Descriptor(owning: number)
  }

  /// Opens a file for reading without waiting on a FIFO or following a last symbolic link.
  static func reading(_ name: [UInt8], in folder: Int32) throws(SystemError) -> Descriptor {
    try open(name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY, in: folder)
  }

  /// Wraps fstat(2).
  func status(_ path: [UInt8]) throws(SystemError) -> FileStatus {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError("stat", path) }
    return FileStatus(status)
  }

  /// Wraps fsync(2).
  func sync(_ path: [UInt8]) throws(SystemError) {
    guard retrying({ fsync(number) }) == 0 else { throw SystemError("fsync", path) }
  }
}

extension Descriptor {
  /// The longest file that is read when no limit is given: 2 GiB.
  static let readLimit = 1 << 31

  /// Reads a regular file from its start to its end.
  /// - Throws: `EFBIG` where it is longer than the limit, `SystemError.notRegular` where it is no file.
  func readAll(_ path: [UInt8], limit: Int?) throws(SystemError) -> (bytes: [UInt8], status: FileStatus) {
    let status = try self.status(path)
    guard status.kind == .file else {
      throw SystemError(operation: "read", path: path, code: SystemError.notRegular)
    }
    let limit = min(limit ?? Self.readLimit, Self.readLimit)
    guard status.size <= limit else { throw SystemError(operation: "read", path: path, code: EFBIG) }
    var bytes: [UInt8] = []
    // One byte more than the size: the end of the file then shows in the same pass.
    var room = Int(status.size) + 1
    while try append(to: &bytes, atMost: room, path) == room {
      guard bytes.count <= limit else { throw SystemError(operation: "read", path: path, code: EFBIG) }
      room = 1 << 16
    }
    return (bytes, status)
  }

  /// Appends what the file holds at the offset `bytes.count`, and returns how much that was.
  private func append(to bytes: inout [UInt8], atMost room: Int, _ path: [UInt8]) throws(SystemError) -> Int {
    let offset = bytes.count
    var failure: Int32 = 0
    let part = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      while count < room, let base = buffer.baseAddress {
        let result = retrying { pread(number, base + count, room - count, off_t(offset + count)) }
        if result < 0 { failure = errno }
        guard result > 0 else { break }
        count += result
        // A short read at the very size is the end. (In /proc, where sizes are 0, a short read means
        // nothing.)
        if offset == 0, count == room - 1, count > 0 { break }
      }
    }
    guard failure == 0 else { throw SystemError(operation: "read", path: path, code: failure) }
    if bytes.isEmpty { bytes = part } else { bytes.append(contentsOf: part) }
    return part.count
  }

  /// Writes all bytes at the descriptor's position.
  func writeAll(_ bytes: [UInt8], _ path: [UInt8]) throws(SystemError) {
    let failure = bytes.withUnsafeBytes { writeFully($0, to: number) }
    guard failure == 0 else { throw SystemError(operation: "write", path: path, code: failure) }
  }
}

/// Writes a whole buffer, however the system cuts it, and returns 0 or the `errno`.
func writeFully(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
  var rest = buffer
  while !rest.isEmpty {
    let count = retrying { write(descriptor, rest.baseAddress, rest.count) }
    if count < 0, errno == EAGAIN {
      var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      _ = poll(&waiting, 1, -1)
      continue
    }
    guard count > 0 else { return count < 0 ? errno : EIO }
    rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count))
  }
  return 0
}

extension Descriptor {
  /// A file without a name that holds bytes, its position at the start.
  ///
  /// It is in memory, or in the folder of temporary files where the system has no such files. Wraps memfd_create(2).
  static func anonymousFile(holding bytes: [UInt8]) throws(SystemError) -> Descriptor {
    let memory = try inMemory()
    let file = if let memory { memory } else { try inTemporaryFolder() }
    try file.writeAll(bytes, [])
    guard lseek(file.number, 0, SEEK_SET) == 0 else { throw SystemError("rewind", []) }
    return file
  }

  private static func inMemory() throws(SystemError) -> Descriptor? {
    guard let number = LinuxCalls.makeMemoryFile?("slip", 1) else { return nil }  // MFD_CLOEXEC
    if number < 0, errno == ENOSYS || errno == EPERM { return nil }
    guard number >= 0 else { throw SystemError("make a file in memory", []) }
    return Descriptor(owning: number)
  }

  private static func inTemporaryFolder() throws(SystemError) -> Descriptor {
    let folder = environment("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    var name = Array("\(folder)/slip-XXXXXX".utf8CString)
    let number = mkstemp(&name)
    guard number >= 0 else { throw SystemError("make a file", Array(folder.utf8)) }
    unlink(name)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    return Descriptor(owning: number)
  }
}

extension Descriptor {
  /// A pipe whose ends a child does not inherit, and that are not standard streams.
  static func pipe() throws(SystemError) -> (read: Descriptor, write: Descriptor) {
    var ends: [Int32] = [-1, -1]
    guard Glibc.pipe(&ends) == 0 else { throw SystemError("pipe", []) }
    let (read, write) = (Descriptor(owning: ends[0]), Descriptor(owning: ends[1]))
    return (try read.aboveStreams(), try write.aboveStreams())
  }

  /// The same file above the numbers of the standard streams, closed in children.
  private func aboveStreams() throws(SystemError) -> Descriptor {
    let copy = fcntl(number, F_DUPFD_CLOEXEC, 3)
    guard copy >= 0 else { throw SystemError("pipe", []) }
    return Descriptor(owning: copy)
  }
}

/// A file without a name, for programs and libraries that read settings from a path.
package struct MemoryFile: Sendable {
  private let file: Descriptor

  /// - Throws: `SystemError` where neither memory nor the folder of temporary files takes the bytes.
  package init(holding bytes: [UInt8]) throws(SystemError) {
    file = try Descriptor.anonymousFile(holding: bytes)
  }

  /// A path by which this process can open the file as long as the value lives.
  package var path: [UInt8] { Array("/proc/self/fd/\(file.number)".utf8) }
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
      usleep(UInt32(pause * 1000))
    }
  }

  /// Acquires the lock of a folder, which needs no file in it.
  package static func acquire(
    folder path: [UInt8], timeoutMilliseconds: Int
  ) throws(LockError) -> FileLock {
    let start = Waiting.now()
    while true {
      do throws(SystemError) {
        let folder = try Descriptor.open(path, O_RDONLY | O_DIRECTORY | O_NONBLOCK)
        if retrying({ flock(folder.number, LOCK_EX | LOCK_NB) }) == 0 { return FileLock(folder) }
        guard errno == EWOULDBLOCK else { throw SystemError("lock", path) }
      } catch {
        throw error.operation == "lock" ? .unsupported(error) : .failed(error)
      }
      if Waiting.now() - start >= Int64(timeoutMilliseconds) { throw .busy }
      usleep(50_000)
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
