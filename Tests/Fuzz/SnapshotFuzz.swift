// Takes a snapshot and a log that are sound, scribbles over them, mends their checksums, so that the damage gets past
// them, and asks for all that is in them: nothing traps, and everything ends.
import Bytes

@testable import NoteIndex
@testable import Notes
@testable import Platform
@testable import SlipboxCore

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ data: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  guard count > 1 else { return 0 }
  let rest = UnsafeBufferPointer(start: data + 1, count: count - 1)
  switch data[0] & 3 {
  case 0: checkSnapshot(Checksums.mended(snapshot: Scribbling(rest).applied(to: sound.snapshot)))
  case 1: checkLog(Checksums.mended(log: Scribbling(rest).applied(to: sound.log)))
  case 2: checkSnapshot(Checksums.mended(snapshot: Array(sound.snapshot.prefix(256)) + rest))
  default: checkLog(Checksums.mended(log: Array(sound.log.prefix(29)) + rest))
  }
  return 0
}

/// What the bytes of an input do to others: each change is a place, a kind and up to eight bytes.
struct Scribbling {
  private var rest: UnsafeBufferPointer<UInt8>.SubSequence

  init(_ bytes: UnsafeBufferPointer<UInt8>) { rest = bytes[...] }

  private mutating func next() -> Int { rest.popFirst().map { Int($0) } ?? 0 }

  func applied(to sound: [UInt8]) -> [UInt8] {
    var (changes, bytes) = (self, sound)
    while !changes.rest.isEmpty, !bytes.isEmpty {
      let place = (changes.next() << 8 | changes.next()) % bytes.count
      let (kind, length) = (changes.next(), 1 + changes.next() % 8)
      let end = min(place + length, bytes.count)
      let new = (0..<length).map { _ in UInt8(changes.next()) }
      switch kind % 4 {
      case 0, 1: bytes.replaceSubrange(place..<end, with: new.prefix(end - place))
      case 2: bytes.removeSubrange(place..<end)
      default: bytes.insert(contentsOf: new, at: place)
      }
    }
    return bytes
  }
}

/// Makes checksums fit, so that readers take the bytes for those that were written.
enum Checksums {
  static func mended(snapshot: [UInt8]) -> [UInt8] {
    let headerLength = CatalogueFileLayout.headerLength
    guard snapshot.count >= headerLength else { return snapshot }
    // The sums of the sound snapshot stand where they stood, unless bytes came or went before them.
    let body = Array(snapshot[headerLength...])
    var sums: [UInt8] = []
    for start in stride(from: 0, to: body.count, by: CatalogueFileLayout.blockLength) {
      let block = body[start..<min(start + CatalogueFileLayout.blockLength, body.count)]
      sums.append(little: Array(block).withUnsafeBytes { Checksum.of($0) })
    }
    var header = Array(snapshot[..<headerLength])
    header.put(UInt64(headerLength + body.count + sums.count), at: CatalogueFileLayout.Header.length)
    header.put(UInt64(headerLength + body.count), at: CatalogueFileLayout.Header.sumsOffset)
    header.put(sums.withUnsafeBytes { Checksum.of($0) }, at: CatalogueFileLayout.Header.sumsChecksum)
    header.replaceSubrange(..<CatalogueFileLayout.magic.count, with: CatalogueFileLayout.magic)
    header.put(CatalogueFileLayout.version, at: CatalogueFileLayout.Header.version)
    let summed = Array(header[CatalogueFileLayout.Header.length...])
    header.put(summed.withUnsafeBytes { Checksum.of($0) }, at: CatalogueFileLayout.Header.checksum)
    return header + body + sums
  }

  /// A length that is too large takes what is left.
  static func mended(log: [UInt8]) -> [UInt8] {
    var log = log
    var start = 17
    while log.count - start >= 12 {
      var length = (0..<4).reduce(0) { $0 | Int(log[start + $1]) << (8 * $1) }
      length = min(length, log.count - start - 12)
      log.put(UInt32(length), at: start)
      let frame = Array(log[(start + 12)..<(start + 12 + length)])
      log.put(frame.withUnsafeBytes { Checksum.of($0) }, at: start + 4)
      start += 12 + length
    }
    return log
  }
}

extension [UInt8] {
  fileprivate mutating func put(_ number: some FixedWidthInteger, at place: Int) {
    Swift.withUnsafeBytes(of: number.littleEndian) {
      replaceSubrange(place..<(place + $0.count), with: Array($0))
    }
  }
}

/// A box with its snapshot and its log.
struct Sound: Sendable {
  let root: [UInt8]
  let snapshot: [UInt8]
  let log: [UInt8]
  let paths: [[UInt8]]

  init() {
    let root = BytePath.join(Files.currentDirectory(), Array("box".utf8))
    let names = ["a.md", "b.md", "sub/c.md", "sub/d e.md", "sub/deeper/f.md", "ü.md"]
    let paths = names.map { Array($0.utf8) }
    for (number, path) in paths.enumerated() {
      let folder = path.lastIndex(of: 0x2F).map { BytePath.join(root, Array(path[..<$0])) }
      try? Files.makeDirectory(folder ?? root)
      try? Files.write(Array(Self.text(number).utf8), to: BytePath.join(root, path))
    }
    try? Files.write(Array("x\n".utf8), to: BytePath.join(root, Array("sub/.gitignore".utf8)))
    let changes = DirectoryWalk.changes(under: root, since: .empty, include: { FileName.isNote($0) })
    let table = FileTable.empty.applying(changes)
    let files = changes.added.map { found in
      let bytes = (try? Files.read(BytePath.join(root, found.path), limit: 1 << 20)) ?? []
      return NoteFile(
        path: found.path, bytes: bytes, stamp: FileStamp(found.status), isRacy: false, verdict: .note)
    }
    let conditions = CatalogueConditions(
      prefix: Array("deep/".utf8), tip: nil, sources: Self.sources, hasIgnoreRules: true, undatedCount: 1,
      areDatedByHistory: false, specialRows: [0, 2], copyRows: [])
    self.root = root
    self.paths = paths
    snapshot = Array(
      CatalogueFileWriter.parts(
        generation: 1, table: ByteSlice(copying: table), files: files.map(\.forSnapshot),
        texts: Self.index(of: paths),
        circumstances: conditions.bytes
      ).joined())
    log =
      CatalogueLog.empty(generation: 1, hasIgnoreRules: true) + CatalogueLog.frame(files)
      + CatalogueLog.frame(Array(files.prefix(2)))
  }

  fileprivate static var sources: IgnoreSources {
    var packer = BytePacker()
    packer.append(signed: 1)
    packer.append(signed: 2)
    packer.append(1)
    packer.append(1)
    packer.append(Array("/tmp/rules".utf8))
    let bytes = packer.bytes
    let sources = bytes.withUnsafeBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      return IgnoreSources(&unpacker)
    }
    guard let sources else { fatalError("sources of rules that were packed can't be read") }
    return sources
  }

  /// The index of the words; damage to it is a target of its own, here its rows need not be those of the files.
  private static func index(of paths: [[UInt8]]) -> [UInt8] {
    let builders = TextIndexBuilders()
    builders.fill(from: 0) { builder in
      for (number, path) in paths.enumerated() {
        builder.begin(number)
        builder.add(Note(path: path, text: NoteText(Array(text(number).utf8))))
      }
    }
    return builders.index(documents: paths.count)
  }

  private static func text(_ number: Int) -> String {
    "---\nid: kqzmvtr\(Array("pqrstv")[number])\ntitle: Note \(number)\n"
      + (number % 2 == 0 ? "created: 2026-01-05T09:30:00+01:00\n" : "")
      + "tags: [a, b]\naliases: [c]\nmore: {x: y}\n---\nBody #inline [[a]]\n"
  }
}

private let sound = Sound()
private let clock = ClockReading(now: Timestamp(seconds: 1_795_000_000, offsetSeconds: 3600)) { _ in 3600 }

private func checkSnapshot(_ bytes: [UInt8]) {
  guard let snapshot = CatalogueFile(ByteSlice(copying: bytes)) else { return }
  _ = (snapshot.facts?.tags, snapshot.circumstances, snapshot.documents(idBeginning: Array("kq".utf8)))
  for row in 0..<snapshot.fileCount {
    _ = (snapshot.content(ofFile: row), snapshot.verdict(ofFile: row), snapshot.document(ofFile: row))
  }
  for number in 0..<snapshot.documentCount {
    let file = snapshot.file(ofDocument: number)
    guard 0..<snapshot.fileCount ~= file else { fatalError("a document in no file") }
    _ = (snapshot.key(ofDocument: number), snapshot.isUndated(number), snapshot.summary(ofDocument: number))
  }
  guard let kept = KeptCatalogue(snapshot, recent: [:], Sound.sources) else { return }
  checkTable(kept.table)
  check(kept)
}

private func check(_ kept: KeptCatalogue) {
  for path in sound.paths { _ = kept.holds(path) }
  if let id = NoteID("kqzmvtrp") { _ = (kept.mayHold(id), kept.paths(of: id)) }
  let stored = StoredEntries(
    kept.snapshot, pathOfFile: { kept.table.path(of: $0) }, read: { _ in [] }, kind: { note, _ in note.kind })
  let other = Entry(
    note: Note(path: sound.paths[0], text: NoteText(Array("# A\n".utf8))),
    created: Timestamp(seconds: 1_767_000_000, offsetSeconds: 0))
  for catalogue in [
    Catalogue(stored, hiding: [], adding: []), Catalogue(stored, hiding: [0, 3], adding: [other, other]),
  ] {
    for words in ["inline", "no*"] {
      guard let query = try? Query.parse([words], clock: clock) else {
        fatalError("a plain query is refused")
      }
      _ = catalogue.search(query, modified: { _ in clock.now }).map(\.score)
    }
    for place in catalogue.entries.indices {
      let entry = catalogue.entries[place]
      let note = entry.note
      _ = (
        note.title, note.tags, note.aliases, note.frontMatter.fields.count, note.textOrEmpty.bytes,
        note.links.count
      )
      _ = (
        catalogue.entries.key(at: place), catalogue.entries.path(at: place), catalogue.entry(path: note.path)
      )
      if let id = note.id { _ = (catalogue.entry(id: id), catalogue.shortestPrefix(of: id)) }
    }
  }
}

private func checkTable(_ table: FileTable) {
  for row in 0..<table.count {
    let path = table.path(of: row)
    _ = (table.stamp(of: row), table.isRacy(row), table.row(of: path), table.position(of: path))
  }
  for path in sound.paths { _ = table.row(of: path) }
  let changes = DirectoryWalk.changes(under: sound.root, since: table, include: { FileName.isNote($0) })
  _ = FileTable(ByteSlice(copying: table.applying(changes))).map { $0.folders.count }
}

private func checkLog(_ bytes: [UInt8]) {
  bytes.withUnsafeBytes { bytes in
    let length = CatalogueLog.soundLength(bytes)
    guard let log = CatalogueLog(bytes) else { return }
    guard log.length == length, length <= bytes.count else { fatalError("a log is longer than its bytes") }
    for file in log.files.values {
      _ = (file.path, file.content, file.stamp.modificationTime, file.note?.key.created.seconds)
      guard let record = file.note?.record.withUnsafeBytes({ NoteSummary($0.bytes) }) else { continue }
      let note = record.note(at: file.path, text: TextSource { [UInt8]() })
      _ = (note.title, note.tags, note.aliases, note.frontMatter.fields.count, note.textOrEmpty.bytes)
    }
  }
}
