import Notes
import SlipboxTesting
import Testing

/// The days on which something comes again.
@Suite struct RecurrenceTests {
  private static func next(_ text: String, _ last: String, done: String) throws -> String? {
    let recurrence = try #require(Recurrence(text), "\(text)")
    let (last, done) = (try #require(CivilDate(last)), try #require(CivilDate(done)))
    return recurrence.next(after: last, done: done).map { "\($0.day) \($0.skipped)" }
  }

  @Test(arguments: [
    ("daily", "2026-11-20", "2026-11-20", "2026-11-21 0"),
    ("daily", "2026-11-20", "2026-11-23", "2026-11-24 3"),
    ("daily", "2026-11-25", "2026-11-20", "2026-11-26 0"),
    ("Weekly", "2026-11-20", "2026-11-20", "2026-11-27 0"),
    ("weekly", "2026-11-01", "2026-11-20", "2026-11-22 2"),
    ("weekly", "2026-11-06", "2026-11-20", "2026-11-27 2"),
    ("biweekly", "2026-11-20", "2026-11-20", "2026-12-04 0"),
    ("3d", "2026-02-27", "2026-02-27", "2026-03-02 0"),
    ("2w", "2026-12-25", "2026-12-25", "2027-01-08 0"),
    ("weekdays", "2026-11-20", "2026-11-20", "2026-11-23 0"),
    ("weekdays", "2026-11-21", "2026-11-21", "2026-11-23 0"),
    ("weekdays", "2026-11-16", "2026-11-22", "2026-11-23 4"),
    ("weekdays", "2026-11-19", "2026-11-19", "2026-11-20 0"),
    ("monthly", "2026-01-31", "2026-01-31", "2026-02-28 0"),
    ("monthly", "2028-01-31", "2028-01-31", "2028-02-29 0"),
    ("monthly on 31", "2026-02-28", "2026-02-28", "2026-03-31 0"),
    ("monthly on 30", "2026-02-28", "2026-04-29", "2026-04-30 1"),
    ("monthly", "2026-01-31", "2026-05-15", "2026-05-31 3"),
    ("quarterly", "2026-11-30", "2026-11-30", "2027-02-28 0"),
    ("6m on 31", "2026-08-31", "2026-08-31", "2027-02-28 0"),
    ("yearly", "2028-02-29", "2028-02-29", "2029-02-28 0"),
    ("yearly on 29", "2031-02-28", "2031-03-01", "2032-02-29 0"),
    ("2y", "2026-11-20", "2031-11-20", "2032-11-20 2"),
    ("+2w", "2026-11-01", "2026-11-20", "2026-12-04 0"),
    ("+weekly", "2026-12-24", "2026-11-20", "2026-11-27 0"),
    ("+1m", "2026-01-01", "2026-01-31", "2026-02-28 0"),
    ("+weekdays", "2026-01-01", "2026-11-20", "2026-11-23 0"),
    ("7days", "2026-11-20", "2026-11-20", "2026-11-27 0"),
    ("2wks", "2026-11-20", "2026-11-20", "2026-12-04 0"),
    ("3mo", "2026-11-30", "2026-11-30", "2027-02-28 0"),
    ("P1W", "2026-11-20", "2026-11-20", "2026-11-27 0"),
    ("1b", "2026-11-20", "2026-11-20", "2026-11-23 0"),
    ("annual", "2026-11-20", "2026-11-20", "2027-11-20 0"),
    ("semiannual", "2026-11-20", "2026-11-20", "2027-05-20 0"),
    ("+2q", "2026-11-01", "2026-11-20", "2027-05-20 0"),
    ("friday", "2026-11-20", "2026-11-20", "2026-11-27 0"),
    // Overdue, and done on its day of the week.
    ("friday", "2026-11-13", "2026-11-20", "2026-11-27 1"),
    ("mon", "2026-11-20", "2026-11-20", "2026-11-23 0"),
    ("every friday", "2026-11-18", "2026-11-18", "2026-11-20 0"),
    ("Every Fridays", "2026-11-06", "2026-11-20", "2026-11-27 2"),
    ("+sunday", "2026-11-01", "2026-11-20", "2026-11-22 0"),
    ("every day", "2026-11-20", "2026-11-20", "2026-11-21 0"),
    ("every month", "2026-11-20", "2026-11-20", "2026-12-20 0"),
    ("every 2 weeks", "2026-11-20", "2026-11-20", "2026-12-04 0"),
  ])
  func comesAgain(_ text: String, _ last: String, _ done: String, _ expected: String) throws {
    #expect(try Self.next(text, last, done: done) == expected, "\(text) \(last) \(done)")
  }

  @Test(arguments: [
    "", " ", "wekly", "0d", "-1w", "1", "d", "1h", "monthly on", "monthly on 0", "monthly on 32",
    "weekly on 3",
    "3d on 3", "+monthly on 31", "monthly on 31 31", "monthly  at 3", "1000000000d", "++1w", "p",
    "every", "every other day", "friday on 3", "every friday and monday", "mo",
    "pw", "p1", "PT1H", "2b", "1fortnight",
  ])
  func isRefused(_ text: String) { #expect(Recurrence(text) == nil, "\(text)") }

  /// A rule of iCalendar has the same days; a length from the day of completion has none.
  @Test(
    arguments: [
      ("daily", "2026-11-20", "FREQ=DAILY"), ("3d", "2026-11-20", "FREQ=DAILY;INTERVAL=3"),
      ("2w", "2026-11-20", "FREQ=WEEKLY;INTERVAL=2"), ("every friday", "2026-11-20", "FREQ=WEEKLY"),
      ("every friday", "2026-11-19", "FREQ=WEEKLY;BYDAY=FR"),
      ("weekdays", "2026-11-20", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
      ("monthly", "2026-11-20", "FREQ=MONTHLY"), ("quarterly", "2026-11-20", "FREQ=MONTHLY;INTERVAL=3"),
      ("monthly on 31", "2026-11-30", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1"),
      ("yearly", "2026-11-20", "FREQ=YEARLY"), ("2y", "2026-11-20", "FREQ=YEARLY;INTERVAL=2"),
      ("+2w", "2026-11-20", nil),
    ] as [(String, String, String?)])
  func calendarRules(_ text: String, _ first: String, _ rule: String?) throws {
    let day = try #require(CivilDate(first))
    #expect(try #require(Recurrence(text)).calendarRule(from: day, due: day) == rule)
  }

  @Test func theCalendarHasAnEnd() throws {
    #expect(try Self.next("yearly", "9999-06-01", done: "9999-06-01") == nil)
    #expect(try Self.next("monthly", "9999-12-15", done: "9999-12-15") == nil)
    #expect(try Self.next("999999y", "2026-11-20", done: "2026-11-20") == nil)
    #expect(try Self.next("daily", "9999-12-30", done: "9999-12-31") == nil)
    #expect(try Self.next("999999w", "0001-01-01", done: "9999-01-01") == nil)
  }

  /// A day of the month that a short month has not is not forgotten, however often it comes again.
  @Test(arguments: [29, 30, 31], ["monthly", "quarterly", "5m", "yearly", "3y"])
  func daysOfMonthsStay(_ day: Int, _ length: String) throws {
    let isYears = length.hasPrefix("y") || length.hasSuffix("y")
    var text = length
    var last = try #require(CivilDate(year: 2024, month: isYears ? 2 : 1, day: isYears ? 29 : day))
    let wanted = last.day
    for _ in 0..<60 {
      let recurrence = try #require(Recurrence(text))
      let next = try #require(recurrence.next(after: last, done: last))
      text = recurrence.text(after: last, on: next.day) ?? text
      #expect(
        next.day.day == min(wanted, CivilDate.days(inMonth: next.day.month, of: next.day.year)), "\(next.day)"
      )
      #expect(next.skipped == 0)
      last = next.day
    }
  }

  /// The next day lies after both, on one of the days counted from the last one, and none between was left out.
  @Test func propertiesOfTheNextDay() throws {
    var random = SplitMix64(seed: 27)
    let units = ["d", "w", "m", "y"]
    for _ in 0..<2_000 {
      let count = Int.random(in: 1...40, using: &random)
      let unit = units[Int.random(in: 0..<4, using: &random)]
      let fromEnd = Bool.random(using: &random)
      let recurrence = try #require(Recurrence("\(fromEnd ? "+" : "")\(count)\(unit)"))
      let last = CivilDate(dayNumber: Int.random(in: 0...30_000, using: &random))
      let done = last.adding(days: Int.random(in: -400...4_000, using: &random))
      let next = try #require(recurrence.next(after: last, done: done))
      #expect(next.day > done)
      let days = (0...20_000).lazy.map { number -> CivilDate in
        let steps = (number + 1) * count
        let start = fromEnd ? done : last
        switch unit {
        case "d": return start.adding(days: steps)
        case "w": return start.adding(days: steps * 7)
        case "m": return start.adding(months: steps)
        default: return start.adding(months: steps * 12)
        }
      }
      let expected = try #require(
        days.enumerated().first { $0.element > done && (fromEnd || $0.element > last) })
      #expect(next.day == expected.element, "\(count)\(unit) \(last) \(done)")
      #expect(next.skipped == (fromEnd ? 0 : expected.offset))
    }
  }

  @Test(arguments: ["2 weeks", "2w", "every 2 weeks", "2 wks"]) func `reads a number and a unit apart`(
    text: String
  ) {
    let first = CivilDate(year: 2026, month: 11, day: 20)
    #expect(first.flatMap { Recurrence(text)?.step(after: $0) } == CivilDate("2026-12-04"))
  }

  @Test(arguments: ["2 x", "2 weeks x", "weeks 2", "2"]) func `refuses other words`(text: String) {
    #expect(Recurrence(text) == nil)
  }
}
