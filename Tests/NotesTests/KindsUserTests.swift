import Notes
import Testing

/// A kind with every feature there is, and one for records that another tool writes.
@Suite struct KindsUserTests {
  static let trip = """
    comment: a journey
    active: NOT stage:done
    match: path:Trips/
    key: code
    sort: -stage,starts
    fields:
      title: {type: text, required: true, not-empty: true}
      code:
        type: text
        required: true
      stage: {type: choice, values: [idea, booked, done], default: idea}
      paid: {type: boolean, default: false}
      seats: {type: integer, min: 1}
      starts: date
      ends: date
      asked: {type: date, default: today, looks: back}
      book: {type: reference, to: book, on-delete: detach}
      stops: {type: list of text}
      legs: {type: list of reference, to: trip, on-delete: cascade, commas: true}
      marks: {type: list of choice, values: [warm, cold]}
      topics: tags
    constraints:
      - starts <= ends
      - seats only where paid is true
    transitions:
      - {field: paid, to: true, set: {stage: booked}}
      - {field: stage, from: [idea, booked], to: done, set: {ends: today}, copy: {starts: asked}}
      - {field: stage, to: idea, clear: [starts, ends]}
    actions:
      pay: paid:true
      end: [stage:done, +travelled]
    row:
      - {field: stage, as: {idea: [☁, "?"], done: X}}
      - title
      - {field: seats, stars: true}
      - {field: topics, empty: nothing}
      - book
      - {count: trip, label: [leg, legs]}

    """

  static let schema = Schema.reading([("trip.yaml", Array(trip.utf8))])

  @Test func itIsRead() throws {
    #expect(Self.schema.problems.isEmpty)
    let kind = try #require(Self.schema.schema.kind(named: "trip"))
    let again = Schema.reading([("trip.yaml", Array(kind.declaration.utf8))])
    #expect(again.problems.isEmpty)
    #expect(again.schema.kind(named: "trip") == kind, "\(kind.declaration)")
  }

  @Test(arguments: [("raise", "phase:open", true), ("reset", "'phase:'", false)])
  func `a state of another kind is a choice that its actions set`(
    _ action: String, _ change: String, _ isState: Bool
  ) throws {
    let (schema, problems) = Kinds.reading(
      "ticket.yaml", "fields:", "  phase: {type: choice, values: [open, closed]}", "actions:",
      "  \(action): \(change)")
    #expect(problems.isEmpty)
    var editor = Kinds.editor(schema)
    editor.refusesForeignStates = true
    let task = Kinds.text("title: A", "kind: task")
    let result = try? editor.apply([.set(field: "phase", value: "closed")], to: task, isNew: false)
    #expect((result == nil) == isState)
  }

  private func new(_ words: String...) throws -> NoteText {
    try Kinds.new("trip", "Rome", words.compactMap { Change($0) }, Self.schema.schema)
  }

  @Test func itIsMadeAndChanged() throws {
    let trip = try new("code:R1", "legs:1,2", "stops:+Pisa", "marks:WARM", "topics:+sea", "book:7")
    #expect(
      Kinds.lines(trip) == [
        "title: Rome", "kind: trip", "code: R1", "stage: idea", "paid: false", "asked: 2026-11-21", "book: 7",
        "stops: [Pisa]", "legs: 1, 2", "marks: [warm]", "topics: [sea]",
      ])
    let paid = try Kinds.set(trip, "paid:yes", "seats:3", schema: Self.schema.schema)
    #expect(Kinds.field("stage", paid) == "booked")
    #expect(
      Kinds.refusals(trip, "seats:3", schema: Self.schema.schema) == [
        "seats: 3 is not allowed while paid is false"
      ])
    let done = try Kinds.set(paid, "stage:done", schema: Self.schema.schema)
    #expect(Kinds.field("starts", done) == "2026-11-21")
    #expect(Kinds.field("ends", done) == "2026-11-21")
    #expect(Kinds.field("ends", try Kinds.set(done, "stage:", schema: Self.schema.schema)) == nil)
  }

  @Test func oneTransitionFollowsFromAnother() throws {
    let yaml = """
      fields:
        a: integer
        b: integer
        c: integer
      transitions:
        - {field: a, set: {b: 1}}
        - {field: b, copy: {c: b}, set: {a: 9}}
        - {field: c, set: {a: 8, b: 7}}

      """
    let (schema, problems) = Schema.reading([("loop.yaml", Array(yaml.utf8))])
    #expect(problems.isEmpty)
    let after = try Kinds.set(Kinds.text("kind: loop"), "a:5", schema: schema)
    #expect(Kinds.lines(after) == ["kind: loop", "a: 5", "b: 1", "c: 1"])
  }

  /// Where there is nothing to copy, the field keeps what it has; what it has is no reason to write a default.
  @Test func aCopyOfNothingChangesNothing() throws {
    let yaml = """
      fields:
        stage: {type: choice, values: [idea, done]}
        asked: date
        starts: date
      transitions:
        - {field: stage, to: done, copy: {starts: asked}}

      """
    let (schema, problems) = Schema.reading([("walk.yaml", Array(yaml.utf8))])
    #expect(problems.isEmpty)
    let kept = try Kinds.set(Kinds.text("kind: walk", "starts: 2026-01-02"), "stage:done", schema: schema)
    #expect(Kinds.lines(kept) == ["kind: walk", "stage: done", "starts: 2026-01-02"])
    let none = try Kinds.set(Kinds.text("kind: walk"), "stage:done", schema: schema)
    #expect(Kinds.lines(none) == ["kind: walk", "stage: done"])
    let copied = try Kinds.set(
      Kinds.text("kind: walk", "starts: 2026-01-02", "asked: 2026-01-01"), "stage:done", schema: schema)
    #expect(Kinds.field("starts", copied) == "2026-01-01")
  }

  @Test(arguments: [
    ("legs: 1, 2", "legs:+3", "legs: 1, 2, 3"), ("legs: 1", "legs:+2", "legs: 1, 2"),
    ("legs: 1, 2", "legs:-1", "legs: 2"),
    ("legs: 1, 2", "legs:3,4", "legs: 3, 4"), ("legs: [1, 2]", "legs:+3", "legs: [1, 2, 3]"),
    ("legs: [1, 2]", "legs:-2", "legs: [1]"), ("legs: 1, 2", "legs:+2", "legs: 1, 2"),
    ("legs: 1, 2", "legs:-9", "legs: 1, 2"), ("stops: A, B", "stops:+C", "stops: [\"A, B\", C]"),
    ("stops: [A]", "stops:-A", ""), ("legs: 1", "legs:-1", ""),
    ("marks: [warm]", "marks:+COLD", "marks: [warm, cold]"),
    ("marks: [Warm]", "marks:-warm", ""),
  ]) func listsKeepTheirStyle(before: String, change: String, after: String) throws {
    let text = try Kinds.set(
      Kinds.text("kind: trip", "title: Rome", "code: R", before), change, schema: Self.schema.schema)
    #expect(Kinds.lines(text).dropFirst(3).joined() == after)
  }

  @Test func wrongElementsAreRefused() {
    let trip = Kinds.text("kind: trip", "title: Rome", "code: R")
    #expect(
      Kinds.refusals(trip, "legs:+nowhere", schema: Self.schema.schema) == ["legs: there is no trip nowhere"])
    #expect(
      Kinds.refusals(trip, "marks:+hot", schema: Self.schema.schema) == [
        "marks: hot is not one of its values: warm, cold"
      ])
  }

  @Test func aDanglingReferenceIsDetached() {
    let note = Kinds.note(Kinds.text("kind: trip", "title: Rome", "code: R", "book: Gone", "legs: 1, gone"))
    let problems = Kinds.editor(Self.schema.schema).problems(in: note)
    #expect(problems.map(\.message) == ["book: there is no book Gone", "legs: there is no trip gone"])
    #expect(problems.map(\.fix) == [.clear(field: "book"), nil])
  }

  @Test func itsRowIsData() throws {
    let kind = try #require(Self.schema.schema.kind(named: "trip"))
    let note = Kinds.note(
      Kinds.text("kind: trip", "title: Rome", "code: R", "paid: true", "seats: 3", "book: 7"))
    let around = RowSurroundings(
      count: { $0 == "trip" ? 1 : 0 }, title: { $0 == "book" && $1 == "7" ? "Dune" : nil })
    let row = { (unicode: Bool) in kind.row.map { $0.text(for: note, kind: kind, unicode: unicode, around) } }
    #expect(row(true) == ["☁", "Rome", "★★★", "nothing", "Dune", "1 leg"])
    #expect(row(false) == ["?", "Rome", "***", "nothing", "Dune", "1 leg"])
  }

  static let proposals = Schema.reading([
    (
      "eip.yaml",
      Array(
        """
        # Ethereum Improvement Proposals, as their own repository writes them.
        match: has:eip
        key: eip
        sort: eip
        fields:
          eip: {type: integer, required: true, min: 1}
          status:
            type: choice
            values: [Draft, Review, Last Call, Final, Stagnant, Withdrawn, Living, Moved]
          type: {type: choice, values: [Standards Track, Meta, Informational]}
          created: {type: date, required: true, looks: back}
          requires: {type: list of reference, to: eip, on-delete: deny, commas: true}
          last-call-deadline: date
        constraints:
          - created <= last-call-deadline

        """.utf8)
    )
  ])

  @Test func recordsOfOtherToolsAreRead() throws {
    #expect(Self.proposals.problems.isEmpty)
    let text = Kinds.text(
      "eip: 1559", "title: Fee market", "author: A (@a), B (@b)", "status: Final", "type: Standards Track",
      "created: 2019-04-13",
      "requires: 2718, 2930")
    let editor = Kinds.editor(Self.proposals.schema)
    let kind = try #require(Self.proposals.schema.kind(named: "eip"))
    #expect(editor.problems(in: Kinds.note(text), kind: "eip").isEmpty)
    #expect(
      kind.value(of: "requires", in: Kinds.note(text)) == .list([.reference("2718"), .reference("2930")]))
    let edited = try editor.apply(
      Kinds.changes("requires:+1", "requires:-2718", "status:last call", "type:META"), to: text, kind: "eip",
      isNew: false)
    #expect(
      Kinds.lines(edited.text) == [
        "eip: 1559", "title: Fee market", "author: A (@a), B (@b)", "status: Last Call", "type: Meta",
        "created: 2019-04-13",
        "requires: 2930, 1",
      ])
  }

  @Test func recordsOfOtherToolsAreChecked() {
    let text = Kinds.text("eip: x", "status: Abandoned", "created: 13 April 2019", "requires: 1, nine")
    let problems = Kinds.editor(Self.proposals.schema).problems(in: Kinds.note(text), kind: "eip")
    #expect(
      problems.map(\.message) == [
        "created: 13 April 2019 is not a date (YYYY-MM-DD)", "eip: x is not a whole number, 1 or more",
        "status: Abandoned is not one of its values: Draft, Review, Last Call, Final, Stagnant, Withdrawn, Living, Moved",
        "requires: there is no eip nine",
      ])
    #expect(problems.first?.fix == .set(field: "created", value: "2019-04-13"))
  }
}
