import Glibc

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
