import Bytes
import CLibgit2
import Glibc
import Platform

extension Repository {
  /// The bytes of a blob.
  /// - Throws: `missing`, or `damaged` where it is there and cannot be read.
  package func blob(_ id: ObjectID) throws(GitError) -> [UInt8] {
    try object(id, .blob).bytes
  }

  /// The places of some objects in the order in which they are read fastest: as they lie in packs, then loose ones.
  /// - Complexity: O(n log n).
  package func readingOrder(of ids: [ObjectID]) -> [Int] {
    let last = (pack: Int.max, offset: 0)
    let places = ids.map { objectFiles.packPlace(of: $0) ?? last }
    return ids.indices.sorted {
      (places[$0].pack, places[$0].offset, $0) < (places[$1].pack, places[$1].offset, $1)
    }
  }

  /// Reads an object of a kind.
  /// - Parameter isVerified: whether the bytes are hashed to see that they have the name; walks over history, which read
  ///   thousands of trees, trust the checksums of the files instead, as git does. Objects that libgit2 reads are always
  ///   verified.
  func object(
    _ id: ObjectID, _ kind: ObjectKind, isVerified: Bool = true
  ) throws(GitError) -> StoredObject {
    let found = try object(id, isVerified: isVerified)
    guard found.kind == kind else {
      throw GitError(.missing, "the object \(id.hex) is not a \(kind.name)")
    }
    return found
  }

  /// Reads an object from its file, by libgit2 where it is not found there.
  func object(_ id: ObjectID, isVerified: Bool = true) throws(GitError) -> StoredObject {
    if let waiting = collection?[id] { return waiting }
    switch objectFiles.look(for: id, isVerified: isVerified) {
    case .found(let object): return object
    case .broken: throw damaged(id)
    case .absent: break
    }
    do throws(GitError) { return try libraryObject(id) } catch {
      guard error.reason == .missing, promisor != nil else { throw error }
      try promised.fetch(self)
      return try libraryObject(id)
    }
  }

  /// Wraps `git_odb_read`, which looks again for new packs before it says that there is no such object.
  private func libraryObject(_ id: ObjectID) throws(GitError) -> StoredObject {
    let objects = try open().objects
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

  private func unreadable(_ id: ObjectID, _ status: Int32) -> GitError {
    let error = GitError.library(status, "read the object \(id.hex)")
    let loose = loosePath(of: id)
    let isLoose = RawFile.status(loose) != nil
    if error.reason == .missing, !isLoose {
      return GitError(.missing, "the object \(id.hex) is not in the repository")
    }
    if error.reason == .io, isLoose, !Files.isAccessible(loose, for: .reading) { return error }
    return damaged(id)
  }

  private func damaged(_ id: ObjectID) -> GitError {
    let loose = loosePath(of: id)
    let place = RawFile.status(loose) != nil ? "; the file is \(GitError.text(loose))" : ""
    return GitError(
      .damaged(object: id.hex),
      "the object \(id.hex) is damaged\(place): move it away, then rewrite it or fetch it")
  }

  func loosePath(of id: ObjectID) -> [UInt8] { objectFiles.loosePath(of: id) }
}
