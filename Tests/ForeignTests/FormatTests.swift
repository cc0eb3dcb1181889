import Notes
import Testing

@testable import Foreign

/// What records come of the files of each program.
@Suite struct FormatTests {
  @Test(arguments: [
    (
      "tasks.json", #"[{"description":"x","entry":"20260105T093000Z","status":"pending"}]"#,
      ForeignFormat.taskwarrior
    ),
    ("x.json", #"{"notes":[]}"#, .json), ("x.JSONL", "{}", .jsonl), ("x.ndjson", "", .jsonl),
    ("x.tsv", "a\tb", .csv),
    ("x.csv", "Book Id,Title,Exclusive Shelf\n", .goodreads), ("todo.txt", "", .todoTxt),
    ("my.todo.txt", "", .todoTxt),
    ("done.txt", "", .todoTxt), ("Note.MD", "", .folder), ("", "[]", .json), ("", " {\"a\":1}", .json),
    ("", "id,Title\n", .csv), ("library", "Title,Exclusive Shelf\n", .goodreads),
    ("", #"{"uuid":"1","description":"x"}"#, .taskwarrior),
    ("rt.txt", "2026-11-21 Buy milk\n(A) 2026-11-21 Call Ada +Home\nx 2026-11-22 2026-11-21 Pay\n", .todoTxt),
    ("", "Call Ada +Home @phone\n\nPay due:2026-12-01\n", .todoTxt),
  ])
  func isTold(_ name: String, _ text: String, _ format: ForeignFormat) {
    #expect(ForeignFormat.guess(name: name, Array(text.utf8)) == format)
  }

  @Test(arguments: [
    "2026-11-21 10:30 started\n", "x marks the spot\n", "(A) Call\nand more\n", "a @b\n", "", "hello world",
    "a,b\n1,2\n", "\u{7F}ELF", "- [ ] x\n",
  ])
  func isNotGuessed(_ text: String) { #expect(ForeignFormat.guess(name: "x.bin", Array(text.utf8)) == nil) }

  @Test(arguments: [
    (
      "(A) 2026-11-01 Call Mom +Family +Home @phone due:2026-11-30",
      "1 task Call Mom; created=2026-11-01T00:00:00+01:00; tags=Home|phone; group=Family; projects=[Home]; priority=high; done=false; due=2026-11-30"
    ),
    (
      "x 2026-11-03 2026-11-01 Review it pri:B",
      "1 task Review it; created=2026-11-01T00:00:00+01:00; priority=medium; done=true; finished=2026-11-03"
    ),
    (
      "x (C) 2026-11-03 Review it",
      "1 task Review it; created=2026-11-03T00:00:00+01:00; priority=low; done=true; finished=2026-11-03"
    ),
    (
      "x 2026-11-03 (B) 2026-11-01 Review it",
      "1 task Review it; created=2026-11-01T00:00:00+01:00; priority=medium; done=true; finished=2026-11-03"
    ),
    ("Water rec:3d", "1 task Water; done=false; recur=+3d"),
    ("Pay rec:+1m due:2026-12-01", "1 task Pay; done=false; due=2026-12-01; recur=1m"),
    ("Stand up rec:1b", "1 task Stand up; done=false; recur=+1b"),
    ("Odd rec:often", "1 task Odd; done=false; rec=often"),
    ("xylophone lesson", "1 task xylophone lesson; done=false"),
    ("(a) no priority (B)", "1 task (a) no priority (B); done=false"),
    ("(D) last", "1 task last; pri=D; done=false"),
    ("at 12:30 see https://x.org/a:b a::b", "1 task at 12:30 see https://x.org/a:b a::b; done=false"),
    (
      "about +wedding plans t:2026-12-01 rec:+1w now",
      "1 task about +wedding plans now; group=wedding; done=false; wait=2026-12-01; recur=1w"
    ),
    ("due:soon", "1 task due:soon; done=false"),
    ("+Only @marks", "1 task +Only @marks; tags=marks; group=Only; done=false"),
    ("x: the unknown", "1 task x: the unknown; done=false"),
    ("task id:7 title:x", "1 task task id:7 title:x; done=false"),
    ("buy size:3 size:4", "1 task buy size:4; done=false; size=3"),
  ])
  func todoTxt(_ line: String, _ expected: String) {
    let file = TodoTxtTasks.read(Array(line.utf8), clock: standingClock)
    #expect(file.records.map(\.shown) == [expected])
  }

  @Test(arguments: [
    "2026-11-01 Call Mom", "(A) 2026-11-01 Call Mom +Family @phone @home due:2026-11-30 t:2026-11-29",
    "x 2026-11-03 2026-11-01 Review it @work rec:+1m pri:B", "(D) 2026-11-01 Water rec:3d room:kitchen",
  ])
  func aLineOfTodoTxtIsWrittenAsItWasRead(_ line: String) {
    #expect(TodoTxtTask(line).line == line)
  }

  /// The first date behind the `x` is read as the day of the end.
  @Test func `a done task without the day of its end is written without dates`() {
    var task = TodoTxtTask("2026-11-01 Call Mom")
    task.isDone = true
    #expect(task.line == "x Call Mom")
  }

  @Test(arguments: [
    ("daily", "+1d"), ("weekly", "+1w"), ("+10d", "10d"), ("monthly on 31", "+1m"), ("+1y", "1y"),
    ("weekdays", "+1b"), ("quarterly", "+3m"), ("every friday", "+1w"),
  ])
  func recurrencesOfTodoTxt(_ own: String, _ theirs: String) throws {
    #expect(try #require(Recurrence(own)).todoTxt == theirs)
    let back = try #require(Recurrence.fromTodoTxt(theirs).flatMap { Recurrence($0) })
    #expect(back.countsFromEnd == Recurrence(own)?.countsFromEnd)
  }

  @Test func todoTxtKnowsATaskAgainWhenItIsDone() {
    let open = TodoTxtTasks.read(
      Array("(A) 2026-11-01 Call Mom @phone\nSame\nSame\n".utf8), clock: standingClock)
    let done = TodoTxtTasks.read(
      Array("\u{FEFF}Same\r\nx 2026-11-05 2026-11-01 Call Mom @phone pri:A\r\n".utf8), clock: standingClock)
    let names = open.records.map(\.sourceName)
    #expect(Set(names).count == 3)
    #expect(done.records.map(\.sourceName) == [names[1], names[0]])
    #expect(
      TodoTxtTasks.read([0xFF, 0x0A, 0x78, 0x0A], clock: standingClock).faults == [
        "1: the line is not UTF-8", "2: the task has no title",
      ])
  }

  @Test func taskwarrior() {
    let text = """
      [{"uuid":"u1","description":"One","status":"waiting","entry":"20261120T230000Z","wait":"20261130T230000Z",
        "due":"20261127T160000Z","priority":"H","project":"A.b","tags":["x","y"],"depends":["u2"],"estimate":3.5,
        "id":4,"urgency":1.5,"modified":"20261120T230000Z","title":"t","reviewed":"20261120T230000Z",
        "annotations":[{"entry":"20261121T080000Z","description":"first\\nsecond"}]},
      {"uuid":"u2","description":"Two","status":"completed","end":"20261121T080000Z","depends":"u3,u4","priority":"X"},
      {"uuid":"u3","description":"Weekly","status":"recurring","recur":"weekly"},
      {"uuid":"u4","description":"Weekly","status":"pending","parent":"u3","due":"20261101T230000Z","recur":"weekly"},
      {"uuid":"u5","description":"Weekly","status":"pending","parent":"u3","due":"20261108T230000Z","recur":"weekly"},
      {"uuid":"u6","description":"Alone","status":"recurring","recur":"monthly"},
      {"uuid":"u7","description":"Gone","status":"deleted"}]
      """
    let file = TaskwarriorTasks.read(Array(text.utf8), clock: standingClock)
    #expect(file.faults.isEmpty)
    #expect(
      file.records.map(\.shown) == [
        "1 task One; created=2026-11-21T00:00:00+01:00; tags=x|y; group=A.b; depends->taskwarrior u2; priority=high; "
          + "done=false; due=2026-11-27; due-time=17:00; wait=2026-12-01; uuid=u1; estimate=3.5; "
          + "taskwarrior-title=t; reviewed=2026-11-21; body=- 2026-11-21 09:00: first\n  second\n",
        "5 task Two; depends->taskwarrior u3|taskwarrior u4; pri=X; done=true; finished=2026-11-21; end=2026-11-21T09:00:00+01:00; uuid=u2",
        "7 task Weekly; done=false; due=2026-11-02; taskwarrior-recur=weekly; uuid=u4; parent=u3",
        "8 task Weekly; done=false; due=2026-11-09; recur=weekly; uuid=u5; parent=u3",
        "9 task Alone; done=false; recur=monthly; taskwarrior-status=recurring; uuid=u6",
      ])
    #expect(
      file.remarks == [
        "skipped 1 deleted task", "1 recurring task is imported as its next instance, which recurs",
      ])
  }

  /// The recurring task has the last day of its instances, and taskwarrior no recurrence without a due date.
  @Test func theEndOfASeriesIsThatOfItsInstance() {
    let text = #"""
      [{"uuid":"p","description":"Rent","status":"recurring","due":"20261130T230000Z","recur":"monthly","until":"20270130T230000Z"},
      {"uuid":"i","description":"Rent","status":"pending","due":"20261130T230000Z","recur":"monthly","parent":"p"},
      {"uuid":"s","description":"Sort","status":"pending","sliprecur":"3mo","scheduled":"20261130T080000Z"}]
      """#
    let shown = TaskwarriorTasks.read(Array(text.utf8), clock: standingClock).records.map(\.shown)
    #expect(shown.first?.contains("until=2027-01-31") == true, "\(shown)")
    #expect(shown.last?.contains("scheduled=2026-11-30; scheduled-time=09:00; recur=3mo") == true, "\(shown)")
  }

  /// The first task of a series says which day of the month it keeps to.
  @Test func aSeriesOfThe31stKeepsToIt() {
    let text = """
      [{"uuid":"p","description":"Rent","status":"recurring","due":"20260130T230000Z","entry":"20260101T090000Z","recur":"monthly","mask":"---"},
      {"uuid":"i","description":"Rent","status":"pending","due":"20260429T230000Z","recur":"monthly","parent":"p","estimate":3.5,"code":"3.5"}]
      """
    let file = TaskwarriorTasks.read(Array(text.utf8), clock: standingClock)
    #expect(
      file.records.map(\.shown) == [
        "2 task Rent; done=false; due=2026-04-30; taskwarrior-series=20260130T230000Z 20260101T090000Z ---; "
          + "recur=monthly on 31; uuid=i; parent=p; estimate=3.5; code=3.5"
      ])
    #expect(file.records.map(\.plainScalars) == [["estimate": [true], "code": [false]]])
  }

  private static let header =
    "Book Id,Title,Author,Additional Authors,ISBN,My Rating,Date Read,Date Added,Bookshelves,Exclusive Shelf,My Review\n"

  @Test(arguments: [
    (
      "7,Dune,Frank Herbert,,=\"\"0441\"\",5,2026/05/02,2026/04/01,\"a, read\",read,Good<br/>one",
      "2 book Dune; created=2026-04-01T00:00:00+01:00; tags=a; author=Frank Herbert; rating=5; status=completed; "
        + "added=2026-04-01; completed=2026-05-02; isbn=0441; goodreads-id=7; body=Good\none\n"
    ),
    (
      "8,Before,A,\"B, C\",,0,2020/01/02,2026/04/01,,read,",
      "2 book Before; created=2026-04-01T00:00:00+01:00; author=A; status=completed; added=2020-01-02; "
        + "completed=2020-01-02; date-added=2026-04-01; additional-authors=[B|C]; goodreads-id=8"
    ),
    (
      "9,Now,A,,,0,,2026/04/01,currently-reading,currently-reading,",
      "2 book Now; created=2026-04-01T00:00:00+01:00; author=A; status=in-progress; added=2026-04-01; "
        + "goodreads-id=9"
    ),
    (
      "9,Later,A,,,0,,2026/04/01,dnf,dnf,",
      "2 book Later; created=2026-04-01T00:00:00+01:00; tags=dnf; author=A; status=on-shelf; added=2026-04-01; "
        + "goodreads-id=9"
    ),
    (",Undated,A,,,0,,,,read,", "2 book Undated; author=A; status=completed"),
    (
      "1,\"Dune  (Dune, #1)\",Frank  Herbert,,,0,,,,read,",
      "2 book Dune; author=Frank Herbert; status=completed; series=Dune; volume=1; goodreads-id=1"
    ),
    (
      "2,\"Mort (Death #1; Discworld, #4)\",T P,\"A  B, C\",,0,,,,read,",
      "2 book Mort; author=T P; status=completed; series=[Death|Discworld]; volume=[1|4]; "
        + "additional-authors=[A B|C]; goodreads-id=2"
    ),
    (
      "3,Emma (Annotated),A,,,0,,,,read,",
      "2 book Emma (Annotated); author=A; status=completed; goodreads-id=3"
    ),
  ])
  func goodreads(_ row: String, _ expected: String) {
    let row =
      row.split(separator: "\"\"").count > 1 ? row.replacing("=\"\"0441\"\"", "\"=\"\"0441\"\"\"") : row
    let file = GoodreadsBooks.read(Array((Self.header + row + "\n").utf8), clock: standingClock)
    #expect(file.faults.isEmpty)
    #expect(file.records.map(\.shown) == [expected])
  }

  @Test func aBookComesWithoutADateThatCantBeRead() {
    let rows = "5,Dune,A,,,0,soon,2026/04/01,,read,\n"
    let file = GoodreadsBooks.read(Array((Self.header + rows).utf8), clock: standingClock)
    #expect(
      file.records.map(\.shown) == [
        "2 book Dune; created=2026-04-01T00:00:00+01:00; author=A; status=completed; added=2026-04-01; goodreads-id=5"
      ])
    #expect(file.faults == ["2: Date Read: soon is not a date; the book is imported without it"])
    #expect(file.problems.map(\.isPartial) == [true])
  }

  @Test func columnsHaveTheNamesThatTheyAreGiven() {
    let columns = ColumnNames([("Name", "title"), ("seen", "completed")])
    let json = #"[{"NAME":"A","Seen":"2026-01-02","Tags":["x"]},{"Title":"B","title":"C"}]"#
    let table = "name,Seen,TAGS\nA,2026-01-02,x\n"
    let read = JSONRecords.read(Array(json.utf8), file: "x", columns)
    let expected = ["1 note A; tags=x; completed=2026-01-02"]
    #expect(read.records.map(\.shown) == expected && read.faults == ["1: title occurs twice"])
    let rows = CSVRecords.read(Array(table.utf8), file: "x", columns)
    #expect(rows.records.map(\.shown) == ["2 note A; tags=x; completed=2026-01-02"])
    #expect(CSVRecords.read(Array("a\n".utf8), file: "x", columns).faults == ["1: there is no column Name"])
    let plain = JSONRecords.read(Array(#"{"Title":"A","CREATED":"2026-01-02"}"#.utf8), file: "x")
    #expect(plain.records.map(\.shown) == ["1 note A; created=2026-01-02T00:00:00+00:00"])
  }

  @Test func jsonOfSlipAndOfOthers() {
    let text = """
      {"id":"kqzmvtrp","path":"2026/11/a.md","title":"A","kind":"note","created":"2026-11-21T09:30:00+01:00",
      "modified":"2026-11-21T09:30:00+01:00","tags":["x"],"fields":{"rating":4,"list":["a",null],"map":{"k":"v"}},
      "counts":{"task":1},"urgency":7.5,"blocked":true,"body":"Text\\n"}
      {"id":17,"name":"n","title":"B","labels":["x","y"],"modified":"2020-01-01","tags":"a, b"}
      {"title":"C","tags":[1,{}]}
      {"path":"Notes/b.md","title":"D","fields":{"id":"foreign"}}
      """
    let file = JSONRecords.read(Array(text.utf8), file: "x.json")
    #expect(
      file.records.map(\.shown) == [
        "1 note A; id=kqzmvtrp; path=2026/11/a.md; created=2026-11-21T09:30:00+01:00; tags=x; rating=4; "
          + "list=[a|~]; map={k: v}; body=Text\n",
        "4 note B; tags=a|b; identifier=17; name=n; labels=[x|y]; modified=2020-01-01",
        "6 note D; path=Notes/b.md; id=foreign",
      ])
    #expect(file.records.map(\.goesByPath) == [false, false, true])
    #expect(file.faults == ["5: tags: expected a list of strings"])
  }

  @Test func tables() {
    let text =
      "\u{FEFF}Title;Kind;Tags;Due;body;Id\r\nA;task;x, #y;2026-01-02;\"two\nlines\";3\r\nB;;;;;\r\nC;x\r\n"
    let file = CSVRecords.read(Array(text.utf8), file: "x.csv")
    #expect(
      file.records.map(\.shown) == [
        "2 task A; tags=x|y; identifier=3; Due=2026-01-02; body=two\nlines\n", "4 note B",
      ])
    #expect(file.faults == ["5: 2 cells, but the first row has 6"])
    #expect(
      CSVRecords.read(Array("a,b\n1,2\n".utf8), file: "x").faults == [
        "1: no column is named title: the first row must name the columns, or --map COLUMN=title one of them",
        "2: skipped, because the first row has an error",
      ])
    #expect(CSVRecords.read([], file: "x").faults == ["1: the first row must name the columns"])
  }
}

extension String {
  /// The text with each occurrence of another one replaced.
  fileprivate func replacing(_ old: String, _ new: String) -> String {
    split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
  }
}
