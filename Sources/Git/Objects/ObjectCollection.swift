import Bytes
import Glibc
import Platform

/// Objects that are to be written together, readable before they are.
///
/// A few become files of their own; many become one pack, which is written on the way.
final class ObjectCollection {
  /// As for what git fetches: above this many objects, they stay in a pack.
  private static let loosest = 100
  /// Above this many bytes too.
  private static let lightest = 16 << 20

  private let files: ObjectFiles
  private let deflater: Deflater
  private let mark: [UInt8]
  private let mode: SharedMode
  private var waiting: [(id: ObjectID, object: StoredObject)] = []
  private var waitingBytes = 0
  private var pack: PackWriter?
  /// All that are waiting, and of those that are in the pack the commits and trees.
  private var readable: [ObjectID: StoredObject] = [:]
  private var known: Set<ObjectID> = []

  /// A collection for an object folder.
  /// - Parameters:
  ///   - mark: what keeps git off a pack until a ref leads there.
  ///   - mode: The permissions of new files and folders.
  init(_ files: ObjectFiles, _ deflater: Deflater, mark: [UInt8], mode: SharedMode) {
    self.files = files
    self.deflater = deflater
    self.mark = mark
    self.mode = mode
  }

  func contains(_ id: ObjectID) -> Bool { known.contains(id) }

  /// The object, unless it is not here or already in the pack.
  subscript(id: ObjectID) -> StoredObject? { readable[id] }

  func add(_ id: ObjectID, _ object: StoredObject) throws(GitError) {
    guard known.insert(id).inserted else { return }
    if let pack {
      try pack.add(id, object)
      if object.kind != .blob { readable[id] = object }
      return
    }
    waiting.append((id, object))
    waitingBytes += object.bytes.count
    readable[id] = object
    if waiting.count > Self.loosest || waitingBytes > Self.lightest { try beginPack() }
  }

  private func beginPack() throws(GitError) {
    // What a killed command left is garbage by now.
    files.releasePacks(marked: mark)
    let pack = try PackWriter(files.folder, deflater, mode: mode)
    for (id, object) in waiting {
      try pack.add(id, object)
      if object.kind == .blob { readable[id] = nil }
    }
    waiting = []
    self.pack = pack
  }

  /// Writes all and makes it durable.
  func commit() throws(GitError) {
    if let pack {
      try pack.commit(mark: mark)
      files.forgetPacks()
    } else if !waiting.isEmpty {
      let writer = LooseWriter(files.folder, deflater, mode: mode)
      for (id, object) in waiting { try writer.add(object, at: files.loosePath(of: id)) }
      try writer.commit()
    }
  }
}

/// Writes objects as one file each, durable together.
///
/// All files are written under other names, then made durable, then given their names, and then the folders are: so that
/// the disk is waited for as seldom as may be, and no power cut leaves an empty object.
final class LooseWriter {
  private let folder: [UInt8]
  private let deflater: Deflater
  private let mode: SharedMode
  private var open: [Written] = []
  private var folders: Set<[UInt8]> = []

  /// A file that has not got its name yet.
  private struct Written {
    let path: [UInt8]
    let temporary: [UInt8]
    let file: FileWriter
  }

  /// A writer into the folder `objects`.
  /// - Parameter mode: The permissions of new files and folders.
  init(_ folder: [UInt8], _ deflater: Deflater, mode: SharedMode) {
    self.folder = folder
    self.deflater = deflater
    self.mode = mode
  }

  deinit { discard() }

  /// Writes an object; it has no name yet.
  /// - Parameter path: where it belongs.
  func add(_ object: StoredObject, at path: [UInt8]) throws(GitError) {
    let head = Array("\(object.kind.name) \(object.bytes.count)\0".utf8)
    let parent = path.parentPath
    let temporary = parent / Files.uniqueName("tmp_obj_")
    let file = try create(temporary, in: parent)
    open.append(Written(path: path, temporary: temporary, file: file))
    try GitError.wrapping("write", temporary) { () throws(SystemError) in
      let isWritten: Void? = try deflater.withStream(of: head, object.bytes) { (stream) throws(SystemError) in
        try file.write(stream)
      }
      guard isWritten != nil else { throw SystemError(operation: "write", path: temporary, code: EFBIG) }
    }
  }

  /// `git gc` beside takes away folders that are empty for a moment, perhaps the one that was just made.
  private func create(_ temporary: [UInt8], in parent: [UInt8]) throws(GitError) -> FileWriter {
    var code = ENOENT
    for _ in 0..<5 {
      do throws(SystemError) {
        let file = try FileWriter(creating: temporary, mode: 0o444)
        folders.insert(parent)
        mode.apply(to: temporary)
        return file
      } catch {
        code = error.code
        guard error.code == ENOENT else { break }
      }
      // The next turn tells why it can't be made.
      if (try? Files.makeFolder(parent)) == true {
        folders.insert(folder)
        mode.apply(to: parent)
      }
    }
    throw .system("write an object in", folder, code: code)
  }

  /// Makes all durable and gives them their names.
  func commit() throws(GitError) {
    defer { discard() }
    for file in open where open.count > 1 { file.file.beginSync() }
    for file in open {
      try GitError.wrapping("write", file.temporary) { () throws(SystemError) in try file.file.sync() }
    }
    for file in open { try RawFile.rename(file.temporary, to: file.path) }
    for folder in folders { RawFile.syncFolder(folder) }
  }

  private func discard() {
    for file in open { RawFile.remove(file.temporary) }
    open = []
    folders = []
  }
}
