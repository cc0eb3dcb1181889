import Glibc

/// The least work that tells which files of a box have changed, on one thread.
///
/// Names that begin with a point are passed over, `.git` among them.
enum Floor {
  /// Looks at every file and returns how many there are: getdents64(2) of every folder, fstatat(2) of every
  /// file.
  static func walk(_ root: String) throws -> Int {
    var count = 0
    var status = stat()
    try visitFiles(of: root) { folder, name in
      guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw BenchError.system("stat") }
      count += 1
    }
    return count
  }

  /// Reads every file without a look at it, and returns the bytes.
  static func readAll(_ root: String) throws -> Int {
    var bytes = 0
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      try visitFiles(of: root) { folder, name in
        let file = openat(folder, name, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw BenchError.system("open") }
        defer { close(file) }
        var count = buffer.count
        while count == buffer.count {
          count = read(file, buffer.baseAddress, buffer.count)
          guard count >= 0 else { throw BenchError.system("read") }
          bytes += count
        }
      }
    }
    return bytes
  }

  /// Makes a file of 1,200 bytes so that it survives a power cut: written, synced, renamed, the folder synced.
  static func writeDurably(in folder: String, name: String) throws {
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw BenchError.system(folder) }
    defer { close(directory) }
    let temporary = name + ".part"
    let file = openat(directory, temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw BenchError.system(temporary) }
    defer { close(file) }
    let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: 1_200)
    guard write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0,
      renameat(directory, temporary, directory, name) == 0, fsync(directory) == 0
    else { throw BenchError.system(name) }
  }

  private typealias Visitor = (_ folder: Int32, _ name: UnsafePointer<CChar>) throws -> Void

  private static func visitFiles(of root: String, _ visit: Visitor) throws {
    let folder = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw BenchError.system(root) }
    try visitFiles(in: folder, visit)
  }

  /// Owns the descriptor. Folders below are visited after the files.
  private static func visitFiles(in folder: Int32, _ visit: Visitor) throws {
    guard let stream = fdopendir(folder) else { throw BenchError.system("list") }
    defer { closedir(stream) }
    var folders: [[CChar]] = []
    while let entry = readdir(stream) {
      let name = UnsafeRawPointer(entry).advanced(by: nameOffset).assumingMemoryBound(to: CChar.self)
      if name.pointee == CChar(UInt8(ascii: ".")) { continue }
      if Int(entry.pointee.d_type) == DT_DIR {
        folders.append(Array(UnsafeBufferPointer(start: name, count: strlen(name) + 1)))
      } else {
        try visit(folder, name)
      }
    }
    for name in folders {
      let below = openat(folder, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard below >= 0 else { throw BenchError.system("open") }
      try visitFiles(in: below, visit)
    }
  }

  /// Where `struct dirent64` has the name.
  private static let nameOffset = 19
}
