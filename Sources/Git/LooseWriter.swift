import Glibc

/// Writes objects as one file each, durable together.
///
/// All files are written under other names, then made durable, then given their names, and then the folders are: so that
/// the disk is waited for as seldom as may be, and no power cut leaves an empty object.
final class LooseWriter {
  private let folder: [UInt8]
  private let deflater: Deflater
  private var open: [Written] = []
  private var folders: Set<[UInt8]> = []

  /// A file that has not got its name yet.
  private struct Written {
    let path: [UInt8]
    let temporary: [UInt8]
    let descriptor: Int32
  }

  /// A writer into the folder `objects`.
  init(_ folder: [UInt8], _ deflater: Deflater) {
    self.folder = folder
    self.deflater = deflater
  }

  deinit { discard() }

  /// Writes an object; it has no name yet.
  /// - Parameter path: where it belongs.
  func add(_ object: StoredObject, at path: [UInt8]) throws(GitError) {
    let head = Array("\(object.kind.name) \(object.bytes.count)\0".utf8)
    let parent = path.parentPath
    let temporary = parent / RawFile.uniqueName("tmp_obj_")
    let descriptor = try create(temporary, in: parent)
    open.append(Written(path: path, temporary: temporary, descriptor: descriptor))
    let isWritten = deflater.withStream(of: head, object.bytes) { RawFile.write($0, to: descriptor) }
    guard isWritten == true else { throw .system("write", temporary) }
  }

  /// `git gc` beside takes away folders that are empty for a moment, perhaps the one that was just made.
  private func create(_ temporary: [UInt8], in parent: [UInt8]) throws(GitError) -> Int32 {
    for _ in 0..<5 {
      let descriptor = temporary.withCPath { Glibc.open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o444) }
      if descriptor >= 0 {
        folders.insert(parent)
        return descriptor
      }
      guard errno == ENOENT else { break }
      if parent.withCPath({ mkdir($0, 0o777) }) == 0 { folders.insert(folder) }
    }
    throw .system("write an object in", folder)
  }

  /// Makes all durable and gives them their names.
  func commit() throws(GitError) {
    defer { discard() }
    for file in open where open.count > 1 { RawFile.startSync(file.descriptor) }
    for file in open {
      guard fsync(file.descriptor) == 0 else { throw .system("write", file.temporary) }
    }
    for file in open { try RawFile.rename(file.temporary, to: file.path) }
    for folder in folders { RawFile.syncFolder(folder) }
  }

  private func discard() {
    for file in open {
      close(file.descriptor)
      RawFile.remove(file.temporary)
    }
    open = []
    folders = []
  }
}
