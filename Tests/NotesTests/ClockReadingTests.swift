import Notes
import Testing

@Suite struct ClockReadingTests {
  /// Clocks that go from one offset to another at an instant.
  static func clock(before: Int, after: Int, at change: Int64) -> ClockReading {
    ClockReading(now: Timestamp(seconds: change, offsetSeconds: after)) { $0 < change ? before : after }
  }

  @Test func aDayBeginsAtLocalMidnight() throws {
    let clock = Self.clock(before: 3600, after: 7200, at: 1_774_746_000)  // 2026-03-29T01:00:00Z
    let day = try #require(CivilDate("2026-03-29"))
    #expect(clock.today == day)
    #expect(clock.start(of: day) == 1_774_746_000 - 7200)
    #expect(clock.start(of: day.adding(days: 1)) - clock.start(of: day) == 23 * 3600)
  }

  @Test func whereMidnightIsSkippedTheDayBeginsAtTheSkip() throws {
    let change: Int64 = 1_541_300_400  // 2018-11-04T03:00:00Z, 00:00 at -03:00 became 01:00 at -02:00
    let clock = Self.clock(before: -10_800, after: -7200, at: change)
    #expect(clock.start(of: try #require(CivilDate("2018-11-04"))) == change)
  }

  @Test func ofTwoMidnightsTheEarlierCounts() throws {
    let change: Int64 = 1_540_782_000  // 00:59:59 became 00:00:00
    let clock = Self.clock(before: 3600, after: 0, at: change)
    let day = CivilDate(dayNumber: Int((change + 3600 - 3600) / 86_400))
    let start = clock.instant(of: day, secondOfDay: Int((change % 86_400)) + 1800)
    #expect(start == change - 1800)
  }
}
