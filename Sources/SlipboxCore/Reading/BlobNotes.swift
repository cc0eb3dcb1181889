import Bytes
import Git
import NoteIndex
import Notes
import Platform
import Text

/// Makes entries of files whose contents are blobs of git's: from what is kept of them, else by reading them.
struct BlobNotes {
  private let box: Box
  private let reporter: Reporter
  private let making: CatalogueMaking
  private let kept: KeptCatalogue?

  init(_ snapshot: BoxSnapshot, _ making: CatalogueMaking, _ kept: KeptCatalogue?) {
    box = snapshot.box
    reporter = snapshot.reporter
    self.making = making
    self.kept = kept
  }

  /// Where the record of a content is.
  private enum Record: Sendable {
    case document(Int)
    case kept(ByteSlice)
    case made([UInt8])
    case unreadable(SlipboxError)
    case stored(StoredForm)
  }

  /// The entries of some files, in their order, and the files that can't be read.
  ///
  /// Blobs of which nothing is kept are read on several threads, and their records kept for later commands.
  /// - Throws: `.unavailable` if a partial clone left blobs at its remote and they can't be fetched.
  func entries(
    of files: [CommitNotes.File]
  ) throws(SlipboxError) -> (entries: [Entry], unreadable: [UnreadableNote]) {
    let records = records(of: files)
    var unreadable: [UnreadableNote] = []
    for (file, record) in zip(files, records) {
      switch record {
      case .unreadable(let reason):
        if reason.kind == .unavailable { throw reason }
        unreadable.append(UnreadableNote(path: file.path, cause: .failure(reason.message.description)))
      case .stored(let form): unreadable.append(UnreadableNote(path: file.path, cause: .stored(form)))
      case .document, .kept, .made: break
      }
    }
    let made = concurrentMap(Array(files.indices)) { [box, making, kept] place -> Entry? in
      Self.summary(records[place], of: files[place], box, kept).map { summary in
        making.entry(at: files[place].path, summary, files[place].content)
      }
    }
    return (made.compactMap { $0 }, unreadable)
  }

  private static func summary(
    _ record: Record, of file: CommitNotes.File, _ box: Box, _ kept: KeptCatalogue?
  ) -> NoteSummary? {
    let known: NoteSummary?
    switch record {
    case .unreadable, .stored: return nil
    case .document(let number): known = kept?.snapshot.summary(ofDocument: number)
    case .kept(let slice): known = slice.withBytes { NoteSummary($0) }
    case .made(let bytes): known = bytes.withUnsafeBytes { NoteSummary($0) }
    }
    if let known { return known }
    // A damaged record is no loss: the blob itself is there.
    guard case .made(let made) = Self.record(of: file, box) else { return nil }
    return made.withUnsafeBytes { NoteSummary($0) }
  }

  /// The record of a file, which is read.
  private static func record(of file: CommitNotes.File, _ box: Box) -> Record {
    guard let id = ObjectID(bytes: file.content.bytes) else {
      return .unreadable(SlipboxError(.inputOutput, "an empty file"))
    }
    do throws(SlipboxError) {
      let bytes = try box.contentBesideOthers(of: id, at: file.path)
      if let form = box.storedForm(in: bytes, of: file.path, isInWorkTree: false) { return .stored(form) }
      // No part of a record follows from the path.
      return .made(NoteSummary.bytes(of: Note(path: [], text: NoteText(bytes))))
    } catch {
      return .unreadable(error)
    }
  }

  private func records(of files: [CommitNotes.File]) -> [Record] {
    var records = [Record?](repeating: nil, count: files.count)
    findInCatalogue(files, &records)
    var missing = files.indices.filter { records[$0] == nil }
    guard missing.count > 0 else { return records.compactMap { $0 } }
    let cache = PastRecordsCache(box)
    if missing.count >= PastRecordsCache.fewest, let past = cache.records() {
      for (place, record) in zip(missing, past.records(of: missing.map { files[$0].content })) {
        records[place] = record.map { .kept($0) }
      }
      missing = missing.filter { records[$0] == nil }
    }
    let made = read(missing.map { files[$0] })
    var new: [(content: ContentID, record: [UInt8])] = []
    for (place, record) in zip(missing, made) {
      records[place] = record
      // What a filter hides stays out of the cache. Where git can't say whether one does, so does the rest.
      if case .made(let bytes) = record, (try? box.isFiltered(files[place].path)) == false {
        new.append((files[place].content, bytes))
      }
    }
    cache.keep(new)
    return records.compactMap { $0 }
  }

  /// Looks for the contents in the kept catalogue, and among the files that were read since.
  private func findInCatalogue(_ files: [CommitNotes.File], _ records: inout [Record?]) {
    guard let kept else { return }
    let places = Dictionary(grouping: files.indices) { files[$0].content }
    let take = { (content: ContentID, record: Record, records: inout [Record?]) in
      for place in places[content] ?? [] { records[place] = record }
    }
    for row in 0..<kept.table.count {
      let content = kept.snapshot.content(ofFile: row)
      guard places[content] != nil, let document = kept.snapshot.document(ofFile: row) else { continue }
      take(content, .document(document), &records)
    }
    for file in kept.recent.values {
      guard let note = file.note else { continue }
      take(file.content, .made(note.record), &records)
    }
  }

  /// So many blobs are read one after another by one thread.
  private static let runLength = 16

  /// Reads blobs on several threads, in the order in which they lie in packs.
  private func read(_ files: [CommitNotes.File]) -> [Record] {
    guard !files.isEmpty else { return [] }
    let ids = files.map { ObjectID(bytes: $0.content.bytes) ?? .zero }
    let order = box.withRepository { $0.readingOrder(of: ids) }
    let runs = stride(from: 0, to: order.count, by: Self.runLength).map {
      order[$0..<min($0 + Self.runLength, order.count)]
    }
    let progress = ReadingProgress(of: files.count, reporter)
    let read: @Sendable (ArraySlice<Int>) -> [Record] = { [box] run in
      defer { progress.advance(by: run.count) }
      return run.map { Self.record(of: files[$0], box) }
    }
    var records = [Record](repeating: .made([]), count: files.count)
    let results = concurrentMap(runs, chunk: 1, read)
    for (run, made) in zip(runs, results) {
      for (place, record) in zip(run, made) { records[place] = record }
    }
    return records
  }
}
