package import Notes
import Text

/// The question of a chart.
package struct ChartRequest: Sendable {
  /// The arguments of the query, as `list` takes them.
  package let query: [String]
  /// The field whose values are told apart.
  package let field: String?
  /// The first day; nil for that of the first commit.
  package let first: CivilDate?
  /// The last day; nil for today, and today where it lies ahead.
  package let last: CivilDate?
  /// The time between two points; nil to choose it.
  package let step: ChartStep?

  package init(
    query: [String], field: String? = nil, first: CivilDate? = nil, last: CivilDate? = nil,
    step: ChartStep? = nil
  ) {
    self.query = query
    self.field = field
    self.first = first
    self.last = last
    self.step = step
  }
}

/// The days that `--since` and `--until` name.
package enum PastDay {
  /// The first day of a date as it is typed, looking back.
  ///
  /// - Throws: `.usage` for what is no date.
  package static func first(
    _ text: String, _ option: String, clock: ClockReading
  ) throws(SlipboxError) -> CivilDate {
    guard let day = DateInterval.parse(text, clock: clock, looking: .back)?.firstDay else {
      throw refusal(text, option)
    }
    return day
  }

  /// The last day of a date as it is typed, looking back: of `2026-03` the 31st, of `2w` the day two weeks ago.
  ///
  /// - Throws: `.usage` for what is no date.
  package static func last(
    _ text: String, _ option: String, clock: ClockReading
  ) throws(SlipboxError) -> CivilDate {
    let interval =
      DateInterval.point(text, clock: clock, looking: .back)
      ?? DateInterval.parse(text, clock: clock, looking: .back)
    guard let day = interval?.lastDay else { throw refusal(text, option) }
    return day
  }

  /// The one day that a date means, looking back: of `3d` the day three days ago.
  ///
  /// - Throws: `.usage` for what is no date, or several days.
  package static func only(_ text: String, clock: ClockReading) throws(SlipboxError) -> CivilDate {
    let point = DateInterval.point(text, clock: clock, looking: .back)
    guard let interval = point ?? DateInterval.parse(text, clock: clock, looking: .back) else {
      let shown = text.isEmpty ? "an empty word" : Visible.escape(text)
      throw SlipboxError(
        .usage, "\(shown) is not a date", hints: ["write a date such as 2026-11-21, yesterday, friday or 3d"])
    }
    guard let day = interval.firstDay, day == interval.lastDay else {
      throw SlipboxError(
        .usage, "\(Visible.escape(text)) is more than one day", hints: ["name one of its days"])
    }
    return day
  }

  private static func refusal(_ text: String, _ option: String) -> SlipboxError {
    SlipboxError(
      .usage, "\(option): \(text.isEmpty ? "an empty word" : Visible.escape(text)) is not a date",
      hints: ["write a date such as 2026-11-21, monday or 3w, or a month such as 2026-11"])
  }
}
