import Glibc

/// Files that may be lost at any time, so that nothing waits for the disk.
extension Files {
  /// Replaces a file, which only this user may read, as a whole by bytes that come in pieces, without a sync.
  package static func replaceCache(_ path: [UInt8], with parts: some Sequence<[UInt8]>) throws(SystemError) {
    let temporary = path + Array(".new-\(getpid())".utf8)
    let file = try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o600)
    do throws(SystemError) {
      for part in parts { try file.writeAll(part, temporary) }
      try rename(temporary, to: path)
    } catch {
      try? remove(temporary)
      throw error
    }
  }

  /// Writes bytes at an offset of a file and cuts off what stands behind them, without a sync.
  /// - Returns: The new length.
  package static func appendToCache(
    _ path: [UInt8], _ bytes: [UInt8], at offset: Int
  ) throws(SystemError) -> Int {
    let file = try Descriptor.open(path, O_WRONLY)
    guard ftruncate(file.number, offset) == 0, lseek(file.number, 0, SEEK_END) >= 0 else {
      throw SystemError("shorten", path)
    }
    try file.writeAll(bytes, path)
    return offset + bytes.count
  }
}

extension Files {
  /// A name beside others in a folder that no other process makes at the same time.
  package static func uniqueName(_ base: String) -> [UInt8] {
    Array("\(base)-\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 36))".utf8)
  }

  /// Writes a new file.
  ///
  /// - Parameter isDurable: whether its bytes, not its name, are on the disk when this returns.
  /// - Throws: `EEXIST` where something has the name. After a failure there is no file.
  package static func create(
    _ path: [UInt8], _ bytes: UnsafeRawBufferPointer, mode: UInt32 = 0o666, isDurable: Bool = false
  ) throws(SystemError) {
    let file = try FileWriter(creating: path, mode: mode)
    do throws(SystemError) {
      try file.write(bytes)
      if isDurable { try file.sync() }
    } catch {
      // The failure is told; a file that can't be removed either is a half of a cache.
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
  /// - Throws: `EEXIST` where something has the name.
  package init(creating path: [UInt8], mode: UInt32 = 0o666) throws(SystemError) {
    file = try Descriptor.open(path, O_RDWR | O_CREAT | O_EXCL, mode: mode_t(mode))
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
    var got = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { room, count in
      got = retrying { Glibc.read(file.number, room.baseAddress, limit) }
      count = max(0, got)
    }
    guard got >= 0 else { throw SystemError("read", path) }
    return bytes
  }

  /// Goes to the beginning.
  package func rewind() throws(SystemError) {
    guard lseek(file.number, 0, SEEK_SET) == 0 else { throw SystemError("write", path) }
  }

  /// Cuts off all bytes and goes to the beginning.
  package func removeAll() throws(SystemError) {
    guard ftruncate(file.number, 0) == 0 else { throw SystemError("write", path) }
    try rewind()
  }

  /// Sets the permissions, where the file system has them.
  package func setMode(_ mode: UInt32) { fchmod(file.number, mode_t(mode & 0o777)) }

  /// Makes the bytes durable, not the name. Wraps fsync(2).
  package func sync() throws(SystemError) {
    guard retrying({ fsync(file.number) }) == 0 else { throw SystemError("write", path) }
  }

  /// Has the system begin to write the bytes to the disk, without waiting for it. Wraps sync_file_range(2).
  package func beginSync() { LinuxCalls.beginSync(file.number) }
}

/// A file that is made or replaced part by part: until it is finished, its name stands for what it stood for before.
///
/// A temporary file beside it is written, synced and renamed, then the folder is synced. The mode of an existing file is
/// kept. Of a symbolic link the target is written. Not safe for several threads.
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
    folder = try Descriptor.open(parent, O_RDONLY | O_DIRECTORY)
    let existing = try FileStatus.of(name, in: folder.number)
    if let existing, existing.kind != .file {
      throw SystemError(operation: "write", path: path, code: SystemError.notRegular)
    }
    let made = try TemporaryFile.make([], like: existing, in: folder, for: path, syncing: false)
    (temporary, file) = (made.name, made.file)
  }

  deinit {
    if !isFinished { TemporaryFile.remove(temporary, in: folder) }
  }

  /// Adds bytes. A failure is kept until the end: what comes after it is not written.
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
