import Git
import NoteIndex
import Notes
import Platform

/// Puts a snapshot together of an earlier one and of what has changed since.
struct CatalogueFolding {
  private let box: Slipbox
  private let kept: KeptCatalogue?
  private let changes: TableChanges
  private let recent: [[UInt8]: NoteFile]

  init(_ box: Slipbox, _ kept: KeptCatalogue?, _ changes: TableChanges, _ findings: FileFindings) {
    self.box = box
    self.kept = kept
    self.changes = changes
    recent = findings.recent
  }

  /// The bytes of the new snapshot, its number, and whether ignore rules hold.
  ///
  /// - Complexity: O(n log n).
  func snapshot() throws(SlipboxError) -> (bytes: [UInt8], generation: UInt64, hasIgnoreRules: Bool) {
    let times = try box.noteTimes()
    let tableBytes = (kept?.table ?? .empty).applying(changes)
    let fixed = FixedBytes(tableBytes)
    let table = FileTable(fixed.bytes) ?? .empty
    var files: [SnapshotWriter.File] = []
    files.reserveCapacity(table.count)
    var (special, undated, datedByFile) = ([Int](), 0, 0)
    for row in 0..<table.count {
      let path = table.path(of: row)
      var file = self.file(path)
      if let document = file.document, document.isUndated {
        let created = times.created(undated: path, table.stamp(of: row))
        undated += 1
        if !times.isInHistory(path) { datedByFile += 1 }
        file = file.dated(created)
      }
      if file.document == nil || file.verdict != .note { special.append(row) }
      files.append(file)
    }
    withExtendedLifetime(fixed) {}
    let sources = IgnoreSources(of: box, known: kept?.circumstances.sources)
    let circumstances = Circumstances(
      prefix: box.prefix, tip: try box.tip(), sources: sources,
      hasIgnoreRules: sources.hasRules || !changes.ignoreFiles.isEmpty, undatedCount: undated,
      areDatedByHistory: datedByFile == 0, specialRows: special)
    let generation = UInt64.random(in: 1 ... .max)
    let bytes = SnapshotWriter.bytes(
      generation: generation, table: tableBytes, files: files, tags: [], circumstances: circumstances.bytes)
    return (bytes, generation, circumstances.hasIgnoreRules)
  }

  /// What is known of the file at a path.
  private func file(_ path: [UInt8]) -> SnapshotWriter.File {
    if let file = recent[path] { return file.forSnapshot }
    guard let kept, let row = kept.table.row(of: path) else {
      return SnapshotWriter.File(content: ContentID([]), verdict: .note, document: nil)
    }
    let snapshot = kept.snapshot
    return SnapshotWriter.File(
      content: snapshot.content(ofFile: row), verdict: snapshot.verdict(ofFile: row),
      document: snapshot.document(ofFile: row).flatMap { number in
        guard let record = snapshot.recordBytes(ofDocument: number) else { return nil }
        return SnapshotWriter.Document(
          record: Array(record), path: path, key: snapshot.key(ofDocument: number),
          isUndated: snapshot.isUndated(number))
      })
  }
}

extension SnapshotWriter.File {
  fileprivate func dated(_ created: Timestamp) -> SnapshotWriter.File {
    guard let document else { return self }
    return SnapshotWriter.File(
      content: content, verdict: verdict,
      document: SnapshotWriter.Document(
        record: document.record, path: document.path, key: EntryKey(created: created, id: document.key.id),
        isUndated: true))
  }
}
