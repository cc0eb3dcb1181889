internal import Text

extension DateInterval {
  private static let names =
    ["today", "tomorrow", "yesterday", "next week", "next month", "next year", "last week", "last month"]
    + EnglishDate.weekdays
  /// Words that another word follows in a date.
  private static let beginnings: Set = ["next", "last", "this"]

  /// Returns the name of a day or a period that a text almost is; nil for a text of a few letters, and where none is near.
  package static func nameNear(_ text: String) -> String? {
    guard text.utf8.count > 3, !beginnings.contains(text.lowercased()) else { return nil }
    return Spelling.nearest(to: text, among: names)
  }

  /// Whether a text is the first of the two words of a date, such as `next week`.
  package static func isBeginning(_ text: String) -> Bool { beginnings.contains(text.lowercased()) }
}
