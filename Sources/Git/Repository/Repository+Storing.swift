import Bytes
import CLibgit2

extension Repository {
  /// Whether an object is there.
  func hasObject(_ id: ObjectID) throws(GitError) -> Bool {
    if collection?.contains(id) == true || objectFiles.contains(id) { return true }
    var name = id.oid
    return git_odb_exists(try open().objects, &name) != 0
  }

  /// Writes an object, where it is not there yet.
  ///
  /// Where an object of the name exists but is damaged, as after a power cut, git would leave it as it is: it is set aside
  /// as `damaged-ID` in the git folder and written anew.
  func store(_ kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) -> ObjectID {
    let id = SHA1.objectID(kind: kind.name, bytes)
    if collection?.contains(id) == true { return id }
    if objectFiles.contains(id) {
      if case .found = objectFiles.look(for: id, isVerified: true) { return id }
      try setAside(id)
    }
    let object = StoredObject(kind: kind, bytes: bytes)
    if let collection {
      try collection.add(id, object)
    } else {
      let writer = LooseWriter(objectFiles.folder, try deflater(), mode: sharedMode)
      try writer.add(object, at: loosePath(of: id))
      try writer.commit()
    }
    return id
  }

  /// Writes a blob of bytes as git stores them: no filter changes them.
  package func writeBlob(asStored bytes: [UInt8]) throws(GitError) -> ObjectID { try store(.blob, bytes) }

  private func setAside(_ id: ObjectID) throws(GitError) {
    let loose = loosePath(of: id)
    guard RawFile.status(loose) != nil else { return }
    try RawFile.rename(loose, to: commonDirectory / "damaged-\(id.hex)")
  }

  private func deflater() throws(GitError) -> Deflater {
    if let knownDeflater { return knownDeflater }
    guard let deflater = Deflater() else { throw GitError(.io, "not enough memory to write an object") }
    knownDeflater = deflater
    return deflater
  }

  /// Runs a body that writes objects, and writes them together at its end: with few waits for the disk, and as one pack
  /// where they are many.
  ///
  /// The body can read what it wrote, but for blobs. Nothing outside it may refer to the objects before this returns;
  /// where the body or this throws, nothing is written. Once a ref leads to the objects, or never will, call
  /// `releasePacks()`.
  /// - Parameter failing: what the caller throws for a failure of git.
  package func writingTogether<Result, Failure: Error>(
    failing: (GitError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard collection == nil else { return try body() }
    let fresh: ObjectCollection
    do throws(GitError) {
      fresh = ObjectCollection(objectFiles, try deflater(), mark: packMark, mode: sharedMode)
    } catch { throw failing(error) }
    collection = fresh
    defer { collection = nil }
    let result = try body()
    do throws(GitError) { try fresh.commit() } catch { throw failing(error) }
    return result
  }

  /// Lets git pack anew what `writingTogether` wrote as a pack: until then a file keeps it off.
  package func releasePacks() { objectFiles.releasePacks(marked: packMark) }

  /// The mark of the packs of this work tree; another may be at work in the same repository.
  private var packMark: [UInt8] {
    Array("slipbox: a command is at work in ".utf8) + gitDirectory + [10]
  }
}
