import Git
import NoteIndex
import Notes
import Platform

/// The catalogue as earlier commands kept it: a snapshot, and a log of the files that were read since.
///
/// Only a cache. It lies in the git directory and may be removed at any time.
struct KeptCatalogue {
  let snapshot: Snapshot
  let table: FileTable
  let circumstances: Circumstances
  /// The files that were read since the snapshot was made.
  let recent: [[UInt8]: NoteFile]
  /// What the ignore rules followed from when the snapshot was opened.
  let sources: IgnoreSources

  /// Opens what is kept for a box; nil where nothing is, or where it does not hold any more.
  init?(of box: Slipbox) {
    guard let file = MappedFile(box.snapshotFile), let snapshot = Snapshot(file.bytes, owner: file) else {
      return nil
    }
    guard let circumstances = Circumstances(snapshot), circumstances.prefix == box.prefix else { return nil }
    let sources = IgnoreSources(of: box, known: circumstances.sources)
    guard sources.meansTheSame(as: circumstances.sources) else { return nil }
    let log = box.logBytes().withUnsafeBytes { CatalogueLog($0) }
    self.init(
      snapshot, recent: log.flatMap { $0.generation == snapshot.generation ? $0.files : nil } ?? [:],
      sources)
  }

  init?(_ snapshot: Snapshot, recent: [[UInt8]: NoteFile], _ sources: IgnoreSources) {
    guard let table = FileTable(snapshot.table), table.count == snapshot.fileCount,
      let circumstances = Circumstances(snapshot)
    else { return nil }
    self.snapshot = snapshot
    self.table = table
    self.circumstances = circumstances
    self.recent = recent
    self.sources = sources
  }
}

extension KeptCatalogue {
  /// Whether a note had an id when it was last looked at.
  func mayHold(_ id: NoteID) -> Bool { !paths(of: id).isEmpty }

  /// Whether a note bore a tag, or one below it, when it was last looked at.
  func mayKnow(tag: String) -> Bool {
    let key = TagPath.key(tag)
    let isKnown = { (other: String) in TagPath.lineage(of: other).contains { TagPath.key($0) == key } }
    return snapshot.tags.contains(where: isKnown)
      || recent.values.contains { $0.note?.tags.contains(where: isKnown) ?? false }
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

extension Slipbox {
  /// The snapshot of the catalogue.
  var snapshotFile: [UInt8] { BytePath.join(stateFolder, Array("catalogue".utf8)) }
  /// What was read since.
  var logFile: [UInt8] { BytePath.join(stateFolder, Array("catalogue.log".utf8)) }
  /// Held while either is written.
  private var keepingLock: [UInt8] { BytePath.join(stateFolder, Array("catalogue.lock".utf8)) }

  /// Keeps a snapshot for later commands, with an empty log; where that can't be, nothing happens.
  ///
  /// - Returns: the file that it is kept in; nil where it is not.
  func keep(_ snapshot: [[UInt8]], generation: UInt64, hasIgnoreRules: Bool) -> MappedFile? {
    guard let lock = keepingLockOrNil() else { return nil }
    defer { withExtendedLifetime(lock) {} }
    do throws(SystemError) {
      try Files.replaceCache(snapshotFile, with: snapshot)
    } catch {
      return nil
    }
    try? Files.replaceCache(
      logFile, with: [CatalogueLog.empty(generation: generation, hasIgnoreRules: hasIgnoreRules)])
    return MappedFile(snapshotFile)
  }

  /// Adds files to the log of a snapshot; where that can't be, nothing happens.
  ///
  /// - Returns: how long the log is then, in bytes; nil where nothing was added.
  func keep(_ files: [NoteFile], generation: UInt64) -> Int? {
    guard !files.isEmpty, let lock = keepingLockOrNil() else { return nil }
    defer { withExtendedLifetime(lock) {} }
    let log = logBytes()
    guard log.withUnsafeBytes({ CatalogueLog.header($0) })?.generation == generation else { return nil }
    let end = log.withUnsafeBytes { CatalogueLog.soundLength($0) }
    return try? Files.appendToCache(logFile, CatalogueLog.frame(files), at: end)
  }

  /// Drops what is kept of the notes, because it is damaged.
  func forgetKept() { try? Files.remove(snapshotFile) }

  /// Adds files to the log of a snapshot, and makes the log where a command was killed before it could.
  func keep(_ files: [NoteFile], of kept: KeptCatalogue) -> Int? {
    let generation = kept.snapshot.generation
    if let length = keep(files, generation: generation) { return length }
    guard !files.isEmpty, keptSnapshot()?.generation != generation, let lock = keepingLockOrNil() else {
      return nil
    }
    defer { withExtendedLifetime(lock) {} }
    // Where another command has made a snapshot meanwhile, the log is its own.
    guard let file = MappedFile(snapshotFile), Snapshot.generation(of: file.bytes) == generation else {
      return nil
    }
    let empty = CatalogueLog.empty(
      generation: generation, hasIgnoreRules: kept.circumstances.hasIgnoreRules)
    try? Files.replaceCache(logFile, with: [empty, CatalogueLog.frame(files)])
    return nil
  }

  /// Puts what is kept of the notes together, so that later commands find it in one place.
  package func foldCatalogue() throws(SlipboxError) { try NoteStore.fold(self) }

  /// Whether a snapshot is kept, by its log: its number and whether ignore rules hold.
  func keptSnapshot() -> (generation: UInt64, hasIgnoreRules: Bool)? {
    logBytes().withUnsafeBytes { CatalogueLog.header($0) }
  }

  /// The bytes of the log, none where there is none: read, not mapped, for another command may shorten the file.
  fileprivate func logBytes() -> [UInt8] { (try? Files.read(logFile, limit: 1 << 30)) ?? [] }

  private func keepingLockOrNil() -> FileLock? {
    try? Files.makeDirectory(stateFolder)
    return try? FileLock.acquire(keepingLock, timeoutMilliseconds: 0)
  }
}
