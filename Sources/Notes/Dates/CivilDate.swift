/// A day of the calendar, without time or zone, in the years 1 to 9999 of the (proleptic) Gregorian calendar.
package struct CivilDate: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The year, 1 to 9999.
  package let year: Int
  /// The month, 1 to 12.
  package let month: Int
  /// The day of the month, from 1.
  package let day: Int

  /// The first and the last day there is.
  package static let range = CivilDate(dayNumber: .min)...CivilDate(dayNumber: .max)

  /// Makes a date that the calendar has; nil for the 30th of February and the like.
  package init?(year: Int, month: Int, day: Int) {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= Self.days(inMonth: month, of: year)
    else { return nil }
    self.year = year
    self.month = month
    self.day = day
  }

  /// Makes the date of a day counted from 1970-01-01; numbers outside of the calendar give its nearest day.
  ///
  /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`.
  package init(dayNumber: Int) {
    let shifted = min(max(dayNumber, Self.firstDayNumber), Self.lastDayNumber) + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The number of days since 1970-01-01, negative before it.
  ///
  /// Source: Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", `days_from_civil`.
  package var dayNumber: Int {
    let yearFromMarch = month <= 2 ? year - 1 : year
    let era = yearFromMarch / 400
    let yearOfEra = yearFromMarch - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The day of the week: Monday is 1, Sunday is 7.
  package var weekday: Int {
    let fromThursday = (dayNumber + 3) % 7
    return (fromThursday + 7) % 7 + 1
  }

  package static func < (left: CivilDate, right: CivilDate) -> Bool {
    (left.year, left.month, left.day) < (right.year, right.month, right.day)
  }

  private static let firstDayNumber = -719_162
  private static let lastDayNumber = 2_932_896
}

extension CivilDate {
  /// Reads `YYYY-MM-DD`, exactly.
  package init?(_ iso: String) {
    let bytes = Array(iso.utf8)
    guard bytes.count == 10, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
      let day = Self.number(bytes[8..<10])
    else { return nil }
    self.init(year: year, month: month, day: day)
  }

  /// The date as `YYYY-MM-DD`.
  package var description: String {
    "\(Self.padded(year, to: 4))-\(Self.padded(month, to: 2))-\(Self.padded(day, to: 2))"
  }

  /// How many days a month has.
  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the date a number of days later, or earlier if it is negative; it stays in the calendar.
  package func adding(days: Int) -> CivilDate {
    CivilDate(dayNumber: dayNumber + min(max(days, -4_000_000), 4_000_000))
  }

  /// Returns the same day so many months later or earlier; if that month is shorter, its last day.
  package func adding(months: Int) -> CivilDate {
    let count = year * 12 + month - 1 + min(max(months, -200_000), 200_000)
    guard count >= 12 else { return Self.range.lowerBound }
    guard count < 120_000 else { return Self.range.upperBound }
    let (year, month) = (count / 12, count % 12 + 1)
    let lastDay = Self.days(inMonth: month, of: year)
    return CivilDate(year: year, month: month, day: min(day, lastDay)) ?? self
  }

  /// A number with zeros before it.
  package static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }

  /// The number that decimal digits write; nil for anything else and for more than 18 of them.
  static func number(_ digits: ArraySlice<UInt8>) -> Int? {
    guard !digits.isEmpty, digits.count <= 18 else { return nil }
    var number = 0
    for digit in digits {
      guard digit >= UInt8(ascii: "0"), digit <= UInt8(ascii: "9") else { return nil }
      number = number * 10 + Int(digit - UInt8(ascii: "0"))
    }
    return number
  }
}
