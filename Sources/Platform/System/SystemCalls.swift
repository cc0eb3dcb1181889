import Glibc

/// A system call that failed, or a refusal of this module's own.
package struct SystemError: Error, Sendable, Equatable {
  /// What was attempted, as a verb: "open", "rename".
  package let operation: String
  /// The path as it was given, in bytes; empty where there is none.
  package let path: [UInt8]
  /// The `errno` of the call, or one of the negative codes below.
  package let code: Int32

  package init(operation: String, path: [UInt8], code: Int32) {
    self.operation = operation
    self.path = path
    self.code = code
  }

  /// The code of something that is neither a file nor what else was asked for: a FIFO, a device, a folder.
  package static let notRegular: Int32 = -1
  /// The code of a path that leaves its box, or that passes through a symbolic link.
  package static let leavesBox: Int32 = -2

  /// The reason in words, as strerror(3) gives it.
  package var reason: String {
    switch code {
    case Self.notRegular: return "Not a regular file"
    case Self.leavesBox: return "The path passes through a symbolic link"
    default: return Self.words(for: code)
    }
  }

  /// Whether the file, or a folder above it, does not exist.
  package var isMissing: Bool { code == ENOENT || code == ENOTDIR }

  /// Whether a folder is where a file should be.
  package var isFolder: Bool { code == EISDIR }

  /// Whether something has the name already.
  package var isOccupied: Bool { code == EEXIST }

  /// Whether the file is larger than what was to be read.
  package var isTooLarge: Bool { code == EFBIG }

  /// Whether permissions or a read-only file system forbid it.
  package var isPermission: Bool { code == EACCES || code == EPERM || code == EROFS }

  private static func words(for code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 256)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "Error \(code)" }
    let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return String(decoding: text, as: UTF8.self)
  }
}

extension SystemError {
  /// The failure of the call that has just set `errno`.
  init(_ operation: String, _ path: [UInt8]) {
    self.init(operation: operation, path: path, code: errno)
  }
}

/// The bytes of a path with a closing NUL, for C.
/// - Throws: `EINVAL` where the path is empty or holds a NUL, which would silently name another file.
func terminated(_ path: some Collection<UInt8>, _ operation: String) throws(SystemError) -> [CChar] {
  guard !path.isEmpty, !path.contains(0) else {
    throw SystemError(operation: operation, path: Array(path), code: path.isEmpty ? ENOENT : EINVAL)
  }
  var bytes: [CChar] = []
  bytes.reserveCapacity(path.count + 1)
  for byte in path { bytes.append(CChar(bitPattern: byte)) }
  bytes.append(0)
  return bytes
}

/// Repeats a call that a signal interrupted.
func retrying<Result: SignedInteger>(_ call: () -> Result) -> Result {
  while true {
    let result = call()
    if result != -1 || errno != EINTR { return result }
  }
}

/// Waiting for something that another process holds.
package enum Waiting {
  /// Repeats an attempt that answers false until it answers true or the time is over, with pauses that grow and differ by
  /// chance, so that two waiters do not stay in step.
  ///
  /// - Returns: whether an attempt answered true.
  package static func retrying<Failure>(
    milliseconds: Int, _ attempt: () throws(Failure) -> Bool
  ) throws(Failure) -> Bool {
    let deadline = now() + Int64(milliseconds)
    var pause: Int64 = 5
    while try !attempt() {
      let left = deadline - now()
      guard left > 0 else { return false }
      usleep(UInt32(1_000 * min(left, Int64.random(in: (pause / 2)...pause))))
      pause = min(200, pause * 2)
    }
    return true
  }

  /// Does nothing for a while.
  package static func pause(milliseconds: Int) { usleep(UInt32(1_000 * milliseconds)) }

  /// Milliseconds of the monotonic clock.
  package static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
  }
}

/// Calls of Linux and glibc that the Glibc module does not show, found by name at their first use.
///
/// A call that the C library lacks is nil; callers then do what the file system of an older system needs.
enum LinuxCalls {
  typealias RenameAt2 =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
  typealias SyncFS = @convention(c) (Int32) -> Int32
  typealias MakeMemoryFile = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
  typealias SyncFileRange = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32
  typealias GetDents = @convention(c) (Int32, UnsafeMutableRawPointer, Int) -> Int
  typealias AddChangeDirectory =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) -> Int32

  typealias OpenAt2 =
    @convention(c) (Int, Int, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int) -> Int
  typealias StatFS = @convention(c) (Int32, UnsafeMutableRawPointer) -> Int32

  typealias TrimHeap = @convention(c) (Int) -> Int32

  typealias PollWithMask =
    @convention(c) (
      UnsafeMutablePointer<pollfd>, UInt, UnsafePointer<timespec>?, UnsafePointer<sigset_t>?
    ) -> Int32

  /// Wraps malloc_trim(3).
  static let trimHeap = find("malloc_trim", as: TrimHeap.self)
  /// Wraps ppoll(2).
  static let poll = find("ppoll", as: PollWithMask.self)
  /// Wraps renameat2(2).
  static let renameAt2 = find("renameat2", as: RenameAt2.self)
  /// Wraps syncfs(2).
  static let syncFS = find("syncfs", as: SyncFS.self)
  /// Wraps memfd_create(2).
  static let makeMemoryFile = find("memfd_create", as: MakeMemoryFile.self)
  private static let syncFileRange = find("sync_file_range", as: SyncFileRange.self)
  /// Begins to write all of an open file to its disk (`SYNC_FILE_RANGE_WRITE` is 2). Wraps sync_file_range(2).
  static func beginSync(_ descriptor: Int32) { _ = syncFileRange?(descriptor, 0, 0, 2) }

  /// Wraps syscall(2) for openat2, which has no function in the C library.
  private static let systemCall = find("syscall", as: OpenAt2.self)
  /// Wraps getdents64(2).
  static let getDents = find("getdents64", as: GetDents.self)
  /// Wraps posix_spawn_file_actions_addchdir_np(3).
  static let addChangeDirectory = find("posix_spawn_file_actions_addchdir_np", as: AddChangeDirectory.self)

  /// Opens a file for reading below a folder where no symbolic link is on the way; -1 and `errno` otherwise.
  /// Wraps openat2(2).
  static func openBeneath(_ folder: Int32, _ path: UnsafePointer<CChar>) -> Int32 {
    guard let systemCall else {
      errno = ENOSYS
      return -1
    }
    let flags = UInt64(O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    // `struct open_how`: flags, mode, and RESOLVE_BENEATH with RESOLVE_NO_SYMLINKS.
    var how: (UInt64, UInt64, UInt64) = (flags, 0, 0x08 | 0x04)
    return Int32(
      truncatingIfNeeded: systemCall(437, Int(folder), path, &how, MemoryLayout.size(ofValue: how)))
  }

  /// The magic number of the file system that a descriptor is on. Wraps fstatfs(2).
  static func fileSystemType(of descriptor: Int32) -> Int? {
    guard let call = find("fstatfs", as: StatFS.self) else { return nil }
    // `struct statfs` is 120 bytes long on 64-bit systems, and begins with the type as a long.
    return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
      guard let base = buffer.baseAddress, call(descriptor, base) == 0 else { return nil }
      return base.load(as: Int.self)
    }
  }

  /// `O_PATH`: a descriptor that only names a place in the tree.
  static let pathOnly: Int32 = 0o10_000_000
  /// `F_SETSIG`
  static let setSignal: Int32 = 10
  /// `F_SETLEASE`
  static let setLease: Int32 = 1_024
  /// `RENAME_NOREPLACE`
  static let renameNoReplace: UInt32 = 1
  /// `RENAME_EXCHANGE`
  static let renameExchange: UInt32 = 2
  /// `AT_EACCESS`
  static let effectiveAccess: Int32 = 0x200
  /// `POSIX_SPAWN_SETSID`
  static let spawnInNewSession: Int16 = 0x80

  private static func find<Call>(_ name: String, as type: Call.Type) -> Call? {
    // A null handle is RTLD_DEFAULT: the usual search order of the process.
    guard let address = dlsym(nil, name) else { return nil }
    return unsafeBitCast(address, to: type)
  }
}

/// The memory of the process.
package enum Memory {
  /// Gives freed memory back to the system, which the allocator would keep for later.
  ///
  /// Wraps malloc_trim(3).
  /// - Complexity: some milliseconds for some hundred megabytes.
  package static func giveBack() { _ = LinuxCalls.trimHeap?(0) }
}
