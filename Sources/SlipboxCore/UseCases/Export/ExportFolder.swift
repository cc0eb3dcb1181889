package import Bytes
import Git
import Notes
package import Platform
import Synchronization
import Text

/// A folder that exports fill with files: it keeps a list of them, and touches nothing else.
package struct ExportFolder: Sendable {
  private let folder: BoxFolder
  /// The path for messages.
  private let name: Phrase
  /// The list of the files of earlier exports, not read; nil if there was none.
  private let list: [UInt8]?
  private let computedEarlier = Computed<ExportManifest?, SlipboxError>()
  /// Held while the folder is open; nil if the file system knows no locks.
  private let lock: FileLock?

  /// Opens a folder, or creates it if it is missing.
  ///
  /// - Parameter path: absolute, or relative to the working directory.
  /// - Throws: `.cannotCreate` if it has files of other programs; those of a repository and of its host may be there.
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
      self.list = list.flatMap { ExportManifest.isOne($0.bytes) ? $0.bytes : nil }
    } catch {
      throw SlipboxError(.cannotCreate, "\(name) can't be used for the export: \(error.reason)")
    }
    let others = names.filter { !Self.mayBeThere.contains(String(decoding: $0, as: UTF8.self)) }
    if list == nil, let other = others.first {
      throw SlipboxError(
        .cannotCreate, "\(name) holds other files, such as \(other); nothing was written",
        hints: ["use a new or empty folder, or the folder of an earlier export"])
    }
  }

  /// A checksum of the list of the files of earlier exports; 0 without one.
  package var listSum: UInt64 { list.map { $0.withUnsafeBytes { Checksum.of($0) } } ?? 0 }

  /// The files of earlier exports; nil if there was none.
  private var earlier: ExportManifest? {
    // Reading the list does not throw.
    (try? computedEarlier.value { () throws(SlipboxError) in list.flatMap { ExportManifest($0) } }) ?? nil
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

  /// The files that a site's folder may have before the first export: a repository, and settings of its host.
  private static let mayBeThere: Set<String> = [
    ".git", ".gitattributes", ".gitignore", ".github", ".gitlab-ci.yml", ".nojekyll", ".well-known",
    ".htaccess", ".DS_Store", ".domains", ".woodpecker.yml", ".forgejo", ".gitea",
  ]

  /// Writes the files whose bytes differ, then removes those of earlier exports that are no longer among them.
  ///
  /// The list is written first, with the old and the new files, so that an export which is interrupted leaves nothing
  /// that the next one does not know.
  /// - Parameter progress: receives how many files are done, from one thread.
  /// - Throws: `.cannotCreate` if a file that no export has made is in the way.
  package func fill(
    with files: ExportedFiles, progress: (_ done: Int) -> Void = { _ in }
  ) throws(SlipboxError) -> ExportResult {
    var list = list ?? []
    let changes: ExportedFiles.Changes
    if let known = files.changes, known.sum == listSum {
      changes = known
    } else {
      changes = self.changes(to: files.paths)
      list = ExportManifest.bytes(adding: Array(earlier?.paths ?? []))
    }
    var sum = listSum
    if !changes.added.isEmpty {
      try refuseOthers(changes.added)
      sum = try writeList(ExportManifest.bytes(of: list, adding: changes.added))
    }
    var result = try write(files, progress)
    for path in changes.removed.sorted(by: { ByteOrder.precedes($0, $1) }) {
      if try call({ () throws(SystemError) in try folder.discard(path) }) { result.removed += 1 }
    }
    if !changes.removed.isEmpty {
      sum = try writeList(
        ExportManifest.bytes(of: list, adding: changes.added, removing: changes.removed))
    }
    result.listSum = sum
    return result
  }

  private func changes(to paths: [[UInt8]]) -> ExportedFiles.Changes {
    let (old, new) = (earlier?.paths ?? [], Set(paths))
    return ExportedFiles.Changes(
      sum: listSum, added: Array(new.subtracting(old)), removed: Array(old.subtracting(new)))
  }

  private func refuseOthers(_ paths: [[UInt8]]) throws(SlipboxError) {
    guard list != nil else { return }
    for path in paths where try call({ () throws(SystemError) in try folder.holds(path) }) {
      throw SlipboxError(
        .cannotCreate, "\(name)/\(path) exists and was not written by an export",
        hints: ["move it away, or use another folder"])
    }
  }

  /// - Returns: the checksum of the list.
  private func writeList(_ bytes: [UInt8]) throws(SlipboxError) -> UInt64 {
    _ = try call { () throws(SystemError) in try folder.fill(ExportManifest.path, with: bytes) }
    return bytes.withUnsafeBytes { Checksum.of($0) }
  }

  private static let partLength = 32

  private func write(_ files: ExportedFiles, _ progress: (Int) -> Void) throws(SlipboxError) -> ExportResult {
    let failure = FirstFailure()
    let (count, known) = (files.paths.count, files.known)
    let numbers = files.paths.indices.filter { known.isEmpty || known[$0] == nil }
    let starts = stride(from: 0, to: numbers.count, by: Self.partLength)
    let parts = starts.map { numbers[$0..<min($0 + Self.partLength, numbers.count)] }
    var result = ExportResult(unchanged: count - numbers.count)
    result.stamps = known.isEmpty ? [FileStamp?](repeating: nil, count: count) : known
    var done = result.unchanged
    concurrentStream(parts, ahead: 64) { part in
      var counts = ExportResult()
      for number in part where failure.error == nil {
        do throws(SlipboxError) {
          let isNew = try write(files, number)
          if isNew { counts.written += 1 } else { counts.unchanged += 1 }
          let status = (try? folder.status(files.paths[number])).flatMap { $0 }
          counts.stamps.append(status.map { FileStamp($0) })
        } catch {
          failure.set(error)
        }
      }
      return (part, counts)
    } _: { part, counts in
      result.written += counts.written
      result.unchanged += counts.unchanged
      for (number, stamp) in zip(part, counts.stamps) { result.stamps[number] = stamp }
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

/// The list of the files that exports have written into a folder: other files belong to the user.
///
/// A header line, then a path a line, ascending, with bytes outside of printable ASCII percent-encoded.
struct ExportManifest: Equatable {
  /// The file that holds it.
  static let path = Array(".slip-export".utf8)

  private static let heading = Array(
    "# Files that slip export made here; the next export removes those it makes no longer.".utf8)

  let paths: Set<[UInt8]>

  init(_ paths: Set<[UInt8]>) { self.paths = paths }

  /// Whether the bytes of a file are of this form.
  static func isOne(_ bytes: [UInt8]) -> Bool {
    bytes.drop { $0 == UInt8(ascii: "\n") }.prefix { $0 != UInt8(ascii: "\n") }.elementsEqual(heading)
  }

  /// Reads the file; nil if it does not have this form.
  ///
  /// Paths that can't be those of an export, such as `../x`, are left out.
  init?(_ bytes: [UInt8]) {
    guard Self.isOne(bytes) else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    let paths = lines.dropFirst().map { PercentEncoding.decoded($0) }
    self.init(Set(paths.filter { FileName.problem(in: $0) == nil }))
  }

  /// The bytes of a list with other paths.
  ///
  /// - Parameter list: as it was written; none if there is no list yet.
  /// - Complexity: O(n), and O(m log n) in the other paths.
  static func bytes(
    of list: [UInt8] = [], adding added: [[UInt8]], removing removed: [[UInt8]] = []
  ) -> [UInt8] {
    let lines = list.split(separator: UInt8(ascii: "\n")).dropFirst()
    let place = { (path: [UInt8]) -> Int in
      var (low, high) = (lines.startIndex, lines.endIndex)
      while low < high {
        let middle = (low + high) / 2
        if ByteOrder.precedes(PercentEncoding.decoded(lines[middle]), path) {
          low = middle + 1
        } else {
          high = middle
        }
      }
      return low
    }
    let gone = Set(removed.map(encoded))
    let new = added.sorted { ByteOrder.precedes($0, $1) }.map { (place: place($0), line: encoded($0)) }
    var (bytes, next) = (heading + [UInt8(ascii: "\n")], 0)
    bytes.reserveCapacity(list.count + new.reduce(0) { $0 + $1.line.count + 1 })
    for (index, line) in zip(lines.indices, lines) {
      while next < new.count, new[next].place <= index {
        if !line.elementsEqual(new[next].line) { bytes += new[next].line + [UInt8(ascii: "\n")] }
        next += 1
      }
      if !gone.isEmpty, gone.contains(Array(line)) { continue }
      bytes += line
      bytes.append(UInt8(ascii: "\n"))
    }
    for (_, line) in new[next...] { bytes += line + [UInt8(ascii: "\n")] }
    return bytes
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
  /// The other paths than those of the last export; nil if they are not known.
  let changes: Changes?
  let bytes: @Sendable (_ number: Int) throws(SlipboxError) -> [UInt8]

  /// The paths of files that differ from those of the last export.
  package struct Changes: Sendable {
    /// The checksum of the list that the last export left.
    let sum: UInt64
    let added: [[UInt8]]
    let removed: [[UInt8]]

    package init(sum: UInt64, added: [[UInt8]], removed: [[UInt8]]) {
      (self.sum, self.added, self.removed) = (sum, added, removed)
    }
  }

  /// - Parameter bytes: the bytes of the file of a number; called on several threads.
  package init(
    _ paths: [[UInt8]], known: [FileStamp?] = [], changes: Changes? = nil,
    bytes: @escaping @Sendable (_ number: Int) throws(SlipboxError) -> [UInt8]
  ) {
    self.changes = changes
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
  /// A checksum of the list of the files; 0 without a list.
  package var listSum: UInt64 = 0

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

  /// - Parameter target: the target of the export: the absolute path of a folder, or the full name of a branch.
  package init(of target: [UInt8], in box: Box) {
    self.box = box
    let name = Array(ObjectID(ofBlob: target).hex.utf8)
    path = BytePath.join(BytePath.join(box.privateFolder, Self.folder), name)
  }

  /// The state, mapped; nil if none is kept.
  package func bytes() -> ByteSlice? { (try? Files.map(path))?.bytes.slice }

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
