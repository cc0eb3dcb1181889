import Bytes
import Notes
import Testing

@testable import NoteIndex

/// Fields whose values are kept, held against a look at every note.
@Suite struct FieldColumnTests {
  private static let lines = [
    "priority: low", "priority: high", "Priority: medium", "PRIORITY: low", "priority: wrong", "priority:",
    "priority: [low, high]", "priority: [low, [high]]", "priority: {a: 1}", "priority: {}",
    "priority: \"hi\\0gh\"",
    "\"prióritý\": high", "'priority ': low", "status: closed", "status: done", "Status: open",
    "due: 2026-10-01",
    "due: 2026-11-30", "due: tomorrow", "due: '  '", "rating: 3", "rating: '4.0'", "rating: none",
    "done: true",
    "done: yes", "author: Le Guin", "author: [Le Guin, Tolkien]", "Author: tolkien", "wait: 2027-01-01",
    "due: &a x",
    "kind: issue", "kind: task", "kind: book", "kind: Book", "kind: [task]", "conflict: {x: 1}", "title: A",
    "title: a", "title: Ä", "title: abcdefgh", "title: abcdefgi", "title: 10", "title: ż",
    "tags: [b, a]",
    ": :", "- x", "\tpriority: low", "priority: low\npriority: high", "Due: 2026-10-01\ndue: 2026-01-01",
  ]
  private static let queries = [
    "priority:high", "priority:low", "NOT priority:low", "priority:medium..", "(priority:)", "has:priority",
    "NOT has:priority",
    "has:Priority", "status:closed", "status:open", "due:2026-10", "due:..2026-11", "(due:)", "has:due",
    "rating:3..",
    "rating:..4", "done:true", "done:false", "is:active", "NOT is:active", "is:waiting", "author:guin",
    "author:tolkien",
    "kind:task done:false", "kind:issue priority:high", "has:wait OR rating:3", "is:conflicted", "missing:x",
    "has:tags",
    "sort:priority", "sort:-priority", "sort:due", "sort:-due", "sort:rating,-title", "sort:kind,due",
    "sort:-kind,-rating",
    "sort:status,priority,due", "kind:task sort:-priority,due,created", "kind:issue sort:priority",
    "sort:author",
    "sort:-author,id", "sort:tags,due", "sort:missing", "sort:modified,due", "sort:created", "sort:-created",
    "sort:path", "sort:title", "sort:Title", "sort:Tags", "sort:aliases", "sort:-title", "sort:kind,title",
    "sort:-title,due",
    "sort:Priority", "sort:done,-priority,due,created", "sort:urgency", "kind:book sort:-rating,author",
  ]

  @Test func `each different value is kept once for each kind`() throws {
    let values = ["open", "closed", "open", "open", "closed", "open"]
    let entries = values.enumerated().map { number, value in
      entry("\(number).md", "---\nkind: \(number < 5 ? "issue" : "task")\nstatus: \(value)\n---\n")
    }
    let held = ByteSlice(copying: SnapshotTests.snapshotBytes(entries))
    let stored = Catalogue(try SnapshotTests.stored(entries, held), hiding: [], adding: []).entries
    let distinct = try #require(DistinctValues(of: "status", at: Array(stored.indices), in: stored))
    #expect(distinct.examples.count == 3)
    for place in stored.indices {
      let example = distinct.examples[try #require(distinct.number(at: place))]
      #expect(example.kind == stored[place].kind)
      #expect(example.note.value(of: "status") == stored[place].note.value(of: "status"))
    }
  }

  @Test(arguments: [1, 2, 3, 4, 5]) func `answers and orders are those of a look at every note`(seed: UInt64)
    throws
  {
    var random = SplitMix64(seed: seed)
    let schema = Schema.builtIn
    let entries = (0..<400).map { number in
      let lines = IndexedQueryTests.picks(Int(random.next() % 7), Self.lines, &random)
      let text = lines.isEmpty ? "text\n" : "---\n" + lines.joined(separator: "\n") + "\n---\ntext\n"
      let note = Note(path: Array("\(1_000 + number).md".utf8), text: NoteText(Array(text.utf8)))
      return Entry(
        note: note, created: Timestamp(seconds: Int64(random.next() % 50) * 86_400, offsetSeconds: 0))
    }
    let base = Array(entries[..<340])
    let held = ByteSlice(copying: SnapshotTests.snapshotBytes(base))
    let stored = try SnapshotTests.stored(base, held)
    let hidden = Set((0..<25).map { _ in Int(random.next() % 340) })
    let catalogue = Catalogue(stored, hiding: hidden, adding: Array(entries[340...]))
    let plain = Catalogue(Array(catalogue.entries))
    for _ in 0..<2 {
      for text in Self.queries {
        let query = try Query.parse(text: text, clock: clock, schema: schema)
        let found = catalogue.matches(query, modified: \.created).map(\.entry.note.path)
        #expect(found == plain.matches(query, modified: \.created).map(\.entry.note.path), "\(text)")
        #expect(catalogue.count(query) { catalogue.entries[$0].created } == found.count, "\(text)")
      }
      catalogue.entries.keepFields()
    }
  }

  @Test(arguments: ["sort:priority", "sort:-priority", "sort:priority,-title"])
  func `one text is sorted by the kind of each note`(order: String) throws {
    // Issues know no "none" and have another default than tasks.
    let lines = ["priority: none", "priority: low", "priority: high", "priority: medium", "title: a"]
    let entries = lines.enumerated().flatMap { number, line in
      ["issue", "task"].map {
        entry("\($0)\(number).md", "---\nkind: \($0)\n\(line)\ncreated: 2026-01-0\(number + 1)\n---\n")
      }
    }
    let held = ByteSlice(copying: SnapshotTests.snapshotBytes(entries))
    let stored = Catalogue(try SnapshotTests.stored(entries, held), hiding: [], adding: [])
    stored.entries.keepFields()
    let plain = Catalogue(Array(stored.entries))
    let query = try Query.parse(text: "(kind:issue OR kind:task) \(order)", clock: clock)
    let found = stored.matches(query, modified: \.created).map {
      String(decoding: $0.entry.note.path, as: UTF8.self)
    }
    #expect(
      found
        == plain.matches(query, modified: \.created).map {
          String(decoding: $0.entry.note.path, as: UTF8.self)
        })
    let (none, wrong) = (found.firstIndex(of: "task0.md"), found.firstIndex(of: "issue0.md"))
    #expect(wrong == found.count - 1)
    #expect(none.map { order.hasPrefix("sort:-") ? $0 > 5 : $0 < 2 } == true)
  }

  @Test func `ranks compare as the values do`() {
    var random = SplitMix64(seed: 5)
    let texts = [
      "", " ", "1", "-2", "10.5", "2026-01-01", "2026-01-01T10:00:00Z", "a", "A", "ä", "abcdefgh", "abcdefgi",
      "abcdefg",
    ]
    let bytes: [[UInt8]] = [
      [], [0], [0, 0], [1, 2, 3, 4, 5, 6, 7], [1, 2, 3, 4, 5, 6, 7, 8], [1, 2, 3, 4, 5, 6, 7, 9], [255],
    ]
    var values = texts.map { SortValue($0) } + bytes.map { .typed($0) } + bytes.map { .wrong($0) } + [.absent]
    values += [.instant(.min), .instant(.max), .instant(0), .instant(1), .instant(-1), .instant(256)]
    for descending in [false, true] {
      let shuffled = values.shuffled(using: &random)
      let ranks = SortRanks.ranks(of: shuffled, descending: descending)
      for (left, first) in shuffled.enumerated() {
        for (right, second) in shuffled.enumerated() {
          let isBefore =
            first.group != second.group
            ? first.group < second.group : descending ? second.precedes(first) : first.precedes(second)
          #expect((ranks[left] < ranks[right]) == isBefore, "\(first) \(second)")
        }
      }
    }
  }

  @Test func `a field with very many values is read from the notes`() throws {
    let entries = (0..<4_200).map { number in
      let text = "---\nauthor: name \(number)\nrating: \(number % 5)\n---\n"
      let note = Note(path: Array("\(10_000 + number).md".utf8), text: NoteText(Array(text.utf8)))
      return Entry(note: note, created: Timestamp(seconds: Int64(number), offsetSeconds: 0))
    }
    let held = ByteSlice(copying: SnapshotTests.snapshotBytes(entries))
    let catalogue = Catalogue(try SnapshotTests.stored(entries, held), hiding: [], adding: [])
    catalogue.entries.keepFields()
    let facts = try #require(catalogue.entries.facts)
    #expect(catalogue.entries.column(of: "author", facts, nil)?.examples.count == nil)
    #expect(catalogue.entries.column(of: "rating", facts, nil)?.examples.count == 6)
    let query = try Query.parse(text: "author:4199", clock: clock)
    #expect(catalogue.count(query) { catalogue.entries[$0].created } == 1)
  }
}
