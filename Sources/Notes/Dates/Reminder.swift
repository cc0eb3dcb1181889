import Text

/// How long before a date a calendar reminds: `30min`, `1h`, `1h30m`, `1d` or `1w`.
package struct Reminder: Sendable, Equatable {
  /// The field of a note with one reminder or a list of them.
  package static let fieldName = "reminder"

  /// The second of the day from which reminders of a date without a time count: 9:00.
  package static let startOfDay = 9 * 3_600

  private let minutes: Int

  /// Reads numbers with their units, the longest first; nil for anything else.
  package init?(_ text: String) {
    var rest = Array(text.lowercased().utf8.filter { $0 != 0x20 })[...]
    var (total, last) = (0, Int.max)
    while !rest.isEmpty {
      let digits = rest.prefix { $0 &- UInt8(ascii: "0") < 10 }
      rest = rest.dropFirst(digits.count)
      let unit = rest.prefix { $0 &- UInt8(ascii: "0") >= 10 }
      rest = rest.dropFirst(unit.count)
      guard (1...4).contains(digits.count), let number = CivilDate.number(digits),
        let length = Self.length(String(decoding: unit, as: UTF8.self)), length < last
      else { return nil }
      total += number * length
      last = length
    }
    guard total > 0 else { return nil }
    minutes = total
  }

  private static func length(_ unit: String) -> Int? {
    switch unit {
    case "m", "min", "mins", "minute", "minutes": 1
    case "h", "hour", "hours": 60
    case "d", "day", "days": 1_440
    case "w", "week", "weeks": 10_080
    default: nil
    }
  }

  /// Reads reminders between commas; nil if one of them can't be read.
  package static func all(_ text: String) -> [Reminder]? {
    let parts = CommaList(text).elements
    let read = parts.compactMap { Reminder($0) }
    return read.count == parts.count && !read.isEmpty ? read : nil
  }

  /// The message about a text that is no reminder.
  package static func refusal(_ text: String) -> String {
    "\(fieldName): \(Visible.escape(text)) is not a reminder (30min, 1h, 1h30m, 1d, 1w)"
  }

  /// The distance of the alarm from an instant, such as `-PT30M`, or from the beginning of a day, such as `PT8H30M`.
  ///
  /// Source: RFC 5545, section 3.3.6.
  package func duration(ofDay isOfDay: Bool) -> String {
    Self.duration((isOfDay ? Self.startOfDay / 60 : 0) - minutes)
  }

  private static func duration(_ minutes: Int) -> String {
    let (sign, length) = (minutes < 0 ? "-" : "", abs(minutes))
    if length > 0, length % 10_080 == 0 { return "\(sign)P\(length / 10_080)W" }
    let (days, hours, rest) = (length / 1_440, length / 60 % 24, length % 60)
    let time = (hours > 0 ? "\(hours)H" : "") + (rest > 0 ? "\(rest)M" : "")
    if days == 0, time.isEmpty { return "PT0S" }
    return "\(sign)P" + (days > 0 ? "\(days)D" : "") + (time.isEmpty ? "" : "T\(time)")
  }
}
