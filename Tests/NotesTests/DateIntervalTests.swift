import Notes
import Testing

/// Saturday, 2026-11-21, 09:30:00 at +01:00.
private let clock = ClockReading(now: Timestamp(seconds: 1_795_249_800, offsetSeconds: 3600)) { _ in 3600 }

@Suite struct DateIntervalTests {
  @Test(arguments: [
    ("today", "2026-11-21", "2026-11-21"), ("TODAY", "2026-11-21", "2026-11-21"),
    ("yesterday", "2026-11-20", "2026-11-20"), ("tomorrow", "2026-11-22", "2026-11-22"),
    ("saturday", "2026-11-21", "2026-11-21"), ("sat", "2026-11-21", "2026-11-21"),
    ("friday", "2026-11-20", "2026-11-27"), ("Fri", "2026-11-20", "2026-11-27"),
    ("sunday", "2026-11-15", "2026-11-22"), ("mon", "2026-11-16", "2026-11-23"),
    ("tues", "2026-11-17", "2026-11-24"),
    ("sow", "2026-11-16", "2026-11-16"), ("eow", "2026-11-22", "2026-11-22"),
    ("som", "2026-11-01", "2026-11-01"),
    ("eom", "2026-11-30", "2026-11-30"), ("soy", "2026-01-01", "2026-01-01"),
    ("eoy", "2026-12-31", "2026-12-31"),
    ("now", "2026-11-21", "2026-11-21"), ("2026-11-21", "2026-11-21", "2026-11-21"),
    ("-3d", "2026-11-18", "2026-11-18"), ("+3d", "2026-11-24", "2026-11-24"),
    ("eod", "2026-11-21", "2026-11-21"), ("in 3 days", "2026-11-24", "2026-11-24"),
    ("In a week", "2026-11-28", "2026-11-28"), ("2 months ago", "2026-09-21", "2026-09-21"),
    ("30.11.2026", "2026-11-30", "2026-11-30"), ("1.2.", "2026-02-01", "2027-02-01"),
    ("day after tomorrow", "2026-11-23", "2026-11-23"), ("end of month", "2026-11-30", "2026-11-30"),
    ("End of the week", "2026-11-22", "2026-11-22"), ("end of year", "2026-12-31", "2026-12-31"),
    ("11/30", "2025-11-30", "2026-11-30"), ("30/11", "2025-11-30", "2026-11-30"),
    ("11/11", "2026-11-11", "2027-11-11"), ("11/30/2026", "2026-11-30", "2026-11-30"),
    ("2026/11/30", "2026-11-30", "2026-11-30"), ("monday 9am", "2026-11-16", "2026-11-23"),
    ("tomorrow at 17:30", "2026-11-22", "2026-11-22"), ("dec 5 9 pm", "2025-12-05", "2026-12-05"),
    ("-1w", "2026-11-14", "2026-11-14"),
    ("+1m", "2026-12-21", "2026-12-21"), ("+1y", "2027-11-21", "2027-11-21"),
    ("0d", "2026-11-21", "2026-11-21"),
    ("2026-11-20T23:00:00", "2026-11-20", "2026-11-20"), ("2026-11-20T23:00:00Z", "2026-11-20", "2026-11-20"),
  ])
  func namesADay(text: String, back: String, ahead: String) {
    #expect(DateInterval.parse(text, clock: clock, looking: .back)?.day?.description == back)
    #expect(DateInterval.parse(text, clock: clock, looking: .ahead)?.day?.description == ahead)
  }

  @Test(
    arguments: [
      ("2026-11-20T23:00", "2026-11-20T23:00:00+01:00"),
      ("2026-11-20 23:00:05Z", "2026-11-20T23:00:05+00:00"),
      ("2026-11-20t23:00-05:30", "2026-11-20T23:00:00-05:30"), ("NOW", "2026-11-21T09:30:00+01:00"),
      ("monday 9am", "2026-11-23T09:00:00+01:00"), ("today 17:30", "2026-11-21T17:30:00+01:00"),
      ("tomorrow at 9 pm", "2026-11-22T21:00:00+01:00"), ("monday 13am", nil), ("next week 9am", nil),
      ("2026-11-20", nil), ("friday", nil), ("2026-11-20T25:00", nil), ("", nil),
    ] as [(String, String?)])
  func namesAMoment(text: String, moment: String?) {
    #expect(DateInterval.moment(named: text, clock: clock)?.rfc3339 == moment)
  }

  @Test(arguments: [
    ("7d", "2026-11-28"), ("1d", "2026-11-22"), ("2w", "2026-12-05"), ("3m", "2027-02-21"),
    ("1y", "2027-11-21"),
    ("999999d", "4764-10-17"),
  ])
  func aDurationIsTheTimeToADay(text: String, day: String) throws {
    let ahead = try #require(DateInterval.parse(text, clock: clock, looking: .ahead))
    #expect(ahead.contains(clock.today) && !ahead.contains(clock.today.adding(days: -1)))
    #expect(CivilDate(day).map { ahead.contains($0) } == true)
    #expect(ahead.day == nil)
    #expect(DateInterval.parse(text, clock: clock, looking: .back)?.day == nil)
    #expect(DateInterval.point(text, clock: clock, looking: .ahead)?.day?.description == day)
  }

  @Test(arguments: [
    ("11/12", ["2026-11-12", "2025-12-11"]), ("03/04/2026", ["2026-03-04", "2026-04-03"]),
    ("11/30", ["2025-11-30"]), ("31/31", []), ("13/13", []), ("tomorow", ["tomorrow"]), ("x", []),
  ])
  func ambiguousAndMisspelledDatesHaveSuggestions(text: String, meant: [String]) {
    #expect(DateInterval.meant(text, clock: clock, looking: .back) == meant)
    if meant.count != 1 { #expect(DateInterval.parse(text, clock: clock, looking: .back) == nil) }
  }

  /// The first and the last day of what a text names, looking back and ahead.
  @Test(arguments: [
    ("20261130", "2026-11-30 2026-11-30", "2026-11-30 2026-11-30"),
    ("2026-W49", "2026-11-30 2026-12-06", "2026-11-30 2026-12-06"),
    ("2026W49", "2026-11-30 2026-12-06", "2026-11-30 2026-12-06"),
    ("2026-w01", "2025-12-29 2026-01-04", "2025-12-29 2026-01-04"),
    ("2026-W53", "2026-12-28 2027-01-03", "2026-12-28 2027-01-03"),
    ("2026-W49-5", "2026-12-04 2026-12-04", "2026-12-04 2026-12-04"),
    ("next week", "2026-11-23 2026-11-29", "2026-11-23 2026-11-29"),
    ("This Week", "2026-11-16 2026-11-22", "2026-11-16 2026-11-22"),
    ("last week", "2026-11-09 2026-11-15", "2026-11-09 2026-11-15"),
    ("next month", "2026-12-01 2026-12-31", "2026-12-01 2026-12-31"),
    ("last month", "2026-10-01 2026-10-31", "2026-10-01 2026-10-31"),
    ("this month", "2026-11-01 2026-11-30", "2026-11-01 2026-11-30"),
    ("next year", "2027-01-01 2027-12-31", "2027-01-01 2027-12-31"),
    ("last year", "2025-01-01 2025-12-31", "2025-01-01 2025-12-31"),
    ("next friday", "2026-11-27 2026-11-27", "2026-11-27 2026-11-27"),
    ("next sunday", "2026-11-22 2026-11-22", "2026-11-22 2026-11-22"),
    ("next sat", "2026-11-28 2026-11-28", "2026-11-28 2026-11-28"),
    ("last saturday", "2026-11-14 2026-11-14", "2026-11-14 2026-11-14"),
    ("last friday", "2026-11-20 2026-11-20", "2026-11-20 2026-11-20"),
    ("this monday", "2026-11-16 2026-11-16", "2026-11-16 2026-11-16"),
    ("dec 5", "2025-12-05 2025-12-05", "2026-12-05 2026-12-05"),
    ("5 dec", "2025-12-05 2025-12-05", "2026-12-05 2026-12-05"),
    ("5th December", "2025-12-05 2025-12-05", "2026-12-05 2026-12-05"),
    ("nov 21", "2026-11-21 2026-11-21", "2026-11-21 2026-11-21"),
    ("1 jan", "2026-01-01 2026-01-01", "2027-01-01 2027-01-01"),
    ("feb 29", "2024-02-29 2024-02-29", "2028-02-29 2028-02-29"),
    ("dec 5 2027", "2027-12-05 2027-12-05", "2027-12-05 2027-12-05"),
    ("Dec 5, 2027", "2027-12-05 2027-12-05", "2027-12-05 2027-12-05"),
    ("5 sept. 2025", "2025-09-05 2025-09-05", "2025-09-05 2025-09-05"),
    ("7d", "2026-11-14 2026-11-21", "2026-11-21 2026-11-28"),
    ("2w", "2026-11-07 2026-11-21", "2026-11-21 2026-12-05"),
    ("1m", "2026-10-21 2026-11-21", "2026-11-21 2026-12-21"),
    ("1y", "2025-11-21 2026-11-21", "2026-11-21 2027-11-21"),
    ("+7d", "2026-11-28 2026-11-28", "2026-11-28 2026-11-28"),
    ("-7d", "2026-11-14 2026-11-14", "2026-11-14 2026-11-14"),
  ])
  func namesDays(text: String, back: String, ahead: String) {
    for (direction, expected) in [(DateInterval.Direction.back, back), (.ahead, ahead)] {
      let days = DateInterval.parse(text, clock: clock, looking: direction).flatMap { named in
        let inside = (-1_500...1_500).map { clock.today.adding(days: $0) }.filter { named.contains($0) }
        return inside.first.flatMap { first in inside.last.map { "\(first) \($0)" } }
      }
      #expect(days == expected, "\(text) \(direction)")
    }
  }

  @Test func aDurationAheadEndsAtItsHour() throws {
    let week = try #require(DateInterval.parse("7d", clock: clock, looking: .ahead))
    let end = clock.now.seconds + 168 * 3600
    #expect(week.contains(clock.now))
    #expect(week.contains(Timestamp(seconds: end, offsetSeconds: 0)))
    #expect(!week.contains(Timestamp(seconds: end + 1, offsetSeconds: 0)))
    #expect(!week.contains(Timestamp(seconds: clock.now.seconds - 1, offsetSeconds: 0)))
  }

  @Test(arguments: [
    "", " today", "tod", "mo", "mondays", "3", "d", "3h", "3dd", "--3d", "3.5d", "1234567d", "2026-13",
    "2026-11-31", "202",
    "20261321", "202611210", "2026-11-21T25:00", "2026-11-21Tx", "21.13.2026", "21.11.26", "3.5", "std::y",
    "12:30", "０d",
    "in 3", "days ago", "days 3", "three days", "end of", "end of july", "day after",
    "2026-W54", "2026-W00", "2025-W53", "2026-W49-8", "2026-W4", "dec", "dec 32", "feb 30 2026", "32 dec",
    "5 foo",
    "next", "next weeks", "nextweek", "last 5", "5 dec 26", "de 5", "dec 5 2026 x", "next dec 5",
  ])
  func refusesTheRest(text: String) {
    for direction in [DateInterval.Direction.back, .ahead] {
      #expect(DateInterval.parse(text, clock: clock, looking: direction) == nil)
    }
  }

  /// What lies inside and what outside, as timestamps.
  @Test(arguments: [
    (
      "2026", ["2026-01-01T00:00:00+14:00", "2026-12-31T23:59:59-11:00"],
      ["2025-12-31T23:59:59-11:00", "2027-01-01T00:00:00+14:00"]
    ),
    (
      "2026-11", ["2026-11-01T00:00:00+14:00", "2026-11-30T23:59:59-11:00"],
      ["2026-10-31T23:59:59-11:00", "2026-12-01T00:00:00+00:00"]
    ),
    (
      "2026-11-21", ["2026-11-21T00:30:00+05:00", "2026-11-21T23:59:59-09:00"],
      ["2026-11-20T23:59:59+01:00", "2026-11-22T00:00:00+01:00"]
    ),
    (
      "today", ["2026-11-20T23:00:00+00:00", "2026-11-21T22:59:59+00:00"],
      ["2026-11-20T22:59:59+00:00", "2026-11-21T23:00:00+00:00", "2026-11-21T23:30:00-08:00"]
    ),
    (
      "7d", ["2026-11-14T09:30:00+01:00", "2026-11-21T09:30:00+01:00"],
      ["2026-11-14T09:29:59+01:00", "2026-11-21T09:30:01+01:00"]
    ),
    ("1m", ["2026-10-21T09:30:00+01:00"], ["2026-10-21T09:29:59+01:00"]),
    ("now", ["2026-11-21T08:30:00+00:00"], ["2026-11-21T08:30:01+00:00", "2026-11-21T08:29:59+00:00"]),
    (
      "2026-11-20T10:00", ["2026-11-20T09:00:00+00:00", "2026-11-20T09:00:59+00:00"],
      ["2026-11-20T09:01:00+00:00", "2026-11-20T10:00:00+00:00"]
    ),
    (
      "2026-11-20t10:00:00z", ["2026-11-20T10:00:00+00:00"],
      ["2026-11-20T10:00:01+00:00", "2026-11-20T09:59:59+00:00"]
    ),
    ("2026-11-20 10:00:00 +0200", ["2026-11-20T08:00:00+00:00"], ["2026-11-20T10:00:00+00:00"]),
  ])
  func containsTimestamps(text: String, inside: [String], outside: [String]) throws {
    let interval = try #require(DateInterval.parse(text, clock: clock, looking: .back))
    for stamp in inside { #expect(interval.contains(try #require(Timestamp(rfc3339: stamp))), "\(stamp)") }
    for stamp in outside { #expect(!interval.contains(try #require(Timestamp(rfc3339: stamp))), "\(stamp)") }
  }

  @Test func containsDays() throws {
    let week = try #require(DateInterval.parse("7d", clock: clock, looking: .back))
    #expect(!week.contains(try #require(CivilDate("2026-11-13"))))
    #expect(week.contains(try #require(CivilDate("2026-11-14"))))
    #expect(week.contains(try #require(CivilDate("2026-11-21"))))
    #expect(!week.contains(try #require(CivilDate("2026-11-22"))))
    let year = try #require(DateInterval.parse("9999", clock: clock, looking: .back))
    #expect(year.contains(CivilDate.range.upperBound))
    #expect(year.day == nil)
    #expect(
      DateInterval.parse("9999-12-31", clock: clock, looking: .ahead)?.day == CivilDate.range.upperBound)
  }

  @Test func aClockChangeInAWeekDoesNotMoveIts168Hours() throws {
    let change: Int64 = 1_774_746_000
    let moving = ClockReading(now: Timestamp(seconds: change + 3600, offsetSeconds: 7200)) {
      $0 < change ? 3600 : 7200
    }
    let week = try #require(DateInterval.parse("7d", clock: moving, looking: .back))
    #expect(week.contains(Timestamp(seconds: change + 3600 - 168 * 3600, offsetSeconds: 0)))
    #expect(!week.contains(Timestamp(seconds: change + 3599 - 168 * 3600, offsetSeconds: 0)))
  }
}

@Suite struct DateRangeTests {
  /// The first and the last day inside of a range, for fields that hold days.
  private func days(_ lower: String?, _ upper: String?, _ direction: DateInterval.Direction) -> [String]? {
    guard let range = DateInterval.range(lower, upper, clock: clock, looking: direction) else { return nil }
    let inside = (-500...500).map { clock.today.adding(days: $0) }.filter { range.contains($0) }
    return [inside.first, inside.last].compactMap { $0?.description }
  }

  @Test(arguments: [
    ("2026-03", "2026-05", "2026-03-01", "2026-05-31"), ("2026", "2026-02-10", "2026-01-01", "2026-02-10"),
    ("yesterday", "tomorrow", "2026-11-20", "2026-11-22"), ("som", "eom", "2026-11-01", "2026-11-30"),
    ("-3d", "+3d", "2026-11-18", "2026-11-24"), ("sow", "eow", "2026-11-16", "2026-11-22"),
  ])
  func bothEndsAreWhole(lower: String, upper: String, first: String, last: String) {
    #expect(days(lower, upper, .back) == [first, last])
    #expect(days(lower, upper, .ahead) == [first, last])
  }

  @Test func durations() {
    #expect(days("14d", "7d", .back) == ["2026-11-07", "2026-11-14"])
    #expect(days("7d", "14d", .ahead) == ["2026-11-28", "2026-12-05"])
    #expect(days("today", "7d", .ahead) == ["2026-11-21", "2026-11-28"])
    #expect(days("7d", "now", .back) == ["2026-11-14", "2026-11-21"])
  }

  @Test func weekdaysFollowEachOther() {
    #expect(days("monday", "friday", .back) == ["2026-11-16", "2026-11-20"])
    #expect(days("friday", "monday", .back) == ["2026-11-13", "2026-11-16"])
    #expect(days("monday", "friday", .ahead) == ["2026-11-23", "2026-11-27"])
    #expect(days("friday", "monday", .ahead) == ["2026-11-27", "2026-11-30"])
  }

  @Test func openEnds() throws {
    #expect(days(nil, "yesterday", .ahead)?.last == "2026-11-20")
    #expect(days("monday", nil, .back)?.first == "2026-11-16")
    #expect(days("7d", nil, .back)?.first == "2026-11-14")
    #expect(days(nil, "7d", .back)?.last == "2026-11-14")
    #expect(DateInterval.range(nil, nil, clock: clock, looking: .back) == .all)
    let week = try #require(DateInterval.range("7d", nil, clock: clock, looking: .back))
    #expect(!week.contains(Timestamp(seconds: clock.now.seconds - 168 * 3600 - 1, offsetSeconds: 0)))
    #expect(week.contains(Timestamp(seconds: clock.now.seconds - 168 * 3600, offsetSeconds: 0)))
  }

  @Test func wrongOrderContainsNothingAndWrongTextIsNil() {
    #expect(days("2026-05", "2026-03", .back) == [])
    #expect(DateInterval.range("x", nil, clock: clock, looking: .back) == nil)
    #expect(DateInterval.range("2026", "x", clock: clock, looking: .back) == nil)
    #expect(DateInterval.range("", "2026", clock: clock, looking: .back) == nil)
  }

  @Test func beforeAndAfter() throws {
    let month = try #require(DateInterval.parse("2026-11", clock: clock, looking: .back))
    let days = ["2026-10-31", "2026-11-01", "2026-11-30", "2026-12-01"].compactMap { CivilDate($0) }
    #expect(days.map { month.before.contains($0) } == [true, false, false, false])
    #expect(days.map { month.after.contains($0) } == [false, false, false, true])
    #expect(days.map { DateInterval.all.before.contains($0) } == [false, false, false, false])
    #expect(!DateInterval.all.after.contains(clock.now))
  }
}
