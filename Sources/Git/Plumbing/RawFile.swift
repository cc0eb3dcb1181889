import Bytes
import Platform

/// The files of a repository: those of `Platform`, with failures as `GitError`.
enum RawFile {
  /// The status of a file; nil if it does not exist or cannot be reached.
  static func status(_ path: [UInt8], followLinks: Bool = false) -> FileStatus? {
    // For git a file that can't be reached is as good as none.
    (try? Files.status(path, followLinks: followLinks)) ?? nil
  }

  /// The bytes and the status of a regular file; nil if there is none.
  static func read(_ path: [UInt8]) throws(GitError) -> (bytes: [UInt8], status: FileStatus)? {
    try GitError.wrapping("read", path) { () throws(SystemError) in try Files.readIfPresent(path) }
  }

  /// The bytes of a regular file in memory, and its status; nil if there is none.
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

  /// Makes the names in a folder durable; failures are ignored, since some file systems can't.
  static func syncFolder(_ path: [UInt8]) { try? Files.syncDirectory(path) }

  /// Makes all writes to the file system of a folder durable; failures are ignored.
  static func syncFileSystem(of path: [UInt8]) { try? Files.syncFileSystem(of: path) }

  /// Makes the bytes of a file durable.
  static func syncFile(_ path: [UInt8]) throws(GitError) {
    try GitError.wrapping("write", path) { () throws(SystemError) in try Files.syncFile(path) }
  }

  /// Renames a file over another.
  static func rename(_ path: [UInt8], to target: [UInt8]) throws(GitError) {
    try GitError.wrapping("write", target) { () throws(SystemError) in try Files.rename(path, to: target) }
  }

  /// Removes a file if it exists; one that can't be removed is left to git.
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
    // If a cache can't be written, the next command computes its content again.
    guard (try? Files.create(temporary, bytes, mode: 0o600)) != nil else { return }
    if (try? Files.rename(temporary, to: path)) == nil { remove(temporary) }
  }

  /// The names in a folder except those that begin with a dot, in no order; none if it can't be read.
  static func names(in folder: [UInt8]) -> [String] {
    let names = (try? Files.list(folder)) ?? []
    return names.filter { $0.first != UInt8(ascii: ".") }.map { String(decoding: $0, as: UTF8.self) }
  }
}

extension GitError {
  /// Runs calls of `Platform` for a path, and converts their errors to `GitError`.
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

extension ByteRegion {
  /// Maps a regular file, or reads it if that is not possible; nil if there is none.
  /// - Parameter isWhole: whether all of it will be looked at.
  static func of(
    _ path: [UInt8], isWhole: Bool = true
  ) throws(GitError) -> (bytes: ByteRegion, status: FileStatus)? {
    try RawFile.map(path, isWhole: isWhole)
  }

  /// Holds a copy of bytes.
  convenience init(_ bytes: [UInt8]) { self.init(copying: bytes) }

  /// The bytes; they are valid as long as the region lives.
  var buffer: UnsafeRawBufferPointer { withBytes { $0 } }
}

/// The permissions that `core.sharedRepository` gives to the files and folders of a git folder.
///
/// Source: git-config(1), and `calc_shared_perm` in git's `path.c`.
struct SharedMode: Equatable, Sendable {
  /// The bits of a file that its owner may write; none if the umask alone decides.
  private let bits: UInt32
  /// Whether the bits replace those that the umask left, instead of being added to them.
  private let isExact: Bool

  private init(bits: UInt32, isExact: Bool = false) {
    self.bits = bits
    self.isExact = isExact
  }

  /// The umask alone decides.
  static let umask = SharedMode(bits: 0)
  static let group = SharedMode(bits: 0o660)
  static let everybody = SharedMode(bits: 0o664)

  /// Reads a value of the setting as git does; nil if git would refuse it.
  ///
  /// - Parameter isTrue: The value as a truth value, which counts if it is no other word and no number.
  init?(_ value: String, isTrue: Bool) {
    switch value {
    case "umask": self = .umask
    case "group": self = .group
    case "all", "world", "everybody": self = .everybody
    default:
      guard let number = UInt32(value, radix: 8) else {
        self = isTrue ? .group : .umask
        return
      }
      switch number {
      case 0: self = .umask
      case 1: self = .group
      case 2: self = .everybody
      case let number where number & 0o600 == 0o600: self.init(bits: number & 0o666, isExact: true)
      default: return nil
      }
    }
  }

  /// The mode of a file or folder that was made with a mode.
  func mode(_ mode: UInt32, isFolder: Bool) -> UInt32 {
    guard bits != 0 else { return mode }
    var added = bits
    if mode & 0o200 == 0 { added &= ~0o222 }
    if mode & 0o100 != 0 { added |= (added & 0o444) >> 2 }
    let shared = isExact ? mode & ~0o777 | added : mode | added
    guard isFolder else { return shared }
    // New files in a folder get its group only if the folder has the setgid bit.
    return shared | (shared & 0o444) >> 2 | (shared & 0o060 == 0 ? 0 : 0o2000)
  }

  /// Gives a file or folder its permissions, if this user may change them.
  func apply(to path: [UInt8]) {
    guard bits != 0, let status = RawFile.status(path), status.kind == .file || status.kind == .directory
    else { return }
    let new = mode(status.mode & 0o7777, isFolder: status.kind == .directory)
    // The owner of an older file may be another user, whose git does it.
    if new != status.mode & 0o7777 { try? Files.setMode(path, new) }
  }
}

/// A folder inside the git directory that is removed with all that is in it.
struct ScratchFolder {
  private static let prefix = "scratch.slip"

  let path: [UInt8]

  /// Makes a new one, and removes those that killed commands left an hour ago or earlier.
  init(in gitDirectory: [UInt8]) throws(GitError) {
    for name in RawFile.names(in: gitDirectory) where name.hasPrefix("\(Self.prefix)-") {
      let left = gitDirectory / name
      let age = LocalClock.now().seconds - (RawFile.status(left)?.modified.seconds ?? .max)
      if age > 3_600 { Self.removeAll(left) }
    }
    let path = gitDirectory / Files.uniqueName(Self.prefix)
    try GitError.wrapping("make", path) { () throws(SystemError) in try Files.makeDirectory(path) }
    self.path = path
  }

  func remove() { Self.removeAll(path) }

  private static func removeAll(_ path: [UInt8]) {
    guard RawFile.status(path)?.kind == .directory else { return RawFile.remove(path) }
    // A file that can't be removed stays; nothing reads it.
    for name in (try? Files.list(path)) ?? [] { removeAll(path / name) }
    try? Files.removeFolder(path)
  }
}
