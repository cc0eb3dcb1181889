import Bytes
package import Git
import NoteIndex
import Notes
import Platform
import Synchronization
import Text

/// Creates snapshots of commits. Facts are read from the cached catalogue by content id, other blobs from git; nothing is
/// checked out.
package struct CommitReader: Sendable {
  private let box: Box
  private let context: CommandContext

  package init(_ box: Box, _ context: CommandContext) {
    self.box = box
    self.context = context
  }

  /// Returns the box at a commit, with the settings and kinds of that commit.
  ///
  /// - Parameter isLenient: whether the default settings are used if the settings can't be read.
  /// - Throws: `.configuration` if its settings can't be read, `.notFound` if there is no such commit.
  package func snapshot(of commit: ObjectID, isLenient: Bool = false) throws(SlipboxError) -> BoxSnapshot {
    try snapshot(of: commit, sharing: nil, isLenient: isLenient)
  }

  /// Returns the box at a commit; it may share the notes of other commits.
  func snapshot(
    of commit: ObjectID, sharing shared: SharedNotes?, isLenient: Bool = false
  ) throws(SlipboxError) -> BoxSnapshot {
    let bytes = try box.bytes(at: Settings.boxFile, in: commit)
    let settings = try Settings.ofBox(bytes, isLenient: isLenient)
    return BoxSnapshot(
      box, .commit(commit), settings: settings, context, textFailures: shared?.textFailures ?? TextFailures()
    ) { [self] (snapshot) throws(SlipboxError) in .commit(try notes(of: snapshot, shared)) }
  }

  private func notes(of snapshot: BoxSnapshot, _ shared: SharedNotes?) throws(SlipboxError) -> CommitNotes {
    let kept = snapshot.keptCatalogue()
    let files = try noteFiles(of: snapshot)
    let (hidden, added) = matched(files, kept)
    // If no cached document is left, no merge with the cached catalogue is necessary.
    let shown = kept.flatMap { hidden.count < $0.snapshot.documentCount ? $0 : nil }
    let making = CatalogueMaking(snapshot, kept)
    let known = shared?.entries(of: added, making) ?? (entries: [], missing: added)
    let read = try BlobNotes(snapshot, making, kept).entries(of: known.missing)
    shared?.keep(read.entries, of: known.missing)
    let notes = try CatalogueMaking(snapshot, shown).notes(
      hiding: hidden, adding: known.entries + read.entries, redating: true)
    return CommitNotes(notes: notes, unreadable: read.unreadable, kept: shown, files: files)
  }

  /// Returns the files of the commit that are notes, by path. Symbolic links name notes that have their own path.
  private func noteFiles(of snapshot: BoxSnapshot) throws(SlipboxError) -> [CommitNotes.File] {
    let all = try snapshot.committedFiles().files()
    let excluded = box.excluded
    var files: [CommitNotes.File] = []
    var links: [(path: [UInt8], id: ObjectID)] = []
    for file in all {
      let path = Array(file.path.dropFirst(box.prefix.count))
      guard FileName.isNote(path), !FileName.isHidden(path), !excluded.covers(path) else { continue }
      if file.mode == TreeEntry.symbolicLink {
        links.append((path, file.id))
      } else {
        files.append(CommitNotes.File(path: path, content: ContentID(file.id.bytes)))
      }
    }
    guard !links.isEmpty else { return files }
    var known = Set(files.map(\.path))
    for link in links {
      let target = BytePath.join(BytePath.folder(of: link.path), try box.stored(link.id))
      guard let path = BytePath.normalised(target), !FileName.isHidden(path), !known.contains(path),
        !excluded.covers(path),
        let file = try snapshot.committedFiles().file(path), file.mode != TreeEntry.symbolicLink
      else { continue }
      known.insert(path)
      files.append(CommitNotes.File(path: path, content: ContentID(file.id.bytes)))
    }
    return files.sorted { $0.path.lexicographicallyPrecedes($1.path) }
  }

  /// Returns the cached documents that the commit does not have, and the files without a cached document.
  private func matched(
    _ files: [CommitNotes.File], _ kept: KeptCatalogue?
  ) -> (hidden: Set<Int>, added: [CommitNotes.File]) {
    guard let kept else { return ([], files) }
    var hidden: Set<Int> = []
    var added: [CommitNotes.File] = []
    var next = 0
    for row in 0..<kept.table.count {
      guard let document = kept.snapshot.document(ofFile: row) else { continue }
      let path = kept.table.path(of: row)
      while next < files.count, files[next].path.lexicographicallyPrecedes(path) {
        added.append(files[next])
        next += 1
      }
      guard next < files.count, files[next].path == path else {
        hidden.insert(document)
        continue
      }
      if files[next].content != kept.snapshot.content(ofFile: row) {
        hidden.insert(document)
        added.append(files[next])
      }
      next += 1
    }
    return (hidden, added + files[next...])
  }
}

/// The notes of a commit.
struct CommitNotes: Sendable {
  /// A note's file: its path in the box and the id of its blob.
  struct File: Sendable {
    let path: [UInt8]
    let content: ContentID
  }

  let notes: ListedNotes
  /// The notes whose blobs could not be read.
  let unreadable: [UnreadableNote]
  /// The cached catalogue whose documents the stored entries use; nil if there is none.
  let kept: KeptCatalogue?
  /// The files of all notes, by path.
  let files: [File]

  /// Returns the content id of a note's file; nil if there is none.
  /// - Complexity: O(log n).
  func content(of path: [UInt8]) -> ContentID? {
    var (low, high) = (0, files.count)
    while low < high {
      let middle = (low + high) / 2
      if files[middle].path.lexicographicallyPrecedes(path) { low = middle + 1 } else { high = middle }
    }
    return low < files.count && files[low].path == path ? files[low].content : nil
  }
}

/// A cache of the notes of the commits that were read before: unchanged ones are reused for the next commit.
///
/// It has the last note of each path.
final class SharedNotes: Sendable {
  private struct Known {
    let content: ContentID
    let note: Note
  }

  /// The failures of all texts: a shared note has the source of the snapshot that created it.
  let textFailures = TextFailures()
  private let notes = Mutex<[[UInt8]: Known]>([:])

  /// Returns the note of a file, if the last one at its path had the same content.
  func note(at path: [UInt8], _ content: ContentID) -> Note? {
    notes.withLock { notes in
      guard let known = notes[path], known.content == content else { return nil }
      return known.note
    }
  }

  /// Stores the note of a file in place of an older one at its path.
  func keep(_ note: Note, _ content: ContentID) {
    notes.withLock { $0[note.path] = Known(content: content, note: note) }
  }
}

extension SharedNotes {
  /// Returns the entries of those files whose notes are known, and the remaining files.
  func entries(
    of files: [CommitNotes.File], _ making: CatalogueMaking
  ) -> (entries: [Entry], missing: [CommitNotes.File]) {
    var entries: [Entry] = []
    var missing: [CommitNotes.File] = []
    for file in files {
      if let note = note(at: file.path, file.content) {
        entries.append(making.entry(of: note))
      } else {
        missing.append(file)
      }
    }
    return (entries, missing)
  }

  /// Stores the notes of files that were read.
  func keep(_ entries: [Entry], of files: [CommitNotes.File]) {
    let contents = Dictionary(files.map { ($0.path, $0.content) }, uniquingKeysWith: { first, _ in first })
    for entry in entries {
      if let content = contents[entry.note.path] { keep(entry.note, content) }
    }
  }
}

/// Builds the entries of files whose contents are git blobs: from cached records, otherwise by reading the blobs.
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

  /// The location of the record of a content.
  private enum Record: Sendable {
    case document(Int)
    case kept(ByteSlice)
    case made([UInt8])
    case unreadable(SlipboxError)
    case stored(StoredForm)
  }

  /// Returns the entries of some files, in their order, and the files that can't be read.
  ///
  /// Blobs without a cached record are read on several threads, and their records are cached for later commands.
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
    case .kept(let slice): known = NoteSummary(slice.bytes)
    case .made(let bytes): known = NoteSummary(bytes.span.bytes)
    }
    if let known { return known }
    // A damaged record is harmless: the blob itself exists.
    guard case .made(let made) = Self.record(of: file, box) else { return nil }
    return NoteSummary(made.span.bytes)
  }

  /// Reads a file, and returns its record.
  private static func record(of file: CommitNotes.File, _ box: Box) -> Record {
    guard let id = ObjectID(bytes: file.content.bytes) else {
      return .unreadable(SlipboxError(.inputOutput, "an empty file"))
    }
    do throws(SlipboxError) {
      let bytes = try box.contentBesideOthers(of: id, at: file.path)
      if let form = box.storedForm(in: bytes, of: file.path, isInWorkTree: false) { return .stored(form) }
      // No part of a record depends on the path.
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
      // Content behind a filter stays out of the cache. If git can't say whether a filter applies, so does the content.
      if case .made(let bytes) = record, (try? box.isFiltered(files[place].path)) == false {
        new.append((files[place].content, bytes))
      }
    }
    cache.keep(new)
    return records.compactMap { $0 }
  }

  /// Searches for the contents in the cached catalogue, and among the files that were read since.
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

  /// The number of blobs that one thread reads in sequence.
  private static let runLength = 16

  /// Reads blobs on several threads, in the order in which they are stored in packs.
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
