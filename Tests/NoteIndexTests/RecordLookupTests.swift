import Notes
import Testing

@testable import NoteIndex

/// Records by the names that references call them.
@Suite struct RecordLookupTests {
  private static let box = KindBox(
    kinds: ["part": "key: number\nfields:\n  number: text\n  of: {type: reference, to: part}\n"],
    [
      "home": "id: bcdfghjk\nkind: group\ntitle: Home", "hobby": "id: bcdfzzzz\nkind: Group\ntitle: Hobby",
      "twin-1": "id: tttttttt\nkind: group\ntitle: Twin\naliases: [Other]",
      "twin-2": "id: ttttwwww\nkind: group\ntitle: twin",
      "without-id": "kind: group\ntitle: Plain", "task": "id: kqzmvtrp\nkind: task\ntitle: Home",
      "p-1": "kind: part\nnumber: '1'\ntitle: One",
      "p-2": "id: wwwwwwww\nkind: part\nnumber: '2'\ntitle: '1'",
      "p-3": "kind: part\ntitle: No number", "double-1": "kind: part\nnumber: '7'",
      "double-2": "kind: part\nnumber: '7'",
    ])

  @Test(arguments: [
    ("group", "Home", "bcdfghjk", "bcdfghjk"), ("group", "hOME", "bcdfghjk", "bcdfghjk"),
    ("group", "bcdfghjk", "bcdfghjk", "bcdfghjk"), ("group", "home.md", "bcdfghjk", "bcdfghjk"),
    ("GROUP", "hobby", "bcdfzzzz", "bcdfzzzz"), ("group", "Other", "tttttttt", "tttttttt"),
    ("group", "Twin", "tttttttt", "tttttttt"), ("group", "twin", "ttttwwww", "ttttwwww"),
    ("group", "TWIN", "twin-1.md twin-2.md", "tttttttt ttttwwww"),
    // The beginning of an id may be typed, and not stand in a field; that of a title names nothing.
    ("group", "hom", "", "near Home"), ("group", "tttttt", "", "tttttttt"),
    ("group", "bcdf", "", "bcdfghjk bcdfzzzz"), ("group", "ho", "", "near Hobby Home"),
    ("group", "Plain", "without-id.md", "without-id.md"), ("group", "kqzmvtrp", "", ""),
    ("task", "Home", "kqzmvtrp", "kqzmvtrp"),
    // A kind's key, then its ids and titles; an id is no beginning there.
    ("part", "1", "1", "1"), ("part", "One", "1", "1"), ("part", "wwwwwwww", "2", "2"),
    ("part", "wwww", "", ""),
    ("part", "No number", "p-3.md", "p-3.md"), ("part", "no-number", "p-3.md", "p-3.md"),
    ("part", "7", "double-1.md double-2.md", "7 7"), ("nothing", "Home", "", ""), ("group", "", "", ""),
  ]) func namesMeanRecordsOfAKind(kind: String, name: String, stored: String, typed: String) {
    func text(_ answer: ReferenceAnswer) -> String {
      switch answer {
      case .found(let key): key
      case .ambiguous(let keys): keys.sorted().joined(separator: " ")
      case .none: ""
      case .unknown(let near): "near " + near.sorted().joined(separator: " ")
      }
    }
    let records = RecordLookup(Self.box.catalogue, Self.box.schema)
    #expect(text(records.answer(kind, stored: name)) == stored)
    #expect(text(records.answer(kind, typed: name)) == typed)
    #expect(
      records.records(of: kind, stored: name).count == stored.split(separator: " ").count
        || stored == "p-3.md")
  }

  @Test func keysAreComparedAsTheyStand() {
    let records = RecordLookup(Self.box.catalogue, Self.box.schema)
    let paths = { (entries: [Entry]) in entries.map { String(decoding: $0.note.path, as: UTF8.self) }.sorted()
    }
    #expect(paths(records.records(withKey: "7")) == ["double-1.md", "double-2.md"])
    #expect(paths(records.records(withKey: "Home")) == [])
    #expect(paths(records.records(withKey: "")) == [])
    guard
      case .found(let entry) = Self.box.catalogue.resolve(
        "2", .typed(fuzzy: false), keys: RecordKeys(Self.box.schema))
    else {
      Issue.record("the key is a name")
      return
    }
    #expect(entry.note.path == Array("p-2.md".utf8))
    // The key of one part is the title of another: that fits two.
    guard
      case .ambiguous(let entries) = Self.box.catalogue.resolve(
        "1", .typed(fuzzy: false), keys: RecordKeys(Self.box.schema))
    else {
      Issue.record("two notes fit")
      return
    }
    #expect(entries.count == 2)
  }

  @Test func manyThreadsGetTheAnswersOfOne() async {
    let names = ["Home", "hobby", "Twin", "bcdf", "Plain", "nothing", "Other", "hom", "tttttttt", "twin-1"]
    let entries = Array(Self.box.catalogue.entries)
    let expected = names.map { RecordLookup(Catalogue(entries), Self.box.schema).answer("group", typed: $0) }
    let shared = Catalogue(entries)
    let isSame = await withTaskGroup(of: Bool.self) { group in
      for start in 0..<8 {
        group.addTask {
          let records = RecordLookup(shared, Self.box.schema)
          return (0..<200).allSatisfy { round in
            let number = (start + round) % names.count
            return records.answer("group", typed: names[number]) == expected[number]
          }
        }
      }
      return await group.reduce(true) { $0 && $1 }
    }
    #expect(isSame)
  }
}
