import Bytes
import Git
import NoteIndex
import Notes
import Platform
import Text

/// The files that were read since the snapshot was written: a cache beside it to which commands append.
///
/// A header with the generation of its snapshot is followed by frames, each with its length and its checksum. The next
/// append truncates an incomplete frame that a killed command left at the end.
struct CatalogueLog: Sendable {
  private static let magic = Array("sliplog\u{4}".utf8)
  private static let headerLength = 17
  private static let frameHeader = 12

  let generation: UInt64
  /// Whether there are any ignore rules in the box.
  let hasIgnoreRules: Bool
  /// The files by their paths; if several have one path, the last.
  let files: [[UInt8]: NoteFile]
  /// The number of valid bytes of the file.
  let length: Int

  /// Parses a log; nil if the bytes are not a log.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard let header = Self.header(bytes) else { return nil }
    var files: [[UInt8]: NoteFile] = [:]
    let end = Self.forEachFrame(bytes) { frame in
      var unpacker = ByteUnpacker(frame)
      while !unpacker.isAtEnd, let file = NoteFile(&unpacker) { files[file.path] = file }
    }
    generation = header.generation
    hasIgnoreRules = header.hasIgnoreRules
    self.files = files
    length = end
  }

  /// Returns a log without files.
  static func empty(generation: UInt64, hasIgnoreRules: Bool) -> [UInt8] {
    var bytes = magic
    for shift in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: generation >> (8 * UInt64(shift)))) }
    bytes.append(hasIgnoreRules ? 1 : 0)
    return bytes
  }

  /// Returns the generation of the snapshot that a log belongs to, and whether there are ignore rules.
  static func header(_ bytes: UnsafeRawBufferPointer) -> (generation: UInt64, hasIgnoreRules: Bool)? {
    guard bytes.count >= headerLength, bytes[..<magic.count].elementsEqual(magic) else { return nil }
    let generation = bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self).littleEndian
    return (generation, bytes[16] != 0)
  }

  /// Returns a frame with files.
  static func frame(_ files: [NoteFile]) -> [UInt8] {
    var packer = BytePacker()
    for file in files { file.pack(into: &packer) }
    let sum = packer.bytes.withUnsafeBytes { Checksum.of($0) }
    var frame: [UInt8] = []
    for shift in 0..<4 { frame.append(UInt8(truncatingIfNeeded: packer.bytes.count >> (8 * shift))) }
    for shift in 0..<8 { frame.append(UInt8(truncatingIfNeeded: sum >> (8 * UInt64(shift)))) }
    return frame + packer.bytes
  }

  /// Returns the number of valid bytes of a log.
  static func soundLength(_ bytes: UnsafeRawBufferPointer) -> Int { forEachFrame(bytes) { _ in } }

  /// Calls the body with every frame; returns the end of the last one.
  private static func forEachFrame(
    _ bytes: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Void
  ) -> Int {
    var offset = headerLength
    while bytes.count - offset >= frameHeader {
      let length = Int(bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self).littleEndian)
      let sum = bytes.loadUnaligned(fromByteOffset: offset + 4, as: UInt64.self).littleEndian
      let start = offset + frameHeader
      guard length <= bytes.count - start else { break }
      let frame = UnsafeRawBufferPointer(rebasing: bytes[start..<start + length])
      guard Checksum.of(frame) == sum else { break }
      body(frame)
      offset = start + length
    }
    return offset
  }
}

extension NoteFile {
  fileprivate func pack(into packer: inout BytePacker) {
    packer.append(path)
    packer.append(signed: stamp.size)
    packer.append(signed: stamp.modified)
    packer.append(signed: stamp.changed)
    packer.append(signed: Int64(bitPattern: stamp.inode))
    packer.append((isRacy ? 1 : 0) | (verdict == .note ? 0 : 2) | (note == nil ? 0 : 4))
    packer.append(content.bytes)
    guard let note else { return }
    packer.append(note.record)
    packer.append(signed: note.key.created.seconds)
    packer.append(signed: Int64(note.key.created.offsetSeconds))
    packer.append((note.isUndated ? 1 : 0) | note.key.created.milliseconds << 1)
    packer.append(note.key.id?.bytes ?? [])
  }

  fileprivate init?(_ unpacker: inout ByteUnpacker) {
    guard let path = unpacker.array(), let size = unpacker.signed(),
      let modified = unpacker.signed(), let changed = unpacker.signed(), let inode = unpacker.signed(),
      let flags = unpacker.number(), let content = unpacker.bytes()
    else { return nil }
    self.path = path
    stamp = FileStamp(size: size, modified: modified, changed: changed, inode: UInt64(bitPattern: inode))
    isRacy = flags & 1 != 0
    verdict = flags & 2 == 0 ? .note : .onlyIfTracked
    self.content = ContentID(content)
    guard flags & 4 != 0 else {
      note = nil
      return
    }
    guard let record = unpacker.array(), let seconds = unpacker.signed(),
      let offset = unpacker.signed(), let dating = unpacker.number(), let id = unpacker.array()
    else { return nil }
    let created = Timestamp(seconds: seconds, offsetSeconds: Int(offset), milliseconds: Int(dating >> 1))
    note = Kept(
      record: record, key: EntryKey(created: created, id: NoteID(bytes: id)), isUndated: dating & 1 != 0)
  }
}

/// Compacts an earlier snapshot and the changes since into a new snapshot.
struct CatalogueFolding {
  private let box: Box
  private let times: NoteTimes
  private let kept: KeptCatalogue?
  private let changes: TableChanges
  private let recent: NoteFiles
  private let texts: TextIndexBuilders?
  private let sources: IgnoreSources

  /// - Parameter sources: the sources of the ignore rules by which the files were judged.
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

  /// Returns the bytes of the new snapshot in pieces, its generation, and whether there are ignore rules.
  ///
  /// - Complexity: O(n log n).
  func snapshot() throws(SlipboxError) -> (
    parts: CatalogueFileParts, generation: UInt64, hasIgnoreRules: Bool
  ) {
    // If all files were read again, the index comes first, because nothing takes as much memory. The rows are then the
    // files that were found.
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

  /// Returns the index of the earlier snapshot under the new rows, with the words of the files that have changed since.
  ///
  /// - Throws: `.configuration` if the index of the snapshot is damaged, which is then removed; `.busy` if a file that
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
          // The words must be those of the record: another program may be writing the file now.
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

  /// Returns the cached record of the file at a path.
  private func file(_ path: [UInt8]) -> CatalogueFileWriter.File {
    if let file = recent[path] { return file.forSnapshot }
    guard let kept, let row = kept.table.row(of: path) else {
      return CatalogueFileWriter.File(content: ContentID([]), verdict: .note, document: nil)
    }
    let snapshot = kept.snapshot
    return CatalogueFileWriter.File(
      content: snapshot.content(ofFile: row), verdict: snapshot.verdict(ofFile: row),
      document: snapshot.document(ofFile: row).flatMap { number in
        guard let record = snapshot.record(ofDocument: number) else { return nil }
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
