import NoteIndex
import Notes
import Testing

/// The orders of lists.
@Suite struct SortTests {
  @Test(arguments: [
    ("sort:rating", "turtle book empty issue plain odd"),
    ("sort:-rating", "empty book turtle issue plain odd"),
    ("sort:title", "odd empty issue plain book turtle"),
    ("sort:-title", "turtle book plain issue empty odd"),
    ("sort:created", "empty plain odd turtle book issue"),
    ("sort:-created", "issue book turtle empty plain odd"),
    ("sort:path", "turtle book issue empty plain odd"),
    ("sort:id", "book turtle issue empty plain odd"),
    ("sort:-id", "issue turtle book empty plain odd"),
    ("sort:kind,title", "book issue odd empty plain turtle"),
    ("sort:status", "book odd issue turtle empty plain"),
    ("sort:due,-title", "issue turtle book plain empty odd"),
    ("sort:nothing", "issue book turtle empty plain odd"),
    ("sort:modified", "empty plain odd turtle book issue"),
  ])
  func orders(_ query: String, _ expected: String) throws {
    #expect(try found(query).joined(separator: " ") == expected)
  }

  @Test func `numbers are compared as numbers, dates as instants, text by its letters`() throws {
    let values = [
      "10", "9", "-1", "2.50", "2.5", "2026-01-02", "2026-01-01T23:00:00-05:00", "zebra", "Äpfel", "apfel",
      "",
    ]
    let catalogue = Catalogue(
      values.enumerated().map { index, value in
        entry("n\(index).md", "---\ncreated: 2020-01-\(10 + index)\nv: \(value)\n---\n")
      })
    let query = try Query.parse(["sort:v"], clock: clock)
    let order = catalogue.matches(query) { $0.created }.map { $0.entry.note.frontMatter["v"]?.text ?? "" }
    #expect(
      order == [
        "-1", "2.5", "2.50", "9", "10", "2026-01-02", "2026-01-01T23:00:00-05:00", "apfel", "Äpfel", "zebra",
        "",
      ])
  }

  @Test func `every order is total and does not depend on the order of the entries`() throws {
    var random = SplitMix64(seed: 11)
    let entries = (0..<120).map { index in
      let value = ["1", "2", "", "x", "X", "2026-01-01", "01", "ä"].randomElement(using: &random) ?? ""
      let title = ["A", "a", "B", "Ä"].randomElement(using: &random) ?? ""
      let id = index % 3 == 0 ? "" : "id: \(NoteID(number: UInt64(index / 4) * 1_000_003))\n"
      return entry(
        "\(index).md", "---\n\(id)title: \(title)\nv: \(value)\ncreated: 2026-01-0\(1 + index % 3)\n---\n")
    }
    let queries = try [
      "", "sort:v", "sort:-v", "sort:title,-v", "sort:-created", "sort:id,v", "sort:modified",
    ].map {
      try Query.parse([$0], clock: clock)
    }
    let expected = queries.map { Catalogue(entries).matches($0) { $0.created }.map(\.entry.note.path) }
    for _ in 0..<12 {
      let catalogue = Catalogue(entries.shuffled(using: &random))
      for (query, paths) in zip(queries, expected) {
        #expect(catalogue.matches(query) { $0.created }.map(\.entry.note.path) == paths)
      }
    }
  }

  @Test func `matches are the same on many threads`() throws {
    let entries = (0..<500).map { entry("\($0).md", "---\ntitle: T\($0 % 7)\n---\nword\($0 % 5) common\n") }
    let catalogue = Catalogue(entries)
    let backwards: ParallelExecutor = { stretches, work in
      for stretch in stretches.reversed() { work(stretch) }
    }
    for text in ["word1", "title:t3 OR word2", "sort:title", "common limit:30", "nothing"] {
      let query = try Query.parse([text], clock: clock)
      let alone = catalogue.matches(query) { $0.created }.map(\.entry.note.path)
      #expect(
        catalogue.matches(query, modified: \.created, executor: backwards).map(\.entry.note.path) == alone)
      let ranked = catalogue.search(query) { $0.created }
      let executor = catalogue.search(query, modified: \.created, executor: backwards)
      #expect(ranked.map(\.entry.note.path) == executor.map(\.entry.note.path))
      #expect(ranked.map(\.score) == executor.map(\.score))
      #expect(ranked.map(\.snippets) == executor.map(\.snippets))
    }
  }
}
