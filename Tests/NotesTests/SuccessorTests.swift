import Notes
import Testing

/// The record that comes next after one that was done.
@Suite struct SuccessorTests {
  private static func finish(
    _ text: NoteText, _ words: String..., schema: Schema = .builtIn, kind: String = "task"
  ) throws -> Succeeding? {
    try Kinds.editor(schema).apply(
      words.compactMap { Change($0) }, to: text, kind: kind, isNew: false
    ).next
  }

  private static func next(_ answer: Succeeding?) throws -> Successor {
    guard case .by(let successor)? = answer else {
      throw ExpectationFault("no successor: \(String(describing: answer))")
    }
    return successor
  }

  private struct ExpectationFault: Error {
    let message: String
    init(_ message: String) { self.message = message }
  }

  @Test func datesMoveAndTheRestStays() throws {
    let text = NoteText(
      Array(
        """
        ---\r
        # kept\r
        title: Water  # the plants\r
        due:   "2026-11-30"\r
        wait: 2026-11-28\r
        recur: monthly\r
        my-day: 2026-11-30\r
        aliases: [green]\r
        extra: {a: 1}\r
        ---\r
        - [x] kitchen\r
        1. [X] bath\r
        > - [x] quoted\r
        ```\r
        - [x] code\r
        ```\r
        [x] no list
        """.utf8))
    let next = try Self.next(Self.finish(text, "done:true"))
    let expected = """
      ---\r
      # kept\r
      title: Water  # the plants\r
      due:   "2026-12-30"\r
      wait: 2026-12-28\r
      recur: monthly\r
      extra: {a: 1}\r
      ---\r
      - [ ] kitchen\r
      1. [ ] bath\r
      > - [ ] quoted\r
      ```\r
      - [x] code\r
      ```\r
      [x] no list
      """
    #expect(String(decoding: next.text.bytes, as: UTF8.self) == expected)
    #expect(next.day == CivilDate("2026-12-30"))
  }

  @Test func theScheduledDateMovesWithTheDueDate() throws {
    let text = Kinds.text(
      "title: Mow", "due: 2026-11-30", "scheduled: 2026-11-28T08:30:00+01:00", "recur: weekly")
    let note = Kinds.note(try Self.next(Self.finish(text, "done:true")).text)
    #expect(note.frontMatter["scheduled"]?.text == "2026-12-05")
    #expect(note.frontMatter["scheduled-time"]?.text == "08:30")
  }

  /// Today is 2026-11-21; the task was done earlier, or will have been.
  @Test(arguments: [("2026-11-10", "2026-11-17"), ("2026-11-21", "2026-11-28"), ("2026-11-26", "2026-12-03")])
  func `a length with a plus counts from the day on which it was done`(finished: String, next: String) throws
  {
    let text = Kinds.text("title: Filter", "due: 2026-11-20", "recur: +1w")
    let successor = try Self.next(Self.finish(text, "done:true", "finished:\(finished)"))
    #expect(successor.day == CivilDate(next))
  }

  @Test func aShortMonthIsRemembered() throws {
    let text = Kinds.text("title: Rent", "due: 2027-01-31", "recur: monthly")
    let next = try Self.next(Self.finish(text, "done:true"))
    let note = Kinds.note(next.text)
    #expect(note.frontMatter["due"]?.text == "2027-02-28")
    #expect(note.frontMatter["recur"]?.text == "monthly on 31")
  }

  @Test func withoutADateItCountsFromToday() throws {
    let next = try Self.next(Self.finish(Kinds.text("title: Mow", "recur: weekly"), "done:true"))
    #expect(
      Kinds.note(next.text).frontMatter["due"]?.text == Kinds.editor().clock.today.adding(days: 7).description
    )
  }

  @Test func theCommandMaySayHowOften() throws {
    let text = Kinds.text("title: Mow", "due: 2027-01-01", "recur: weekly")
    #expect(try Self.finish(text, "done:true", "recur:") == nil)
    let next = try Self.next(Self.finish(text, "done:true", "recur:3d"))
    #expect(Kinds.note(next.text).frontMatter["recur"]?.text == "3d")
    #expect(next.day == CivilDate("2027-01-04"))
  }

  @Test func itEnds() throws {
    let text = Kinds.text("title: Mow", "due: 2027-01-01", "recur: weekly", "until: 2027-01-08")
    #expect(try Self.next(Self.finish(text, "done:true")).day == CivilDate("2027-01-08"))
    #expect(try Self.finish(text, "done:true", "until:2027-01-07") == .over)
  }

  @Test(arguments: [
    ["title: Mow", "recur: weekly", "done: true"], ["title: Mow"], ["title: Mow", "recur: some day"],
    ["title: Mow", "recur:"],
  ])
  func nothingComesNext(_ lines: [String]) throws {
    let text = NoteText(Array((["---"] + lines + ["---", ""]).joined(separator: "\n").utf8))
    #expect(try Self.finish(text, "done:true") == nil)
  }

  @Test func aKindOfOnesOwnDeclaresIt() throws {
    let file = """
      fields:
        stage: {type: choice, values: [planned, done], default: planned}
        every: {type: recurrence, default: yearly}
        on: date
        place: text
      transitions:
        - {field: stage, from: planned, to: done, next: {by: every, move: on, clear: place}}
      """
    let read = Schema.reading([("visit.yaml", Array(file.utf8))])
    #expect(read.problems.isEmpty)
    let text = Kinds.text("title: Dentist", "on: 2026-12-01", "place: town")
    let next = try Self.next(Self.finish(text, "stage:done", schema: read.schema, kind: "visit"))
    let note = Kinds.note(next.text)
    #expect(note.frontMatter["on"]?.text == "2027-12-01")
    #expect(note.frontMatter["place"] == nil && note.frontMatter["stage"] == nil)
  }

  @Test(arguments: [
    (
      "- {field: a, from: x, to: y, next: {by: r}}",
      "transitions: next: move: is missing; expected the dates that move"
    ),
    (
      "- {field: a, from: x, to: y, next: {move: d}}",
      "transitions: next: by: is missing; expected the field that says how often"
    ),
    (
      "- {field: a, to: y, next: {by: r, move: d}}",
      "transitions: next: from: and to: must both be given"
    ),
    (
      "- {field: a, from: x, to: y, next: {by: d, move: d}}",
      "transitions: next: by: d is date, not recurrence"
    ),
    (
      "- {field: a, from: x, to: y, next: {by: r, move: [d, a]}}",
      "transitions: next: move: a is choice, not date"
    ),
    (
      "- {field: a, from: x, to: y, next: {by: r, move: d, until: r}}",
      "transitions: next: until: r is recurrence, not date"
    ),
    (
      "- {field: a, from: x, to: y, next: {by: r, move: d, clear: [a]}}",
      "transitions: next: clear: a can't be cleared, the transition needs it"
    ),
    (
      "- {field: a, from: x, to: y, next: {by: r, move: d, cler: a}}",
      "transitions: next: unknown key cler; did you mean clear?"
    ),
    ("- {field: a, from: x, to: y, next: weekly}", "transitions: next: expected a map with keys such as by:"),
  ])
  func faultsAreNamed(_ transition: String, _ message: String) {
    let file = """
      fields:
        a: {type: choice, values: [x, y]}
        r: recurrence
        d: date
      transitions:
        \(transition)
      """
    let problems = Schema.reading([("thing.yaml", Array(file.utf8))]).problems
    #expect(problems.contains { $0.line == 6 && $0.message == message }, "\(problems.map(\.description))")
  }

  @Test(arguments: [
    (
      "urgency:\n  - +next 15\n  - is:blocked", 3,
      "urgency: expected a query and its weight, such as 'priority:high 6', not 'is:blocked'"
    ),
    ("urgency: +next 15", 1, "urgency: expected a list, with one element per line after '- '"),
    (
      "urgency:\n  - +next 1.555", 2,
      "urgency: expected a query and its weight, such as 'priority:high 6', not '+next 1.555'"
    ),
    ("fields:\n  urgency: integer\nurgency:\n  - +a 1", 3, "urgency: a field already has that name"),
    (
      "fields:\n  a: {type: text, blocking: true}", 2,
      "a: blocking is only for reference, and this field is text"
    ),
    (
      "fields:\n  a: text\nrow:\n  - {field: a, only: is:late}", 4,
      "row: only: expected one of is:active, is:waiting, is:blocked, is:blocking"
    ),
  ])
  func faultsOfStatesAreNamed(_ file: String, _ line: Int, _ message: String) {
    let problems = Schema.reading([("thing.yaml", Array(file.utf8))]).problems
    #expect(problems.contains { $0.line == line && $0.message == message }, "\(problems.map(\.description))")
  }

  @Test(arguments: [
    ("8", "8"), ("-3.90", "-3.9"), ("0.25", "0.25"), ("+1.5", "1.5"), ("007", "7"), ("-0", "0"),
    ("1234567", nil),
    ("1.", nil), (".5", nil), ("1.234", nil), ("1,5", nil), ("", nil), ("-", nil), ("0x1", nil),
  ])
  func weightsAreRead(_ text: String, _ expected: String?) { #expect(Weight(text)?.description == expected) }
}
