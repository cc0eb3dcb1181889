import Bytes
import Git
import NoteIndex
import Notes
import Platform

/// Puts a snapshot together of an earlier one and of what has changed since.
struct CatalogueFolding {
  private let box: Box
  private let times: NoteTimes
  private let kept: KeptCatalogue?
  private let changes: TableChanges
  private let recent: NoteFiles
  private let texts: TextIndexBuilders?
  private let sources: IgnoreSources

  /// - Parameter sources: what the ignore rules by which the files were judged followed from.
  init(
    _ box: Box, _ times: NoteTimes, _ kept: KeptCatalogue?, _ changes: TableChanges, _ findings: FileFindings,
    _ sources: IgnoreSources
  ) {
    self.box = box
    self.times = times
    self.kept = kept
    self.changes = changes
    recent = findings.recent
    texts = findings.texts
    self.sources = sources
  }

  /// The bytes of the new snapshot in pieces, its number, and whether ignore rules hold.
  ///
  /// - Complexity: O(n log n).
  func snapshot() throws(SlipboxError) -> (
    parts: CatalogueFileParts, generation: UInt64, hasIgnoreRules: Bool
  ) {
    // First where all was read anew, for nothing takes as much memory; the rows are then the files that were found.
    if texts != nil { Memory.giveBack() }
    var words = texts?.index(
      documents: changes.added.count, executor: executor, onRelease: Memory.giveBack)
    let tableBytes = ByteSlice(copying: (kept?.table ?? .empty).applying(changes))
    let table = FileTable(tableBytes) ?? .empty
    if words == nil { words = try mergedTexts(table) }
    var files: [CatalogueFileWriter.File] = []
    files.reserveCapacity(table.count)
    var (special, copies, undated, datedByFile) = ([Int](), [Int](), 0, 0)
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
      if file.document != nil, ConflictCopy.mayBeOne(path) { copies.append(row) }
      files.append(file)
    }
    let conditions = CatalogueConditions(
      prefix: box.prefix, tip: undated > 0 ? times.tip : try box.tip(), sources: sources,
      hasIgnoreRules: sources.hasRules || !changes.ignoreFiles.isEmpty, undatedCount: undated,
      areDatedByHistory: datedByFile == 0, specialRows: special, copyRows: copies)
    let generation = UInt64.random(in: 1 ... .max)
    let parts = CatalogueFileWriter.parts(
      generation: generation, table: tableBytes, files: files, texts: words ?? [],
      circumstances: conditions.bytes)
    return (parts, generation, conditions.hasIgnoreRules)
  }

  private var executor: ParallelExecutor { { stretches, work in _ = concurrentMap(stretches, work) } }

  /// The index of the earlier snapshot under the new rows, with the words of the files that have changed since.
  ///
  /// - Throws: `.configuration` where that of the snapshot is damaged, which is gone then; `.busy` where a file that
  ///   was just read can't be read again: its words would never be found.
  private func mergedTexts(_ table: FileTable) throws(SlipboxError) -> [UInt8] {
    guard let kept, let old = kept.snapshot.texts else { return [] }
    var numbers = [UInt32](repeating: RenumberedIndex.leftOut, count: old.documentCount)
    var changed: [(row: Int, path: [UInt8], content: ContentID)] = []
    for row in 0..<table.count {
      let path = table.path(of: row)
      if let file = recent[path] {
        if file.note != nil { changed.append((row, path, file.content)) }
      } else if let known = kept.table.row(of: path), known < numbers.count {
        numbers[known] = UInt32(row)
      }
    }
    let builders = TextIndexBuilders()
    let folder = box.folder
    let starts = stride(from: 0, to: changed.count, by: 64)
    let areRead = concurrentMap(starts.map { changed[$0..<min($0 + 64, changed.count)] }) { run in
      var isRead = true
      builders.fill(from: run.first?.row ?? 0) { builder in
        for (row, path, content) in run {
          // The words have to be those of the record: the file may be written this very moment.
          guard let file = try? folder.read(path, limit: nil),
            ContentID(ObjectID(ofBlob: file.bytes).bytes) == content
          else {
            isRead = false
            continue
          }
          builder.begin(row)
          builder.add(Note(path: path, text: NoteText(file.bytes)))
        }
      }
      return isRead
    }
    guard areRead.allSatisfy({ $0 }) else {
      throw SlipboxError(.busy, "a note could not be read; the next command compacts the index")
    }
    let words = ByteSlice(copying: builders.index(documents: table.count))
    var own = [UInt32](repeating: RenumberedIndex.leftOut, count: table.count)
    for (row, _, _) in changed { own[row] = UInt32(row) }
    do throws(DamagedBytes) {
      let new = try TextIndex(words)
      return try TextIndex.merged(
        [RenumberedIndex(old, numbers: numbers), RenumberedIndex(new, numbers: own)],
        documents: table.count, executor: executor)
    } catch {
      CatalogueCache(box).removeDamaged()
      throw SlipboxError(
        .configuration, "the index of the box was corrupt; the next command rebuilds it")
    }
  }

  /// What is known of the file at a path.
  private func file(_ path: [UInt8]) -> CatalogueFileWriter.File {
    if let file = recent[path] { return file.forSnapshot }
    guard let kept, let row = kept.table.row(of: path) else {
      return CatalogueFileWriter.File(content: ContentID([]), verdict: .note, document: nil)
    }
    let snapshot = kept.snapshot
    return CatalogueFileWriter.File(
      content: snapshot.content(ofFile: row), verdict: snapshot.verdict(ofFile: row),
      document: snapshot.document(ofFile: row).flatMap { number in
        guard let record = snapshot.summaryBytes(ofDocument: number) else { return nil }
        return CatalogueFileWriter.Document(
          record: Array(record), path: path, key: snapshot.key(ofDocument: number),
          isUndated: snapshot.isUndated(number))
      })
  }
}

extension CatalogueFileWriter.File {
  fileprivate func dated(_ created: Timestamp) -> CatalogueFileWriter.File {
    guard let document else { return self }
    return CatalogueFileWriter.File(
      content: content, verdict: verdict,
      document: CatalogueFileWriter.Document(
        record: document.record, path: document.path, key: EntryKey(created: created, id: document.key.id),
        isUndated: true))
  }
}
