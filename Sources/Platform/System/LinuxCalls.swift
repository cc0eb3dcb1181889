#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Calls that only Linux has, found by name in the C library at their first use.
///
/// Another system, or a C library that lacks a call, answers `ENOSYS` or nil. Each function names the portable form that
/// its callers use then.
enum LinuxCalls {
  private typealias RenameAt2 =
    @convention(c) (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32) -> Int32
  private typealias SyncFS = @convention(c) (Int32) -> Int32
  private typealias MakeMemoryFile = @convention(c) (UnsafePointer<CChar>, UInt32) -> Int32
  private typealias SyncFileRange = @convention(c) (Int32, Int64, Int64, UInt32) -> Int32
  private typealias GetDents = @convention(c) (Int32, UnsafeMutableRawPointer, Int) -> Int
  private typealias OpenAt2 =
    @convention(c) (Int, Int, UnsafePointer<CChar>, UnsafeMutableRawPointer, Int) -> Int
  private typealias StatFS = @convention(c) (Int32, UnsafeMutableRawPointer) -> Int32
  private typealias TrimHeap = @convention(c) (Int) -> Int32
  typealias AddChangeDirectory =
    @convention(c) (UnsafeMutablePointer<posix_spawn_file_actions_t>, UnsafePointer<CChar>) -> Int32
  typealias PollWithMask =
    @convention(c) (
      UnsafeMutablePointer<pollfd>, UInt, UnsafePointer<timespec>?, UnsafePointer<sigset_t>?
    ) -> Int32

  private static let trimHeap = find("malloc_trim", as: TrimHeap.self)
  private static let renameAt2 = find("renameat2", as: RenameAt2.self)
  private static let syncFS = find("syncfs", as: SyncFS.self)
  private static let memoryFile = find("memfd_create", as: MakeMemoryFile.self)
  private static let syncFileRange = find("sync_file_range", as: SyncFileRange.self)
  /// syscall(2), for openat2, which has no function in the C library.
  private static let systemCall = find("syscall", as: OpenAt2.self)
  private static let getDents = find("getdents64", as: GetDents.self)
  private static let statFS = find("fstatfs", as: StatFS.self)
  /// Wraps ppoll(2). Portable form: poll(2) with the mask of the thread.
  static let poll = find("ppoll", as: PollWithMask.self)
  /// Wraps posix_spawn_file_actions_addchdir_np(3), which glibc, musl and Darwin have.
  static let addChangeDirectory = find("posix_spawn_file_actions_addchdir_np", as: AddChangeDirectory.self)

  private static func find<Call>(_ name: String, as type: Call.Type) -> Call? {
    // RTLD_DEFAULT is the usual search order of the process.
    #if os(Linux)
      let everywhere: UnsafeMutableRawPointer? = nil
    #else
      let everywhere = UnsafeMutableRawPointer(bitPattern: -2)
    #endif
    guard let address = dlsym(everywhere, name) else { return nil }
    return unsafeBitCast(address, to: type)
  }

  private static func noCall() -> Int32 {
    errno = ENOSYS
    return -1
  }
}

extension LinuxCalls {
  /// Gives freed memory back to the system. Wraps malloc_trim(3). Portable form: nothing.
  static func giveFreedMemoryBack() { _ = trimHeap?(0) }

  /// The effect of a rename if the new name exists.
  enum RenameMode: UInt32 {
    case replacing = 0
    /// `RENAME_NOREPLACE`
    case refusing = 1
    /// `RENAME_EXCHANGE`
    case exchanging = 2
  }

  /// Renames within an open folder. Wraps renameat2(2); a replacing rename is renameat(2).
  ///
  /// Portable form: a second name by linkat(2), or a comparison before a replacing rename.
  /// - Returns: 0 or -1, with `errno` set.
  static func rename(
    _ old: UnsafePointer<CChar>, to new: UnsafePointer<CChar>, in folder: Int32, _ mode: RenameMode
  ) -> Int32 {
    if mode == .replacing { return renameat(folder, old, folder, new) }
    return renameAt2?(folder, old, folder, new, mode.rawValue) ?? noCall()
  }

  /// Makes all that was written to a file system durable. Wraps syncfs(2). Portable form: fsync(2) for each file.
  /// - Returns: 0 or -1, with `errno` set.
  static func syncFileSystem(of descriptor: Int32) -> Int32 { syncFS?(descriptor) ?? noCall() }

  /// Begins to write all of an open file to its disk. Wraps sync_file_range(2). Portable form: nothing.
  static func beginSync(_ descriptor: Int32) {
    // SYNC_FILE_RANGE_WRITE is 2.
    _ = syncFileRange?(descriptor, 0, 0, 2)
  }

  /// Makes a file without a name in memory, closed in children. Wraps memfd_create(2). Portable form: a file in the folder
  /// of temporary files.
  /// - Returns: a descriptor or -1, with `errno` set.
  static func makeMemoryFile() -> Int32 {
    // MFD_CLOEXEC is 1.
    memoryFile?("slip", 1) ?? noCall()
  }

  /// Opens a file for reading below a folder, unless a symbolic link is on the way. Wraps openat2(2).
  ///
  /// Portable form: each part of the path is opened from the folder above.
  /// - Returns: a descriptor or -1, with `errno` set.
  static func openBeneath(_ folder: Int32, _ path: UnsafePointer<CChar>) -> Int32 {
    #if os(Linux)
      guard let systemCall else { return noCall() }
      let flags = UInt64(O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
      // `struct open_how`: flags, mode, and RESOLVE_BENEATH with RESOLVE_NO_SYMLINKS.
      var how: (UInt64, UInt64, UInt64) = (flags, 0, 0x08 | 0x04)
      return Int32(
        truncatingIfNeeded: systemCall(437, Int(folder), path, &how, MemoryLayout.size(ofValue: how)))
    #else
      return noCall()
    #endif
  }

  /// The magic number of the file system that a descriptor is on; nil if the system gives none. Wraps fstatfs(2).
  ///
  /// Portable form: nil, which means that times of folders are not relied on.
  static func fileSystemType(of descriptor: Int32) -> Int? {
    #if os(Linux)
      // `struct statfs` is 120 bytes long on 64-bit systems, and begins with the type as a long.
      return withUnsafeTemporaryAllocation(byteCount: 256, alignment: 8) { buffer in
        guard let statFS, let base = buffer.baseAddress, statFS(descriptor, base) == 0 else { return nil }
        return base.load(as: Int.self)
      }
    #else
      return nil
    #endif
  }

  /// Requests a read lease, which is granted only if no process has the file open for writing. Wraps `F_SETLEASE` of
  /// fcntl(2).
  ///
  /// A request for writing by another program sends SIGURG, which does nothing by itself. Portable form: no lease, and a
  /// check of the open files of other processes.
  /// - Returns: 0 or the `errno`.
  static func takeReadLease(_ descriptor: Int32) -> Int32 {
    #if os(Linux)
      // F_SETSIG is 10, F_SETLEASE is 1024.
      _ = fcntl(descriptor, 10, SIGURG)
      return fcntl(descriptor, 1_024, Int32(F_RDLCK)) == 0 ? 0 : errno
    #else
      return ENOSYS
    #endif
  }

  /// Flags that only Linux has: 0 or the nearest flag on other systems.
  enum Flag {
    #if os(Linux)
      /// `O_PATH`: a descriptor that only names a place in the tree.
      static let pathOnly: Int32 = 0o10_000_000
      /// `MAP_POPULATE`
      static let fetchAllPages = Int32(MAP_POPULATE)
      /// `AT_EACCESS`
      static let effectiveAccess: Int32 = 0x200
      /// `POSIX_SPAWN_SETSID`
      static let spawnInNewSession: Int16 = 0x80
      /// The clock by whose ticks file systems set times, in nanoseconds: `CLOCK_REALTIME_COARSE`.
      static let clockOfFiles = CLOCK_REALTIME_COARSE
    #else
      static let pathOnly: Int32 = O_RDONLY
      static let fetchAllPages: Int32 = 0
      static let effectiveAccess: Int32 = AT_EACCESS
      static let spawnInNewSession: Int16 = 0x400
      static let clockOfFiles = CLOCK_REALTIME
    #endif
  }
}

extension LinuxCalls {
  /// Calls the body with the name and the type of each entry of a folder, "." and ".." among them.
  ///
  /// The name is lent for the call only, with a NUL behind its end. Types are those of readdir(3), `DT_REG` and the like.
  /// Wraps getdents64(2). Portable form: `forEachEntryPortably`.
  /// - Returns: 0 or the `errno`; entries before the failure were seen.
  static func forEachEntry(
    in descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer,
    _ body: (UnsafeRawBufferPointer, UInt8) -> Void
  ) -> Int32 {
    guard let getDents, let base = buffer.baseAddress else {
      return forEachEntryPortably(in: descriptor, body)
    }
    while true {
      let length = retrying { getDents(descriptor, base, buffer.count) }
      if length < 0 { return errno }
      if length == 0 { return 0 }
      // `struct linux_dirent64`: inode and offset (8 bytes each), length (2), type (1), name.
      let nameOffset = 19
      var offset = 0
      while offset + nameOffset < length {
        let entry = base + offset
        let recordLength = Int(entry.load(fromByteOffset: 16, as: UInt16.self))
        guard recordLength > nameOffset else { break }
        let start = entry + nameOffset
        let count = strlen(start.assumingMemoryBound(to: CChar.self))
        body(
          UnsafeRawBufferPointer(start: start, count: count),
          entry.load(fromByteOffset: 18, as: UInt8.self))
        offset += recordLength
      }
    }
  }

  /// The same by readdir(3), which every system has.
  static func forEachEntryPortably(
    in descriptor: Int32, _ body: (UnsafeRawBufferPointer, UInt8) -> Void
  ) -> Int32 {
    // The stream closes its descriptor, and has a position of its own.
    let own = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard own >= 0 else { return errno }
    guard let stream = fdopendir(own) else {
      let code = errno
      close(own)
      return code
    }
    defer { closedir(stream) }
    while true {
      errno = 0
      guard let entry = readdir(stream) else { return errno }
      withUnsafeBytes(of: &entry.pointee.d_name) { name in
        guard let start = name.baseAddress else { return }
        let count = strlen(start.assumingMemoryBound(to: CChar.self))
        body(UnsafeRawBufferPointer(start: start, count: count), entry.pointee.d_type)
      }
    }
  }
}

/// The kernel's queue of changes in single folders. Wraps inotify(7). Portable form: `FolderPoll`.
final class ChangeQueue {
  /// A change as the kernel reports it.
  struct Notice {
    /// The number of the folder, as `add` has returned it.
    let number: Int32
    /// The name in the folder; empty if the folder itself is meant.
    let name: [UInt8]
    /// Whether more happened than the queue could keep.
    let isOverflow: Bool
    /// Whether the folder itself was removed or renamed.
    let isFolderGone: Bool
    /// Whether the name is that of a folder.
    let isFolder: Bool
    /// Whether the name is no longer in the folder.
    let isGone: Bool
    /// Whether this is the last notice of the folder.
    let isLast: Bool
  }

  /// Readable while there are notices.
  let descriptor: Descriptor

  #if os(Linux)
    static let isAvailable = true

    private static let changes = UInt32(
      IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB
        | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR | IN_EXCL_UNLINK)

    /// - Throws: `EMFILE` if the user has too many watches of this kind.
    init() throws(SystemError) {
      let number = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
      guard number >= 0 else { throw SystemError("watch", []) }
      descriptor = Descriptor(owning: number)
    }

    /// Watches a folder by its absolute path. A folder that is watched already has the same number again.
    /// - Throws: `ENOSPC` if the user watches too many folders; `ENOENT` and the like.
    func add(_ folder: [UInt8], followingLink: Bool) throws(SystemError) -> Int32 {
      let path = try terminated(folder, "watch")
      let flags = Self.changes | (followingLink ? 0 : UInt32(IN_DONT_FOLLOW))
      let number = inotify_add_watch(descriptor.number, path, flags)
      guard number >= 0 else { throw SystemError("watch", folder) }
      return number
    }

    /// Watches a folder no longer.
    func remove(_ number: Int32) { inotify_rm_watch(descriptor.number, number) }

    /// Takes all notices out, without waiting.
    func takeAll() -> [Notice] {
      var notices: [Notice] = []
      withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 8) { buffer in
        while true {
          let length = retrying { read(descriptor.number, buffer.baseAddress, buffer.count) }
          guard length > 0 else { return }
          Self.parse(UnsafeRawBufferPointer(rebasing: buffer[..<length]), &notices)
        }
      }
      return notices
    }

    /// Reads `struct inotify_event`: number, mask, cookie, length of the name (4 bytes each), name with NULs behind it.
    private static func parse(_ buffer: UnsafeRawBufferPointer, _ notices: inout [Notice]) {
      var offset = 0
      while offset + 16 <= buffer.count {
        let mask = buffer.load(fromByteOffset: offset + 4, as: UInt32.self)
        let length = Int(buffer.load(fromByteOffset: offset + 12, as: UInt32.self))
        guard length <= buffer.count - offset - 16 else { return }
        let name = buffer[(offset + 16)..<(offset + 16 + length)].prefix { $0 != 0 }
        let has = { (flag: Int) in mask & UInt32(truncatingIfNeeded: flag) != 0 }
        notices.append(
          Notice(
            number: buffer.load(fromByteOffset: offset, as: Int32.self), name: Array(name),
            isOverflow: has(Int(IN_Q_OVERFLOW)),
            isFolderGone: has(Int(IN_DELETE_SELF)) || has(Int(IN_MOVE_SELF)), isFolder: has(Int(IN_ISDIR)),
            isGone: has(Int(IN_DELETE)) || has(Int(IN_MOVED_FROM)), isLast: has(Int(IN_IGNORED))))
        offset += 16 + length
      }
    }
  #else
    static let isAvailable = false

    init() throws(SystemError) { throw SystemError(operation: "watch", path: [], code: ENOSYS) }

    func add(_ folder: [UInt8], followingLink: Bool) throws(SystemError) -> Int32 {
      throw SystemError(operation: "watch", path: folder, code: ENOSYS)
    }

    func remove(_ number: Int32) {}

    func takeAll() -> [Notice] { [] }
  #endif
}
