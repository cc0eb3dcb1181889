import Bytes
import Notes
import Testing

@testable import NoteIndex

/// Answers by indexes and prefilters, held against a look at every note.
@Suite struct IndexedQueryTests {
  static let words = [
    "red", "green", "Zażółć", "gęślą", "naïve", "log-in", "東京", "дом", "ferment", "fermented", "fermentation",
    "sour",
  ]
  static let tags = ["work", "work/clients", "Żółw", "later", "urgent"]

  static func pick(_ list: [String], _ random: inout SplitMix64) -> String {
    list[Int(random.next() % UInt64(list.count))]
  }

  static func picks(_ count: Int, _ list: [String], _ random: inout SplitMix64) -> [String] {
    (0..<count).map { _ in pick(list, &random) }
  }

  static func texts(_ random: inout SplitMix64) -> [Note] {
    (0..<300).map { number in
      let kind = ["note", "issue", "book", "task"][Int(random.next() % 4)]
      var fields = kind == "note" ? "" : "kind: \(kind)\n"
      if kind == "issue" {
        fields += "priority: \(["low", "medium", "high"][Int(random.next() % 3)])\n"
        if random.next() % 2 == 0 { fields += "status: closed\n" }
      }
      if kind == "book" {
        fields += "author: \(picks(1, ["Tolkien", "Le Guin"], &random)[0])\nrating: \(random.next() % 6)\n"
      }
      if kind == "task" { fields += "due: 2026-1\(random.next() % 3)-0\(1 + random.next() % 9)\n" }
      let tagList = picks(Int(random.next() % 3), tags, &random).joined(separator: ", ")
      let id = random.next() % 4 == 0 ? "" : "id: \(NoteID(number: UInt64(number) &* 999_983))\n"
      let created = "created: 2026-0\(1 + random.next() % 9)-1\(random.next() % 9)T08:00:00+02:00\n"
      let title = picks(2, words, &random).joined(separator: " ")
      let body = picks(Int(random.next() % 30), words, &random).joined(separator: " ")
      let inline = random.next() % 5 == 0 ? " #\(picks(1, ["work", "later"], &random)[0])" : ""
      let text = "---\n\(id)title: \(title)\n\(fields)\(created)tags: [\(tagList)]\n---\n\(body)\(inline)\n"
      return Note(
        path: Array("\(random.next() % 2 == 0 ? "Books" : "2026")/\(1_000 + number).md".utf8),
        text: NoteText(Array(text.utf8)))
    }
  }

  static func term(_ random: inout SplitMix64) -> String {
    switch random.next() % 16 {
    case 0...2: return pick(words, &random)
    case 3: return "\"\(pick(words, &random)) \(pick(words, &random))\""
    case 4: return String(pick(words, &random).prefix(3)) + "*"
    case 5: return "+" + pick(["work", "later", "zolw", "urgent"], &random)
    case 6: return "-" + pick(["work", "later"], &random)
    case 7: return "kind:" + pick(["issue", "book", "task", "note", "boo*"], &random)
    case 8: return "title:" + pick(words, &random)
    case 9: return "priority:" + pick(["high", "medium..high", "low"], &random)
    case 10: return "rating:" + pick(["3..", "..2", "5"], &random)
    // A term stands in parentheses: a word after it might belong to its value.
    case 11: return "(author:" + pick(["tolkien", "guin", ""], &random) + ")"
    case 12: return "created:" + pick(["2026-03", "2026-02..2026-05"], &random)
    case 13:
      return pick(["is:active", "has:due", "(due:)", "path:Books/", "status:open", "status:closed"], &random)
    case 14: return "NOT " + pick(words, &random)
    default: return "(\(pick(words, &random)) OR +\(pick(["work", "later"], &random)))"
    }
  }

  @Test(arguments: [1, 2, 3], [false, true])
  func answersAreThoseOfAScan(seed: UInt64, keepsFields: Bool) throws {
    var random = SplitMix64(seed: seed)
    let notes = Self.texts(&random)
    let entries = notes.map {
      Entry(note: $0, created: $0.created ?? Timestamp(seconds: 0, offsetSeconds: 0))
    }
    let base = Array(entries[..<250])
    let held = ByteSlice(copying: SnapshotTests.snapshotBytes(base))
    let stored = try SnapshotTests.stored(base, held)
    let hidden = Set((0..<20).map { _ in Int(random.next() % 250) })
    let catalogue = Catalogue(stored, hiding: hidden, adding: Array(entries[250...]))
    if keepsFields { catalogue.entries.keepFields() }
    let plain = Catalogue(Array(catalogue.entries))
    let created = { (place: Int) in catalogue.entries[place].created }
    var queries: [Query] = []
    for _ in 0..<120 {
      let text = (0...Int(random.next() % 3)).map { _ in Self.term(&random) }.joined(separator: " ")
      let query = try Query.parse(text: text, clock: clock)
      queries.append(query)
      let wanted = plain.entries.filter { query.matches($0, modified: $0.created) }.map(\.note.path)
      let found = catalogue.matches(query, modified: \.created).map(\.entry.note.path)
      #expect(Set(found) == Set(wanted), "\(text)")
      #expect(found == plain.matches(query, modified: \.created).map(\.entry.note.path), "\(text)")
      // Scores do not depend on how the notes are spread over indexes.
      let (one, other) = (
        catalogue.search(query, modified: \.created), plain.search(query, modified: \.created)
      )
      #expect(one.map(\.entry.note.path) == other.map(\.entry.note.path), "\(text)")
      #expect(one.map(\.score) == other.map(\.score), "\(text)")
      // What is shown of a few is what is shown of all.
      let few = Catalogue.withSnippets(
        Array(catalogue.ranked(query, modified: created).prefix(3)), of: query)
      #expect(few.map(\.snippets) == one.prefix(3).map(\.snippets), "\(text)")
    }
    // Many in one pass find what each finds by itself.
    let executor: ParallelExecutor = { stretches, work in stretches.reversed().forEach(work) }
    let places = catalogue.places(ofEach: queries, modified: created, executor: executor)
    for (query, found) in zip(queries, places) {
      let names = Set(catalogue.matches(query, modified: \.created).map(\.place))
      #expect(Set(found) == names)
      #expect(found == found.sorted())
    }
  }
}
