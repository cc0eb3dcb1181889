internal import Text

extension DateInterval {
  private static let names =
    ["today", "tomorrow", "yesterday", "next week", "next month", "next year", "last week", "last month"]
    + EnglishDate.weekdays

  /// Returns the name of a day or a period that a text almost is; nil for a text of a few letters, and where none is near.
  package static func nameNear(_ text: String) -> String? {
    text.utf8.count > 3 ? Spelling.nearest(to: text, among: names) : nil
  }
}
