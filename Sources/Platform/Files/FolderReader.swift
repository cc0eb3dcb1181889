import Glibc

/// Reads the entries of folders through one buffer.
final class FolderReader {
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)

  deinit { buffer.deallocate() }

  /// What a folder says of an entry without a look at it.
  enum Hint { case file, directory, symbolicLink, other, unknown }

  /// Calls the body for every entry but "." and ".."; the name is NUL-terminated behind its end, and lent for
  /// the call only.
  /// - Throws: The failure of getdents64(2); entries before it were seen.
  func forEach(
    in folder: Descriptor, _ path: [UInt8], _ body: (UnsafeRawBufferPointer, Hint) -> Void
  ) throws(SystemError) {
    guard let getDents = LinuxCalls.getDents, let base = buffer.baseAddress else {
      throw SystemError(operation: "list", path: path, code: ENOSYS)
    }
    while true {
      let length = retrying { getDents(folder.number, base, buffer.count) }
      if length < 0 { throw SystemError("list", path) }
      if length == 0 { return }
      var offset = 0
      while offset + Self.nameOffset < length {
        let entry = base + offset
        let recordLength = Int(entry.load(fromByteOffset: 16, as: UInt16.self))
        guard recordLength > Self.nameOffset else { break }
        visit(entry, body)
        offset += recordLength
      }
    }
  }

  /// Where the name begins in `struct linux_dirent64`: inode and offset (8 bytes each), length (2), type (1),
  /// name.
  private static let nameOffset = 19

  private func visit(_ entry: UnsafeMutableRawPointer, _ body: (UnsafeRawBufferPointer, Hint) -> Void) {
    let start = entry + Self.nameOffset
    let name = UnsafeRawBufferPointer(start: start, count: strlen(start.assumingMemoryBound(to: CChar.self)))
    if name.elementsEqual([UInt8(ascii: ".")]) || name.elementsEqual([UInt8(ascii: "."), UInt8(ascii: ".")]) {
      return
    }
    switch Int(entry.load(fromByteOffset: 18, as: UInt8.self)) {
    case DT_REG: body(name, .file)
    case DT_DIR: body(name, .directory)
    case DT_LNK: body(name, .symbolicLink)
    case DT_UNKNOWN: body(name, .unknown)
    default: body(name, .other)
    }
  }
}
