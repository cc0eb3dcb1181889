import NoteIndex
import Notes
import Testing

/// `is:` and the filters.
@Suite struct KindFilterTests {
  private static let box = KindBox([
    "plain": "due: 2026-11-01\ncreated: 2026-11-20T12:00:00+01:00",
    "Untitled": "tags: [x]",
    "torn": "title: Torn\nconflicts: [status, body]",
    "healed": "title: Healed\nconflicts: []",
    "i-open": "kind: issue\ntitle: a",
    "i-closed": "kind: issue\ntitle: b\nstatus: closed\ndue: 2026-11-01",
    "b-shelf": "kind: book",
    "b-read": "kind: book\nstatus: completed",
    "g": "kind: group",
    "strange": "kind: recipe",
    "t-today": "kind: task\nmy-day: 2026-11-21",
    "t-left": "kind: task\nmy-day: 2026-11-20\ndue: 2026-11-20",
    "t-done": "kind: task\nmy-day: 2026-11-20\ndue: 2026-11-20\ndone: true",
    "t-wrong": "kind: task\ndue: soon",
    "t-today2": "kind: task\ndue: 2026-11-21",
  ])

  @Test(arguments: [
    ("is:untitled", "Untitled"),
    ("is:conflicted", "torn"),
    ("kind:task is:active", "t-left t-today t-today2 t-wrong"),
    ("kind:task NOT is:active", "t-done"),
    ("NOT is:active", "b-read i-closed t-done"),
    ("IS:Active,Conflicted kind:issue", "i-open"),
    ("@overdue", "plain t-left"),
    ("@leftover", "t-left"),
    ("@my-day", "t-today"),
    ("@My-Day", "t-today"),
    ("@issues", "i-closed i-open"),
    ("@books -x", "b-read b-shelf"),
    ("@tasks @overdue", "t-left"),
    ("NOT @overdue kind:task", "t-done t-today t-today2 t-wrong"),
    ("@books OR @issues", "b-read b-shelf i-closed i-open"),
    ("@recent", "plain"),
    ("@all kind:group", "g"),
    ("@mine", "i-closed i-open"),
    ("kind:issue @two", "i-closed i-open"),
    ("NOT @mine kind:book", "b-read b-shelf"),
    ("@nested", "i-open"),
  ])
  func filters(_ query: String, _ expected: String) throws {
    let filters = [
      "mine": "@issues", "two": "a OR b", "nested": "(@mine is:active)", "overdue": "kind:recipe",
    ]
    #expect(
      try Self.box.set(query, filters: filters) == expected,
      "\(query)")
  }

  @Test(arguments: [
    ("@a", "@a refers to itself: @a, @b, @c, @a"),
    ("x @self", "@self refers to itself: @self, @self"),
    ("@into", "@a refers to itself: @a, @b, @c, @a"),
    ("@broken", "@broken: unmatched opening parenthesis"),
    ("@to-broken", "@broken: unmatched opening parenthesis"),
    ("@order", "@order: sort: can't be used in a filter"),
    ("@few", "@few: limit: can't be used in a filter"),
    ("@lost", "@nobody is not a filter"),
    ("@overdu", "@overdu is not a filter"),
    ("is:open", "is:open is not known"),
    ("is:", "a value must follow the colon"),
    ("@d1", "@d9 is nested too deeply: @d1, @d2, @d3, @d4, @d5, @d6, @d7, @d8, @d9"),
    ("@many", "@many has too many terms: at most 10000 are read"),
    ("@bomb1", "@bomb5 has too many terms: at most 10000 are read"),
  ])
  func refused(_ query: String, _ expected: String) {
    var filters = [
      "a": "@b", "b": "x @c", "c": "(@a)", "self": "NOT @self", "into": "@a", "broken": "(",
      "lost": "@nobody",
      "to-broken": "@broken", "order": "x sort:title", "few": "(x limit:3)", "d9": "x",
      "many": [String](repeating: "x", count: 10_001).joined(separator: " "),
    ]
    for level in 1...8 { filters["d\(level)"] = "@d\(level + 1)" }
    for level in 1...6 {
      filters["bomb\(level)"] = [String](repeating: "@bomb\(level + 1)", count: 30).joined(separator: " ")
    }
    filters["bomb7"] = ""
    #expect(Self.box.fault(query, filters: filters) == expected)
  }

  @Test func `the fault in a filter is shown in the filter's own text`() {
    let error = #expect(throws: QueryError.self) {
      try Query.parse(["kind:book", "@odd"], clock: clock, filters: ["odd": "due:1..2..3"])
    }
    #expect(error?.query == "due:1..2..3")
    #expect(error?.range == 8..<10)
    #expect(error?.message == "@odd: a range has at most two ends")
  }

  @Test(arguments: [
    ("@overdu", "did you mean @overdue?"), ("@minne", "did you mean @mine?"),
    ("@order", "write it next to the filter when you use it"),
    ("@zzzzzz", "to search for the text, quote it: '\"@zzzzzz\"'"),
    ("is:activ", "did you mean is:active?"),
    (
      "is:zzz",
      "use one of is:active, is:blocked, is:blocking, is:conflicted, is:orphan, is:todo, is:untitled, is:waiting"
    ),
  ])
  func hints(_ query: String, _ hint: String) {
    let error = #expect(throws: QueryError.self) {
      try Query.parse([query], clock: clock, filters: ["mine": "x", "order": "x sort:title"])
    }
    #expect(error?.hint == hint)
  }

  @Test(arguments: [
    ("@overdue", "is:active AND due:..yesterday"),
    ("a @overdue", "\"a\" AND is:active AND due:..yesterday"),
    ("NOT @issues", "NOT kind:issue"),
    ("@overdue OR @issues", "(is:active AND due:..yesterday) OR kind:issue"),
    ("@all", "@all"),
  ])
  func described(_ query: String, _ expected: String) throws {
    let query = try Query.parse([query], clock: clock)
    #expect(query.described() == expected)
    #expect(try Query.parse(text: expected, clock: clock).described() == expected)
  }

  @Test func `a filter asks for modified times and words like any query`() throws {
    #expect(try Query.parse(["@recent"], clock: clock).usesModified)
    #expect(try !Query.parse(["@overdue"], clock: clock).usesModified)
    let query = try Query.parse(["@words"], clock: clock, filters: ["words": "text"])
    #expect(query.hasText)
    #expect(Self.box.catalogue.search(query, modified: \.created).allSatisfy { $0.score > 0 })
  }

  @Test func `the built-in filters are those of the specification`() {
    let names = SmartFilters.builtIn.map(\.name)
    #expect(
      names == ["all", "recent", "issues", "books", "tasks", "my-day", "overdue", "leftover", "waiting"])
  }
}
