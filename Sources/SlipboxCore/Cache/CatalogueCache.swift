import Bytes
import Git
import NoteIndex
import Notes
import Platform

/// The files in which the catalogue of a box is kept, for all commands.
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
  /// What was read since.
  var logFile: [UInt8] { BytePath.join(folder, Array("catalogue.log".utf8)) }
  /// What earlier versions kept beside it, and nothing reads.
  private static let formerCaches = ["path-times", "path-history"]
  /// Held while either is written.
  private var keepingLock: [UInt8] { BytePath.join(folder, Array("catalogue.lock".utf8)) }

  /// Keeps a snapshot for later commands, with an empty log; if that can't be, nothing happens.
  ///
  /// - Returns: the file that it is kept in; nil if it is not.
  func keep(_ snapshot: CatalogueFileParts, generation: UInt64, hasIgnoreRules: Bool) -> ByteSlice? {
    guard let lock = keepingLockOrNil() else { return nil }
    defer { withExtendedLifetime(lock) {} }
    // If they can't be removed they take up room, and no more.
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

  /// Adds files to the log of a snapshot; if that can't be, nothing happens.
  ///
  /// - Returns: how long the log is then, in bytes; nil if nothing was added.
  func keep(_ files: [NoteFile], generation: UInt64) -> Int? {
    guard !files.isEmpty, let lock = keepingLockOrNil() else { return nil }
    defer { withExtendedLifetime(lock) {} }
    let log = logBytes()
    guard log.withUnsafeBytes({ CatalogueLog.header($0) })?.generation == generation else { return nil }
    let end = log.withUnsafeBytes { CatalogueLog.soundLength($0) }
    return try? Files.appendToCache(logFile, CatalogueLog.frame(files), at: end)
  }

  /// Drops what is kept of the notes, because it is damaged.
  func removeDamaged() {
    // If that fails, the next command finds the damage again.
    try? Files.remove(snapshotFile)
  }

  /// Adds files to the log of a snapshot, and makes the log where a command was killed before it could.
  func keep(_ files: [NoteFile], of kept: KeptCatalogue) -> Int? {
    let generation = kept.snapshot.generation
    if let length = keep(files, generation: generation) { return length }
    guard !files.isEmpty, keptSnapshot()?.generation != generation, let lock = keepingLockOrNil() else {
      return nil
    }
    defer { withExtendedLifetime(lock) {} }
    // If another command has made a snapshot meanwhile, the log is its own.
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

  /// The bytes of the snapshot, mapped; nil if there is none that can be read.
  func snapshotBytes() -> ByteSlice? {
    // A cache that can't be read is one that is not there.
    (try? Files.map(snapshotFile))?.bytes.slice
  }

  /// Whether a snapshot is kept, by its log: its number and whether ignore rules hold.
  func keptSnapshot() -> (generation: UInt64, hasIgnoreRules: Bool)? {
    logBytes().withUnsafeBytes { CatalogueLog.header($0) }
  }

  /// The bytes of the log, none if there is none: read, not mapped, for another command may shorten the file.
  func logBytes() -> [UInt8] { (try? Files.read(logFile, limit: 1 << 30)) ?? [] }

  private func keepingLockOrNil() -> FileLock? {
    try? box.makePrivateFolder()
    return try? FileLock.acquire(keepingLock, timeoutMilliseconds: 0)
  }
}

extension CatalogueCache {
  /// More files than this are left for the next command to read.
  private static let mostKeptChanges = 1_000
  /// Above this many bytes of log, a whole snapshot is made where nobody waits for it.
  static let longestLog = 1 << 20

  /// Lets later commands know the notes of a change without reading all of the box again.
  ///
  /// - Complexity: linear in what has changed; nothing of the box itself is looked at.
  /// - Returns: whether the log has grown so long that it is worth folding.
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
      // Written this very moment: an edit that follows at once might leave the same stamp.
      files.append(
        NoteFile(
          path: change.path, bytes: bytes, stamp: FileStamp(status), isRacy: true,
          verdict: isIgnored ? .onlyIfTracked : .note))
    }
    return keep(files, generation: kept.generation).map { $0 > Self.longestLog } ?? false
  }
}

/// The catalogue as earlier commands kept it: a snapshot, and a log of the files that were read since.
///
/// Only a cache. It lies in the git directory and may be removed at any time.
struct KeptCatalogue: Sendable {
  let snapshot: CatalogueFile
  let table: FileTable
  let conditions: CatalogueConditions
  /// The files that were read since the snapshot was made.
  let recent: [[UInt8]: NoteFile]
  /// What the ignore rules followed from when the snapshot was opened.
  let sources: IgnoreSources

  /// Opens what is kept for a box; nil if nothing is, or where it does not hold any more.
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
  /// Whether a note had an id when it was last looked at.
  func mayHold(_ id: NoteID) -> Bool { !paths(of: id).isEmpty }

  /// The latest creation date in a second; nil if no note that is known was made in it.
  ///
  /// - Complexity: O(log n), and O(k) in the files that were read since the snapshot was made.
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

  /// Whether a note bore a tag, or one below it, when it was last looked at.
  func mayKnow(tag: String) -> Bool {
    let key = TagName.key(tag)
    let isKnown = { (other: String) in TagName.lineage(of: other).contains { TagName.key($0) == key } }
    return (snapshot.facts?.tags.contains(where: isKnown) ?? false)
      || recent.values.contains { $0.note?.tags.contains(where: isKnown) ?? false }
  }

  /// Whether a tag is spelled with capitals in some note.
  func mayHaveCapitals(tag: String) -> Bool {
    let key = TagName.key(tag)
    let isOther = { (other: String) in
      other.contains(where: \.isUppercase) && TagName.lineage(of: other).contains { TagName.key($0) == key }
    }
    return (snapshot.facts?.tags.contains(where: isOther) ?? false)
      || recent.values.contains { $0.note?.tags.contains(where: isOther) ?? false }
  }

  /// Whether there was a note at a path, whatever git and its rules say of it.
  func holds(_ path: [UInt8]) -> Bool {
    if let file = recent[path] { return file.note != nil && file.verdict == .note }
    guard let row = table.row(of: path) else { return false }
    return snapshot.document(ofFile: row) != nil && snapshot.verdict(ofFile: row) == .note
  }

  /// The paths of the notes that had an id when they were last looked at.
  func paths(of id: NoteID) -> Set<[UInt8]> {
    let stored = snapshot.documents(idBeginning: id.bytes).map {
      table.path(of: snapshot.file(ofDocument: $0))
    }
    return Set(stored + recent.values.filter { $0.note?.key.id == id }.map(\.path))
  }
}
