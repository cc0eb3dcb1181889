import Bytes
import Glibc

extension Files {
  /// Makes a folder and those above it; each folder that gained one is synced. One that exists is left as it
  /// is.
  package static func makeDirectory(_ path: [UInt8]) throws(SystemError) {
    var missing: [[UInt8]] = []
    var path = path
    while true {
      while path.count > 1, path.last == UInt8(ascii: "/") { path.removeLast() }
      if let status = try status(path, followLinks: true) {
        guard status.kind == .directory else {
          throw SystemError(operation: "make folder", path: path, code: ENOTDIR)
        }
        break
      }
      missing.append(path)
      path = split(path).folder
    }
    for folder in missing.reversed() {
      guard mkdir(try terminated(folder, "make folder"), 0o777) == 0 || errno == EEXIST else {
        throw SystemError("make folder", folder)
      }
      try syncDirectory(split(folder).folder)
    }
  }

  /// Makes the names in a folder durable. Wraps fsync(2).
  package static func syncDirectory(_ path: [UInt8]) throws(SystemError) {
    try Descriptor.open(path, O_RDONLY | O_DIRECTORY).sync(path)
  }

  /// The names in a folder without "." and "..", sorted by bytes.
  package static func list(_ path: [UInt8]) throws(SystemError) -> [[UInt8]] {
    let folder = try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
    var names: [[UInt8]] = []
    try FolderReader().forEach(in: folder, path) { name, _ in names.append(Array(name)) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Makes the bytes of a file durable. Wraps fsync(2).
  package static func syncFile(_ path: [UInt8]) throws(SystemError) {
    try Descriptor.open(path, O_RDONLY).sync(path)
  }

  /// Makes all that was written to the file system of a folder durable. Wraps syncfs(2).
  package static func syncFileSystem(of path: [UInt8]) throws(SystemError) {
    let folder = try Descriptor.open(path, O_RDONLY | O_DIRECTORY)
    _ = LinuxCalls.syncFS?(folder.number)
  }

  /// Makes one folder, unless there is one; nothing is synced.
  package static func makeFolder(_ path: [UInt8]) throws(SystemError) -> Bool {
    if mkdir(try terminated(path, "make folder"), 0o777) == 0 { return true }
    guard errno == EEXIST else { throw SystemError("make folder", path) }
    return false
  }

  /// Makes a folder with a name of its own in `$TMPDIR`, or in `/tmp`, that only the user can enter.
  package static func makeTemporaryFolder(_ name: String) throws(SystemError) -> [UInt8] {
    let parent = environment("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let path = Array("\(parent)/\(name)-".utf8) + TemporaryFile.randomName().dropFirst(6).prefix(16)
    guard mkdir(try terminated(path, "make folder"), 0o700) == 0 else {
      throw SystemError("make folder", path)
    }
    return path
  }

  /// Removes a folder if it has nothing but folders in it; a file or a link is left alone.
  package static func removeEmptyFolders(_ path: [UInt8]) {
    guard (try? status(path, followLinks: false))??.kind == .directory else { return }
    // If it can't be listed or removed, the call that needs its name fails.
    for name in (try? list(path)) ?? [] { removeEmptyFolders(BytePath.join(path, name)) }
    try? removeFolder(path)
  }

  /// Removes a folder that is empty. Wraps rmdir(2).
  package static func removeFolder(_ path: [UInt8]) throws(SystemError) {
    guard rmdir(try terminated(path, "remove folder")) == 0 else { throw SystemError("remove folder", path) }
  }
}

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
