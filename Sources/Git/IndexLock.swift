import Glibc

/// The lock file of the index, held from before the index is read until it is replaced.
///
/// As in git, the new index is written into the lock file itself and renamed over the old one: the same step puts it in
/// place and gives the lock back, so that a crash leaves either the old index and a lock, or the new index and none.
final class IndexLock {
  let path: [UInt8]
  private let target: [UInt8]
  private let descriptor: Int32
  private var isHeld = true
  private var hasContent = false

  /// Takes the lock of an index, waiting for others.
  /// - Throws: `locked`, with the path and its age, when the wait was in vain.
  init(of index: [UInt8], milliseconds: Int) throws(GitError) {
    let path = index + Array(".lock".utf8)
    var descriptor: Int32 = -1
    try LockWait.retrying(path, milliseconds: milliseconds) { () throws(GitError) -> Bool in
      descriptor = path.withCPath { open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
      if descriptor >= 0 { return true }
      guard errno == EEXIST else { throw .system("make", path) }
      return false
    }
    self.path = path
    self.descriptor = descriptor
    target = index
  }

  deinit {
    close(descriptor)
    if isHeld { RawFile.remove(path) }
  }

  /// How many bytes are hashed and written at a time, while the processor still has them at hand.
  private static let stretch = 1 << 18

  /// Writes the parts of a new index and its hash into the lock file.
  func write(_ pieces: [IndexPiece], of old: UnsafeRawBufferPointer) throws(GitError) {
    if hasContent {
      guard ftruncate(descriptor, 0) == 0, lseek(descriptor, 0, SEEK_SET) == 0 else {
        throw .system("write", path)
      }
    }
    hasContent = true
    var hash = SHA1()
    for piece in pieces {
      let isWritten =
        switch piece {
        case .old(let range): write(old[rebased: range], &hash)
        case .new(let bytes): bytes.withUnsafeBytes { write($0, &hash) }
        }
      guard isWritten else { throw .system("write", path) }
    }
    guard RawFile.write(hash.finish().bytes, to: descriptor) else { throw .system("write", path) }
  }

  private func write(_ bytes: UnsafeRawBufferPointer, _ hash: inout SHA1) -> Bool {
    var start = 0
    while start < bytes.count {
      let part = bytes[rebased: start..<min(start + Self.stretch, bytes.count)]
      hash.update(part)
      guard RawFile.write(part, to: descriptor) else { return false }
      start += part.count
    }
    return true
  }

  /// Makes what was written durable and puts it in place.
  func commit() throws(GitError) {
    if let old = RawFile.status(target) { fchmod(descriptor, old.st_mode & 0o777) }
    guard fsync(descriptor) == 0 else { throw .system("write", path) }
    try putInPlace()
  }

  /// Puts a finished file, written by git beside the index, in place.
  func commit(file: [UInt8]) throws(GitError) {
    try RawFile.syncFile(file)
    try RawFile.rename(file, to: path)
    try putInPlace()
  }

  private func putInPlace() throws(GitError) {
    try RawFile.rename(path, to: target)
    isHeld = false
    RawFile.syncFolder(target.parentPath)
  }
}
