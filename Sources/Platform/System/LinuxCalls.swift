import Glibc

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
