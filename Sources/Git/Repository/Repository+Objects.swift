import Bytes
import CLibgit2
import Platform
import Synchronization

extension Repository {
  /// The bytes of a blob.
  /// - Throws: `missing`, or `damaged` if it is there and cannot be read.
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

  /// Reads an object from its file, by libgit2 if it is not found there.
  func object(_ id: ObjectID, isVerified: Bool = true) throws(GitError) -> StoredObject {
    if let waiting = objectOutput.collection?[id] { return waiting }
    if isVerified, let known = recentObjects[id] { return known }
    switch objectFiles.look(for: id, isVerified: isVerified) {
    case .found(let object):
      if isVerified { recentObjects.add(object, id) }
      return object
    case .broken: throw damaged(id)
    case .absent: break
    }
    do throws(GitError) { return try libraryObject(id) } catch {
      guard error.reason == .missing, remotes.promisor != nil else { throw error }
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
      "the object \(id.hex) is corrupt\(place): move it away, then rewrite it or fetch it")
  }

  func loosePath(of id: ObjectID) -> [UInt8] { objectFiles.loosePath(of: id) }
}

extension Repository {
  /// Whether an object is there.
  package func hasObject(_ id: ObjectID) throws(GitError) -> Bool {
    if objectOutput.collection?.contains(id) == true || objectFiles.contains(id) { return true }
    var name = id.oid
    return git_odb_exists(try open().objects, &name) != 0
  }

  /// Writes an object, unless it exists.
  ///
  /// If an object of the name exists but is damaged, as after a power cut, git would leave it as it is. Here it is moved
  /// to `damaged-ID` in the git folder and written again.
  func store(_ kind: ObjectKind, _ bytes: [UInt8]) throws(GitError) -> ObjectID {
    let id = SHA1.objectID(kind: kind.name, bytes)
    if objectOutput.collection?.contains(id) == true { return id }
    if objectFiles.contains(id) {
      if case .found = objectFiles.look(for: id, isVerified: true) { return id }
      try setAside(id)
    }
    let object = StoredObject(kind: kind, bytes: bytes)
    if let collection = objectOutput.collection {
      try collection.add(id, object)
    } else {
      let writer = LooseWriter(objectFiles.folder, try objectOutput.deflater(), mode: permissions.mode)
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

  /// Runs a body that writes objects, and writes them together at its end: with few waits for the disk, and as one pack
  /// if they are many.
  ///
  /// The body can read the objects that it wrote, except for blobs. Nothing outside it may refer to the objects before this
  /// returns; if the body or this throws, nothing is written. Once a ref leads to the objects, or never will, call
  /// `releasePacks()`.
  /// - Parameter failing: makes the error that the caller throws for a failure of git.
  package func writingTogether<Result, Failure: Error>(
    failing: (GitError) -> Failure, _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard objectOutput.collection == nil else { return try body() }
    let fresh: ObjectCollection
    do throws(GitError) {
      fresh = ObjectCollection(
        objectFiles, try objectOutput.deflater(), mark: packMark, mode: permissions.mode)
    } catch { throw failing(error) }
    objectOutput.collection = fresh
    defer { objectOutput.collection = nil }
    let result = try body()
    do throws(GitError) { try fresh.commit() } catch { throw failing(error) }
    return result
  }

  /// Lets git repack the pack that `writingTogether` wrote: until then a file keeps git off.
  package func releasePacks() { objectFiles.releasePacks(marked: packMark) }

  /// The mark of the packs of this work tree; another may be at work in the same repository.
  private var packMark: [UInt8] {
    Array("slipbox: a command is at work in ".utf8) + gitDirectory + [10]
  }
}

/// How the objects of a repository are stored.
package struct ObjectStorage: Sendable, Equatable {
  /// Objects in a file of their own.
  package let looseCount: Int
  package let packCount: Int
  /// The room that loose objects, packs and the indexes of packs take, each file in blocks of 4,096 bytes.
  package let bytes: Int64
  /// Whether git has a file by which it walks history quickly.
  package let hasCommitGraph: Bool

  package init(looseCount: Int, packCount: Int, bytes: Int64, hasCommitGraph: Bool) {
    self.looseCount = looseCount
    self.packCount = packCount
    self.bytes = bytes
    self.hasCommitGraph = hasCommitGraph
  }
}

extension Repository {
  /// How the objects of the repository are stored; those of alternates are not looked at.
  /// - Complexity: a look at each loose object.
  package func objectStorage() -> ObjectStorage {
    let objects = commonDirectory / "objects"
    var (loose, packs, bytes) = (0, 0, Int64(0))
    for number in 0..<256 {
      let hex = String(number, radix: 16)
      let folder = objects / (hex.utf8.count == 1 ? "0" + hex : hex)
      for name in RawFile.names(in: folder) where name.utf8.count == 38 {
        loose += 1
        bytes += room(for: folder / name)
      }
    }
    let folder = objects / "pack"
    for name in RawFile.names(in: folder) {
      if name.hasSuffix(".pack") { packs += 1 }
      bytes += room(for: folder / name)
    }
    let graphs = ["info/commit-graph", "info/commit-graphs/commit-graph-chain"]
    return ObjectStorage(
      looseCount: loose, packCount: packs, bytes: bytes,
      hasCommitGraph: graphs.contains { RawFile.status(objects / $0) != nil })
  }

  private func room(for file: [UInt8]) -> Int64 {
    // Most file systems give a file whole blocks of this size.
    RawFile.status(file).map { ($0.size + 4_095) / 4_096 * 4_096 } ?? 0
  }
}

extension Repository {
  /// Allows one fetch of the objects that a partial clone left at its remote, when the first of them is needed.
  /// - Parameter fetch: fetches them, as `Remotes.fetchPromised` does.
  package func allowFetchOfPromisedObjects(
    _ fetch: @escaping @Sendable (Repository) throws(GitError) -> Void
  ) {
    promised.allow(fetch)
  }
}

/// The objects that a partial clone left at its remote, which promised to keep them.
///
/// git fetches such objects one by one when it needs them. Here the first one that is needed brings all that the history
/// of the box refers to, in one process; a command that may not use the network fails instead. See git-clone(1),
/// `--filter`, and the documentation of git's partial clones.
final class PromisedObjects: Sendable {
  typealias Fetch = @Sendable (Repository) throws(GitError) -> Void

  private enum State: Sendable {
    /// None may be fetched.
    case closed
    /// They may be fetched, in this way.
    case open(Fetch)
    case fetched
    case failed(GitError)
  }

  private let state = Mutex(State.closed)

  /// Allows one fetch.
  func allow(_ fetch: @escaping Fetch) {
    state.withLock { if case .closed = $0 { $0 = .open(fetch) } }
  }

  /// Fetches them if that was allowed and not done yet; other threads wait meanwhile.
  /// - Throws: `promised` if it was not allowed, else why the fetch failed.
  func fetch(_ repository: Repository) throws(GitError) {
    let failure = state.withLock { state -> GitError? in
      switch state {
      case .fetched: return nil
      case .failed(let error): return error
      case .closed:
        return GitError(
          .promised(wasTried: false),
          "this clone is partial: some of its history was not fetched")
      case .open(let fetch):
        do throws(GitError) {
          try fetch(repository)
          state = .fetched
          return nil
        } catch {
          let failure = GitError(
            .promised(wasTried: true),
            "this clone is partial, and its history can't be fetched: \(error.message)")
          state = .failed(failure)
          return failure
        }
      }
    }
    if let failure { throw failure }
  }
}

extension GitProgram {
  /// Packs the objects of a repository and writes its commit-graph, by the user's git, and waits for it.
  ///
  /// Unreachable objects that are younger than two weeks stay, whatever the configuration says: another program may be
  /// about to refer to them. Writers may run meanwhile.
  /// - Parameter prunes: whether older ones are deleted.
  /// - Throws: `locked` if another git gc is running, `unsupported` if the configuration names a program that git would
  ///   run, and git's own message if it fails.
  package static func tidy(_ repository: Repository, prunes: Bool) throws(GitError) {
    guard repository.settings["gc.recentObjectsHook"] == nil else {
      throw GitError(
        .other, "the git configuration has gc.recentObjectsHook, a program that slip does not run")
    }
    // Unreachable objects go into a pack of their own. Git before 2.37 leaves them in files.
    let pack = ["gc", "--quiet", prunes ? "--prune=2.weeks.ago" : "--no-prune"]
    do { try run(pack + ["--cruft"], repository) } catch {
      guard error.message.contains("cruft") else { throw error }
      try run(pack, repository)
    }
    // Without changed paths it serves as well, but for the log of one file; git before 2.27 has no such option.
    let write = ["commit-graph", "write", "--reachable"]
    do { try run(write + ["--changed-paths"], repository) } catch { try run(write, repository) }
  }

  private static func run(_ words: [String], _ repository: Repository) throws(GitError) {
    let folder = repository.workTree ?? repository.gitDirectory
    let answer = try capture(words, in: folder, environment: repository.environment)
    guard answer.status != 0 else { return }
    let lines = answer.errors.split(separator: 10).map { GitError.text($0) }
    // The first line is the error, the others are git's usage.
    let reason = lines.first ?? "it exited with code \(answer.status)"
    // Git has no exit code of its own for this.
    if reason.contains("gc is already running") {
      throw .locked(repository.commonDirectory / "gc.pid")
    }
    throw GitError(.other, "git \(words[0]) failed: \(reason)")
  }
}

extension GitProgram {
  /// Starts `git gc --auto` in the background, if it might have work.
  ///
  /// The estimate is git's own: it counts the loose objects of one folder in 256, and the packs; so nothing is started
  /// after most commits. Call it with no lock held.
  /// - Returns: whether git was started.
  @discardableResult
  package static func startAutoGC(_ repository: Repository) -> Bool {
    guard needsGC(repository) else { return false }
    let folder = repository.workTree ?? repository.gitDirectory
    let words = arguments(["gc", "--auto", "--quiet"], in: folder)
    // If git can't be started, the next commit tries again.
    return (try? ChildProcess.detach(words, environment: repository.environment.forChildren)) != nil
  }

  private static func needsGC(_ repository: Repository) -> Bool {
    let objects = repository.commonDirectory / "objects"
    let loose = RawFile.names(in: objects / "17").count
    let packs = RawFile.names(in: objects / "pack").filter { $0.hasSuffix(".pack") }.count
    // Below the least that any sensible setting means, the configuration need not even be read.
    guard loose > 1 || packs > 1 else { return false }
    let limit = repository.settings["gc.auto"].flatMap { Int($0) } ?? 6_700
    let packLimit = repository.settings["gc.autoPackLimit"].flatMap { Int($0) } ?? 50
    guard limit > 0 else { return false }
    // No option of the command line overrides the programs that it names.
    guard repository.settings["gc.recentObjectsHook"] == nil else { return false }
    return loose > limit / 256 + (limit % 256 == 0 ? 0 : 1) || packLimit > 0 && packs > packLimit
  }
}
