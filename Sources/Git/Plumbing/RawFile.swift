import Bytes
import Platform

/// The files of a repository: those of `Platform`, with failures as `GitError`.
enum RawFile {
  /// The status of a file; nil where it does not exist or cannot be reached.
  static func status(_ path: [UInt8], followLinks: Bool = false) -> FileStatus? {
    // For git a file that can't be reached is as good as none.
    (try? Files.status(path, followLinks: followLinks)) ?? nil
  }

  /// The bytes and the status of a regular file; nil where there is none.
  static func read(_ path: [UInt8]) throws(GitError) -> (bytes: [UInt8], status: FileStatus)? {
    try GitError.wrapping("read", path) { () throws(SystemError) in try Files.readIfPresent(path) }
  }

  /// The bytes of a regular file in memory, and its status; nil where there is none.
  ///
  /// Only files that are replaced by a rename, never written in place, may be mapped.
  /// - Parameter isWhole: whether all of it will be looked at.
  static func map(
    _ path: [UInt8], isWhole: Bool = true
  ) throws(GitError) -> (bytes: ByteRegion, status: FileStatus)? {
    try GitError.wrapping("read", path) { () throws(SystemError) in
      try Files.map(path, isReadWhole: isWhole)
    }
  }

  /// The bytes of a regular file that another program may rewrite in place, its status, and whether it stayed the same
  /// meanwhile; nil if there is none.
  static func copy(
    _ path: [UInt8]
  ) throws(GitError) -> (bytes: ByteRegion, status: FileStatus, isSteady: Bool)? {
    try GitError.wrapping("read", path) { () throws(SystemError) in try Files.copy(path) }
  }

  /// Makes the names in a folder durable; failures are not told, for some file systems cannot.
  static func syncFolder(_ path: [UInt8]) { try? Files.syncDirectory(path) }

  /// Makes all that was written to the file system of a folder durable; failures are not told.
  static func syncFileSystem(of path: [UInt8]) { try? Files.syncFileSystem(of: path) }

  /// Makes the bytes of a file durable.
  static func syncFile(_ path: [UInt8]) throws(GitError) {
    try GitError.wrapping("write", path) { () throws(SystemError) in try Files.syncFile(path) }
  }

  /// Renames a file over another.
  static func rename(_ path: [UInt8], to target: [UInt8]) throws(GitError) {
    try GitError.wrapping("write", target) { () throws(SystemError) in try Files.rename(path, to: target) }
  }

  /// Removes a file where it is there; one that can't be removed is left to git.
  static func remove(_ path: [UInt8]) { try? Files.remove(path) }

  /// Writes a new file and makes its bytes durable, not yet its name.
  static func createDurably(_ path: [UInt8], _ bytes: [UInt8], mode: UInt32) throws(GitError) {
    try GitError.wrapping("write", path) { () throws(SystemError) in
      try bytes.span.withUnsafeBytes { (bytes) throws(SystemError) in
        try Files.create(path, bytes, mode: mode, isDurable: true)
      }
    }
  }

  /// Replaces a cache, which only this user may read, in one step; if that fails, nothing happens.
  static func replaceQuietly(_ path: [UInt8], with bytes: UnsafeRawBufferPointer) {
    let temporary = path + Files.uniqueName(".new")
    // A cache that can't be written is worked out anew by the next command.
    guard (try? Files.create(temporary, bytes, mode: 0o600)) != nil else { return }
    if (try? Files.rename(temporary, to: path)) == nil { remove(temporary) }
  }

  /// The names in a folder but those that begin with a dot, in no order; none where it cannot be read.
  static func names(in folder: [UInt8]) -> [String] {
    let names = (try? Files.list(folder)) ?? []
    return names.filter { $0.first != UInt8(ascii: ".") }.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension GitError {
  /// Runs calls of `Platform` for a path, and tells their failure as one of git's.
  static func wrapping<Result>(
    _ operation: String, _ path: [UInt8], _ body: () throws(SystemError) -> Result
  ) throws(GitError) -> Result {
    do throws(SystemError) { return try body() } catch { throw .system(operation, path, code: error.code) }
  }
}

extension [UInt8] {
  /// The path above, "/" at the top.
  var parentPath: [UInt8] {
    let folder = BytePath.folder(of: self)
    return folder.isEmpty ? [UInt8(ascii: "/")] : folder
  }

  /// Bytes without the blanks and line ends around them.
  var trimmed: [UInt8] {
    let isBlank: (UInt8) -> Bool = { $0 == 32 || ($0 >= 9 && $0 <= 13) }
    return Array(self.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
