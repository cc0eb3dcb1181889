import Bytes

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file descriptor, closed with its last reference.
final class Descriptor: Sendable {
  let number: Int32

  init(owning number: Int32) { self.number = number }

  deinit { close(number) }

  /// How a file is opened, by the flags of open(2).
  struct Mode: OptionSet {
    let rawValue: Int32

    static let reading = Mode(rawValue: O_RDONLY)
    static let writing = Mode(rawValue: O_WRONLY)
    static let both = Mode(rawValue: O_RDWR)
    /// A missing file is made.
    static let making = Mode(rawValue: O_CREAT)
    /// With `making`: an existing file is refused with `EEXIST`.
    static let onlyNew = Mode(rawValue: O_EXCL)
    /// All bytes are cut off.
    static let emptying = Mode(rawValue: O_TRUNC)
    /// Writes go to the end of the file.
    static let appending = Mode(rawValue: O_APPEND)
    /// Anything but a folder is refused with `ENOTDIR`.
    static let folder = Mode(rawValue: O_DIRECTORY)
    /// A FIFO or device is not waited for.
    static let withoutWaiting = Mode(rawValue: O_NONBLOCK)
    /// A last symbolic link is refused with `ELOOP`.
    static let withoutLink = Mode(rawValue: O_NOFOLLOW)
    /// A terminal does not become that of this process.
    static let withoutTerminal = Mode(rawValue: O_NOCTTY)
    /// The descriptor only names a place in the tree. Portable form: it is opened for reading.
    static let pathOnly = Mode(rawValue: LinuxCalls.Flag.pathOnly)
  }

  /// Opens a path, relative to the folder when one is given. `O_CLOEXEC` is always added.
  static func open(
    _ path: [UInt8], _ mode: Mode, permissions: UInt32 = 0, in folder: Descriptor? = nil
  ) throws(SystemError) -> Descriptor {
    let terminatedPath = try terminated(path, "open")
    let flags = mode.rawValue | O_CLOEXEC
    let place = folder?.number ?? AT_FDCWD
    let number = retrying { openat(place, terminatedPath, flags, mode_t(permissions)) }
    guard number >= 0 else { throw SystemError("open", path) }
    return Descriptor(owning: number)
  }

  /// Opens a file for reading without waiting on a FIFO or following a last symbolic link.
  static func reading(_ name: [UInt8], in folder: Descriptor) throws(SystemError) -> Descriptor {
    try open(name, [.reading, .withoutWaiting, .withoutLink, .withoutTerminal], in: folder)
  }

  /// Opens a file below a folder in one call; nil if a link is on the way, or the file can't be opened so.
  /// - Throws: `ENOENT` if the path does not exist and no link is on the way.
  static func beneath(_ folder: Descriptor, _ path: [UInt8]) throws(SystemError) -> Descriptor? {
    guard let terminatedPath = try? terminated(path, "open") else { return nil }
    let number = retrying { LinuxCalls.openBeneath(folder.number, terminatedPath) }
    if number >= 0 { return Descriptor(owning: number) }
    guard errno == SystemError.Code.missing else { return nil }
    throw SystemError("open", path)
  }

  /// Wraps fstat(2).
  func status(_ path: [UInt8]) throws(SystemError) -> FileStatus {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError("stat", path) }
    return FileStatus(status)
  }

  /// Wraps fsync(2).
  func sync(_ path: [UInt8], _ operation: String = "fsync") throws(SystemError) {
    guard retrying({ fsync(number) }) == 0 else { throw SystemError(operation, path) }
  }

  /// Makes all that was written to the file system durable.
  /// - Returns: 0 or the `errno`; `ENOSYS` if the system can't do so.
  func syncFileSystem() -> Int32 {
    retrying { LinuxCalls.syncFileSystem(of: number) } == 0 ? 0 : errno
  }

  /// Sets the permission bits. Wraps fchmod(2).
  /// - Returns: whether the system did so.
  @discardableResult
  func setPermissions(_ bits: UInt32) -> Bool { fchmod(number, mode_t(bits)) == 0 }

  /// Sets owner and group. Wraps fchown(2).
  /// - Returns: whether the system did so.
  func setOwner(_ owner: UInt32, group: UInt32) -> Bool { fchown(number, owner, group) == 0 }

  /// Truncates the file at an offset, and seeks there. Wraps ftruncate(2).
  /// - Returns: whether the system did so.
  func truncate(to length: Int64) -> Bool { ftruncate(number, off_t(length)) == 0 && seek(to: length) }

  /// Goes to an offset. Wraps lseek(2).
  /// - Returns: whether the system did so.
  func seek(to offset: Int64) -> Bool { lseek(number, off_t(offset), SEEK_SET) == offset }

  /// Lets reads and writes fail that would wait.
  func refuseWaiting() { _ = fcntl(number, F_SETFL, O_NONBLOCK) }

  /// Acquires an exclusive lock between processes, without waiting. Wraps flock(2).
  /// - Returns: 0 or the `errno`; `EWOULDBLOCK` if another process holds it.
  func lock() -> Int32 { retrying { flock(number, LOCK_EX | LOCK_NB) } == 0 ? 0 : errno }
}

extension Descriptor {
  /// The longest file that is read when no limit is given: 2 GiB.
  static let readLimit = 1 << 31

  /// Reads a regular file from its start to its end.
  /// - Parameter known: the status, if the caller has it from this descriptor.
  /// - Throws: `EFBIG` if it is longer than the limit, `SystemError.notRegular` if it is not a file.
  func readAll(
    _ path: [UInt8], limit: Int?, known: FileStatus? = nil
  ) throws(SystemError) -> (bytes: [UInt8], status: FileStatus) {
    let status: FileStatus
    if let known { status = known } else { status = try self.status(path) }
    guard status.kind == .file else {
      throw SystemError(operation: "read", path: path, code: SystemError.notRegular)
    }
    let limit = min(limit ?? Self.readLimit, Self.readLimit)
    guard status.size <= limit else {
      throw SystemError(operation: "read", path: path, code: SystemError.Code.tooLarge)
    }
    var bytes: [UInt8] = []
    // One byte more than the size: the end of the file then shows in the same pass.
    var room = Int(status.size) + 1
    while try append(to: &bytes, atMost: room, path) == room {
      guard bytes.count <= limit else {
        throw SystemError(operation: "read", path: path, code: SystemError.Code.tooLarge)
      }
      room = 1 << 16
    }
    return (bytes, status)
  }

  /// Appends the bytes of the file from the offset `bytes.count` on, and returns their number.
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
  /// An unnamed file with some bytes, its position at the start.
  ///
  /// It is in memory, or in the folder of temporary files if the system has no such files. Wraps memfd_create(2).
  static func anonymousFile(holding bytes: [UInt8]) throws(SystemError) -> Descriptor {
    let memory = try inMemory()
    let file = if let memory { memory } else { try inTemporaryFolder() }
    try file.writeAll(bytes, [])
    guard file.seek(to: 0) else { throw SystemError("rewind", []) }
    return file
  }

  private static func inMemory() throws(SystemError) -> Descriptor? {
    let number = LinuxCalls.makeMemoryFile()
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
    guard makePipe(&ends) == 0 else { throw SystemError("pipe", []) }
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

/// Wraps pipe(2), whose name `Descriptor.pipe` hides.
private func makePipe(_ ends: inout [Int32]) -> Int32 { pipe(&ends) }

extension Descriptor {
  /// Whether a descriptor has bytes to read, or comes to its end, within a time.
  static func hasInput(_ descriptor: Int32, withinMilliseconds milliseconds: Int32) -> Bool {
    var waiting = Polled([(descriptor, .reading)])
    return waiting.waitOn(milliseconds: milliseconds) == 1
  }

  /// Reads the next bytes of a descriptor, at most as many as given; none at its end. Wraps read(2).
  /// - Returns: the bytes, and 0 or the `errno`.
  static func readSome(_ descriptor: Int32, atMost limit: Int) -> (bytes: [UInt8], code: Int32) {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { room, count in
      let got = retrying { read(descriptor, room.baseAddress, limit) }
      if got < 0 { code = errno }
      count = max(0, got)
    }
    return (bytes, code)
  }

  /// Writes once, as much as the system takes. Wraps write(2).
  /// - Returns: the number of bytes, and 0 or the `errno`.
  @discardableResult
  static func writeSome(
    _ descriptor: Int32, _ bytes: UnsafeRawBufferPointer
  ) -> (count: Int, code: Int32) {
    let count = write(descriptor, bytes.baseAddress, bytes.count)
    return count < 0 ? (0, errno) : (count, 0)
  }

  /// Maps a file into memory. Wraps mmap(2).
  ///
  /// - Parameter isReadWhole: whether all pages are needed, so that they are fetched at once.
  /// - Returns: nil if it can't be mapped.
  func map(size: Int, isReadWhole: Bool) -> ByteRegion? {
    let flags = MAP_PRIVATE | (isReadWhole ? LinuxCalls.Flag.fetchAllPages : 0)
    guard let start = mmap(nil, size, PROT_READ, flags, number, 0), start != MAP_FAILED else { return nil }
    return ByteRegion(
      owning: UnsafeRawBufferPointer(start: start, count: size),
      release: { munmap(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count) },
      // Nobody writes to a mapping, so that its pages can always be fetched again; if that is refused, they stay.
      unload: { _ = madvise(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count, MADV_DONTNEED) })
  }

  /// Copies a file into memory, up to one byte more than a size, so that the end of the file shows in the same pass.
  /// Wraps pread(2).
  func copy(size: Int, _ path: [UInt8]) throws(SystemError) -> ByteRegion {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 1, alignment: 16)
    var count = 0
    while count < memory.count {
      let got = retrying {
        pread(number, memory.baseAddress.map { $0 + count }, memory.count - count, off_t(count))
      }
      guard got >= 0 else {
        let failure = SystemError("read", path)
        memory.deallocate()
        throw failure
      }
      if got == 0 { break }
      count += got
    }
    return ByteRegion(owning: UnsafeRawBufferPointer(rebasing: memory[..<count])) { $0.deallocate() }
  }
}

/// A connection to a server on this machine, by TCP.
package final class LocalConnection {
  private let socket: Descriptor

  /// Connects to a port of 127.0.0.1; nil if nothing listens there.
  /// - Parameter patienceSeconds: the longest wait of each call.
  package init?(port: Int, patienceSeconds: Int) {
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let number = makeSocket(AF_INET, kind)
    guard number >= 0 else { return nil }
    socket = Descriptor(owning: number)
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    var limit = timeval(tv_sec: patienceSeconds, tv_usec: 0)
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setsockopt(number, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size))
    }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(number, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else { return nil }
  }

  /// Sends bytes without SIGPIPE. Wraps send(2).
  /// - Returns: whether all of them were taken.
  package func send(_ bytes: [UInt8]) -> Bool { sendQuietly(socket.number, bytes) == bytes.count }

  /// The next bytes, at most as many as given; none at the end, or once the patience is over. Wraps recv(2).
  package func receive(atMost limit: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: limit) { room, count in
      count = max(0, recv(socket.number, room.baseAddress, limit, 0))
    }
  }
}

/// Wraps socket(2), whose name `LocalConnection` hides.
private func makeSocket(_ family: Int32, _ kind: Int32) -> Int32 { socket(family, kind, 0) }

/// Wraps send(2), whose name `LocalConnection` hides.
private func sendQuietly(_ socket: Int32, _ bytes: [UInt8]) -> Int {
  #if canImport(Darwin)
    // SO_NOSIGPIPE replaces the flag that Darwin lacks.
    var isQuiet: Int32 = 1
    setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &isQuiet, socklen_t(MemoryLayout<Int32>.size))
    return send(socket, bytes, bytes.count, 0)
  #else
    return send(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  #endif
}
