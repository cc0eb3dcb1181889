import Bytes
import Glibc
import Platform

/// The lock of the index, held from before the index is read until all that goes with the change is done.
///
/// The new index is written beside the old one and renamed over it, so that a crash leaves one of the two, whole.
final class IndexLock {
  private let lock: LockFile
  private let target: [UInt8]
  private let draft: [UInt8]
  private let mode: SharedMode

  /// Takes the lock of an index; nil where another program holds it.
  /// - Parameter mode: The permissions of a new index.
  init?(of index: [UInt8], mark: LockMark?, mode: SharedMode) throws(GitError) {
    guard let lock = try LockFile(Self.path(of: index), mark: mark) else { return nil }
    self.lock = lock
    self.mode = mode
    target = index
    draft = index + Array(".slip".utf8)
  }

  /// The path of an index's lock.
  static func path(of index: [UInt8]) -> [UInt8] { index + Array(".lock".utf8) }

  /// Whether the lock was not released yet.
  var isHeld: Bool { lock.isHeld }

  /// Gives the lock back.
  func release() { lock.release() }

  /// How many bytes are hashed and written at a time, while the processor still has them at hand.
  private static let stretch = 1 << 18

  /// Writes the parts of a new index and its hash beside the old one, durably.
  func write(_ pieces: [IndexPiece], of old: UnsafeRawBufferPointer) throws(GitError) {
    // One that a killed command left.
    RawFile.remove(draft)
    do throws(GitError) {
      try GitError.wrapping("write", draft) { () throws(SystemError) in
        let file = try FileWriter(creating: draft)
        var hash = SHA1()
        for piece in pieces {
          switch piece {
          case .old(let range): try write(old[rebased: range], &hash, file)
          case .new(let bytes):
            try bytes.span.withUnsafeBytes { (bytes) throws(SystemError) in try write(bytes, &hash, file) }
          }
        }
        try file.write(hash.finish().bytes)
        if let old = RawFile.status(target) { file.setMode(old.mode) }
        try file.sync()
      }
    } catch {
      RawFile.remove(draft)
      throw error
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, _ hash: inout SHA1, _ file: FileWriter
  ) throws(SystemError) {
    var start = 0
    while start < bytes.count {
      let part = bytes[rebased: start..<min(start + Self.stretch, bytes.count)]
      hash.update(part)
      try file.write(part)
      start += part.count
    }
  }

  /// Puts what was written in place.
  func commit() throws(GitError) { try putInPlace(draft) }

  /// Drops what was written.
  func discard() { RawFile.remove(draft) }

  /// Puts a finished file, written by git beside the index, in place.
  func commit(file: [UInt8]) throws(GitError) {
    try RawFile.syncFile(file)
    try putInPlace(file)
  }

  private func putInPlace(_ file: [UInt8]) throws(GitError) {
    mode.apply(to: file)
    do throws(GitError) {
      try RawFile.rename(file, to: target)
    } catch {
      RawFile.remove(file)
      throw error
    }
    RawFile.syncFolder(target.parentPath)
  }
}
