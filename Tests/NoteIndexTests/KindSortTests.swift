import NoteIndex
import Notes
import Testing

/// The orders that kinds declare.
@Suite struct KindSortTests {
  @Test(arguments: [
    ("kind:book", "book"), ("kind:Book status:x", "book"), ("kind:=task a", "task"), ("@tasks", "task"),
    ("@my-day limit:3", "task"), ("@nested", "task"), ("kind:bo*", nil), ("kind:book,task", nil),
    ("kind:book kind:book", nil), ("kind:book @tasks", nil), ("NOT kind:book", nil),
    ("kind:book OR kind:task", nil), ("(kind:book a)", "book"), ("kind:recipe", "recipe"), ("a", nil),
    ("", nil), ("kind:", nil), ("(kind:book OR a) kind:task", "task"),
  ])
  func kindNames(_ query: String, _ expected: String?) throws {
    let query = try Query.parse([query], clock: clock, filters: ["nested": "@tasks x"])
    #expect(query.kindName == expected)
  }

  private static let box = KindBox([
    "t-done": "kind: task\ndone: true\npriority: high\ncreated: 2026-01-01",
    "t-none": "kind: task\ncreated: 2026-01-02",
    "t-low": "kind: task\npriority: low\ncreated: 2026-01-03",
    "t-late": "kind: task\npriority: high\ndue: 2026-12-01\ncreated: 2026-01-04",
    "t-soon": "kind: task\npriority: high\ndue: 2026-11-30\ncreated: 2026-01-05",
    "t-never": "kind: task\npriority: high\ncreated: 2026-01-06",
    "t-never2": "kind: task\npriority: high\ncreated: 2026-01-07",
    "t-wrong": "kind: task\npriority: urgent\ncreated: 2026-01-08",
    "i-b2": "kind: issue\ntitle: b\ncreated: 2026-02-02",
    "i-a": "kind: issue\ntitle: Ä\npriority: low\ncreated: 2026-02-03",
    "i-b1": "kind: issue\ntitle: b\npriority: high\ncreated: 2026-02-01",
    "b-y": "kind: book\ntitle: y\nstatus: completed\ncreated: 2026-03-02",
    "b-X": "kind: book\ntitle: X\nrating: 5\ncreated: 2026-03-01",
    "b-z": "kind: book\ntitle: x\nrating: 4\nstatus: in-progress\ncreated: 2026-03-03",
    "n-1": "created: 2026-04-01",
    "n-2": "created: 2026-04-02",
  ])

  @Test(arguments: [
    ("kind:task", "t-soon t-late t-never t-never2 t-low t-none t-wrong t-done"),
    ("@tasks is:active", "t-soon t-late t-never t-never2 t-low t-none t-wrong"),
    ("kind:issue", "i-a i-b1 i-b2"),
    ("kind:book", "b-X b-z b-y"),
    ("kind:note", "n-2 n-1"),
    ("kind:task limit:2", "t-soon t-late"),
    ("kind:task sort:created limit:1", "t-done"),
    ("kind:book,note", "n-2 n-1 b-z b-y b-X"),
    // Keys that were asked for, by type; after them newest first, as ever.
    ("kind:task sort:priority", "t-none t-low t-never2 t-never t-soon t-late t-done t-wrong"),
    ("kind:task sort:-priority limit:2", "t-never2 t-never"),
    ("kind:task sort:-done limit:2", "t-done t-wrong"),
    ("kind:task sort:due limit:3", "t-soon t-late t-wrong"),
    ("kind:task sort:-due limit:3", "t-late t-soon t-wrong"),
    ("kind:book sort:-status", "b-y b-z b-X"),
    ("kind:book sort:rating", "b-z b-X b-y"),
    // The choices of one kind hold those of the other.
    ("(kind:issue OR kind:task) sort:-priority limit:4", "i-b1 t-never2 t-never t-soon"),
    ("(kind:issue OR kind:task) sort:priority limit:4", "t-none i-a t-low i-b2"),
    // No order is common to these: as text.
    ("(kind:issue OR kind:book) sort:-status limit:1", "b-z"),
  ])
  func orders(_ query: String, _ expected: String) throws {
    #expect(try Self.box.found([query]) == expected, "\(query)")
  }

  @Test func `ties of a kind's order go by creation date, id and path`() throws {
    let ids = ["bcdfghjz", "bcdfghjk", "bcdfghjx"]
    let same = ids.map {
      entry("\($0).md", "---\nid: \($0)\nkind: book\ntitle: t\ncreated: 2026-01-02\n---\n")
    }
    let others = ["z", "a"].map { entry("\($0).md", "---\nkind: book\ntitle: T\ncreated: 2026-01-02\n---\n") }
    let older = entry("old.md", "---\nkind: book\ntitle: t\ncreated: 2026-01-01\n---\n")
    let query = try Query.parse(["kind:book"], clock: clock)
    let found = Catalogue(same + others + [older]).matches(query, modified: \.created)
    let paths = found.map { String(decoding: $0.entry.note.path, as: UTF8.self) }
    // Titles are compared without case, then by bytes.
    #expect(paths == ["a.md", "z.md", "old.md", "bcdfghjk.md", "bcdfghjx.md", "bcdfghjz.md"])
  }

  @Test func `an order that asks for modified times says so`() throws {
    let schema = Schema(kinds: [Kind("log", sort: "-modified"), Kind("bad", sort: "a,,b")])
    #expect(try Query.parse(["kind:log"], clock: clock, schema: schema).usesModified)
    #expect(try !Query.parse(["kind:log sort:title"], clock: clock, schema: schema).usesModified)
    #expect(try !Query.parse(["kind:bad"], clock: clock, schema: schema).usesModified)
  }
}
