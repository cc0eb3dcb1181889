import Bytes
import Notes
import Testing

@testable import NoteIndex

/// What is read in place from the record of a note, held against the note.
@Suite struct StoredValuesTests {
  private static let fields = [
    "due: 2026-05-01", "Due: x", "due: [a, [b, {c: ''}]]", "due:", "due: {a: 1, b: }", "dué: \"a\\0b\"",
    "due: \(String(repeating: "long ", count: 20))", "tags: [a, due]", "id: kqzmvtrp", "state: open",
    "due: ''",
  ]
  private static let text =
    "- [ ] one #home 📅 2026-12-01\n- [x] two\n\n1. [-] three #a/b #home\n\n#apart [due:: soon]\n"

  private static func notes() -> [Entry] {
    var random = SplitMix64(seed: 7)
    return (0..<300).map { number in
      let lines = IndexedQueryTests.picks(Int(random.next() % 5), fields, &random)
      let head = lines.isEmpty ? "" : "---\n" + lines.joined(separator: "\n") + "\n---\n"
      let body = random.next() % 3 > 0 ? text : "# Title\n\nText.\n"
      let note = Note(path: Array("\(1_000 + number).md".utf8), text: NoteText(Array((head + body).utf8)))
      return Entry(note: note, created: Timestamp(seconds: Int64(number), offsetSeconds: 0))
    }
  }

  private static func catalogue(_ body: (Entries, StoredFacts) throws -> Void) throws {
    let notes = notes()
    let held = ByteSlice(copying: SnapshotTests.snapshotBytes(notes.sorted { $0.precedes($1) }))
    let stored = try SnapshotTests.stored(notes.sorted { $0.precedes($1) }, held)
    let entries = Catalogue(stored, hiding: [3, 8], adding: Array(notes[..<4])).entries
    try body(entries, try #require(entries.facts))
  }

  @Test func `boxes, tags, names and kinds are those of the notes`() throws {
    var boxes = 0
    try Self.catalogue { entries, _ in
      for place in entries.indices {
        let entry = entries[place]
        let read = entries.boxes(at: place)
        #expect(read.boxes == entry.note.boxes)
        #expect(read.inlineTags.map(\.name) == entry.note.inlineTags.map(\.name))
        #expect(read.inlineTags.map(\.offset) == entry.note.inlineTags.map(\.offset))
        #expect(entries.tags(at: place) == entry.note.tags)
        let listed = ListedNote(Match(entries, place))
        #expect(listed.names == NamesOfNote(entry.note))
        #expect(listed.name == entry.name && listed.kind == entry.kind && listed.tags == entry.note.tags)
        boxes += read.boxes.count
      }
    }
    #expect(boxes > 300)
  }

  @Test(arguments: ["due", "Due", "state", "missing"])
  func `keys are those of the notes, and give their fields again`(name: String) throws {
    var (known, unknown) = (0, 0)
    try Self.catalogue { entries, facts in
      let values = StoredValues(named: name, facts)
      let stored = try #require(entries.stored)
      for place in entries.indices {
        guard let number = entries.storedNumber(at: place) else { continue }
        let note = entries[place].note
        let wanted = values.key(of: note)
        let fields = note.frontMatter.fields.filter {
          $0.name.hasSameLetters(as: name) || $0.name.isSameName(as: name)
        }
        let made = StoredValues.note(of: wanted)
        #expect(made.frontMatter.fields.map(\.name) == fields.map(\.name))
        #expect(made.frontMatter.fields.map(\.value) == fields.map(\.value))
        guard let key = values.key(of: number, in: stored) else {
          #expect(wanted.count > 64)
          unknown += 1
          continue
        }
        #expect(key == wanted)
        known += key.isEmpty ? 0 : 1
      }
    }
    #expect(name == "missing" ? known == 0 : known > 20)
    #expect(!["due", "Due"].contains(name) || unknown > 5)
  }

  @Test func `a query about short values makes no note`() throws {
    try Self.catalogue { entries, _ in
      for text in ["state:open", "(state:)", "has:state", "state:x OR NOT state:open"] {
        let query = try Query.parse(text: text, clock: clock)
        let filter = EntryFilter(query.plan, query.schema, of: entries)
        let places = entries.indices.filter { entries.storedNumber(at: $0) != nil }
        for (place, answer) in zip(places, filter.answers(for: places, of: entries)) {
          let isWanted = query.plan.matches(entries[place], modified: nil)
          #expect(answer == (isWanted ? .yes : .no), "\(text)")
        }
      }
    }
  }
}
