import Bytes
import Platform

/// The state of a repository's writes of objects.
struct ObjectOutput {
  /// The objects that are being written together.
  var collection: ObjectCollection?
  private var knownDeflater: Deflater?

  /// The deflater of all objects, made on the first call.
  mutating func deflater() throws(GitError) -> Deflater {
    if let knownDeflater { return knownDeflater }
    guard let deflater = Deflater() else { throw GitError(.io, "not enough memory to write an object") }
    knownDeflater = deflater
    return deflater
  }
}

/// Objects that are to be written together, readable before they are.
///
/// A few become files of their own; many become one pack, which is written on the way.
final class ObjectCollection {
  /// Above this number of objects they stay in a pack, as with git fetch.
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
  ///   - mark: the content of the file that keeps git off a pack until a ref leads there.
  ///   - mode: the permissions of new files and folders.
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
    // The packs of a killed command are garbage by now.
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

  /// Writes an object under a temporary name.
  /// - Parameter path: its final path.
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
      guard isWritten != nil else {
        throw SystemError(operation: "write", path: temporary, code: SystemError.Code.tooLarge)
      }
    }
  }

  /// `git gc` beside takes away folders that are empty for a moment, perhaps the one that was just made.
  private func create(_ temporary: [UInt8], in parent: [UInt8]) throws(GitError) -> FileWriter {
    var code = SystemError.Code.missing
    for _ in 0..<5 {
      do throws(SystemError) {
        let file = try FileWriter(creating: temporary, mode: 0o444)
        folders.insert(parent)
        mode.apply(to: temporary)
        return file
      } catch {
        code = error.code
        guard error.code == SystemError.Code.missing else { break }
      }
      // The next iteration reports the error.
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
    open = []
    for folder in folders { RawFile.syncFolder(folder) }
  }

  private func discard() {
    for file in open { RawFile.remove(file.temporary) }
    open = []
    folders = []
  }
}

/// The objects of a repository on disk, loose or in packs.
///
/// Plain objects are read here, without libgit2: it costs more to start than to read a commit and its trees. Objects that
/// are not found here (alternates, old indexes of packs) are left to it. Broken objects are not: libgit2 might loop
/// forever or end the program.
final class ObjectFiles {
  /// The folder `objects`.
  let folder: [UInt8]
  private let inflater = Inflater()
  private var packs: [Pack]?
  /// When the folder of packs was changed last before they were listed.
  private var listed: FileTime?
  /// The pack in which the last object was found.
  private var last = 0

  init(_ folder: [UInt8]) { self.folder = folder }

  /// Looks for an object.
  /// - Parameter isVerified: whether the bytes are hashed to see that they have the name.
  func look(for id: ObjectID, isVerified: Bool) -> ObjectLookup {
    guard let inflater else { return .absent }
    let first = lookOnce(for: id, isVerified, inflater)
    guard case .absent = first, hasNewPacks() else { return first }
    return lookOnce(for: id, isVerified, inflater)
  }

  private func lookOnce(for id: ObjectID, _ isVerified: Bool, _ inflater: Inflater) -> ObjectLookup {
    var isBroken = false
    let packs = allPacks()
    for turn in packs.indices {
      let number = (last + turn) % packs.count
      guard let offset = packs[number].offset(of: id) else { continue }
      switch packs[number].object(at: offset, inflater) {
      case .found(let object) where !isVerified || object.isNamed(id):
        last = number
        return .found(object)
      case .absent: break
      default: isBroken = true
      }
    }
    switch loose(id, inflater) {
    case .found(let object) where !isVerified || object.isNamed(id): return .found(object)
    case .absent: return isBroken ? .broken : .absent
    default: return .broken
    }
  }

  /// Whether an object is here; false may be wrong.
  func contains(_ id: ObjectID) -> Bool {
    RawFile.status(loosePath(of: id)) != nil || isPacked(id)
  }

  /// Whether an object is in a pack here.
  func isPacked(_ id: ObjectID) -> Bool { isInPacks(id) || hasNewPacks() && isInPacks(id) }

  /// The place of an object in packs: the index of the pack, and the offset in it; nil if it is in none.
  func packPlace(of id: ObjectID) -> (pack: Int, offset: Int)? {
    let packs = allPacks()
    for turn in packs.indices {
      let number = (last + turn) % packs.count
      guard let offset = packs[number].offset(of: id) else { continue }
      last = number
      return (number, offset)
    }
    return nil
  }

  private func isInPacks(_ id: ObjectID) -> Bool {
    let packs = allPacks()
    for turn in packs.indices {
      let number = (last + turn) % packs.count
      guard packs[number].offset(of: id) != nil else { continue }
      last = number
      return true
    }
    return false
  }

  /// Whether the loose file of an object matches its hash; true if it has none.
  func isWholeAlone(_ id: ObjectID) -> Bool {
    guard let inflater else { return true }
    switch loose(id, inflater) {
    case .found(let object): return object.isNamed(id)
    case .broken: return false
    case .absent: return true
    }
  }

  /// The path of a loose object.
  func loosePath(of id: ObjectID) -> [UInt8] {
    let hex = id.hex
    return folder / String(hex.prefix(2)) / String(hex.dropFirst(2))
  }

  /// Makes the next read list the packs again.
  func forgetPacks() { packs = nil }

  /// Whether the packs may differ from the listed ones; they are then listed again.
  private func hasNewPacks() -> Bool {
    guard packs != nil, packFolderChanged != listed else { return false }
    packs = nil
    return true
  }

  private var packFolderChanged: FileTime? {
    RawFile.status(folder / "pack", followLinks: true).map { $0.modified }
  }

  /// Removes the files that keep git off packs, if they hold a mark.
  func releasePacks(marked mark: [UInt8]) {
    for name in RawFile.names(in: folder / "pack") where name.hasSuffix(".keep") {
      let file = folder / "pack" / name
      if (try? RawFile.read(file)?.bytes) == mark { RawFile.remove(file) }
    }
  }

  /// The packs, the youngest first.
  private func allPacks() -> [Pack] {
    if let packs { return packs }
    listed = packFolderChanged
    let place = folder / "pack"
    var found: [Pack] = []
    for name in RawFile.names(in: place) where name.hasSuffix(".idx") {
      if let pack = Pack(place / String(name.dropLast(4))) { found.append(pack) }
    }
    found.sort { $1.written < $0.written }
    packs = found
    return found
  }

  private func loose(_ id: ObjectID, _ inflater: Inflater) -> ObjectLookup {
    guard let file = try? RawFile.read(loosePath(of: id))?.bytes else { return .absent }
    return file.withUnsafeBytes { source in
      inflater.begin(source)
      return withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { room in
        guard let got = inflater.fill(room) else { return .broken }
        let begun = UnsafeRawBufferPointer(rebasing: room[..<got])
        guard let head = LooseHeader(begun) else { return .broken }
        guard head.count <= Inflater.longest else { return .absent }
        guard Inflater.isPlausible(head.count, from: source.count),
          let bytes = inflater.rest(head.count, after: begun[rebased: head.end..<got]),
          // Git does not read an object that is followed by other bytes.
          inflater.hasTakenAll
        else { return .broken }
        return .found(StoredObject(kind: head.kind, bytes: bytes))
      }
    }
  }
}

/// The result of a search for an object in its files.
enum ObjectLookup {
  /// It is not here, or longer than the limit of reads here.
  case absent
  /// It is here and makes no sense.
  case broken
  case found(StoredObject)
}

extension StoredObject {
  /// Whether an object has a name.
  func isNamed(_ id: ObjectID) -> Bool { SHA1.objectID(kind: kind.name, bytes) == id }
}

/// The header of a loose object: its kind, a blank, its length, a NUL byte.
struct LooseHeader {
  let kind: ObjectKind
  let count: Int
  /// The offset of the object's own bytes.
  let end: Int

  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let blank = bytes.firstIndex(of: 32), let nul = bytes[blank...].firstIndex(of: 0),
      let kind = ObjectKind(name: bytes[..<blank]), nul - blank > 1, nul - blank <= 12
    else { return nil }
    var count = 0
    for digit in bytes[(blank + 1)..<nul] {
      guard digit >= 48, digit <= 57 else { return nil }
      count = count * 10 + Int(digit - 48)
    }
    self.kind = kind
    self.count = count
    end = nul + 1
  }
}
