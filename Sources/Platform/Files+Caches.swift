import Glibc

/// Files that may be lost at any time, so that nothing waits for the disk.
extension Files {
  /// Replaces a file as a whole by bytes that come in pieces, without a sync.
  package static func replaceCache(_ path: [UInt8], with parts: [[UInt8]]) throws(SystemError) {
    let temporary = path + Array(".new-\(getpid())".utf8)
    let file = try Descriptor.open(temporary, O_WRONLY | O_CREAT | O_TRUNC, mode: 0o666)
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

extension DirectoryWalk {
  /// Whether a name is that of a temporary file which an interrupted replacement has left.
  package static func isTemporary(_ name: [UInt8]) -> Bool { TemporaryFile.isTemporary(name) }
}
