package import Bytes
import Glibc

/// Files by path, absolute or relative to the working directory.
package enum Files {
  /// The status of a file, or nil where it does not exist.
  package static func status(
    _ path: [UInt8], followLinks: Bool = false
  ) throws(SystemError) -> FileStatus? {
    try FileStatus.of(path, in: AT_FDCWD, followLinks: followLinks)
  }

  /// Reads a regular file; symbolic links are followed, FIFOs and devices never waited for.
  /// - Throws: `ENOENT`; `EFBIG` where it is longer than `limit` bytes (2 GiB without one);
  /// `SystemError.notRegular`.
  package static func read(_ path: [UInt8], limit: Int? = nil) throws(SystemError) -> [UInt8] {
    try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY).readAll(path, limit: limit).bytes
  }

  /// Replaces or makes a file as a whole: whoever reads it, and whatever is left after a crash, is the old or
  /// the new one.
  ///
  /// Folders above it are made. A temporary file beside it is written, synced and renamed, then the folder is
  /// synced. The mode of an existing file is kept, and its owner and group where that is permitted; a new one
  /// has 0666 less the umask. Of a symbolic link the target is written.
  /// - Parameter permissions: the rights of a new file; `.exact(0o600)` for what belongs to this user alone.
  package static func write(
    _ bytes: [UInt8], to path: [UInt8], permissions: FilePermissions = .plain
  ) throws(SystemError) {
    let path = try target(of: path)
    let (parent, name) = split(path)
    try makeDirectory(parent)
    let folder = try Descriptor.open(parent, O_RDONLY | O_DIRECTORY)
    let existing = try FileStatus.of(name, in: folder.number)
    let temporary = try TemporaryFile.make(
      bytes, like: existing, permissions: permissions, in: folder, for: path, syncing: true)
    do throws(SystemError) {
      try renameName(temporary.name, to: name, in: folder)
    } catch {
      temporary.remove()
      throw error
    }
    try folder.sync(parent)
  }

  /// Removes a file or symbolic link. The folder is not synced.
  package static func remove(_ path: [UInt8]) throws(SystemError) {
    guard unlink(try terminated(path, "remove")) == 0 else { throw SystemError("remove", path) }
  }

  /// Renames a file, replacing what has the new name. The folders are not synced.
  package static func rename(_ old: [UInt8], to new: [UInt8]) throws(SystemError) {
    let source = try terminated(old, "rename")
    guard Glibc.rename(source, try terminated(new, "rename")) == 0 else { throw SystemError("rename", old) }
  }

  /// Gives a file a second name. Wraps link(2).
  package static func link(_ path: [UInt8], as name: [UInt8]) throws(SystemError) {
    let source = try terminated(path, "link")
    guard Glibc.link(source, try terminated(name, "link")) == 0 else { throw SystemError("link", name) }
  }

  /// Adds bytes to the end of a file, which is made where it is missing, and makes them durable.
  ///
  /// If not all can be written, none is. The caller has to be the only one who writes.
  package static func append(_ bytes: [UInt8], to path: [UInt8]) throws(SystemError) {
    let file = try Descriptor.open(path, O_WRONLY | O_CREAT | O_APPEND, mode: 0o666)
    let length = try file.status(path).size
    do throws(SystemError) { try file.writeAll(bytes, path) } catch {
      ftruncate(file.number, off_t(length))
      throw error
    }
    try file.sync(path)
  }

  /// Sets when a file was last written and read, and its permissions where they are given. Wraps utimensat(2).
  package static func setStatus(_ path: [UInt8], modified: FileTime, mode: UInt32?) throws(SystemError) {
    let name = try terminated(path, "set time")
    if let mode { chmod(name, mode_t(mode & 0o777)) }
    let time = timespec(tv_sec: Int(modified.seconds), tv_nsec: Int(modified.nanoseconds))
    guard utimensat(AT_FDCWD, name, [time, time], 0) == 0 else { throw SystemError("set time", path) }
  }

  /// Sets the permission bits of a file or folder. Wraps chmod(2).
  package static func setMode(_ path: [UInt8], _ mode: UInt32) throws(SystemError) {
    guard chmod(try terminated(path, "set mode"), mode_t(mode & 0o7777)) == 0 else {
      throw SystemError("set mode", path)
    }
  }

  /// The number of the user who runs this. Wraps geteuid(2).
  package static var userID: UInt32 { UInt32(geteuid()) }

  /// Whether this user may make files in a folder.
  package static func isWritable(_ folder: [UInt8]) -> Bool {
    guard let path = try? terminated(folder, "stat") else { return false }
    return access(path, W_OK | X_OK) == 0
  }

  /// The absolute path without symbolic links, or nil where it does not exist.
  package static func realPath(_ path: [UInt8]) -> [UInt8]? {
    guard let terminatedPath = try? terminated(path, "resolve") else { return nil }
    guard let resolved = realpath(terminatedPath, nil) else { return nil }
    defer { free(resolved) }
    return bytes(of: resolved)
  }

  /// The working directory; "." where it has been removed.
  package static func currentDirectory() -> [UInt8] {
    guard let path = getcwd(nil, 0) else { return [UInt8(ascii: ".")] }
    defer { free(path) }
    return bytes(of: path)
  }
}

extension Files {
  /// The bytes of a C string.
  static func bytes(of text: UnsafePointer<CChar>) -> [UInt8] {
    Array(UnsafeRawBufferPointer(start: text, count: strlen(text)))
  }

  /// The folder and the name of a path; "." and "/" stand for the folder where none is written.
  static func split(_ path: [UInt8]) -> (folder: [UInt8], name: [UInt8]) {
    guard let slash = path.lastIndex(of: UInt8(ascii: "/")) else { return ([UInt8(ascii: ".")], path) }
    let name = Array(path[(slash + 1)...])
    return (slash == 0 ? [UInt8(ascii: "/")] : Array(path[..<slash]), name)
  }

  /// The path that a write to a symbolic link reaches.
  private static func target(of path: [UInt8]) throws(SystemError) -> [UInt8] {
    guard try status(path)?.kind == .symbolicLink else { return path }
    guard let resolved = realPath(path) else { throw SystemError("resolve", path) }
    return resolved
  }

  /// Renames within an open folder.
  static func renameName(_ old: [UInt8], to new: [UInt8], in folder: Descriptor) throws(SystemError) {
    let source = try terminated(old, "rename")
    let destination = try terminated(new, "rename")
    guard renameat(folder.number, source, folder.number, destination) == 0 else {
      throw SystemError("rename", new)
    }
  }
}

extension Files {
  /// Opens a regular file for reading, never waiting for a FIFO; nil where there is none.
  static func openRegular(_ path: [UInt8]) throws(SystemError) -> (file: Descriptor, status: FileStatus)? {
    do throws(SystemError) {
      let file = try Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
      let status = try file.status(path)
      return status.kind == .file ? (file, status) : nil
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  /// The bytes and the status of a regular file; nil where there is none. Symbolic links are followed.
  package static func readIfPresent(
    _ path: [UInt8]
  ) throws(SystemError) -> (bytes: [UInt8], status: FileStatus)? {
    guard let (file, _) = try openRegular(path) else { return nil }
    return try file.readAll(path, limit: nil)
  }

  /// Whether a folder is at the path, following links.
  package static func isFolder(_ path: [UInt8]) -> Bool {
    (try? status(path, followLinks: true))?.kind == .directory
  }

  /// Whether this process may use a file. Wraps access(2).
  package static func isAccessible(_ path: [UInt8], for use: Access) -> Bool {
    guard let name = try? terminated(path, "stat") else { return false }
    return access(name, use.rawValue) == 0
  }

  /// Uses of a file or folder, together where they are combined.
  package struct Access: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Reading a file, or listing a folder.
    package static let reading = Access(rawValue: R_OK)
    /// Writing a file, or making names in a folder.
    package static let writing = Access(rawValue: W_OK)
    /// Running a file, or passing through a folder.
    package static let running = Access(rawValue: X_OK)
  }

  /// The text of a symbolic link; nil where there is none. Wraps readlink(2).
  package static func linkTarget(_ path: [UInt8]) -> [UInt8]? {
    guard let name = try? terminated(path, "read") else { return nil }
    let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      let length = buffer.withMemoryRebound(to: CChar.self) { memory in
        memory.baseAddress.map { readlink(name, $0, memory.count) } ?? -1
      }
      count = max(0, length)
    }
    return target.isEmpty ? nil : target
  }

  /// The path of the program of this process; nil where the system does not tell.
  package static var ownProgram: [UInt8]? { linkTarget(Array("/proc/self/exe".utf8)) }
}

extension Files {
  /// Maps a regular file, or reads it where it can't be mapped; its bytes stay when it is replaced or removed.
  ///
  /// A file that is shortened in place would end the process: only files that are replaced by a rename may be mapped.
  /// Wraps mmap(2).
  /// - Parameter isReadWhole: whether all pages are needed, so that they are fetched at once.
  /// - Returns: the bytes, none of an empty file, and the status; nil where there is no regular file.
  package static func map(
    _ path: [UInt8], isReadWhole: Bool = false
  ) throws(SystemError) -> (bytes: ByteRegion, status: FileStatus)? {
    guard let (file, status) = try Files.openRegular(path) else { return nil }
    guard let size = Int(exactly: status.size), size > 0 else {
      return (ByteRegion(copying: []), status)
    }
    let flags = MAP_PRIVATE | (isReadWhole ? Int32(MAP_POPULATE) : 0)
    guard let start = mmap(nil, size, PROT_READ, flags, file.number, 0), start != MAP_FAILED else {
      return (ByteRegion(copying: try file.readAll(path, limit: nil).bytes), status)
    }
    let memory = UnsafeRawBufferPointer(start: start, count: size)
    let region = ByteRegion(
      owning: memory,
      release: { munmap(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count) },
      // Nobody writes to a mapping, so that its pages can always be fetched again; where that is refused, they stay.
      unload: { _ = madvise(UnsafeMutableRawPointer(mutating: $0.baseAddress), $0.count, MADV_DONTNEED) })
    return (region, status)
  }

  /// Reads a regular file that another program may rewrite in place.
  ///
  /// Wraps pread(2).
  /// - Returns: the bytes, the status, and whether the file stayed the same while it was read; nil if there is no regular
  ///   file.
  package static func copy(
    _ path: [UInt8]
  ) throws(SystemError) -> (bytes: ByteRegion, status: FileStatus, isSteady: Bool)? {
    guard let (file, status) = try Files.openRegular(path) else { return nil }
    guard let size = Int(exactly: status.size), size < Descriptor.readLimit else {
      throw SystemError(operation: "read", path: path, code: EFBIG)
    }
    // With one byte more than the size, the end of the file shows in the same pass.
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: size + 1, alignment: 16)
    var count = 0
    while count < memory.count {
      let got = retrying {
        pread(file.number, memory.baseAddress.map { $0 + count }, memory.count - count, off_t(count))
      }
      guard got >= 0 else {
        let failure = SystemError("read", path)
        memory.deallocate()
        throw failure
      }
      if got == 0 { break }
      count += got
    }
    let region = ByteRegion(owning: UnsafeRawBufferPointer(rebasing: memory[..<count])) { $0.deallocate() }
    let after = try file.status(path)
    let isSteady =
      count == size && after.size == status.size && after.modified == status.modified
      && after.changed == status.changed
    return (region, status, isSteady)
  }
}

extension Files {
  /// All that comes from an open descriptor, such as standard input, until its end.
  package static func readAll(descriptor: Int32) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = retrying { Glibc.read(descriptor, &chunk, chunk.count) }
      guard count >= 0 else { throw SystemError(operation: "read", path: [], code: errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
    }
  }

  /// Whether an open descriptor has bytes to read, or comes to its end, within a time.
  package static func hasInput(descriptor: Int32, withinMilliseconds milliseconds: Int32) -> Bool {
    var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    return retrying { Int(poll(&waiting, 1, milliseconds)) } == 1
  }

  /// The next bytes that come from an open descriptor, as many as are there; none at its end.
  package static func readSome(descriptor: Int32, atMost count: Int = 1 << 16) throws(SystemError) -> [UInt8]
  {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, length in
      let read = retrying { Glibc.read(descriptor, buffer.baseAddress, count) }
      if read < 0 { code = errno }
      length = max(0, read)
    }
    guard code == 0 else { throw SystemError(operation: "read", path: [], code: code) }
    return bytes
  }
}

/// Files that hold a secret of the user's.
extension Files {
  /// Replaces or makes a file that only this user may read; the folders above it are made so too.
  package static func writePrivate(_ bytes: [UInt8], to path: [UInt8]) throws(SystemError) {
    let (folder, name) = split(path)
    let parent = split(folder).folder
    try makeDirectory(parent)
    guard mkdir(try terminated(folder, "make folder"), 0o700) == 0 || errno == EEXIST else {
      throw SystemError("make folder", folder)
    }
    let temporary = folder + [UInt8(ascii: "/"), UInt8(ascii: ".")] + name + Array(".\(getpid())".utf8)
    let file = try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: 0o600)
    try file.writeAll(bytes, temporary)
    try rename(temporary, to: path)
  }

  /// Reads a file that `writePrivate` made; nil where there is none, or where others than this user could have read or
  /// written it.
  package static func readPrivate(_ path: [UInt8]) -> [UInt8]? {
    guard let file = try? Descriptor.open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY),
      let status = try? file.status(path), status.kind == .file, status.owner == geteuid(),
      status.mode & 0o077 == 0
    else { return nil }
    return (try? file.readAll(path, limit: 1 << 16))?.bytes
  }
}
