import Git
import NoteIndex
import Notes
import Platform

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

  /// Opens what is kept for a box; nil where nothing is, or where it does not hold any more.
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

  /// The latest creation date in a second; nil where no note that is known was made in it.
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
    let key = TagPath.key(tag)
    let isKnown = { (other: String) in TagPath.lineage(of: other).contains { TagPath.key($0) == key } }
    return (snapshot.facts?.tags.contains(where: isKnown) ?? false)
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
