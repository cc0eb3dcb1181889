import NoteIndex
import Notes
import SlipboxCore
import Testing
import Text

/// Columns of tables.
@Suite struct TableTests {
  @Test(arguments: [
    ("a,b", ["a", "b"]), (" title , count", ["title", "count"]),
    ("pages / days(started, completed),my-day", ["pages / days(started, completed)", "my-day"]),
    ("percent(status:done),sum(a * (b + 1))", ["percent(status:done)", "sum(a * (b + 1))"]),
    ("a - b", ["a - b"]), ("my-day-2", ["my-day-2"]), ("1.5 * x_y", ["1.5 * x_y"]),
  ])
  func `columns are read, with their text as headings`(text: String, headings: [String]) throws {
    #expect(try TableColumn.read(text).map(\.text) == headings)
    #expect(TableSort.read(text).map(\.heading) == headings)
  }

  @Test func `a quoted field has a heading without quotes`() throws {
    #expect(try TableColumn.read("\"my-day\", sum(\"a b\")").map(\.text) == ["my-day", "sum(\"a b\")"])
  }

  @Test(arguments: [
    (40.99999999999999, "41", "41"), (0.1 + 0.2, "0.3", "0.3"), (800.0 / 11, "72.73", "72.7272727272727"),
    (-1.0 / 3, "-0.33", "-0.333333333333333"), (1e15 + 0.5, "1000000000000000.5", "1000000000000000.5"),
    (0, "0", "0"), (123456.789, "123456.79", "123456.789"),
  ]) func `computed numbers have no noise`(number: Double, text: String, exact: String) {
    #expect(TableValue.number(number).exactText == exact)
    if number < 1e12 { #expect(TableValue.number(number).text == text) }
  }

  /// Values that a query doesn't distinguish are one group, under the name that most notes have.
  @Test func `the query of a group finds its notes`() throws {
    let values = [
      "Done", "done", "done", "DONE", "Löffel", "loffel", "none", "", "4", "\"4\"", "2026-11-02", "a b",
      "'say \"hi\" \\ there'", "true", "\"true\"",
    ]
    var files: [String: String] = [:]
    for (number, value) in values.enumerated() {
      let line = value.isEmpty ? "" : "state: \(value)\n"
      files["n\(number).md"] = "---\ntags: [\(number % 2 == 0 ? "home" : "Home")]\n\(line)---\n"
    }
    files["t.md"] = "---\nid: bbbbbbbc\nkind: issue\nstatus: closed\n---\n"
    files["u.md"] = "---\nid: bbbbbbbd\nstatus: Closed\n---\n"
    let box = try WritingBox(files)
    defer { withExtendedLifetime(box) {} }
    let snapshot = try box.snapshot()
    let matches = try snapshot.matches(try snapshot.query([]))
    for field in ["state", "status", "tags"] {
      var request = TableRequest()
      request.groups = try TableColumn.read(field)
      let table = try NoteTable(matches, request, in: snapshot)
      for row in table.rows {
        let terms = try #require(row.terms)
        let found = try snapshot.matches(try snapshot.query(terms)).count
        #expect(row.cells[1].map(\.text) == [String(found)], "\(terms)")
      }
      let shown = table.rows.map { $0.cells[0].first?.text ?? "-" }
      if field == "state" { #expect(shown.contains("done") && !shown.contains("Done")) }
      if field == "status" { #expect(shown == ["closed", "-"]) }
      if field == "tags" { #expect(shown == ["home", "-"]) }
    }
  }

  @Test(arguments: [
    String(repeating: "(", count: 40_000), String(repeating: "-", count: 40_000) + "n",
    String(repeating: "year(", count: 5_000) + "n" + String(repeating: ")", count: 5_000),
    Array(repeating: "n", count: 30_000).joined(separator: "+"),
  ])
  func `expressions have limits, since blocks and views come from others`(text: String) throws {
    let error = #expect(throws: SlipboxError.self) { try TableColumn.read(text) }
    #expect(
      error?.message.description.contains("more than 50") == true,
      "\(error?.message.description.prefix(80) ?? "")")
  }

  @Test func `operators bind as in arithmetic`() throws {
    let column = try TableColumn.read("a + b * c - d")[0].expression
    let product = TableExpression.arithmetic(.times, .field("b"), .field("c"))
    #expect(
      column == .arithmetic(.minus, .arithmetic(.plus, .field("a"), product), .field("d")))
    #expect(!column.isAggregate)
    #expect(try TableColumn.read("sum(a) / count")[0].expression.isAggregate)
  }

  @Test(arguments: [
    ("a,", 2), ("sum(", 4), ("sum()", 0), ("foo(a)", 0), ("a b", 2), ("(a", 2), ("count(a)", 0),
    ("sum(avg(a))", 0), ("days(a)", 0), ("a)", 1),
  ])
  func `a mistake is named with its place`(text: String, place: Int) {
    let error = #expect(throws: SlipboxError.self) { try TableColumn.read(text) }
    #expect(error?.kind == .usage)
    #expect(error?.hints.last == Phrase(String(repeating: " ", count: place) + "^"))
  }

  @Test(arguments: [
    (3.0, "3"), (2.5, "2.5"), (2.25, "2.25"), (2.256, "2.26"), (-0.5, "-0.5"), (0.07, "0.07"),
    (1e20, "1e+20"),
    (-3, "-3"),
  ])
  func `numbers have two decimals at most`(number: Double, text: String) {
    #expect(TableValue.number(number).text == text)
  }

  @Test(arguments: [
    (0.1 + 0.2, "0.3", "0.3"), (1e15, "1000000000000000", "1000000000000000"),
    (2.5, "2.5", "2.5"), (1e20, "1e+20", "1e+20"),
  ])
  func `programs get 15 digits of a computed number`(number: Double, text: String, exact: String) {
    #expect(TableValue.number(number).text == text)
    #expect(TableValue.number(number).exactText == exact)
    #expect(TableValue.number(number, written: "01.50").exactText == "01.50")
  }

  @Test func `large numbers are equal only with equal texts`() {
    let one = TableValue.number(9_007_199_254_740_992, written: "9007199254740992")
    let two = TableValue.number(9_007_199_254_740_992, written: "9007199254740993")
    #expect(one != two)
    #expect(TableValue.number(2, written: "2.0") == .number(2, written: "2"))
  }

  @Test func `dates, today, quoted names and signs are read`() throws {
    #expect(
      try TableColumn.read("days(completed, today)")[0].expression == .days(.field("completed"), .today))
    #expect(
      try TableColumn.read("\"x y\",\"count\",\"today\"").map(\.expression) == [
        .field("x y"), .field("count"), .field("today"),
      ])
    #expect(try TableColumn.read("-pages")[0].expression == .arithmetic(.minus, .number(0), .field("pages")))
    let day = try #require(CivilDate("2026-01-01"))
    #expect(try TableColumn.read("year(2026-01-01)")[0].expression == .part(.year, .date(day)))
  }
}
