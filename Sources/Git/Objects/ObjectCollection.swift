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
