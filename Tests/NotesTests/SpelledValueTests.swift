import Testing

@testable import Notes

/// Values in the forms in which other programs have them.
@Suite struct SpelledValueTests {
  @Test(arguments: [
    ("- 2026-11-21: one\n", "2026-11-21|-|one"),
    ("- 2026-11-21 09:30: one: two\n", "2026-11-21|34200|one: two"),
    ("- 2026-11-21 09:30:15: a\n  b\n    c\n", "2026-11-21|34215|a\nb\n  c"),
    ("- 2026-11-21:\n", "2026-11-21|-|"), ("Words\r\n\n- item\n", "-|-|Words/-|-|- item"),
    ("- 2026-13-21: no day\n", "-|-|- 2026-13-21: no day"),
    ("- 2026-11-21 25:00: no time\n", "-|-|- 2026-11-21 25:00: no time"),
    ("- 2026-11-21 9:30: short\n", "-|-|- 2026-11-21 9:30: short"),
    ("-2026-11-21: x\n", "-|-|-2026-11-21: x"),
    ("  indented\n- 2026-11-21: a\nb\n", "-|-|  indented/2026-11-21|-|a/-|-|b"), ("", ""), ("\n \n", ""),
  ])
  func datedLines(_ body: String, _ expected: String) {
    let lines = DatedLine.read(Array(body.utf8))
    let shown = lines.map { line in
      "\(line.day?.description ?? "-")|\(line.secondOfDay.map(String.init) ?? "-")|\(line.text)"
    }
    #expect(shown.joined(separator: "/") == expected)
  }

  /// What is written of annotations reads back as them.
  @Test func datedLinesReadBack() {
    let day = CivilDate(year: 2026, month: 11, day: 21)
    let lines = ["one", "- 2026-11-21: two", "a\nb\n\n  c", "", "x: y", "\u{1F600} ż"].enumerated().map {
      DatedLine(day: day, secondOfDay: [1, 60, 3_600, 86_399, 34_215, 45_000][$0.offset], text: $0.element)
    }
    #expect(DatedLine.read(Array(lines.map(\.element).joined().utf8)) == lines)
  }

  @Test(arguments: [
    FieldValue.text("a, b"), .text("[a, b]"), .text("[[a]]"), .text("\"a\""), .text("'a'"), .text("{a: b}"),
    .text("[broken"), .text("[a]: b"), .text("a\nb"), .list([.text("a"), .text("b, c")]),
    .list([.text("[[a]]")]),
    .list([.list([.text("a"), .text("b")]), .text("c")]), .list([.text("x\ny"), .text("\"")]), .list([]),
    .map([MapEntry(key: "a", value: .text("b"))]), .text("-"), .text("[]"), .text("{}"), .text("\""),
    .text("[a\n]"),
  ])
  func valuesOfTablesReadBack(_ value: FieldValue) {
    let cell = CSVValue.text(value)
    #expect(CSVValue.read(cell) == value, "\(cell)")
  }

  @Test(arguments: [
    ("a, b", "a, b"), ("", ""), ("[broken", "[broken"), ("\"a\" # b", "\"a\" # b"), ("[a] b", "[a] b"),
    ("[a]", "\"[a]\""), ("'a'", "\"'a'\""),
  ])
  func `quotes texts in tables only if they would read as something else`(_ text: String, _ cell: String) {
    #expect(CSVValue.text(.text(text)) == cell)
    #expect(CSVValue.read(cell) == .text(text))
  }

  @Test(arguments: [
    ("31.01.2026", "2026-01-31"), ("1.2.2026", "2026-02-01"), ("31/01/2026", "2026-01-31"),
    ("01/31/2026", "2026-01-31"), ("01-31-2026", "2026-01-31"), ("05/05/2026", "2026-05-05"),
    ("03/04/2026", nil),
    ("31/31/2026", nil), ("31.13.2026", nil), ("1.2.26", nil), ("2026/01/31", nil), ("tomorrow", nil),
    ("1/2", nil),
    ("a.b.2026", nil), ("", nil), ("..2026", nil),
  ])
  func days(_ text: String, _ day: String?) { #expect(SpelledDate.day(text)?.description == day) }

  @Test(arguments: [
    ("weekly", "weekly"), ("+2w", "2w"), ("6m", "6mo"), ("monthly on 31", "monthly"),
    ("weekdays", "weekdays"),
    ("m", "m"), ("", nil), ("P1M", "P1M"),
  ])
  func recurrencesOfTaskwarrior(_ text: String, _ expected: String?) {
    #expect(Recurrence.taskwarrior(text) == expected)
  }

  @Test(arguments: [
    ("weekly", "2026-11-28", "2026-12-05"), ("+6w", "2026-11-01", "2026-12-13"),
    ("monthly on 31", "2026-11-30", "2026-12-31"), ("weekdays", "2026-11-27", "2026-11-30"),
    ("yearly", "9999-06-01", nil),
  ])
  func steps(_ text: String, _ last: String, _ next: String?) throws {
    let day = try #require(CivilDate(last))
    #expect(try #require(Recurrence(text)).step(after: day)?.description == next)
  }
}
