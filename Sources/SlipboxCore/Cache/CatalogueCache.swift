import Bytes
import Git
import NoteIndex
import Notes
import Platform

/// The files in which the catalogue of a box is cached, for all commands.
struct CatalogueCache: Sendable {
  private let box: Box
  private let folder: [UInt8]

  init(_ box: Box) {
    self.box = box
    folder = box.privateFolder
  }
}

extension CatalogueCache {
  /// The snapshot of the catalogue.
  var snapshotFile: [UInt8] { BytePath.join(folder, Array("catalogue".utf8)) }
  /// The log of the files that were read since the snapshot.
  var logFile: [UInt8] { BytePath.join(folder, Array("catalogue.log".utf8)) }
  /// The cache files of earlier versions in the same folder, which are not read any more.
  private static let formerCaches = ["path-times", "path-history"]
  /// The lock that is held while either is written.
  private var keepingLock: [UInt8] { BytePath.join(folder, Array("catalogue.lock".utf8)) }

  /// Stores a snapshot for later commands, with an empty log. A failure has no effect.
  ///
  /// - Returns: the bytes of the file in which it is stored; nil if it is not.
  func keep(_ snapshot: CatalogueFileParts, generation: UInt64, hasIgnoreRules: Bool) -> ByteSlice? {
    guard let lock = keepingLockOrNil() else { return nil }
    defer { withExtendedLifetime(lock) {} }
    // If they can't be removed, they only take up space.
    for name in Self.formerCaches { try? Files.remove(BytePath.join(folder, Array(name.utf8))) }
    do throws(SystemError) {
      try Files.replaceCache(snapshotFile, with: snapshot)
    } catch {
      return nil
    }
    try? Files.replaceCache(
      logFile, with: [CatalogueLog.empty(generation: generation, hasIgnoreRules: hasIgnoreRules)])
    return snapshotBytes()
  }

  /// Appends files to the log of a snapshot. A failure has no effect.
  ///
  /// - Returns: the new length of the log, in bytes; nil if nothing was appended.
  func keep(_ files: [NoteFile], generation: UInt64) -> Int? {
    guard !files.isEmpty, let lock = keepingLockOrNil() else { return nil }
    defer { withExtendedLifetime(lock) {} }
    let log = logBytes()
    guard log.withUnsafeBytes({ CatalogueLog.header($0) })?.generation == generation else { return nil }
    let end = log.withUnsafeBytes { CatalogueLog.soundLength($0) }
    return try? Files.appendToCache(logFile, CatalogueLog.frame(files), at: end)
  }

  /// Removes the snapshot of the catalogue, because it is damaged.
  func removeDamaged() {
    // If that fails, the next command finds the damage again.
    try? Files.remove(snapshotFile)
  }

  /// Appends files to the log of a snapshot, and creates the log if a command was killed before it could.
  func keep(_ files: [NoteFile], of kept: KeptCatalogue) -> Int? {
    let generation = kept.snapshot.generation
    if let length = keep(files, generation: generation) { return length }
    guard !files.isEmpty, keptSnapshot()?.generation != generation, let lock = keepingLockOrNil() else {
      return nil
    }
    defer { withExtendedLifetime(lock) {} }
    // If another command has written a snapshot meanwhile, the log belongs to that one.
    guard let bytes = snapshotBytes(),
      bytes.withBytes({ CatalogueFile.generation(of: $0) }) == generation
    else {
      return nil
    }
    let empty = CatalogueLog.empty(
      generation: generation, hasIgnoreRules: kept.conditions.hasIgnoreRules)
    try? Files.replaceCache(logFile, with: [empty, CatalogueLog.frame(files)])
    return nil
  }

  /// Returns the mapped bytes of the snapshot; nil if there is none that can be read.
  func snapshotBytes() -> ByteSlice? {
    // A cache that can't be read counts as missing.
    (try? Files.map(snapshotFile))?.bytes.slice
  }

  /// Returns the header of the log if a snapshot is cached: the generation of the snapshot and whether there are ignore
  /// rules.
  func keptSnapshot() -> (generation: UInt64, hasIgnoreRules: Bool)? {
    logBytes().withUnsafeBytes { CatalogueLog.header($0) }
  }

  /// Returns the bytes of the log; empty if there is none. They are read, not mapped, because another command may shorten
  /// the file.
  func logBytes() -> [UInt8] { (try? Files.read(logFile, limit: 1 << 30)) ?? [] }

  private func keepingLockOrNil() -> FileLock? {
    try? box.makePrivateFolder()
    return try? FileLock.acquire(keepingLock, timeoutMilliseconds: 0)
  }
}

extension CatalogueCache {
  /// The maximum number of changed files that are cached; the next command reads larger changes.
  private static let mostKeptChanges = 1_000
  /// The length of the log in bytes above which a whole snapshot is written in the background.
  static let longestLog = 1 << 20

  /// Stores the changed notes, so that later commands need not read the whole box again.
  ///
  /// - Complexity: linear in the changes; no file of the box itself is read.
  /// - Returns: whether the log is long enough for a compaction.
  func keepNotes(of changes: [FileChange], in box: Box) -> Bool {
    guard changes.count <= Self.mostKeptChanges, let kept = keptSnapshot() else { return false }
    let excluded = box.excluded
    var files: [NoteFile] = []
    for change in changes where FileName.isNote(change.path) {
      guard let bytes = change.after,  // A file that went away again is read by the next command.
        let status = try? box.folder.status(change.path), status.kind == .file,
        !excluded.covers(change.path),
        let isIgnored = kept.hasIgnoreRules ? try? box.isIgnored(change.path) : false
      else { continue }
      // The file was written just now: an immediate edit might leave the same stamp.
      files.append(
        NoteFile(
          path: change.path, bytes: bytes, stamp: FileStamp(status), isRacy: true,
          verdict: isIgnored ? .onlyIfTracked : .note))
    }
    return keep(files, generation: kept.generation).map { $0 > Self.longestLog } ?? false
  }
}

/// The catalogue as earlier commands cached it: a snapshot, and a log of the files that were read since.
///
/// Only a cache. It is in the git directory and may be removed at any time.
struct KeptCatalogue: Sendable {
  let snapshot: CatalogueFile
  let table: FileTable
  let conditions: CatalogueConditions
  /// The files that were read since the snapshot was written.
  let recent: [[UInt8]: NoteFile]
  /// The sources of the ignore rules when the snapshot was opened.
  let sources: IgnoreSources

  /// Opens the cached catalogue of a box; nil if there is none, or if it is no longer valid.
  init?(of box: Box) {
    guard let bytes = CatalogueCache(box).snapshotBytes(), let snapshot = CatalogueFile(bytes) else {
      return nil
    }
    guard let conditions = CatalogueConditions(snapshot), conditions.prefix == box.prefix else { return nil }
    let sources = IgnoreSources(of: box, known: conditions.sources)
    guard sources.meansTheSame(as: conditions.sources) else { return nil }
    let log = CatalogueCache(box).logBytes().withUnsafeBytes { CatalogueLog($0) }
    self.init(
      snapshot, recent: log.flatMap { $0.generation == snapshot.generation ? $0.files : nil } ?? [:],
      sources)
  }

  init?(_ snapshot: CatalogueFile, recent: [[UInt8]: NoteFile], _ sources: IgnoreSources) {
    guard let table = FileTable(snapshot.table), table.count == snapshot.fileCount,
      let conditions = CatalogueConditions(snapshot)
    else { return nil }
    self.snapshot = snapshot
    self.table = table
    self.conditions = conditions
    self.recent = recent
    self.sources = sources
  }
}

extension KeptCatalogue {
  /// Whether words of a note at a path are kept, also those of an earlier version.
  func hasNote(at path: [UInt8]) -> Bool {
    if recent[path]?.note != nil { return true }
    return table.row(of: path).flatMap { snapshot.document(ofFile: $0) } != nil
  }

  /// Returns whether a note had an id when it was last read.
  func mayHold(_ id: NoteID) -> Bool { !paths(of: id).isEmpty }

  /// Returns the latest creation date in a second; nil if no known note was created in it.
  ///
  /// - Complexity: O(log n), and O(k) in the files that were read since the snapshot was written.
  func latest(inSecond second: Int64) -> Timestamp? {
    // Documents are in order, newest first.
    var (low, high) = (0, snapshot.documentCount)
    while low < high {
      let middle = (low + high) / 2
      if snapshot.key(ofDocument: middle).created.seconds > second { low = middle + 1 } else { high = middle }
    }
    let stored = low < snapshot.documentCount ? [snapshot.key(ofDocument: low).created] : []
    let all = stored + recent.values.compactMap { $0.note?.key.created }
    return all.filter { $0.seconds == second }.max { $0.milliseconds < $1.milliseconds }
  }

  /// Returns whether a note had a tag, or one below it, when it was last read.
  func mayKnow(tag: String) -> Bool {
    let key = TagName.key(tag)
    let isKnown = { (other: String) in TagName.lineage(of: other).contains { TagName.key($0) == key } }
    return (snapshot.facts?.tags.contains(where: isKnown) ?? false)
      || recent.values.contains { $0.note?.tags.contains(where: isKnown) ?? false }
  }

  /// Returns whether a tag is spelled with capitals in some note.
  func mayHaveCapitals(tag: String) -> Bool {
    let key = TagName.key(tag)
    let isOther = { (other: String) in
      other.contains(where: \.isUppercase) && TagName.lineage(of: other).contains { TagName.key($0) == key }
    }
    return (snapshot.facts?.tags.contains(where: isOther) ?? false)
      || recent.values.contains { $0.note?.tags.contains(where: isOther) ?? false }
  }

  /// Returns whether there was a note at a path, regardless of git and its rules.
  func holds(_ path: [UInt8]) -> Bool {
    if let file = recent[path] { return file.note != nil && file.verdict == .note }
    guard let row = table.row(of: path) else { return false }
    return snapshot.document(ofFile: row) != nil && snapshot.verdict(ofFile: row) == .note
  }

  /// Returns the paths of the notes that had an id when they were last read.
  func paths(of id: NoteID) -> Set<[UInt8]> {
    let stored = snapshot.documents(idBeginning: id.bytes).map {
      table.path(of: snapshot.file(ofDocument: $0))
    }
    return Set(stored + recent.values.filter { $0.note?.key.id == id }.map(\.path))
  }
}
