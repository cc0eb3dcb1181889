package import Bytes

/// Files by path, absolute or relative to the working directory.
package enum Files {
  /// The status of a file, or nil if it does not exist.
  package static func status(
    _ path: [UInt8], followLinks: Bool = false
  ) throws(SystemError) -> FileStatus? {
    try FileStatus.of(path, followLinks: followLinks)
  }

  /// Reads a regular file; symbolic links are followed, FIFOs and devices never waited for.
  /// - Throws: `ENOENT`; `EFBIG` if it is longer than `limit` bytes (2 GiB without one);
  /// `SystemError.notRegular`.
  package static func read(_ path: [UInt8], limit: Int? = nil) throws(SystemError) -> [UInt8] {
    try Descriptor.open(path, [.reading, .withoutWaiting, .withoutTerminal]).readAll(path, limit: limit).bytes
  }

  /// Replaces or creates a file as a whole. Readers see the old file or the new one, and so does a restart after a crash.
  ///
  /// Missing folders above it are created. A temporary file beside it is written, synced and renamed, then the folder is
  /// synced. The mode of an existing file is kept, and its owner and group if that is permitted; a new one
  /// has 0666 less the umask. If the path is a symbolic link, its target is written.
  /// - Parameter permissions: the permissions of a new file; `.exact(0o600)` for a file of this user alone.
  package static func write(
    _ bytes: [UInt8], to path: [UInt8], permissions: FilePermissions = .plain
  ) throws(SystemError) {
    let path = try target(of: path)
    let (parent, name) = split(path)
    try makeDirectory(parent)
    let folder = try Descriptor.open(parent, [.reading, .folder])
    let existing = try FileStatus.of(name, in: folder)
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
    try SystemError.check(FolderNames.paths.remove(path), "remove", path)
  }

  /// Renames a file, replacing a file of the new name. The folders are not synced.
  package static func rename(_ old: [UInt8], to new: [UInt8]) throws(SystemError) {
    try SystemError.check(FolderNames.paths.rename(old, to: new), "rename", old)
  }

  /// Gives a file a second name. Wraps link(2).
  package static func link(_ path: [UInt8], as name: [UInt8]) throws(SystemError) {
    try SystemError.check(FolderNames.paths.link(path, as: name), "link", name)
  }

  /// Appends bytes to a file and makes them durable. Creates the file if it is missing.
  ///
  /// Either all bytes are written or none. The caller has to be the only writer.
  package static func append(_ bytes: [UInt8], to path: [UInt8]) throws(SystemError) {
    let file = try Descriptor.open(path, [.writing, .making, .appending], permissions: 0o666)
    let length = try file.status(path).size
    do throws(SystemError) { try file.writeAll(bytes, path) } catch {
      _ = file.truncate(to: length)
      throw error
    }
    try file.sync(path)
  }

  /// Sets the modification and access time of a file, and its permissions if given. Wraps utimensat(2).
  package static func setStatus(_ path: [UInt8], modified: FileTime, mode: UInt32?) throws(SystemError) {
    if let mode { _ = FolderNames.paths.setPermissions(path, mode & 0o777) }
    try SystemError.check(FolderNames.paths.setTimes(path, modified), "set time", path)
  }

  /// Sets the permission bits of a file or folder. Wraps chmod(2).
  package static func setMode(_ path: [UInt8], _ mode: UInt32) throws(SystemError) {
    try SystemError.check(FolderNames.paths.setPermissions(path, mode & 0o7777), "set mode", path)
  }

  /// The number of the user who runs this. Wraps geteuid(2).
  package static var userID: UInt32 { CurrentProcess.userID }

  /// Whether this user may make files in a folder.
  package static func isWritable(_ folder: [UInt8]) -> Bool {
    FolderNames.paths.check(folder, FolderNames.mayWrite | FolderNames.mayRun) == 0
  }

  /// The absolute path without symbolic links, or nil if it does not exist.
  package static func realPath(_ path: [UInt8]) -> [UInt8]? {
    FolderNames.realPath(path)
  }

  /// The working directory; "." if it has been removed.
  package static func currentDirectory() -> [UInt8] {
    FolderNames.workingFolder() ?? [UInt8(ascii: ".")]
  }
}

extension Files {
  /// The folder and the name of a path. A path without a folder has the folder ".", one below the root "/".
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
    try SystemError.check(FolderNames(in: folder).rename(old, to: new), "rename", new)
  }
}

extension Files {
  /// Opens a regular file for reading, never waiting for a FIFO; nil if there is none.
  static func openRegular(
    _ path: [UInt8], followLinks: Bool = true
  ) throws(SystemError) -> (file: Descriptor, status: FileStatus)? {
    let mode: Descriptor.Mode = [.reading, .withoutWaiting, .withoutTerminal]
    do throws(SystemError) {
      let file = try Descriptor.open(path, followLinks ? mode : mode.union(.withoutLink))
      let status = try file.status(path)
      return status.kind == .file ? (file, status) : nil
    } catch {
      if error.isMissing { return nil }
      throw error
    }
  }

  /// The bytes and the status of a regular file; nil if there is none.
  /// - Parameter followLinks: whether a path that is a symbolic link means its target; else it is refused with `ELOOP`.
  package static func readIfPresent(
    _ path: [UInt8], followLinks: Bool = true
  ) throws(SystemError) -> (bytes: [UInt8], status: FileStatus)? {
    guard let (file, status) = try openRegular(path, followLinks: followLinks) else { return nil }
    return try file.readAll(path, limit: nil, known: status)
  }

  /// Whether a folder is at the path, following links.
  package static func isFolder(_ path: [UInt8]) -> Bool {
    (try? status(path, followLinks: true))?.kind == .directory
  }

  /// Whether this process may use a file. Wraps access(2).
  package static func isAccessible(_ path: [UInt8], for use: Access) -> Bool {
    FolderNames.paths.check(path, use.rawValue) == 0
  }

  /// Kinds of access to a file or folder. A combination means all of them at once.
  package struct Access: OptionSet, Sendable {
    package let rawValue: Int32

    package init(rawValue: Int32) { self.rawValue = rawValue }

    /// Reading a file, or listing a folder.
    package static let reading = Access(rawValue: FolderNames.mayRead)
    /// Writing a file, or making names in a folder.
    package static let writing = Access(rawValue: FolderNames.mayWrite)
    /// Running a file, or passing through a folder.
    package static let running = Access(rawValue: FolderNames.mayRun)
  }

  /// The text of a symbolic link; nil if there is none. Wraps readlink(2).
  package static func linkTarget(_ path: [UInt8]) -> [UInt8]? {
    guard let target = try? FolderNames.paths.linkTarget(path, "read") else { return nil }
    return target.isEmpty ? nil : target
  }

  /// The path of the program of this process; nil if the system does not report it.
  package static var ownProgram: [UInt8]? { linkTarget(Array("/proc/self/exe".utf8)) }
}

extension Files {
  /// Maps a regular file, or reads it if it can't be mapped. The bytes stay valid when the file is replaced or removed.
  ///
  /// A file that is shortened in place would end the process: only files that are replaced by a rename may be mapped.
  /// Wraps mmap(2).
  /// - Parameter isReadWhole: whether all pages are needed, so that they are fetched at once.
  /// - Returns: the bytes and the status; no bytes for an empty file; nil if there is no regular file.
  package static func map(
    _ path: [UInt8], isReadWhole: Bool = false
  ) throws(SystemError) -> (bytes: ByteRegion, status: FileStatus)? {
    guard let (file, status) = try Files.openRegular(path) else { return nil }
    guard let size = Int(exactly: status.size), size > 0 else {
      return (ByteRegion(copying: []), status)
    }
    guard let region = file.map(size: size, isReadWhole: isReadWhole) else {
      return (ByteRegion(copying: try file.readAll(path, limit: nil).bytes), status)
    }
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
      throw SystemError(operation: "read", path: path, code: SystemError.Code.tooLarge)
    }
    let region = try file.copy(size: size, path)
    let after = try file.status(path)
    let isSteady =
      region.count == size && after.size == status.size && after.modified == status.modified
      && after.changed == status.changed
    return (region, status, isSteady)
  }
}

extension Files {
  /// All that comes from an open descriptor, such as standard input, until its end.
  package static func readAll(descriptor: Int32) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let part = try readSome(descriptor: descriptor)
      if part.isEmpty { return bytes }
      bytes += part
    }
  }

  /// Whether an open descriptor has bytes to read, or comes to its end, within a time.
  package static func hasInput(descriptor: Int32, withinMilliseconds milliseconds: Int32) -> Bool {
    Descriptor.hasInput(descriptor, withinMilliseconds: milliseconds)
  }

  /// The next bytes that come from an open descriptor, as many as are there; none at its end.
  package static func readSome(descriptor: Int32, atMost count: Int = 1 << 16) throws(SystemError) -> [UInt8]
  {
    let (bytes, code) = Descriptor.readSome(descriptor, atMost: count)
    try SystemError.check(code, "read", [])
    return bytes
  }

  /// Appends bytes to a file by one write, which other writers do not split. A link is refused.
  /// - Returns: whether all bytes were written.
  package static func appendAtOnce(_ path: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Bool {
    guard let file = try? Descriptor.open(path, [.writing, .appending, .withoutLink]) else { return false }
    return Descriptor.writeSome(file.number, bytes).count == bytes.count
  }
}

/// Files that hold a secret of the user's.
extension Files {
  /// Replaces or makes a file that only this user may read; the folders above it are made so too.
  package static func writePrivate(_ bytes: [UInt8], to path: [UInt8]) throws(SystemError) {
    let (folder, name) = split(path)
    let parent = split(folder).folder
    try makeDirectory(parent)
    let code = FolderNames.paths.makeFolder(folder, permissions: 0o700)
    if code != SystemError.Code.exists { try SystemError.check(code, "make folder", folder) }
    let temporary =
      folder + [UInt8(ascii: "/"), UInt8(ascii: ".")] + name + Array(".\(CurrentProcess.id)".utf8)
    let file = try Descriptor.open(
      temporary, [.writing, .making, .onlyNew, .withoutLink], permissions: 0o600)
    try file.writeAll(bytes, temporary)
    try rename(temporary, to: path)
  }

  /// Reads a file that `writePrivate` wrote; nil if there is none, or if other users could have read or written it.
  package static func readPrivate(_ path: [UInt8]) -> [UInt8]? {
    guard let file = try? Descriptor.open(path, [.reading, .withoutWaiting, .withoutLink, .withoutTerminal]),
      let status = try? file.status(path), status.kind == .file, status.owner == CurrentProcess.userID,
      status.mode & 0o077 == 0
    else { return nil }
    return (try? file.readAll(path, limit: 1 << 16))?.bytes
  }
}
