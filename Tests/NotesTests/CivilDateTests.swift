import SlipboxTesting
import Testing

@testable import Notes

@Suite struct CivilDateTests {
  @Test func everyDayFrom1600To2400HasTheNumberThatCountingGives() throws {
    var number = -135_140
    var weekday = 6
    for year in 1600...2400 {
      for month in 1...12 {
        let isLeap = year % 400 == 0 || (year % 4 == 0 && year % 100 != 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
        for day in 1...days {
          let date = try #require(CivilDate(year: year, month: month, day: day))
          if date.dayNumber != number || CivilDate(dayNumber: number) != date || date.weekday != weekday {
            Issue.record(
              "\(date) is \(date.dayNumber), weekday \(date.weekday); counted \(number), \(weekday)")
          }
          number += 1
          weekday = weekday % 7 + 1
        }
        #expect(CivilDate(year: year, month: month, day: days + 1) == nil)
      }
    }
  }

  @Test func theEndsOfTheCalendar() {
    #expect(CivilDate(dayNumber: .min).description == "0001-01-01")
    #expect(CivilDate(dayNumber: .max).description == "9999-12-31")
    #expect(CivilDate(dayNumber: 0).description == "1970-01-01")
    #expect(CivilDate.range.upperBound.adding(days: 1) == CivilDate.range.upperBound)
    #expect(CivilDate.range.lowerBound.adding(days: .min) == CivilDate.range.lowerBound)
    #expect(CivilDate.range.lowerBound.adding(months: -1) == CivilDate.range.lowerBound)
    #expect(CivilDate.range.upperBound.adding(months: .max) == CivilDate.range.upperBound)
  }

  @Test(arguments: ["2026-11-21", "0001-01-01", "9999-12-31", "2024-02-29", "2000-02-29"])
  func readsAndWritesISO(text: String) {
    #expect(CivilDate(text)?.description == text)
  }

  @Test(arguments: [
    "", "2026", "2026-11", "2026-11-1", "2026-11-31", "2026-02-29", "1900-02-29", "0000-01-01", "2026-00-10",
    "2026-13-01", "2026/11/21", "2026-11-21 ", "+026-11-21", "２026-11-21", "20261121",
  ])
  func refusesOtherTexts(text: String) {
    #expect(CivilDate(text) == nil)
  }

  @Test(arguments: [
    ("2026-01-31", 1, "2026-02-28"), ("2024-01-31", 1, "2024-02-29"), ("2026-03-31", -1, "2026-02-28"),
    ("2024-02-29", 12, "2025-02-28"), ("2024-02-29", -48, "2020-02-29"), ("2026-11-21", 2, "2027-01-21"),
    ("2026-01-15", -1, "2025-12-15"), ("2026-11-21", 0, "2026-11-21"),
  ])
  func addsMonths(start: String, months: Int, end: String) {
    #expect(CivilDate(start)?.adding(months: months).description == end)
  }

  @Test func isOrderedByTime() throws {
    var generator = SplitMix64(seed: 7)
    for _ in 0..<2000 {
      let numbers = (0..<2).map { _ in Int.random(in: -100_000...100_000, using: &generator) }
      let dates = numbers.map { CivilDate(dayNumber: $0) }
      #expect((dates[0] < dates[1]) == (numbers[0] < numbers[1]))
      #expect(dates[0].adding(days: numbers[1] - numbers[0]) == dates[1])
    }
  }
}
