import Bytes
import Git
import Notes
package import Platform
import Synchronization
import Text

/// A folder that exports fill with files: it keeps a list of them, and touches nothing else.
package struct ExportFolder: Sendable {
  private let folder: BoxFolder
  /// The path as it is told.
  private let name: Phrase
  /// The files of earlier exports; nil where there was none.
  private let earlier: ExportManifest?
  /// Held while the folder is open; nil if the file system knows no locks.
  private let lock: FileLock?

  /// Opens a folder, which is made where it is missing.
  ///
  /// - Parameter path: absolute, or relative to the working directory.
  /// - Throws: `.cannotCreate` if it has files that no export has made; those of a repository and of its host may be there.
  package init(opening path: [UInt8]) throws(SlipboxError) {
    try self.init(path) { () throws(SlipboxError) in try Self.lock(path) }
  }

  private init(
    _ path: [UInt8], lock: () throws(SlipboxError) -> FileLock?
  ) throws(SlipboxError) {
    name = Phrase(path)
    let names: [[UInt8]]
    do throws(SystemError) { try Files.makeDirectory(path) } catch {
      throw SlipboxError(.cannotCreate, "\(name) can't be used for the export: \(error.reason)")
    }
    self.lock = try lock()
    do throws(SystemError) {
      names = try Files.list(path)
      folder = try BoxFolder(path)
      let list = try Files.readIfPresent(BytePath.join(path, ExportManifest.path))
      earlier = list.flatMap { ExportManifest($0.bytes) }
    } catch {
      throw SlipboxError(.cannotCreate, "\(name) can't be used for the export: \(error.reason)")
    }
    let others = names.filter { !Self.mayBeThere.contains(String(decoding: $0, as: UTF8.self)) }
    if earlier == nil, let other = others.first {
      throw SlipboxError(
        .cannotCreate, "\(name) holds other files, such as \(other); nothing was written",
        hints: ["use a new or empty folder, or the folder of an earlier export"])
    }
  }

  private static let longestWait = 2_000

  /// - Throws: `.busy` if another export writes the folder.
  private static func lock(_ path: [UInt8]) throws(SlipboxError) -> FileLock? {
    do throws(LockError) {
      return try FileLock.acquire(folder: path, timeoutMilliseconds: longestWait)
    } catch {
      guard error == .busy else { return nil }
      throw SlipboxError(
        .busy, "another export writes \(Phrase(path)); nothing was written",
        retry: "try again when it has ended")
    }
  }

  /// Removes the files that exports have made in a folder, and the folder if it has nothing else.
  package static func remove(_ path: [UInt8]) {
    if isExport(path), let folder = try? ExportFolder(path, lock: { nil }) {
      _ = try? folder.fill(with: ExportedFiles([]) { _ in [] })
      try? Files.remove(BytePath.join(path, ExportManifest.path))
    }
    try? Files.removeFolder(path)
  }

  /// Whether exports have made the files of a folder.
  package static func isExport(_ path: [UInt8]) -> Bool {
    ((try? Files.status(BytePath.join(path, ExportManifest.path))) ?? nil)?.kind == .file
  }

  /// What a folder for a site has before the first export: a repository, and settings of those that publish it.
  private static let mayBeThere: Set<String> = [
    ".git", ".gitattributes", ".gitignore", ".github", ".gitlab-ci.yml", ".nojekyll", ".well-known",
    ".htaccess", ".DS_Store", ".domains", ".woodpecker.yml", ".forgejo", ".gitea",
  ]

  /// Writes the files whose bytes differ, then removes those of earlier exports that are no longer among them.
  ///
  /// The list is written first, with the old and the new files, so that an export which is interrupted leaves nothing
  /// that the next one does not know.
  /// - Parameter progress: receives how many files are done, from one thread.
  /// - Throws: `.cannotCreate` where a file that no export has made is in the way.
  package func fill(
    with files: ExportedFiles, progress: (_ done: Int) -> Void = { _ in }
  ) throws(SlipboxError) -> ExportResult {
    let (old, new) = (earlier?.paths ?? [], Set(files.paths))
    let isSame = old == new
    if !isSame {
      try refuseOthers(new.subtracting(old))
      try writeList(old.union(new))
    }
    var result = try write(files, progress)
    for path in isSame ? [] : old.subtracting(new).sorted(by: { ByteOrder.precedes($0, $1) }) {
      if try call({ () throws(SystemError) in try folder.discard(path) }) { result.removed += 1 }
    }
    if !isSame { try writeList(new) }
    return result
  }

  /// The state of the files below a folder, by their paths.
  ///
  /// - Complexity: one call of the system a file.
  package static func stamps(of path: [UInt8]) -> [[UInt8]: FileStamp] {
    let files = DirectoryWalk.files(under: path, include: { _ in true }).files
    var stamps: [[UInt8]: FileStamp] = [:]
    stamps.reserveCapacity(files.count)
    for file in files { stamps[file.path] = FileStamp(file.status) }
    return stamps
  }

  private func refuseOthers(_ paths: Set<[UInt8]>) throws(SlipboxError) {
    guard earlier != nil else { return }
    for path in paths where try call({ () throws(SystemError) in try folder.holds(path) }) {
      throw SlipboxError(
        .cannotCreate, "\(name)/\(path) exists and was not written by an export",
        hints: ["move it away, or use another folder"])
    }
  }

  private func writeList(_ paths: Set<[UInt8]>) throws(SlipboxError) {
    let bytes = ExportManifest(paths).bytes
    _ = try call { () throws(SystemError) in try folder.fill(ExportManifest.path, with: bytes) }
  }

  private static let partLength = 32

  private func write(_ files: ExportedFiles, _ progress: (Int) -> Void) throws(SlipboxError) -> ExportResult {
    let failure = FirstFailure()
    let starts = stride(from: 0, to: files.paths.count, by: Self.partLength)
    let parts = starts.map { $0..<min($0 + Self.partLength, files.paths.count) }
    var (result, done) = (ExportResult(), 0)
    concurrentStream(parts, ahead: 64) { part in
      var counts = ExportResult()
      for number in part where failure.error == nil {
        if !files.known.isEmpty, let stamp = files.known[number] {
          counts.unchanged += 1
          counts.stamps.append(stamp)
          continue
        }
        do throws(SlipboxError) {
          let isNew = try write(files, number)
          if isNew { counts.written += 1 } else { counts.unchanged += 1 }
          let status = (try? folder.status(files.paths[number])).flatMap { $0 }
          counts.stamps.append(status.map { FileStamp($0) })
        } catch {
          failure.set(error)
        }
      }
      return counts
    } _: { counts in
      result.written += counts.written
      result.unchanged += counts.unchanged
      result.stamps += counts.stamps
      done += counts.written + counts.unchanged
      progress(done)
    }
    if let error = failure.error { throw error }
    return result
  }

  private func write(_ files: ExportedFiles, _ number: Int) throws(SlipboxError) -> Bool {
    let bytes = try files.bytes(number)
    return try call { () throws(SystemError) in try folder.fill(files.paths[number], with: bytes) }
  }

  private func call<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(SlipboxError) -> Result {
    do throws(SystemError) {
      return try body()
    } catch {
      let kind: SlipboxError.Kind = error.code == SystemError.leavesBox ? .notPermitted : .cannotCreate
      throw SlipboxError(
        kind, "\(name)/\(error.path): \(error.operation) failed: \(error.reason)",
        hints: error.isFolder ? ["move the folder \(name)/\(error.path) away and export again"] : [])
    }
  }
}

/// The first failure of several threads.
package final class FirstFailure: Sendable {
  private let first = Mutex<SlipboxError?>(nil)

  package init() {}

  package var error: SlipboxError? { first.withLock { $0 } }

  package func set(_ error: SlipboxError) { first.withLock { $0 = $0 ?? error } }
}

/// The list of the files that exports have made in a folder: what is not in it is somebody else's.
///
/// A line that says what it is, then a path a line, ascending, with bytes outside of printable ASCII percent-encoded.
struct ExportManifest: Equatable {
  /// The file that holds it.
  static let path = Array(".slip-export".utf8)

  private static let heading = Array(
    "# Files that slip export made here; the next export removes those it makes no longer.".utf8)

  let paths: Set<[UInt8]>

  init(_ paths: Set<[UInt8]>) { self.paths = paths }

  /// Reads the file; nil where it is none of this form.
  ///
  /// Paths that can't be those of an export, such as `../x`, are left out.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard let first = lines.first, first.elementsEqual(Self.heading) else { return nil }
    let paths = lines.dropFirst().map { PercentEncoding.decoded($0) }
    self.init(Set(paths.filter { FileName.problem(in: $0) == nil }))
  }

  /// The bytes of the file.
  var bytes: [UInt8] {
    let lines = paths.sorted { ByteOrder.precedes($0, $1) }.map { Self.encoded($0) }
    return Array(([Self.heading] + lines).joined(separator: [UInt8(ascii: "\n")])) + [UInt8(ascii: "\n")]
  }

  private static func encoded(_ path: [UInt8]) -> [UInt8] {
    PercentEncoding.encoded(path) { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") }
  }
}

/// The files that one export makes.
package struct ExportedFiles: Sendable {
  /// Their paths in the folder, none twice.
  package let paths: [[UInt8]]
  /// The state in which the last export left the files whose bytes need not be made again; empty if none is known.
  let known: [FileStamp?]
  let bytes: @Sendable (_ number: Int) throws(SlipboxError) -> [UInt8]

  /// - Parameter bytes: the bytes of the file of a number; asked for on several threads.
  package init(
    _ paths: [[UInt8]], known: [FileStamp?] = [],
    bytes: @escaping @Sendable (_ number: Int) throws(SlipboxError) -> [UInt8]
  ) {
    self.paths = paths
    self.known = known
    self.bytes = bytes
  }
}

/// The files of a folder that an export has filled.
package struct ExportResult: Sendable, Equatable {
  /// Files that were made or hold other bytes now.
  package var written = 0
  /// Files that held the same bytes already.
  package var unchanged = 0
  /// Files of an earlier export that are made no longer.
  package var removed = 0
  /// The state of the files, by their numbers.
  package var stamps: [FileStamp?] = []

  package init(written: Int = 0, unchanged: Int = 0, removed: Int = 0) {
    self.written = written
    self.unchanged = unchanged
    self.removed = removed
  }
}

/// A file beside the caches of a box for the state of one export, which may be removed at any time.
package struct ExportCache: Sendable {
  private static let folder = Array("exports".utf8)
  /// So many exports are remembered, those that were made last.
  private static let most = 8

  private let box: Box
  private let path: [UInt8]

  /// - Parameter target: what the export writes: the absolute path of a folder, or the full name of a branch.
  package init(of target: [UInt8], in box: Box) {
    self.box = box
    let name = Array(ObjectID(ofBlob: target).hex.utf8)
    path = BytePath.join(BytePath.join(box.privateFolder, Self.folder), name)
  }

  /// The state; nil if none is kept.
  package func read() -> [UInt8]? { (try? Files.readIfPresent(path))??.bytes }

  /// Keeps a state, whose bytes come in parts. If that fails, the next export makes all files.
  package func write(_ parts: some Sequence<[UInt8]>) {
    let folder = BytePath.folder(of: path)
    try? box.makePrivateFolder()
    try? Files.makeDirectory(folder)
    try? Files.replaceCache(path, with: parts)
    removeOldest(in: folder)
  }

  /// Forgets the state.
  package func remove() { try? Files.remove(path) }

  private func removeOldest(in folder: [UInt8]) {
    let paths = ((try? Files.list(folder)) ?? []).map { BytePath.join(folder, $0) }
    guard paths.count > Self.most else { return }
    let dated = paths.compactMap { path in
      ((try? Files.status(path)) ?? nil).map { (path: path, time: $0.modified.sinceEpoch) }
    }
    for old in dated.sorted(by: { $0.time > $1.time }).dropFirst(Self.most) { try? Files.remove(old.path) }
  }
}
