import CLibgit2
import Glibc

/// The few system calls on whole files that this module makes itself, because it imports no other.
enum RawFile {
  /// The status of a file; nil where it does not exist or cannot be reached.
  static func status(_ path: [UInt8], followLinks: Bool = false) -> stat? {
    var result = stat()
    let code = path.withCPath { followLinks ? stat($0, &result) : lstat($0, &result) }
    return code == 0 ? result : nil
  }

  /// Tells whether a folder is at the path, following links.
  static func isFolder(_ path: [UInt8]) -> Bool {
    status(path, followLinks: true).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
  }

  /// The bytes and the status of a regular file; nil where there is none.
  static func read(_ path: [UInt8]) throws(GitError) -> (bytes: [UInt8], status: stat)? {
    let descriptor = path.withCPath { open($0, O_RDONLY | O_CLOEXEC | O_NONBLOCK) }
    guard descriptor >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw .system("read", path)
    }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw .system("read", path) }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard let bytes = readAll(descriptor, expecting: Int(status.st_size)) else { throw .system("read", path) }
    return (bytes, status)
  }

  /// Reads an open file from where it stands to its end; nil on an error, which `errno` tells.
  static func readAll(_ descriptor: Int32, expecting size: Int) -> [UInt8]? {
    var bytes: [UInt8] = []
    var failed = false
    var room = max(0, size) + 1
    while true {
      let start = bytes.count
      let length = room
      var got = 0
      bytes.append(
        contentsOf: [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
          repeat { got = Glibc.read(descriptor, buffer.baseAddress, length) } while got < 0 && errno == EINTR
          count = max(0, got)
        })
      if got < 0 { failed = true }
      if got <= 0 { break }
      room = max(4_096, room - (bytes.count - start))
    }
    return failed ? nil : bytes
  }

  /// Writes all the bytes to an open file; false on an error, which `errno` tells.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { write($0, to: descriptor) }
  }

  /// Writes all the bytes to an open file; false on an error, which `errno` tells.
  static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
      if count < 0 {
        if errno == EINTR { continue }
        return false
      }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Has the system begin to write a file to its disk, without waiting for it.
  static func startSync(_ descriptor: Int32) { _ = slipbox_start_sync(descriptor) }

  /// Makes the names in a folder durable; failures are not told, for some file systems cannot.
  static func syncFolder(_ path: [UInt8]) {
    let descriptor = path.withCPath { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Makes all that was written to the file system of a folder durable.
  static func syncFileSystem(of path: [UInt8]) {
    let descriptor = path.withCPath { open($0, O_RDONLY | O_DIRECTORY | O_CLOEXEC) }
    guard descriptor >= 0 else { return }
    _ = slipbox_sync_file_system(descriptor)
    close(descriptor)
  }

  /// Makes the bytes of a file durable.
  static func syncFile(_ path: [UInt8]) throws(GitError) {
    let descriptor = path.withCPath { open($0, O_RDONLY | O_CLOEXEC) }
    guard descriptor >= 0 else { throw .system("open", path) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .system("write", path) }
  }

  /// Renames a file over another.
  static func rename(_ path: [UInt8], to target: [UInt8]) throws(GitError) {
    let status = path.withCPath { from in target.withCPath { Glibc.rename(from, $0) } }
    guard status == 0 else { throw .system("write", target) }
  }

  /// Removes a file where it is there.
  static func remove(_ path: [UInt8]) { _ = path.withCPath { unlink($0) } }

  /// The absolute path without links; nil where it does not exist.
  static func realPath(_ path: [UInt8]) -> [UInt8]? {
    guard !path.contains(0), let resolved = path.withCPath({ realpath($0, nil) }) else { return nil }
    defer { free(resolved) }
    return Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
  }

  /// What a symbolic link holds; nil where there is none.
  static func linkTarget(_ path: [UInt8]) -> [UInt8]? {
    let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      let length = path.withCPath { name in
        buffer.withMemoryRebound(to: CChar.self) { memory in
          memory.baseAddress.map { readlink(name, $0, memory.count) } ?? -1
        }
      }
      count = max(0, length)
    }
    return target.isEmpty ? nil : target
  }

  /// Writes a new file and makes its bytes durable, not yet its name.
  static func createDurably(_ path: [UInt8], _ bytes: [UInt8], mode: mode_t) throws(GitError) {
    let descriptor = path.withCPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode) }
    guard descriptor >= 0 else { throw .system("make", path) }
    defer { close(descriptor) }
    guard write(bytes, to: descriptor), fsync(descriptor) == 0 else {
      let error = GitError.system("write", path)
      remove(path)
      throw error
    }
  }

  /// Writes a new file; nothing is made durable.
  static func create(_ path: [UInt8], _ bytes: [UInt8]) throws(GitError) {
    let code = bytes.withUnsafeBytes { create(path, $0) }
    guard code == 0 else { throw .system("make", path, code: code) }
  }

  /// Writes a new file and answers 0, or the error code; nothing is made durable.
  static func create(_ path: [UInt8], _ bytes: UnsafeRawBufferPointer) -> Int32 {
    let descriptor = path.withCPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    guard descriptor >= 0 else { return errno }
    defer { close(descriptor) }
    if write(bytes, to: descriptor) { return 0 }
    let code = errno
    remove(path)
    return code
  }

  /// Replaces a file in one step; where that fails, nothing happens.
  static func replaceQuietly(_ path: [UInt8], with bytes: UnsafeRawBufferPointer) {
    let temporary = path + uniqueName(".new")
    guard create(temporary, bytes) == 0 else { return }
    if (try? rename(temporary, to: path)) == nil { remove(temporary) }
  }

  /// The names in a folder but those that begin with a dot, in no order; none where it cannot be read.
  static func names(in folder: [UInt8]) -> [String] {
    guard let stream = folder.withCPath({ opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }

  /// A name beside others in a folder that no other process makes at the same time.
  static func uniqueName(_ base: String) -> [UInt8] {
    Array("\(base)-\(getpid())-\(String(UInt64.random(in: .min ... .max), radix: 36))".utf8)
  }
}

extension [UInt8] {
  /// Lends the path as C string; what follows a NUL byte is cut.
  func withCPath<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
    (self + [0]).withUnsafeBytes { buffer in
      // The buffer holds at least the NUL byte, so it has an address.
      body(buffer.bindMemory(to: CChar.self).baseAddress.unsafelyUnwrapped)
    }
  }

  /// The path one step below.
  static func / (folder: [UInt8], name: String) -> [UInt8] { folder / Array(name.utf8) }

  /// The path below a folder.
  static func / (folder: [UInt8], name: [UInt8]) -> [UInt8] {
    folder.last == UInt8(ascii: "/") ? folder + name : folder + [UInt8(ascii: "/")] + name
  }

  /// The path above, "/" at the top.
  var parentPath: [UInt8] {
    guard let slash = lastIndex(of: UInt8(ascii: "/")), slash > 0 else { return [UInt8(ascii: "/")] }
    return Array(self[..<slash])
  }

  /// Bytes without the blanks and line ends around them.
  var trimmed: [UInt8] {
    let isBlank: (UInt8) -> Bool = { $0 == 32 || ($0 >= 9 && $0 <= 13) }
    return Array(self.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
