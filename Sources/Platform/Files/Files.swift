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
    guard let path = try? terminated(folder, "look at") else { return false }
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
