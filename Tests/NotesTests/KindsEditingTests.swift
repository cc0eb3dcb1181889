import Notes
import Testing

@Suite struct KindsEditingTests {
  @Test func anIssueIsClosedAndReopened() throws {
    let open = try Kinds.new("issue", "Crash", [])
    #expect(Kinds.lines(open) == ["title: Crash", "kind: issue", "priority: medium", "status: open"])
    let closed = try Kinds.set(open, "status:closed")
    #expect(Kinds.field("closed", closed) == "2026-11-21")
    #expect(try Kinds.set(closed, "status:open").bytes == open.bytes)
    #expect(try Kinds.set(closed, "status:CLOSED").bytes == closed.bytes)
  }

  @Test func aTaskIsFinishedAndReopened() throws {
    let task = try Kinds.new(
      "task", "Review", Kinds.changes("due:friday", "priority:HIGH", "my-day:today", "group:Home"))
    #expect(
      Kinds.lines(task) == [
        "title: Review", "kind: task", "priority: high", "done: false", "my-day: 2026-11-21",
        "due: 2026-11-27",
        "group: bcdfghjk",
      ])
    let kind = try #require(Schema.builtIn.kind(named: "Task"))
    let run = { (action: String, text: NoteText) in
      try Kinds.editor().apply(try #require(kind.action(named: action)).changes, to: text, isNew: false).text
    }
    let done = try run("finish", task)
    #expect(Kinds.field("done", done) == "true")
    #expect(Kinds.field("finished", done) == "2026-11-21")
    #expect(try run("finish", done).bytes == done.bytes)
    #expect(try run("reopen", done).bytes == task.bytes)
    let later = try run("not-today", task)
    #expect(Kinds.field("my-day", later) == nil)
    #expect(try run("today", later).bytes == task.bytes)
  }

  /// Fields and tags that are written together are those that are written one by one.
  @Test(arguments: [
    ["x:1", "y:two words", "z:2.5"], ["x:1", "X:2", "y:"], ["+a", "+b", "+A", "+c/d"],
    ["x:1", "+a", "y:2", "+b", "-a"], ["x:1", "due:3d", "y:2"], ["tags:p", "+q", "z:9", "x:+r"],
  ])
  func manyChangesAreThoseOfEachAlone(words: [String]) throws {
    for start in ["kind: task", "kind: note", "tags: [k]", "tags: k l"] {
      let text = Kinds.text(start)
      let changes = words.compactMap { Change($0) }
      let together = try Kinds.editor().apply(changes, to: text, isNew: false).text
      var alone = text
      for change in changes { alone = try Kinds.editor().apply([change], to: alone, isNew: false).text }
      #expect(together.bytes == alone.bytes, "\(start)")
    }
  }

  @Test(arguments: [
    ("due:3d", "2026-11-24"), ("due:-3d", "2026-11-18"), ("due:+2w", "2026-12-05"), ("due:eow", "2026-11-22"),
    ("due:tomorrow", "2026-11-22"), ("due:2027-01-02", "2027-01-02"), ("due:now", "2026-11-21"),
    ("due:saturday", "2026-11-21"), ("Due:mon", "2026-11-23"), ("due:+7d", "2026-11-28"),
    ("due:dec 5", "2026-12-05"), ("due:5 dec", "2026-12-05"), ("due:5 january 2028", "2028-01-05"),
    ("due:20261130", "2026-11-30"), ("due:2026-W49-5", "2026-12-04"), ("due:next friday", "2026-11-27"),
    ("due:next week", "2026-11-23"), ("due:next month", "2026-12-01"), ("due:Next Year", "2027-01-01"),
    ("due:eom", "2026-11-30"), ("due:som", "2026-11-01"), ("due:1m", "2026-12-21"),
  ]) func daysAreWrittenWhole(change: String, day: String) throws {
    #expect(Kinds.field("due", try Kinds.set(Kinds.text("kind: task"), change)) == day)
  }

  @Test(arguments: [
    ("finished:friday", "2026-11-20"), ("finished:3d", "2026-11-18"), ("finished:yesterday", "2026-11-20"),
    ("finished:dec 5", "2025-12-05"), ("finished:last friday", "2026-11-20"), ("finished:-7d", "2026-11-14"),
    ("finished:1w", "2026-11-14"), ("finished:20261101", "2026-11-01"),
  ])
  func someDaysLookBack(change: String, day: String) throws {
    #expect(Kinds.field("finished", try Kinds.set(Kinds.text("kind: task", "done: true"), change)) == day)
  }

  @Test(arguments: [
    ("due:2026-W49", "due: 2026-W49 is more than one day; write one day, such as 2026-11-30 or 2026-12-06"),
    ("due:this week", "due: this week is more than one day; write one day, such as 2026-11-16 or 2026-11-22"),
    (
      "due:last month",
      "due: last month is more than one day; write one day, such as 2026-10-01 or 2026-10-31"
    ),
    ("due:next", "due: next is not a date; did you mean \"next week\""),
    ("due:later", "due: later is not a date (2026-11-21, today, friday, dec 5, 3d)"),
  ])
  func moreOrLessThanADayIsRefused(change: String, message: String) {
    #expect(Kinds.refusals(Kinds.text("kind: task"), change) == [message])
  }

  @Test func createdKeepsATimeOrADay() throws {
    let note = Kinds.text("title: A")
    #expect(Kinds.field("created", try Kinds.set(note, "created:2026-11-20")) == "2026-11-20")
    #expect(
      Kinds.field("created", try Kinds.set(note, "created:2026-11-20T10:00:00+02:00"))
        == "2026-11-20T10:00:00+02:00")
    #expect(!Kinds.refusals(note, "created:someday").isEmpty)
  }

  @Test func wrongChoicesAreRefused() {
    #expect(
      Kinds.refusals(Kinds.text("kind: issue"), "priority:urgent") == [
        "priority: urgent is not one of its values: low, medium, high"
      ])
    #expect(
      Kinds.refusals(Kinds.text("kind: task"), "done:perhaps") == ["done: perhaps is neither true nor false"])
  }

  @Test func referencesHaveToBeThere() throws {
    let task = Kinds.text("kind: task")
    #expect(Kinds.refusals(task, "group:Nowhere") == ["group: there is no group Nowhere"])
    #expect(Kinds.refusals(task, "group:Twin") == ["group: Twin matches more than one group"])
    #expect(Kinds.field("group", try Kinds.set(task, "group:Work")) == "kjhgfdcb")
    #expect(
      Kinds.editor().problems(in: Kinds.note(Kinds.text("kind: task", "group: '[[Home|at home]]'"))).isEmpty)
  }

  @Test func unknownFieldsAreAllowedWithAHint() throws {
    let issue = Kinds.text("kind: issue")
    let result = try Kinds.editor().apply(
      Kinds.changes("priorty:high", "estimate:3"), to: issue, isNew: false)
    #expect(Kinds.field("priorty", result.text) == "high")
    #expect(Kinds.field("estimate", result.text) == "3")
    #expect(result.warnings == ["priorty is not a field of kind issue: did you mean priority?"])
    #expect(try Kinds.warnings(result.text, "priorty:low") == [])
    let list = try Kinds.set(issue, "watchers:+ann")
    #expect(FrontMatter(try Kinds.set(list, "watchers:+bob"))["watchers"]?.strings == ["ann", "bob"])
  }

  @Test func aNoteOfAnUndeclaredKindIsAPlainNote() throws {
    let recipe = Kinds.text("kind: recipe", "status: lent", "rating: 9")
    let after = try Kinds.set(recipe, "rating:12", "status:eaten", "due:whenever", "+soup")
    #expect(Kinds.field("rating", after) == "12")
    #expect(Kinds.editor().problems(in: Kinds.note(after)).isEmpty)
  }

  @Test func olderFaultsAreWarnedAboutAndStay() throws {
    let book = Kinds.text(
      "title: Dune", "kind: book", "rating: nine", "status: on-shelf", "started: 2026-01-01",
      "added: 2026-02-01")
    let faults = [
      "author: missing, and kind book requires it", "rating: nine is not a whole number from 1 to 5",
      "started: 2026-01-01 is before added 2026-02-01",
      "started: 2026-01-01 is not allowed while status is on-shelf",
    ]
    #expect(Kinds.editor().problems(in: Kinds.note(book)).map(\.message) == faults)
    let result = try Kinds.editor().apply(Kinds.changes("+later"), to: book, isNew: false)
    #expect(result.warnings == faults)
    #expect(Kinds.lines(result.text).contains("rating: nine"))
    #expect(Kinds.refusals(book, "added:2026-03-01") == ["started: 2026-01-01 is before added 2026-03-01"])
    #expect(Kinds.refusals(book, "rating:8") == ["rating: 8 is not a whole number from 1 to 5"])
    #expect(try Kinds.warnings(book, "rating:4").count == 3)
  }

  @Test func problemsHaveLinesAndFixes() {
    let text = Kinds.text("kind: issue", "priority: hihg", "closed: May 7, 2021", "status: closed")
    let problems = Kinds.editor().problems(in: Kinds.note(text))
    #expect(problems.map(\.field) == ["priority", "closed"])
    #expect(problems.map(\.line) == [3, 4])
    #expect(
      problems.map(\.fix) == [
        .set(field: "priority", value: "high"), .set(field: "closed", value: "2021-05-07"),
      ])
  }

  @Test func aMissingFieldCountsAsItsDefault() throws {
    let kind = try #require(Schema.builtIn.kind(named: "issue"))
    let note = Kinds.note(Kinds.text("kind: issue"))
    #expect(kind.value(of: "status", in: note) == .choice(0))
    #expect(kind.value(of: "PRIORITY", in: note) == .choice(1))
    #expect(try Kinds.set(Kinds.text("kind: issue"), "status:open").frontMatter != nil)
    let started = try Kinds.set(Kinds.text("title: A", "kind: book", "author: H"), "status:in-progress")
    #expect(Kinds.field("started", started) == "2026-11-21")
  }

  @Test func placeholdersOfTemplatesAreNoFaults() {
    let template = Kinds.text("created: {{date}}", "kind: issue", "status: \"{{status}}\"")
    #expect(Kinds.editor().problems(in: Kinds.note(template)).isEmpty)
  }

  @Test func becomingAnotherKindIsChecked() throws {
    let note = Kinds.text("title: Dune")
    #expect(Kinds.refusals(note, "kind:book") == ["author: missing, and kind book requires it"])
    let book = try Kinds.set(note, "kind:BOOK", "author:H", "status:completed")
    #expect(Kinds.field("kind", book) == "book")
    #expect(Kinds.field("completed", book) == "2026-11-21")
  }

  @Test func anUndeclaredKindDrawsAHint() throws {
    #expect(
      try Kinds.warnings(Kinds.text("a: b"), "kind:isue") == [
        "isue is not a declared kind: did you mean issue?"
      ]
    )
    #expect(try Kinds.warnings(Kinds.text("a: b"), "kind:recipe") == [])
  }

  @Test func theKindOfAMatchIsGiven() throws {
    let editor = Kinds.editor()
    let text = Kinds.text("title: Dune", "author: H", "rating: 3")
    #expect(throws: RecordError.self) {
      try editor.apply(Kinds.changes("rating:7"), to: text, kind: "book", isNew: false)
    }
    #expect(editor.problems(in: Kinds.note(Kinds.text("title: Dune")), kind: "book").count == 1)
  }

  @Test func fixedFieldsCanNotBeSet() throws {
    let note = Kinds.text("title: A")
    #expect(Kinds.refusals(note, "id:bcdfghjk") == ["id: the id of a note can't change"])
    #expect(
      Kinds.refusals(note, "modified:today") == ["modified: it is derived from history and never stored"])
    _ = try Kinds.set(Kinds.text("modified: 2020-01-01"), "modified:2021-01-01")
  }

  @Test func editsKeepAllOtherBytes() throws {
    let bytes =
      "---\r\nKind: x # odd\r\nkind: issue\r\nStatus:  'Open' # now\r\n\r\nextra: {a: b}\r\n---\r\nBody"
    let after = try Kinds.set(NoteText(Array(bytes.utf8)), "status:closed")
    #expect(
      String(decoding: after.bytes, as: UTF8.self)
        == "---\r\nKind: x # odd\r\nkind: issue\r\nStatus:  'closed' # now\r\nclosed: 2026-11-21\r\n\r\nextra: {a: b}\r\n---\r\nBody"
    )
  }

  @Test func brokenFrontMatterIsNeverRewritten() {
    let text = NoteText(Array("---\nkind: issue\na: b: c\n---\n".utf8))
    #expect(throws: RecordError.self) { try Kinds.set(text, "status:closed") }
    #expect(Kinds.editor().problems(in: Kinds.note(text)).isEmpty)
  }

  /// Today is Saturday, 2026-11-21.
  @Test(arguments: [
    ("due:friday", ["due: 2026-11-27"]), ("due:+2d", ["due: 2026-11-23"]),
    ("due:monday 9am", ["due: 2026-11-23", "due-time: \"09:00\""]),
    ("due:9am tomorrow", ["due: 2026-11-22", "due-time: \"09:00\""]),
    ("due:noon", ["due: 2026-11-21", "due-time: \"12:00\""]),
    ("scheduled:next week", ["scheduled: 2026-11-23"]),
    ("due:2026-11-25T10:00", ["due: \"2026-11-25T10:00\""]), ("due:some day", ["due: some day"]),
    ("begin:some day", ["begin: some day"]),
  ]) func `reads due and scheduled as dates in kinds that do not declare them`(
    change: String, fields: [String]
  ) throws {
    for kind in ["issue", "note", "book"] {
      let text = try Kinds.set(Kinds.text("title: A", "kind: \(kind)"), change)
      #expect(Kinds.lines(text).filter { !$0.hasPrefix("title") && !$0.hasPrefix("kind") } == fields)
    }
  }

  @Test func `names the dates of a kind after its article`() throws {
    let result = try Kinds.editor().apply(
      Kinds.changes("when:friday"), to: Kinds.text("title: A", "kind: issue"), isNew: false)
    #expect(result.warnings.joined().contains("the date fields of an issue are"))
  }
}
