/// Files that may be lost at any time, so that nothing waits for the disk.
extension Files {
  /// Replaces a file, which only this user may read, as a whole by bytes that come in pieces, without a sync.
  package static func replaceCache(_ path: [UInt8], with parts: some Sequence<[UInt8]>) throws(SystemError) {
    let temporary = path + Array(".new-\(CurrentProcess.id)".utf8)
    let file = try Descriptor.open(temporary, [.writing, .making, .emptying], permissions: 0o600)
    do throws(SystemError) {
      for part in parts { try file.writeAll(part, temporary) }
      try rename(temporary, to: path)
    } catch {
      try? remove(temporary)
      throw error
    }
  }

  /// Writes bytes at an offset of a file and truncates the file after them, without a sync.
  /// - Returns: the new length in bytes.
  package static func appendToCache(
    _ path: [UInt8], _ bytes: [UInt8], at offset: Int
  ) throws(SystemError) -> Int {
    let file = try Descriptor.open(path, .writing)
    guard file.truncate(to: Int64(offset)) else { throw SystemError("shorten", path) }
    try file.writeAll(bytes, path)
    return offset + bytes.count
  }
}

extension Files {
  /// A name beside others in a folder that no other process makes at the same time.
  package static func uniqueName(_ base: String) -> [UInt8] {
    Array("\(base)-\(CurrentProcess.id)-\(String(UInt64.random(in: .min ... .max), radix: 36))".utf8)
  }

  /// Writes a new file.
  ///
  /// - Parameter isDurable: whether its bytes, not its name, are on the disk when this returns.
  /// - Throws: `EEXIST` if something has the name. After a failure there is no file.
  package static func create(
    _ path: [UInt8], _ bytes: UnsafeRawBufferPointer, mode: UInt32 = 0o666, isDurable: Bool = false
  ) throws(SystemError) {
    let file = try FileWriter(creating: path, mode: mode)
    do throws(SystemError) {
      try file.write(bytes)
      if isDurable { try file.sync() }
    } catch {
      // The error is thrown. If the file can't be removed either, half a cache file stays.
      try? remove(path)
      throw error
    }
  }

  /// Writes a new file whose bytes are on the disk when this returns, and its name too.
  /// - Throws: `EEXIST` if something has the name.
  package static func create(_ path: [UInt8], _ bytes: [UInt8], mode: UInt32) throws(SystemError) {
    var failure: SystemError?
    bytes.withUnsafeBytes { buffer in
      do throws(SystemError) {
        try create(path, buffer, mode: mode, isDurable: true)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    try syncDirectory(split(path).folder)
  }
}

/// A file that is being written, open until the end of this object.
///
/// Names of temporary files, their renames and their removal are the caller's.
package final class FileWriter {
  private let file: Descriptor
  private let path: [UInt8]

  /// Makes a file of a name that nothing has; it can be read too.
  ///
  /// - Parameter mode: the permissions, less the umask.
  /// - Throws: `EEXIST` if something has the name.
  package init(creating path: [UInt8], mode: UInt32 = 0o666) throws(SystemError) {
    file = try Descriptor.open(path, [.both, .making, .onlyNew], permissions: mode)
    self.path = path
  }

  /// Writes bytes at the position.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    let failure = writeFully(bytes, to: file.number)
    guard failure == 0 else { throw SystemError(operation: "write", path: path, code: failure) }
  }

  /// Writes bytes at the position.
  package func write(_ bytes: [UInt8]) throws(SystemError) { try file.writeAll(bytes, path) }

  /// Reads the next bytes at the position; none at the end of the file.
  package func read(atMost limit: Int) throws(SystemError) -> [UInt8] {
    let (bytes, code) = Descriptor.readSome(file.number, atMost: limit)
    try SystemError.check(code, "read", path)
    return bytes
  }

  /// Goes to the beginning.
  package func rewind() throws(SystemError) {
    guard file.seek(to: 0) else { throw SystemError("write", path) }
  }

  /// Cuts off all bytes and goes to the beginning.
  package func removeAll() throws(SystemError) {
    guard file.truncate(to: 0) else { throw SystemError("write", path) }
  }

  /// Sets the permissions, if the file system has them.
  package func setMode(_ mode: UInt32) { file.setPermissions(mode & 0o777) }

  /// Makes the bytes durable, not the name. Wraps fsync(2).
  package func sync() throws(SystemError) {
    try file.sync(path, "write")
  }

  /// Has the system begin to write the bytes to the disk, without waiting for it. Wraps sync_file_range(2).
  package func beginSync() { LinuxCalls.beginSync(file.number) }
}

/// A file that is created or replaced part by part: until it is finished, its path keeps the old content.
///
/// A temporary file beside it is written, synced and renamed, then the folder is synced. The mode of an existing file is
/// kept. If the path is a symbolic link, its target is written. Not safe for several threads.
package final class StreamedFile {
  private let path: [UInt8]
  private let folder: Descriptor
  private let temporary: [UInt8]
  private let file: Descriptor
  private var failure: SystemError?
  private var isFinished = false

  /// Begins the file; the folder must be there.
  package init(_ path: [UInt8]) throws(SystemError) {
    let isLink = try Files.status(path)?.kind == .symbolicLink
    self.path = isLink ? Files.realPath(path) ?? path : path
    let (parent, name) = Files.split(self.path)
    folder = try Descriptor.open(parent, [.reading, .folder])
    let existing = try FileStatus.of(name, in: folder)
    if let existing, existing.kind != .file {
      throw SystemError(operation: "write", path: path, code: SystemError.notRegular)
    }
    let made = try TemporaryFile.make([], like: existing, in: folder, for: path, syncing: false)
    (temporary, file) = (made.name, made.file)
  }

  deinit {
    if !isFinished { TemporaryFile.remove(temporary, in: folder) }
  }

  /// Appends bytes. A failure is kept until the end, and later bytes are not written.
  package func write(_ bytes: [UInt8]) {
    guard failure == nil else { return }
    do throws(SystemError) {
      try file.writeAll(bytes, path)
    } catch {
      failure = error
    }
  }

  /// Gives the file its name.
  /// - Throws: the first failure to write it.
  package func finish() throws(SystemError) {
    if let failure { throw failure }
    try file.sync(path)
    try Files.renameName(temporary, to: Files.split(path).name, in: folder)
    isFinished = true
    try folder.sync(path)
  }
}

/// A file being written beside the one that it will replace.
struct TemporaryFile {
  /// The name in the folder: `.slip-`, 16 hexadecimal digits, `.tmp`. Walks skip it as hidden.
  let name: [UInt8]
  let folder: Descriptor
  /// The open file.
  let file: Descriptor
  /// The status after the last write, before it had its final name.
  let status: FileStatus

  /// Removes the name, whatever it leads to by now.
  func remove() { Self.remove(name, in: folder) }

  static func remove(_ name: [UInt8], in folder: Descriptor) {
    _ = FolderNames(in: folder).remove(name)
  }

  static let prefix = Array(".slip-".utf8)
  static let suffix = Array(".tmp".utf8)

  /// Whether a name is one of those made here.
  static func isTemporary(_ name: some BidirectionalCollection<UInt8>) -> Bool {
    name.starts(with: prefix) && name.suffix(suffix.count).elementsEqual(suffix)
  }

  /// A name that is in use with negligible probability.
  static func randomName() -> [UInt8] {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return prefix + Array(repeating: UInt8(ascii: "0"), count: 16 - digits.utf8.count) + digits.utf8 + suffix
  }

  /// Writes the bytes to a new file.
  ///
  /// - Parameter existing: the file whose mode it takes, and whose owner and group if permitted; nil: those of
  /// `permissions`.
  /// - Parameter makesExecutable: whether the file, unlike the existing one, is executable; nil: as the existing one is.
  /// - Parameter path: the path that errors name, instead of the temporary one.
  /// - Parameter syncing: whether the bytes are on the disk when this returns.
  static func make(
    _ bytes: [UInt8], like existing: FileStatus?, permissions: FilePermissions = .plain,
    makesExecutable: Bool? = nil, in folder: Descriptor, for path: [UInt8], syncing: Bool
  ) throws(SystemError) -> TemporaryFile {
    do throws(SystemError) {
      return try make(bytes, like: existing, permissions, makesExecutable, in: folder, syncing: syncing)
    } catch {
      throw SystemError(operation: "write", path: path, code: error.code)
    }
  }

  private static func make(
    _ bytes: [UInt8], like existing: FileStatus?, _ permissions: FilePermissions, _ makesExecutable: Bool?,
    in folder: Descriptor, syncing: Bool
  ) throws(SystemError) -> TemporaryFile {
    let name = randomName()
    let mode: UInt32 =
      switch permissions {
      case .plain where existing == nil: 0o666
      case .executable where existing == nil: 0o777
      default: 0o600
      }
    let flags: Descriptor.Mode = [.both, .making, .onlyNew, .withoutLink]
    let file = try Descriptor.open(name, flags, permissions: mode, in: folder)
    do throws(SystemError) {
      try file.writeAll(bytes, name)
      if let existing {
        try keepRights(of: existing, makesExecutable, file, name)
      } else if case .exact(let bits) = permissions, !file.setPermissions(bits) {
        throw SystemError("set mode", name)
      }
      if syncing { try file.sync(name) }
      return TemporaryFile(name: name, folder: folder, file: file, status: try file.status(name))
    } catch {
      remove(name, in: folder)
      throw error
    }
  }

  /// Gives the file the owner, group and mode of another.
  ///
  /// If the group can't be kept, the group gets no more than everybody has: it is another group.
  private static func keepRights(
    of existing: FileStatus, _ makesExecutable: Bool?, _ file: Descriptor, _ name: [UInt8]
  ) throws(SystemError) {
    let own = try file.status(name)
    var mode = existing.mode & 0o7777
    if let makesExecutable { mode = FilePermissions.mode(mode, isExecutable: makesExecutable) }
    if own.owner != existing.owner || own.group != existing.group,
      !file.setOwner(existing.owner, group: existing.group),
      own.group != existing.group, !file.setOwner(own.owner, group: existing.group)
    {
      mode = (mode & 0o707) | ((mode & 0o007) << 3)
    }
    guard file.setPermissions(mode) else { throw SystemError("set mode", name) }
  }
}

extension TemporaryFile {
  /// The status of the file under its final name; as it was before the rename where somebody has touched it
  /// since.
  func finalStatus(as finalName: [UInt8]) -> FileStatus {
    Self.finalStatus(written: status, finalName, in: folder)
  }

  static func finalStatus(written: FileStatus, _ name: [UInt8], in folder: Descriptor) -> FileStatus {
    guard let now = try? FileStatus.of(name, in: folder) else { return written }
    return now.hasSameContents(as: written) ? now : written
  }
}
