import CLibgit2
import Glibc

extension Repository {
  /// The bytes of a blob.
  /// - Throws: `missing`, or `damaged` where it is there and cannot be read.
  package func blob(_ id: ObjectID) throws(GitError) -> [UInt8] {
    try object(id, .blob).bytes
  }

  /// Reads an object of a kind.
  /// - Parameter isVerified: whether the bytes are hashed to see that they have the name; walks over history, which read
  ///   thousands of trees, trust the checksums of the files instead, as git does.
  func object(
    _ id: ObjectID, _ kind: ObjectKind, isVerified: Bool = true
  ) throws(GitError) -> StoredObject {
    let found = try object(id, isVerified: isVerified)
    guard found.kind == kind else {
      throw GitError(.missing, "the object \(id.hex) is not a \(kind.name)")
    }
    return found
  }

  /// Reads an object from its file, by libgit2 where that is not as plain as usual.
  func object(_ id: ObjectID, isVerified: Bool = true) throws(GitError) -> StoredObject {
    if let found = objectFiles.read(id, isVerified: isVerified) { return found }
    if !isVerified { _ = slipbox_git_verify_hashes(0) }
    defer { if !isVerified { _ = slipbox_git_verify_hashes(1) } }
    return try libraryObject(id)
  }

  /// Wraps `git_odb_read`, which looks again for new packs before it says that there is no such object.
  private func libraryObject(_ id: ObjectID) throws(GitError) -> StoredObject {
    let objects = try open().objects
    try refuseCutObject(id)
    var name = id.oid
    var read: OpaquePointer?
    let status = git_odb_read(&read, objects, &name)
    guard status >= 0, let read else { throw unreadable(id, status) }
    defer { git_odb_object_free(read) }
    guard let kind = ObjectKind(git_odb_object_type(read)) else { throw unreadable(id, -1) }
    let size = git_odb_object_size(read)
    let bytes = git_odb_object_data(read).map { Array(UnsafeRawBufferPointer(start: $0, count: size)) }
    return StoredObject(kind: kind, bytes: bytes ?? [])
  }

  /// Refuses a loose object whose file was cut short, on which libgit2 1.5 never ends.
  private func refuseCutObject(_ id: ObjectID) throws(GitError) {
    guard let file = try RawFile.read(loosePath(of: id)) else { return }
    let isWhole =
      file.bytes.withUnsafeBufferPointer { slipbox_is_whole_stream($0.baseAddress, $0.count) } != 0
    if !isWhole { throw unreadable(id, -1) }
  }

  private func unreadable(_ id: ObjectID, _ status: Int32) -> GitError {
    let error = GitError.library(status, "read the object \(id.hex)")
    let loose = loosePath(of: id)
    let isLoose = RawFile.status(loose) != nil
    if error.reason == .missing, !isLoose {
      return GitError(.missing, "the object \(id.hex) is not in the repository")
    }
    if error.reason == .io, isLoose, loose.withCPath({ access($0, R_OK) }) != 0 { return error }
    let place = isLoose ? "; the file is \(GitError.text(loose))" : ""
    return GitError(
      .damaged(object: id.hex),
      "the object \(id.hex) is damaged\(place): move it away, then write or fetch it again")
  }

  private func loosePath(of id: ObjectID) -> [UInt8] { objectFiles.loosePath(of: id) }

  /// Whether an object is there.
  func hasObject(_ id: ObjectID) throws(GitError) -> Bool {
    if objectFiles.contains(id) { return true }
    var name = id.oid
    return git_odb_exists(try open().objects, &name) != 0
  }

  /// Writes an object and reads it back.
  ///
  /// Where an object of the name exists but is damaged, as after a power cut, git and libgit2 would leave it as it is: it
  /// is set aside as `damaged-ID` in the git folder and written anew.
  /// - Throws: `damaged` where that does not help.
  func store(_ kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) -> ObjectID {
    do {
      return try write(kind, bytes)
    } catch {
      guard case .damaged(let hex) = error.reason, let id = ObjectID(hex: hex), setAside(id) else {
        throw error
      }
      return try write(kind, bytes)
    }
  }

  private func setAside(_ id: ObjectID) -> Bool {
    let loose = loosePath(of: id)
    guard RawFile.status(loose) != nil else { return false }
    do {
      try RawFile.rename(loose, to: commonDirectory / "damaged-\(id.hex)")
      return true
    } catch { return false }
  }

  private static let writeAttempts = 5

  private func write(_ kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) -> ObjectID {
    let objects = try open().objects
    var name = git_oid()
    let hashed = bytes.withUnsafeBytes { git_odb_hash(&name, $0.baseAddress, $0.count, kind.type) }
    try GitLibrary.check(hashed, "name an object")
    let id = ObjectID(name)
    let fanOut = loosePath(of: id).parentPath
    let hadFanOut = RawFile.isFolder(fanOut)
    var status: Int32 = -1
    // `git gc` beside takes away folders that are empty for a moment, perhaps the one that was just made.
    for _ in 0..<Self.writeAttempts where status < 0 {
      status = bytes.withUnsafeBytes { git_odb_write(&name, objects, $0.baseAddress, $0.count, kind.type) }
    }
    try GitLibrary.check(status, "write an object in \(GitError.text(commonDirectory / "objects"))")
    // libgit2 syncs the folder that holds the object, not the one above, where a new one is named.
    if !hadFanOut { RawFile.syncFolder(fanOut.parentPath) }
    guard try object(id, kind).bytes.count == bytes.count else { throw unreadable(id, -1) }
    return id
  }

  /// Runs a body that writes very many objects, and makes them durable once at its end instead of one by one.
  ///
  /// Nothing may refer to the objects before this returns.
  package func deferringSync<Result>(_ body: () throws(GitError) -> Result) throws(GitError) -> Result {
    _ = try open()
    _ = slipbox_git_enable_fsync(0)
    defer { _ = slipbox_git_enable_fsync(1) }
    let result = try body()
    RawFile.syncFileSystem(of: commonDirectory)
    return result
  }
}
