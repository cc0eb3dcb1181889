import Notes
import Testing
import Text

@Suite struct KindsBookTests {
  struct Move: Sendable, CustomTestStringConvertible {
    let from: String
    let to: String
    let started: String?
    let completed: String?
    var testDescription: String { "\(from) to \(to)" }
  }

  static let moves = [
    Move(from: "on-shelf", to: "on-shelf", started: nil, completed: nil),
    Move(from: "on-shelf", to: "in-progress", started: "2026-11-21", completed: nil),
    Move(from: "on-shelf", to: "completed", started: "2026-01-05", completed: "2026-11-21"),
    Move(from: "in-progress", to: "on-shelf", started: nil, completed: nil),
    Move(from: "in-progress", to: "in-progress", started: "2026-02-01", completed: nil),
    Move(from: "in-progress", to: "completed", started: "2026-02-01", completed: "2026-11-21"),
    Move(from: "completed", to: "on-shelf", started: nil, completed: nil),
    Move(from: "completed", to: "in-progress", started: "2026-11-21", completed: nil),
    Move(from: "completed", to: "completed", started: "2026-02-01", completed: "2026-03-01"),
  ]

  private static func book(_ status: String) -> NoteText {
    let dates = ["on-shelf": 0, "in-progress": 1, "completed": 2][status] ?? 0
    let lines = ["started: 2026-02-01", "completed: 2026-03-01"].prefix(dates)
    let all =
      ["title: Dune", "kind: book", "author: Frank Herbert", "status: \(status)", "added: 2026-01-05"] + lines
    return NoteText(Array(("---\n" + all.joined(separator: "\n") + "\n---\n").utf8))
  }

  @Test(arguments: moves) func datesFollowTheStatus(_ move: Move) throws {
    let after = try Kinds.set(Self.book(move.from), "status:\(move.to)")
    #expect(Kinds.field("status", after) == move.to)
    #expect(Kinds.field("added", after) == "2026-01-05")
    #expect(Kinds.field("started", after) == move.started)
    #expect(Kinds.field("completed", after) == move.completed)
    #expect(Kinds.editor().problems(in: Kinds.note(after)).isEmpty)
  }

  @Test(arguments: moves) func actionsMoveTheStatus(_ move: Move) throws {
    let actions = ["on-shelf": "shelve", "in-progress": "start", "completed": "finish"]
    let book = try #require(Schema.builtIn.kind(named: "book"))
    let action = try #require(book.action(named: actions[move.to] ?? ""))
    let after = try Kinds.editor().apply(action.changes, to: Self.book(move.from), isNew: false).text
    #expect(Kinds.field("started", after) == move.started)
    #expect(Kinds.field("completed", after) == move.completed)
    if move.from == move.to { #expect(after.bytes == Self.book(move.from).bytes) }
  }

  @Test func aNewBookStartsAtItsDefaults() throws {
    let book = try Kinds.new("book", "Dune", Kinds.changes("author:Frank Herbert"))
    #expect(
      Kinds.lines(book) == [
        "title: Dune", "kind: book", "author: Frank Herbert", "status: on-shelf", "added: 2026-11-21",
      ])
  }

  @Test func aNewBookIsMovedAsBySet() throws {
    let read = try Kinds.new(
      "book", "Dune", Kinds.changes("author:H", "status:completed", "added:2026-03-01"))
    #expect(Kinds.field("started", read) == "2026-03-01")
    #expect(Kinds.field("completed", read) == "2026-11-21")
    let begun = try Kinds.new("book", "Dune", Kinds.changes("author:H", "status:in-progress"))
    #expect(Kinds.field("started", begun) == "2026-11-21")
  }

  @Test func aFinishedBookThatIsStartedAgainKeepsItsReadings() throws {
    let again = try Kinds.set(Self.book("completed"), "status:in-progress")
    #expect(Kinds.note(again).frontMatter["readings"] == .list([.text("2026-02-01..2026-03-01")]))
    let read = try Kinds.set(again, "status:completed")
    let third = try Kinds.set(read, "status:in-progress", "started:2026-12-01")
    #expect(
      Kinds.note(third).frontMatter["readings"]
        == .list([.text("2026-02-01..2026-03-01"), .text("2026-11-21..2026-11-21")]))
    #expect(Kinds.field("started", third) == "2026-12-01")
    #expect(Kinds.editor().problems(in: Kinds.note(third)).isEmpty)
  }

  @Test func readingsThatAreGivenBeatTheTransition() throws {
    let again = try Kinds.set(Self.book("completed"), "status:in-progress", "readings:")
    #expect(Kinds.note(again).frontMatter["readings"] == nil)
  }

  @Test func earlierValuesAreReadFromTheReadings() throws {
    let book = try #require(Schema.builtIn.kind(named: "book"))
    let completed = try #require(book.field("completed"))
    let note = Kinds.note(
      Kinds.text(
        "title: A", "kind: book", "readings: [2024-01-02..2024-02-03, ..2025-03-04, 2025, a..b, 2026-01-01..]"
      ))
    let days = book.earlierValues(of: completed, in: note).map { completed.written($0) }
    #expect(days == ["2024-02-03", "2025-03-04"])
    #expect(book.keepsEarlierValues(of: "Started") && !book.keepsEarlierValues(of: "added"))
  }

  @Test func aGivenValueBeatsATransition() throws {
    let after = try Kinds.set(
      Self.book("on-shelf"), "completed:2026-04-01", "status:completed", "started:2026-03-01")
    #expect(Kinds.field("started", after) == "2026-03-01")
    #expect(Kinds.field("completed", after) == "2026-04-01")
    let without = try Kinds.set(Self.book("on-shelf"), "status:completed", "started:")
    #expect(Kinds.field("started", without) == nil)
    #expect(Kinds.field("completed", without) == "2026-11-21")
  }

  @Test func theLastOfTwoValuesCounts() throws {
    let after = try Kinds.set(Self.book("on-shelf"), "status:completed", "status:in-progress")
    #expect(Kinds.field("started", after) == "2026-11-21")
    #expect(Kinds.field("completed", after) == nil)
  }

  @Test(arguments: [
    ("in-progress", "started:2025-12-31", "started: 2025-12-31 is before added 2026-01-05"),
    ("in-progress", "added:2026-02-02", "started: 2026-02-01 is before added 2026-02-02"),
    ("completed", "completed:2026-01-31", "completed: 2026-01-31 is before started 2026-02-01"),
    ("completed", "started:2026-03-02", "completed: 2026-03-01 is before started 2026-03-02"),
    ("completed", "started:2026-01-01", "started: 2026-01-01 is before added 2026-01-05"),
  ]) func aBrokenOrderIsRefused(status: String, change: String, message: String) {
    #expect(Kinds.refusals(Self.book(status), change) == [message])
  }

  @Test func theRefusalNamesTheChangeThatMovesTheOtherDate() throws {
    let problems = try Kinds.problems {
      _ = try Kinds.set(Self.book("on-shelf"), "status:completed", "completed:2025-01-01")
    }
    #expect(problems.map(\.message) == ["completed: 2025-01-01 is before added 2026-01-05"])
    #expect(
      problems.map(\.hint) == [
        "added <= started <= completed; add added:2025-01-01 to change added too"
      ])
  }

  /// Without a day on which it was added, the day on which it was started follows from the one that is given.
  @Test func aDayThatFollowsGivesWayToOneThatIsGiven() throws {
    let text = try Kinds.set(
      Kinds.text("title: Dune", "kind: book", "author: H"), "status:completed", "completed:2019-05-01")
    #expect(Kinds.field("started", text) == "2019-05-01")
    #expect(Kinds.field("added", text) == nil)
  }

  @Test(arguments: [
    ("completed:tomorrow", ["completed: 2026-11-22 is in the future"]), ("completed:today", []),
    ("completed:friday", []), ("completed:yesterday", []),
  ]) func aDayInTheFutureIsWarnedOf(change: String, warnings: [String]) throws {
    let result = try Kinds.editor().apply(
      Kinds.changes(change), to: Self.book("completed"), isNew: false)
    #expect(result.warnings == warnings)
  }

  @Test(arguments: [
    ("a", ["author", "added"]), ("c", ["completed"]), ("x", []), ("st", ["status", "started"]),
    ("ad", ["added"]),
    ("pages", []), ("stage", []), ("starts", []), ("uid", []), ("kid", ["kind"]), ("doing", []),
    ("starte", ["started"]),
    ("tilte", ["title"]), ("raiting", ["rating"]), ("rating", []), ("compl", ["completed"]), ("mood", []),
  ]) func namesThatAreNearAField(word: String, near: [String]) throws {
    let book = try #require(Schema.builtIn.kind(named: "book"))
    #expect(book.fieldsNear(word) == near)
    let note = try #require(Schema.builtIn.kind(named: "note"))
    #expect(note.fieldsNear("t") == [])
  }

  @Test func theOrderHoldsOverAMissingDate() throws {
    let text = try Kinds.set(Self.book("completed"), "started:")
    #expect(
      Kinds.refusals(text, "completed:2026-01-01") == ["completed: 2026-01-01 is before added 2026-01-05"])
  }

  @Test func equalDatesAreInOrder() throws {
    let book = try Kinds.set(
      Self.book("completed"), "added:2026-02-01", "started:2026-02-01", "completed:2026-02-01")
    for field in ["added", "started", "completed"] { #expect(Kinds.field(field, book) == "2026-02-01") }
  }

  @Test(arguments: [
    ("on-shelf", "started:2026-02-01", "started: 2026-02-01 is not allowed while status is on-shelf"),
    ("on-shelf", "completed:2026-02-01", "completed: 2026-02-01 is not allowed while status is on-shelf"),
    (
      "in-progress", "completed:2026-03-01",
      "completed: 2026-03-01 is not allowed while status is in-progress"
    ),
  ]) func aDateWithoutItsStatusIsRefused(status: String, change: String, message: String) {
    #expect(Kinds.refusals(Self.book(status), change) == [message])
  }

  @Test func theRefusalNamesTheStatusThatAllowsIt() throws {
    let problems = try Kinds.problems { _ = try Kinds.set(Self.book("on-shelf"), "started:2026-02-01") }
    #expect(problems.map(\.hint) == ["started is allowed if status is in-progress or completed"])
  }

  @Test func clearingTheStatusShelvesTheBook() throws {
    let after = try Kinds.set(Self.book("completed"), "status:")
    #expect(
      Kinds.lines(after) == [
        "title: Dune", "kind: book", "author: Frank Herbert", "added: 2026-01-05",
        "readings: [2026-02-01..2026-03-01]",
      ])
  }

  @Test(arguments: [
    ("rating:0", "rating: 0 is not a whole number from 1 to 5"),
    ("rating:6", "rating: 6 is not a whole number from 1 to 5"),
    ("rating:four", "rating: four is not a whole number from 1 to 5"),
    ("rating:-1", "rating: -1 is not a whole number from 1 to 5"),
    ("rating:99999999999999999999", "rating: 99999999999999999999 is not a whole number from 1 to 5"),
    ("author:", "author: missing, and kind book requires it"),
    ("title:", "title: missing, and kind book requires it"),
    ("status:lent", "status: lent is not one of its values: on-shelf, in-progress, completed"),
    ("added:someday", "added: someday is not a date (2026-11-21, today, friday, dec 5, 3d)"),
    ("added:2026-02-30", "added: 2026-02-30 is not a date (2026-11-21, today, friday, dec 5, 3d)"),
    ("added:2026-02", "added: 2026-02 is more than one day; write one day, such as 2026-02-01 or 2026-02-28"),
  ]) func wrongValuesAreRefused(change: String, message: String) {
    #expect(Kinds.refusals(Self.book("on-shelf"), change) == [message])
  }

  @Test func blanksAreNoAuthor() throws {
    let problems = try Kinds.problems {
      _ = try Kinds.editor().apply(
        [.set(field: "author", value: "  ")], to: Self.book("on-shelf"), isNew: false)
    }
    #expect(problems.map(\.message) == ["author: empty, and kind book requires a text"])
  }

  @Test func ratingsAreOneToFiveOrNone() throws {
    for rating in 1...5 {
      let after = try Kinds.set(Self.book("on-shelf"), "rating:\(rating)")
      #expect(Kinds.field("rating", after) == String(rating))
      #expect(Kinds.field("rating", try Kinds.set(after, "rating:")) == nil)
    }
  }

  @Test func aNewBookNeedsAnAuthor() {
    #expect(
      Kinds.refusals(Kinds.text("title: Dune", "kind: book"), isNew: true)
        == ["author: missing, and kind book requires it"])
  }

  @Test func aHeadingOrAFileNameIsATitle() {
    let book = Note(path: Array("Books/Dune.md".utf8), text: Kinds.text("kind: book", "author: H"))
    #expect(Kinds.editor().problems(in: book).isEmpty)
  }

  @Test func everyProblemOfACommandIsNamed() {
    #expect(
      Kinds.refusals(Self.book("on-shelf"), "rating:9", "status:lent") == [
        "rating: 9 is not a whole number from 1 to 5",
        "status: lent is not one of its values: on-shelf, in-progress, completed",
      ])
  }
}
