import Bytes
import Notes
import Testing

@testable import NoteIndex

@Suite struct SnapshotTests {
  /// Notes in the order of their paths, some without an id, some made at the same second.
  static let notes: [Note] = (0..<500).map { number in
    let ids = NoteID(number: UInt64(number) &* 7_919 % 25_600_000_000)
    let day = 1 + number % 28
    let id = number % 5 == 0 ? "" : "id: \(ids)\n"
    let created = "created: 2026-01-\(day < 10 ? "0" : "")\(day)T10:00:00+01:00\n"
    let text =
      "---\n\(id)title: Note \(number)\n\(number % 3 == 0 ? "" : created)tags: [t\(number % 7)]\n---\nBody \(number)\n"
    return Note(path: Array("\(1_000 + number).md".utf8), text: NoteText(Array(text.utf8)))
  }

  static let entries = notes.map {
    Entry(note: $0, created: $0.created ?? Timestamp(seconds: 5, offsetSeconds: 0))
  }

  static func snapshotBytes(_ entries: [Entry]) -> [UInt8] {
    let files = entries.map { entry in
      CatalogueFileWriter.File(
        content: ContentID(entry.note.path + [UInt8](repeating: 9, count: 12)), verdict: .note,
        document: CatalogueFileWriter.Document(
          record: NoteSummary.bytes(of: entry.note), path: entry.note.path, key: EntryKey(entry),
          isUndated: entry.note.created == nil))
    }
    let builder = TextIndexBuilders()
    builder.fill(from: 0) { builder in
      for (row, entry) in entries.enumerated() {
        builder.begin(row)
        builder.add(entry.note)
      }
    }
    return Array(
      CatalogueFileWriter.parts(
        generation: 42, table: ByteSlice(copying: Array("table".utf8)), files: files,
        texts: builder.index(documents: entries.count), circumstances: [1, 2, 3]
      ).joined())
  }

  static func stored(_ entries: [Entry], _ held: ByteSlice) throws -> StoredEntries {
    let snapshot = try #require(CatalogueFile(held))
    let texts = Dictionary(uniqueKeysWithValues: entries.map { ($0.note.path, $0.note.head.bytes) })
    return StoredEntries(
      snapshot, pathOfFile: { entries[$0].note.path }, read: { texts[entries[$0].note.path] ?? [] },
      kind: { note, _ in note.kind })
  }

  @Test func givesBackWhatWasPutIn() throws {
    let held = ByteSlice(copying: Self.snapshotBytes(Self.entries))
    let snapshot = try #require(CatalogueFile(held))
    #expect(snapshot.generation == 42 && snapshot.circumstances == [1, 2, 3])
    #expect(snapshot.facts?.tags.sorted() == (0..<7).map { "t\($0)" })
    #expect([UInt8](snapshot.table.bytes) == Array("table".utf8))
    #expect(snapshot.fileCount == 500 && snapshot.documentCount == 500)
    let plain = Catalogue(Self.entries)
    let stored = Catalogue(try Self.stored(Self.entries, held), hiding: [], adding: [])
    #expect(stored.entries.map(\.note.path) == plain.entries.map(\.note.path))
    #expect(stored.entries.map(\.created) == plain.entries.map(\.created))
    #expect(stored.entries.map(\.note.title) == plain.entries.map(\.note.title))
    for entry in Self.entries {
      guard let id = entry.note.id else { continue }
      #expect(stored.entry(id: id)?.note.path == entry.note.path)
      #expect(stored.shortestPrefix(of: id) == plain.shortestPrefix(of: id))
      let found = snapshot.documents(idBeginning: Array(id.bytes.prefix(3)))
      #expect(found.contains { snapshot.key(ofDocument: $0).id == id })
    }
  }

  @Test func recentEntriesStandWhereTheyBelong() throws {
    var random = SplitMix64(seed: 71)
    for _ in 0..<12 {
      let held = ByteSlice(copying: Self.snapshotBytes(Self.entries))
      let stored = try Self.stored(Self.entries, held)
      let hidden = Set(
        (0..<Int.random(in: 0...60, using: &random)).map { _ in Int.random(in: 0..<500, using: &random) })
      let recent = (0..<Int.random(in: 0...60, using: &random)).map { number in
        let entry = Self.entries[Int.random(in: 0..<500, using: &random)]
        return Entry(
          note: Note(path: Array("new-\(number).md".utf8), text: entry.note.head), created: entry.created)
      }
      let merged = Catalogue(stored, hiding: hidden, adding: recent)
      let left = (0..<stored.count).filter { !hidden.contains($0) }.map { stored.entry($0) }
      let plain = Catalogue(left + recent)
      #expect(merged.entries.map(\.note.path) == plain.entries.map(\.note.path))
      #expect(merged.entries.indices.map { merged.entries.path(at: $0) } == plain.entries.map(\.note.path))
      #expect(merged.entries.indices.map { merged.entries.key(at: $0) } == plain.entries.map { EntryKey($0) })
    }
  }

  @Test func damageIsFoundOrHarmless() throws {
    let bytes = Self.snapshotBytes(Self.entries)
    var random = SplitMix64(seed: 72)
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        damaged[Int.random(in: damaged.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        damaged.removeLast(Int.random(in: 0...damaged.count, using: &random))
      }
      let held = ByteSlice(copying: damaged)
      guard CatalogueFile(held) != nil else { continue }
      let catalogue = Catalogue(try Self.stored(Self.entries, held), hiding: [], adding: [])
      // Records that were damaged are read from the files: nobody sees a difference.
      let sample = (0..<20).map { _ in Int.random(in: 0..<500, using: &random) }
      let plain = Catalogue(Self.entries)
      for place in sample { #expect(catalogue.entries[place].note.title == plain.entries[place].note.title) }
    }
  }
}
