import NoteIndex
import Notes
import Testing

/// Which kind a note counts as.
@Suite struct KindMatcherTests {
  private static let eip = """
    match: has:eip
    key: eip
    sort: eip
    active: NOT status:final,withdrawn
    fields:
      eip: {type: integer, required: true, min: 1}
      status: {type: choice, values: [Draft, Review, Last Call, Final, Withdrawn]}
      type: {type: choice, values: [Standards Track, Meta, Informational]}
      created: date
      requires: {type: list of reference, to: eip, commas: true}
    """

  private static let box = KindBox(
    kinds: ["eip": eip, "folder": "match: path:Books/", "late": "match: has:eip"],
    [
      "e1559": "eip: 1559\ntype: Standards Track\nstatus: Final\ncreated: 2019-04-13\nrequires: 2718, 2930",
      "e100": "eip: 100\ntype: Meta\nstatus: Draft\ncreated: 2016-04-28",
      "e9": "eip: 9\ntype: Standards Track\nstatus: draft\ncreated: 2022-01-01\nrequires: 1559, 100",
      "e7": "eip: 7\ntype: Standards Track\nstatus: Draft\ncreated: 2023-01-01\nrequires: 1559",
      "own": "eip: 5\nkind: book",
      "note": "eip: 6\nkind: note",
      "Books/x": "title: x",
      "other": "title: y",
    ])

  @Test(arguments: [
    ("kind:eip", "e100 e1559 e7 e9"),
    ("kind:late", ""),
    ("kind:folder", "Books/x"),
    ("kind:book", "own"),
    ("kind:note", "note other"),
    ("kind:", "other"),
    ("requires:1559", "e7 e9"),
    ("requires:2930", "e1559"),
    ("requires:2718", "e1559"),
    ("kind:eip is:active", "e100 e7 e9"),
    ("kind:eip status:..review", "e100 e7 e9"),
    ("NOT is:active", "e1559"),
  ])
  func kinds(_ query: String, _ expected: String) throws {
    #expect(try Self.box.set(query) == expected, "\(query)")
  }

  @Test func `records are listed in the order of the kind that matched`() throws {
    #expect(try Self.box.found(["kind:eip"]) == "e7 e9 e100 e1559")
    let arguments = ["kind:eip", "status:draft", "type:standards track", "sort:-created"]
    #expect(try Self.box.found(arguments) == "e7 e9")
    #expect(try Self.box.found(["kind:eip", "sort:-status,-eip"]) == "e1559 e100 e9 e7")
  }

  @Test func `an entry's kind is the note's own unless another is given`() {
    let plain = entry("a.md", "---\nkind: book\n---\n")
    #expect(plain.kind == "book")
    #expect(Entry(note: plain.note, created: plain.created, kind: "x").kind == "x")
    let matcher = KindMatcher(.builtIn, clock: clock)
    #expect(matcher.problems.isEmpty)
    #expect(matcher.kind(of: entry("b.md", "").note, created: plain.created) == "note")
  }

  @Test(arguments: Schema.builtIn.kinds) func `the order of a built-in kind can be read`(_ kind: Kind) throws
  {
    _ = try kind.sort.map { text throws(QueryError) in try SortKey.parse(text) }
  }

  @Test(arguments: [
    (Kind("k", match: "(has:x"), "k match unmatched opening parenthesis"),
    (Kind("k", match: "is:active"), "k match is:active can't be used here: it depends on the kind"),
    (
      Kind("k", match: "@overdue"),
      "k match @overdue: is:active can't be used here: it depends on the kind"
    ),
    (Kind("k", match: "@mine"), "k match @mine is not a filter"),
    (Kind("k", match: "modified:7d"), "k match modified: can't be used here"),
    (Kind("k", match: "@recent"), "k match modified: can't be used here"),
    (Kind("k", match: "a sort:title"), "k match sort: can't be used here"),
    (Kind("k", active: "a limit:3"), "k active limit: can't be used here"),
    (Kind("k", active: "due:1..2..3"), "k active a range has at most two ends"),
    (
      Kind("k", active: "is:active"),
      "k active is:active refers to itself here: active: of k, is:active, active: of k"
    ),
    (
      Kind("k", active: "x @leftover"),
      "k active @leftover: is:active refers to itself here: active: of k, @leftover, is:active, active: of k"
    ),
  ])
  func problems(_ kind: Kind, _ expected: String) throws {
    let schema = Schema(kinds: [kind])
    let matcher = KindMatcher(schema, clock: clock)
    #expect(matcher.problems.map { "\($0.kind) \($0.key) \($0.error.message)" } == [expected])
    let note = entry("a.md", "---\nx: 1\n---\n").note
    #expect(matcher.kind(of: note, created: clock.now) == "note")
    // A kind whose query can't be read hides nothing.
    let record = Entry(note: note, created: clock.now, kind: "k")
    #expect(ActiveTest(schema: schema, clock: clock).isActive(record))
  }
}
