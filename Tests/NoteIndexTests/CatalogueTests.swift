import NoteIndex
import Notes
import Testing

/// Look-ups in the catalogue.
@Suite struct CatalogueTests {
  @Test func `notes are found by path and by id`() throws {
    #expect(box.entry(path: Array("odd.md".utf8)).map(name) == "odd")
    #expect(box.entry(path: Array("Odd.md".utf8)) == nil)
    let id = try #require(NoteID("bcdfzzzz"))
    #expect(box.entry(id: id).map(name) == "turtle")
    #expect(NoteID("bcdfzzzx").flatMap { box.entry(id: $0) } == nil)
    #expect(box.entries.map(\.name).contains("kqzmvtrp"))
    #expect(box.entries.map(\.name).contains("odd.md"))
  }

  @Test func `the order is newest first, then by id, then by path`() {
    let ids = ["bbbbbbbb", "cccccccc", nil, nil, "bbbbbbbb"]
    let entries = ids.enumerated().map { index, id in
      entry("\(9 - index).md", "---\n\(id.map { "id: \($0)\n" } ?? "")created: 2026-01-01\n---\n")
    }
    let newer = entry("0.md", "---\ncreated: 2026-01-02\n---\n")
    let paths = Catalogue(entries + [newer]).entries.map { String(decoding: $0.note.path, as: UTF8.self) }
    #expect(paths == ["0.md", "5.md", "9.md", "8.md", "6.md", "7.md"])
  }

  @Test func `the shortest prefix tells an id from all others`() throws {
    var random = SplitMix64(seed: 3)
    for size in [0, 1, 2, 30, 300] {
      // Close neighbours make long shared prefixes.
      let numbers = (0..<size).map { _ in
        UInt64.random(in: 0...400, using: &random)
          * UInt64([1, 20, 8_000].randomElement(using: &random) ?? 1)
      }
      let ids = numbers.map { NoteID(number: $0) }
      let catalogue = Catalogue(
        ids.enumerated().map { entry("\($0.offset).md", "---\nid: \($0.element)\n---\n") })
      for id in ids + [NoteID(number: 77), NoteID(number: 25_599_999_999)] {
        let others = Set(ids).subtracting([id]).map(\.description)
        let naive = (2...8).first { length in
          !others.contains { $0.hasPrefix(String(id.description.prefix(length))) }
        }
        #expect(catalogue.shortestPrefix(of: id) == naive ?? 8)
      }
    }
  }

  @Test func `an empty catalogue answers`() throws {
    let catalogue = Catalogue([])
    let query = try Query.parse(["login"], clock: clock)
    #expect(catalogue.matches(query) { $0.created }.isEmpty)
    #expect(catalogue.search(query) { $0.created }.isEmpty)
    guard case .none(let candidates, _) = catalogue.resolve("x", fuzzy: true) else {
      Issue.record("nothing can be found")
      return
    }
    #expect(candidates.isEmpty)
  }
}
