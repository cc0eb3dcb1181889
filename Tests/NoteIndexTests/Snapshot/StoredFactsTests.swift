import Bytes
import Notes
import Testing

@testable import NoteIndex

/// Answers from the columns of facts, held against a look at every note.
@Suite struct StoredFactsTests {
  private static let kinds = [
    "kind: issue", "kind: ''", "Kind: issue", "kind: [a, b]", "kind: Büro", "", "kind: book",
  ]
  private static let tags = ["work", "Work", "work/clients", "caf\u{E9}", "cafe\u{301}", "CAFÉ", "cafe"]
  private static let fields = [
    "due: 2026-05-01", "Due: x", "conflicts: [a]", "status: closed", "author:", "autor/in: y", "ÜBER: z",
  ]

  private static func note(_ number: Int, _ random: inout SplitMix64) -> Note {
    let pick = IndexedQueryTests.picks
    var lines = pick(Int(random.next() % 4), fields, &random)
    lines.append(kinds[Int(random.next() % UInt64(kinds.count))])
    if random.next() % 4 > 0 { lines.append("title: \(pick(2, IndexedQueryTests.words, &random).joined())") }
    let name = ["tags", "Tags", "keywords"][Int(random.next() % 3)]
    lines.append("\(name): [\(pick(Int(random.next() % 4), tags, &random).joined(separator: ", "))]")
    if random.next() % 16 == 0 { lines.append("  - broken: [") }
    var text = "---\n" + lines.filter { !$0.isEmpty }.joined(separator: "\n") + "\n---\n"
    if random.next() % 12 == 0 { text = "+++\ntitle = 'x'\n+++\n" }
    if random.next() % 12 == 0 { text = "" }
    text += pick(3, IndexedQueryTests.words, &random).joined(separator: " ")
    if random.next() % 4 == 0 { text += " #\(pick(1, ["work", "later"], &random)[0])" }
    if random.next() % 9 == 0 { text += "\n<<<<<<< one\n" }
    var bytes = Array((text + "\n").utf8)
    if random.next() % 13 == 0 { bytes.append(0xFF) }
    return Note(path: Array("\(1_000 + number).md".utf8), text: NoteText(bytes))
  }

  /// Notes of which most are in a snapshot, as a catalogue and as plain entries.
  private static func catalogues(seed: UInt64, _ body: (Catalogue, Catalogue) throws -> Void) throws {
    var random = SplitMix64(seed: seed)
    let entries = (0..<300).map { number in
      Entry(
        note: note(number, &random),
        created: Timestamp(seconds: Int64(random.next() % 1_000), offsetSeconds: 0))
    }
    let base = Array(entries[..<260])
    let held = ByteSlice(copying: SnapshotTests.snapshotBytes(base))
    let snapshot = try #require(CatalogueFile(held))
    let texts = Dictionary(uniqueKeysWithValues: base.map { ($0.note.path, $0.note.head.bytes) })
    let stored = StoredEntries(
      snapshot, pathOfFile: { base[$0].note.path }, read: { texts[base[$0].note.path] ?? [] },
      kind: { note, _ in note.kind },
      mayMatchKinds: seed % 2 == 0)
    let hidden = Set((0..<30).map { _ in Int(random.next() % 260) })
    let catalogue = Catalogue(stored, hiding: hidden, adding: Array(entries[260...]))
    try body(catalogue, Catalogue(Array(catalogue.entries)))
  }

  /// A note made of its text.
  private static func whole(_ note: Note) throws -> Note {
    Note(path: note.path, text: try note.readText())
  }

  @Test(arguments: [1, 2, 3]) func areThoseOfTheNotes(seed: UInt64) throws {
    try Self.catalogues(seed: seed) { catalogue, _ in
      let facts = try #require(catalogue.entries.facts)
      var known = 0
      for place in catalogue.entries.indices {
        guard let number = catalogue.entries.storedNumber(at: place) else { continue }
        let wanted = NoteFacts(try Self.whole(catalogue.entries[place].note))
        #expect(facts.kindNumber(of: number).map { facts.kinds[$0] } == wanted.kind)
        #expect(facts.fieldsNumber(of: number).map { facts.fieldLists[$0] } == wanted.fields)
        #expect(facts.tagNumbers(of: number).map { $0.map { facts.tags[$0] } } == wanted.tags)
        #expect(facts.flags(of: number) == wanted.flags)
        known += 1
      }
      #expect(known > 200)
    }
  }

  /// What tables of keys answer is what a look at all notes finds, whatever is hidden or new.
  @Test(arguments: [1, 2, 3, 4]) func keysInTablesAreThoseOfTheNotes(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    try Self.catalogues(seed: seed) { catalogue, plain in
      let all = catalogue.entries.indices.flatMap { catalogue.entries.nameKeys(at: $0) }
      var found = 0
      for _ in 0..<60 {
        let keys = (0..<3).map { _ in all[Int(random.next() % UInt64(all.count))] }
        let wanted = LinkKeySet(keys)
        let places = catalogue.entries.places(.names, haveKeyIn: wanted, nil)
        let looked = plain.entries.indices.filter { plain.entries.names(at: $0, haveKeyIn: wanted) }
        // A slug may have the key of a name as well.
        #expect(Set(places).isSuperset(of: looked) && places == places.sorted())
        for place in places where !looked.contains(place) {
          let slugs = LinkKey.slugKeys(ofPath: plain.entries.path(at: place))
          #expect(slugs.contains(where: wanted.contains))
        }
        found += places.count
        let links = catalogue.entries.places(.links, haveKeyIn: wanted, nil)
        #expect(links == plain.entries.indices.filter { plain.entries.links(at: $0, haveKeyIn: wanted) })
      }
      #expect(found > 60)
    }
  }

  @Test(arguments: [1, 2, 3, 4]) func settleQueriesAsTheNotesDo(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let terms = [
      "has:due", "has:tags", "(due:)", "(tags:)", "has:author", "is:conflicted", "NOT is:conflicted",
      "kind:note",
      "kind:büro", "über:z", "modified:..1970-01-01", "-work", "+cafe", "+work/clients", "is:active",
      "has:kind",
      "is:untitled", "status:open", "(has:due OR kind:issue)", "NOT (has:due kind:issue)",
    ]
    var (settled, asked) = (0, 0)
    try Self.catalogues(seed: seed) { catalogue, _ in
      for round in 0..<200 {
        let text =
          round < terms.count
          ? terms[round]
          : (0...Int(random.next() % 3)).map { _ in
            random.next() % 2 == 0
              ? IndexedQueryTests.term(&random) : IndexedQueryTests.pick(terms, &random)
          }.joined(separator: " ")
        let query = try Query.parse(text: text, clock: clock)
        let filter = EntryFilter(query.plan, query.schema, of: catalogue.entries)
        let entries = Array(catalogue.entries)
        let answers = filter.answers(
          for: Array(entries.indices), of: catalogue.entries, times: entries.map(\.created))
        for (entry, answer) in zip(entries, answers) {
          asked += 1
          if answer == .unknown { continue }
          settled += 1
          let isWanted = query.plan.matches(entry, modified: entry.created)
          #expect(
            (answer == .yes) == isWanted,
            "\(text): \(String(decoding: entry.note.textOrEmpty.bytes, as: UTF8.self))"
          )
        }
      }
    }
    #expect(settled > asked / 4)
  }

  @Test(arguments: [1, 2]) func nameTheFieldsThatNotesHave(seed: UInt64) throws {
    try Self.catalogues(seed: seed) { catalogue, plain in
      let names = Set(catalogue.fieldNames.map { Array($0.utf8) })
      #expect(names == Set(plain.entries.flatMap { $0.note.frontMatter.fields.map { Array($0.name.utf8) } }))
      #expect(names == Set(plain.fieldNames.map { Array($0.utf8) }))
      let query = try Query.parse(text: "dué:x autor/in:y nothing:z uber:q", clock: clock)
      #expect(catalogue.unknownFields(of: query) == ["nothing"])
    }
  }

  @Test(arguments: [1, 2]) func countTagsAndActiveNotes(seed: UInt64) throws {
    try Self.catalogues(seed: seed) { catalogue, plain in
      let test = ActiveTest(schema: .builtIn, clock: clock)
      let (column, active) = (TagColumn(catalogue.entries), ActiveNotes(catalogue.entries, test))
      for place in catalogue.entries.indices {
        let entry = plain.entries[place]
        var tags: [String] = []
        column.forEachTag(at: place) { tags.append(column.names[$0]) }
        #expect(tags.map { Array($0.utf8) } == entry.note.tags.map { Array($0.utf8) })
        #expect(column.hasTags(at: place) == !entry.note.tags.isEmpty)
        #expect(active.isActive(at: place) == test.isActive(entry))
      }
      let places = column.sum([Int](), executor: nil) {
        $0.append($1)
      } _: {
        $0 += $1
      }
      #expect(places == Array(catalogue.entries.indices))
    }
  }

  @Test func damageOfTheColumnsIsFound() throws {
    // So many that the columns end in a block of their own.
    let entries = (0..<4_000).map { number in
      let text = "---\ntags: [t\(number % 7)]\ndue: x\n---\n"
      return Entry(
        note: Note(path: Array("\(10_000 + number).md".utf8), text: NoteText(Array(text.utf8))),
        created: Timestamp(seconds: 0, offsetSeconds: 0))
    }
    var bytes = SnapshotTests.snapshotBytes(entries)
    let field = CatalogueFileLayout.Header.sections + CatalogueFileLayout.Section.facts.rawValue * 16
    let (start, length) = bytes.withUnsafeBytes {
      (
        $0.loadUnaligned(fromByteOffset: field, as: UInt64.self),
        $0.loadUnaligned(fromByteOffset: field + 8, as: UInt64.self)
      )
    }
    bytes[Int(start + length) - 1] ^= 1
    let held = ByteSlice(copying: bytes)
    let snapshot = try #require(CatalogueFile(held))
    let catalogue = Catalogue(try SnapshotTests.stored(entries, held), hiding: [], adding: [])
    #expect(snapshot.facts == nil)
    #expect(catalogue.fieldNames.sorted() == ["due", "tags"])
    let query = try Query.parse(text: "kind:note +t1", clock: clock)
    let never = Timestamp(seconds: 0, offsetSeconds: 0)
    #expect(catalogue.count(query, modified: { _ in never }) == entries.count { $0.note.tags == ["t1"] })
  }
}
