import Bytes

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
          throw SystemError(operation: "make folder", path: path, code: SystemError.Code.notFolder)
        }
        break
      }
      missing.append(path)
      path = split(path).folder
    }
    for folder in missing.reversed() {
      let code = FolderNames.paths.makeFolder(folder)
      if code != SystemError.Code.exists { try SystemError.check(code, "make folder", folder) }
      try syncDirectory(split(folder).folder)
    }
  }

  /// Makes the names in a folder durable. Wraps fsync(2).
  package static func syncDirectory(_ path: [UInt8]) throws(SystemError) {
    try Descriptor.open(path, [.reading, .folder]).sync(path)
  }

  /// The names in a folder without "." and "..", sorted by bytes.
  package static func list(_ path: [UInt8]) throws(SystemError) -> [[UInt8]] {
    let folder = try Descriptor.open(path, [.reading, .folder])
    var names: [[UInt8]] = []
    try FolderReader().forEach(in: folder, path) { name, _ in names.append(Array(name)) }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// Makes the bytes of a file durable. Wraps fsync(2).
  package static func syncFile(_ path: [UInt8]) throws(SystemError) {
    try Descriptor.open(path, .reading).sync(path)
  }

  /// Makes all that was written to the file system of a folder durable. Wraps syncfs(2).
  package static func syncFileSystem(of path: [UInt8]) throws(SystemError) {
    let folder = try Descriptor.open(path, [.reading, .folder])
    _ = folder.syncFileSystem()
  }

  /// Makes one folder, unless there is one; nothing is synced.
  package static func makeFolder(_ path: [UInt8]) throws(SystemError) -> Bool {
    let code = FolderNames.paths.makeFolder(path)
    if code == SystemError.Code.exists { return false }
    try SystemError.check(code, "make folder", path)
    return true
  }

  /// Makes a folder with a name of its own in `$TMPDIR`, or in `/tmp`, that only the user can enter.
  package static func makeTemporaryFolder(_ name: String) throws(SystemError) -> [UInt8] {
    let parent = environment("TMPDIR").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let path = Array("\(parent)/\(name)-".utf8) + TemporaryFile.randomName().dropFirst(6).prefix(16)
    try SystemError.check(FolderNames.paths.makeFolder(path, permissions: 0o700), "make folder", path)
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
    try SystemError.check(FolderNames.paths.removeFolder(path), "remove folder", path)
  }
}

/// Reads the entries of folders through one buffer.
final class FolderReader {
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 8)

  deinit { buffer.deallocate() }

  /// The type of an entry as the folder reports it, without a look at the entry itself.
  enum Hint { case file, directory, symbolicLink, other, unknown }

  /// Calls the body for every entry but "." and ".."; the name is NUL-terminated behind its end, and lent for
  /// the call only.
  /// - Throws: The failure of the system; entries before it were seen.
  func forEach(
    in folder: Descriptor, _ path: [UInt8], _ body: (UnsafeRawBufferPointer, Hint) -> Void
  ) throws(SystemError) {
    let code = LinuxCalls.forEachEntry(in: folder.number, buffer) { name, type in
      if name.count == 1, name[0] == UInt8(ascii: ".") { return }
      if name.count == 2, name[0] == UInt8(ascii: "."), name[1] == UInt8(ascii: ".") { return }
      body(name, Hint(type))
    }
    try SystemError.check(code, "list", path)
  }
}

extension FolderReader.Hint {
  /// Reads the type of an entry, `DT_REG` and the like. All systems have the same numbers.
  fileprivate init(_ type: UInt8) {
    switch type {
    case 8: self = .file
    case 4: self = .directory
    case 10: self = .symbolicLink
    case 0: self = .unknown
    default: self = .other
    }
  }
}
