#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Calls on names in an open folder, or on paths relative to the working directory.
///
/// They return 0 or the `errno`: `EINVAL` for a name with a NUL, `ENOENT` for an empty one.
struct FolderNames {
  private let folder: Int32

  /// Names in an open folder.
  init(in folder: Descriptor) { self.folder = folder.number }

  private init() { folder = AT_FDCWD }

  /// Absolute paths, and those relative to the working directory.
  static let paths = FolderNames()

  private func call(_ name: [UInt8], _ body: (UnsafePointer<CChar>) -> Int32) -> Int32 {
    do throws(SystemError) {
      let name = try terminated(name, "")
      return body(name) == 0 ? 0 : errno
    } catch {
      return error.code
    }
  }

  private func call(
    _ first: [UInt8], _ second: [UInt8], _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  ) -> Int32 {
    do throws(SystemError) {
      let (first, second) = (try terminated(first, ""), try terminated(second, ""))
      return body(first, second) == 0 ? 0 : errno
    } catch {
      return error.code
    }
  }

  /// Wraps mkdirat(2).
  func makeFolder(_ name: [UInt8], permissions: UInt32 = 0o777) -> Int32 {
    call(name) { mkdirat(folder, $0, mode_t(permissions)) }
  }

  /// Removes a file or a symbolic link. Wraps unlinkat(2).
  func remove(_ name: [UInt8]) -> Int32 { call(name) { unlinkat(folder, $0, 0) } }

  /// Removes an empty folder. Wraps unlinkat(2).
  func removeFolder(_ name: [UInt8]) -> Int32 { call(name) { unlinkat(folder, $0, Int32(AT_REMOVEDIR)) } }

  /// Renames; modes other than `replacing` answer `ENOSYS` or `EINVAL` if the system does not know them.
  func rename(_ old: [UInt8], to new: [UInt8], _ mode: LinuxCalls.RenameMode = .replacing) -> Int32 {
    call(old, new) { LinuxCalls.rename($0, to: $1, in: folder, mode) }
  }

  /// Gives a file a second name. Wraps linkat(2).
  func link(_ name: [UInt8], as second: [UInt8]) -> Int32 {
    call(name, second) { linkat(folder, $0, folder, $1, 0) }
  }

  /// Makes a symbolic link. Wraps symlinkat(2).
  func makeLink(_ name: [UInt8], to target: [UInt8]) -> Int32 {
    call(target, name) { symlinkat($0, folder, $1) }
  }

  /// Reads a symbolic link, at most 4,096 bytes of it. Wraps readlinkat(2).
  func linkTarget(_ name: [UInt8], _ operation: String) throws(SystemError) -> [UInt8] {
    let path = try terminated(name, operation)
    var code: Int32 = 0
    let target = [UInt8](unsafeUninitializedCapacity: 4_096) { buffer, count in
      let length = buffer.withMemoryRebound(to: CChar.self) { memory in
        memory.baseAddress.map { readlinkat(folder, path, $0, memory.count) } ?? -1
      }
      if length < 0 { code = errno }
      count = max(0, length)
    }
    guard code == 0 else { throw SystemError(operation: operation, path: name, code: code) }
    return target
  }

  /// Whether the effective user may write to a file. Wraps faccessat(2).
  func checkWritable(_ name: [UInt8]) -> Int32 {
    call(name) { faccessat(folder, $0, W_OK, LinuxCalls.Flag.effectiveAccess) }
  }

  /// Whether the real user may use a file, by the bits of access(2).
  func check(_ name: [UInt8], _ access: Int32) -> Int32 { call(name) { faccessat(folder, $0, access, 0) } }

  /// Sets the permission bits. Wraps fchmodat(2).
  func setPermissions(_ name: [UInt8], _ bits: UInt32) -> Int32 {
    call(name) { fchmodat(folder, $0, mode_t(bits), 0) }
  }

  /// Sets when a file was last written and read. Wraps utimensat(2).
  func setTimes(_ name: [UInt8], _ time: FileTime) -> Int32 {
    let time = timespec(tv_sec: Int(time.seconds), tv_nsec: Int(time.nanoseconds))
    return call(name) { utimensat(folder, $0, [time, time], 0) }
  }
}

extension FolderNames {
  /// The bits of access(2).
  static let (mayRead, mayWrite, mayRun) = (R_OK, W_OK, X_OK)

  /// The absolute path without symbolic links; nil if it does not exist. Wraps realpath(3).
  static func realPath(_ path: [UInt8]) -> [UInt8]? {
    guard let terminatedPath = try? terminated(path, "resolve") else { return nil }
    guard let resolved = realpath(terminatedPath, nil) else { return nil }
    defer { free(resolved) }
    return bytes(of: resolved)
  }

  /// The working directory; nil if it has been removed. Wraps getcwd(3).
  static func workingFolder() -> [UInt8]? {
    guard let path = getcwd(nil, 0) else { return nil }
    defer { free(path) }
    return bytes(of: path)
  }

  private static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }
}

extension FileTime {
  init(_ time: timespec) {
    self.init(seconds: Int64(time.tv_sec), nanoseconds: Int32(truncatingIfNeeded: time.tv_nsec))
  }
}

extension FileStatus {
  init(_ status: stat) {
    let kind: Kind =
      switch status.st_mode & S_IFMT {
      case S_IFREG: .file
      case S_IFDIR: .directory
      case S_IFLNK: .symbolicLink
      default: .other
      }
    #if canImport(Darwin)
      let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
    #else
      let (modified, changed) = (status.st_mtim, status.st_ctim)
    #endif
    self.init(
      kind: kind, size: Int64(status.st_size), modified: FileTime(modified), changed: FileTime(changed),
      inode: UInt64(status.st_ino), device: UInt64(truncatingIfNeeded: status.st_dev),
      mode: UInt32(status.st_mode), owner: UInt32(status.st_uid), group: UInt32(status.st_gid))
  }

  /// The status of a name in an open folder, or of a path; nil if there is none.
  static func of(
    _ name: [UInt8], in folder: Descriptor? = nil, followLinks: Bool = false
  ) throws(SystemError) -> FileStatus? {
    let path = try terminated(name, "stat")
    var status = stat()
    guard
      fstatat(folder?.number ?? AT_FDCWD, path, &status, followLinks ? 0 : AT_SYMLINK_NOFOLLOW) == 0
    else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw SystemError("stat", name)
    }
    return FileStatus(status)
  }

  /// The status of a NUL-terminated name in an open folder; nil with the `errno` in `code` otherwise.
  ///
  /// Nothing is allocated: walks call it for every file.
  @inline(__always)
  static func of(
    terminated name: UnsafeRawBufferPointer, in folder: Descriptor, code: inout Int32
  ) -> FileStatus? {
    guard let start = name.baseAddress?.assumingMemoryBound(to: CChar.self) else { return nil }
    var status = stat()
    guard fstatat(folder.number, start, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      code = errno
      return nil
    }
    return FileStatus(status)
  }
}
