internal import Text

extension DateInterval {
  /// Returns the ways to write the date that a text may mean: both days of `11/12`, or the name that it almost is.
  package static func meant(_ text: String, clock: ClockReading, looking: Direction) -> [String] {
    let slashed = slashedDays(text, clock: clock, looking: looking)
    return slashed.isEmpty ? nameNear(text).map { [$0] } ?? [] : slashed.map(\.description)
  }

  private static let names =
    ["today", "tomorrow", "yesterday", "next week", "next month", "next year", "last week", "last month"]
    + EnglishDate.weekdays

  /// Returns the name of a day or a period that a text almost is; nil for a text of a few letters, and where none is near.
  package static func nameNear(_ text: String) -> String? {
    text.utf8.count > 3 ? Spelling.nearest(to: text, among: names) : nil
  }
}
