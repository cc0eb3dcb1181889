import Notes

/// The date that a value of a field reads as: a day, or an instant.
enum DateReading: Sendable {
  case day(CivilDate)
  case instant(Timestamp)

  /// Reads any form of a date that other tools write; nil for anything else.
  init?(_ text: String) {
    if let day = CivilDate(text) {
      self = .day(day)
    } else if let stamp = Timestamp.adopted(text) {
      let isDay = stamp.secondOfDay == 0 && stamp.offsetSeconds == 0 && !text.utf8.contains(UInt8(ascii: ":"))
      self = isDay ? .day(stamp.civilDate) : .instant(stamp)
    } else {
      return nil
    }
  }

  /// Seconds since 1970, a day counted from midnight UTC.
  var seconds: Int64 {
    switch self {
    case .day(let day): Int64(day.dayNumber) * 86_400
    case .instant(let stamp): stamp.seconds
    }
  }

  /// Says whether the date lies in a stretch of time.
  func isIn(_ interval: DateInterval) -> Bool {
    switch self {
    case .day(let day): interval.contains(day)
    case .instant(let stamp): interval.contains(stamp)
    }
  }
}
