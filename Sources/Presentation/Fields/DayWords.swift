package import Notes

/// Days in words.
package enum DayWords {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
    "November", "December",
  ]

  /// `Friday, 27 November 2026, in 4 days`.
  package static func long(_ day: CivilDate, today: CivilDate) -> String {
    "\(weekday(day)), \(day.day) \(months[day.month - 1]) \(day.year), \(distance(day, today))"
  }

  /// `today`, `Fri` for a day of the next six, `27 Nov`, and the date itself in another year.
  package static func short(_ day: CivilDate, today: CivilDate) -> String {
    switch day.dayNumber - today.dayNumber {
    case -1...1: distance(day, today)
    case 2...6: String(weekday(day).prefix(3))
    default: day.year == today.year ? "\(day.day) \(months[day.month - 1].prefix(3))" : day.description
    }
  }

  private static func weekday(_ day: CivilDate) -> String {
    DateInterval.weekdays[day.weekday - 1].prefix(1).uppercased()
      + DateInterval.weekdays[day.weekday - 1].dropFirst()
  }

  private static func distance(_ day: CivilDate, _ today: CivilDate) -> String {
    switch day.dayNumber - today.dayNumber {
    case 0: "today"
    case 1: "tomorrow"
    case -1: "yesterday"
    case let days where days > 0: "in \(days) days"
    case let days: "\(-days) days ago"
    }
  }
}
