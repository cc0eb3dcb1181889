import Bytes
import NoteIndex
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

  /// Keeps a snapshot for later commands, with an empty log; where that can't be, nothing happens.
  ///
  /// - Returns: the file that it is kept in; nil where it is not.
  func keep(_ snapshot: CatalogueFileParts, generation: UInt64, hasIgnoreRules: Bool) -> ByteSlice? {
    guard let lock = keepingLockOrNil() else { return nil }
    defer { withExtendedLifetime(lock) {} }
    // Where they can't be removed they take up room, and no more.
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
  func removeDamaged() {
    // Where that fails, the next command finds the damage again.
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
    // Where another command has made a snapshot meanwhile, the log is its own.
    guard let bytes = snapshotBytes(), CatalogueFile.generation(of: bytes.memory) == generation else {
      return nil
    }
    let empty = CatalogueLog.empty(
      generation: generation, hasIgnoreRules: kept.conditions.hasIgnoreRules)
    try? Files.replaceCache(logFile, with: [empty, CatalogueLog.frame(files)])
    return nil
  }

  /// The bytes of the snapshot, mapped; nil where there is none that can be read.
  func snapshotBytes() -> ByteSlice? {
    // A cache that can't be read is one that is not there.
    (try? Files.map(snapshotFile))?.bytes.slice
  }

  /// Whether a snapshot is kept, by its log: its number and whether ignore rules hold.
  func keptSnapshot() -> (generation: UInt64, hasIgnoreRules: Bool)? {
    logBytes().withUnsafeBytes { CatalogueLog.header($0) }
  }

  /// The bytes of the log, none where there is none: read, not mapped, for another command may shorten the file.
  func logBytes() -> [UInt8] { (try? Files.read(logFile, limit: 1 << 30)) ?? [] }

  private func keepingLockOrNil() -> FileLock? {
    try? box.makePrivateFolder()
    return try? FileLock.acquire(keepingLock, timeoutMilliseconds: 0)
  }
}
