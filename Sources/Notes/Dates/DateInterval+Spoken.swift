/// Dates as people say or abbreviate them.
extension DateInterval {
  /// Reads `in 3 days`, `2 weeks ago`, `11/30`, `11/30/2026` and a day with a time: `monday 9am`, `tomorrow at 17:30`.
  ///
  /// - Parameter bytes: in lower case.
  /// - Returns: nil for anything else, and for numbers with a slash that can be read in two ways.
  static func spoken(_ bytes: [UInt8], clock: ClockReading, looking: Direction) -> DateInterval? {
    if let distance = spokenDistance(bytes) {
      return day(distance.day(from: clock.today, looking: looking), clock: clock)
    }
    let slashed = slashedDays(bytes, clock: clock, looking: looking)
    if slashed.count == 1 { return day(slashed[0], clock: clock) }
    guard let (date, stamp) = dayAndTime(bytes, clock: clock, looking: looking) else { return nil }
    return instants(from: stamp.seconds, on: date, before: stamp.seconds + 60, within: date)
  }

  /// The days that `11/12` may mean, the month first and then the day first; one if both are the same or only one exists.
  package static func slashedDays(
    _ text: String, clock: ClockReading, looking: Direction
  ) -> [CivilDate] {
    guard text.utf8.count <= TimeReader.longestText else { return [] }
    return slashedDays(Array(text.utf8), clock: clock, looking: looking)
  }

  private static func slashedDays(
    _ bytes: [UInt8], clock: ClockReading, looking: Direction
  ) -> [CivilDate] {
    var reader = TimeReader(bytes)
    if let date = reader.looseDate() {
      return reader.isAtEnd && bytes[4] == UInt8(ascii: "/") ? [date] : []
    }
    guard let first = reader.number(digits: 1...2), reader.skipOne(of: "/"),
      let second = reader.number(digits: 1...2)
    else { return [] }
    var year: Int?
    if reader.skipOne(of: "/") {
      guard let written = reader.digits(4) else { return [] }
      year = written
    }
    guard reader.isAtEnd else { return [] }
    let days = [(first, second), (second, first)].compactMap { month, day in
      nearest(month: month, day: day, year: year, today: clock.today, looking)
    }
    return days.count == 2 && days[0] == days[1] ? [days[0]] : days
  }

  /// The time of a day that a text names with the day: `monday 9am`, `tomorrow at 17:30`.
  static func dayAndTime(
    _ bytes: [UInt8], clock: ClockReading, looking: Direction
  ) -> (date: CivilDate, stamp: Timestamp)? {
    let blank = UInt8(ascii: " ")
    for start in bytes.indices.dropFirst() where bytes[start - 1] == blank {
      var reader = TimeReader(bytes[start...])
      guard let second = reader.clockTime() ?? reader.clockHour(), reader.isAtEnd else { continue }
      var name = bytes[..<start]
      while name.last == blank { name.removeLast() }
      if name.suffix(3).elementsEqual(" at".utf8) { name.removeLast(3) }
      guard let text = String(validating: name, as: UTF8.self),
        let date = parse(text, clock: clock, looking: looking)?.day
      else { return nil }
      let instant = clock.instant(of: date, secondOfDay: second)
      return (date, Timestamp(seconds: instant, offsetSeconds: clock.offset(instant)))
    }
    return nil
  }

  /// `in 3 days`, `3 days ago`.
  private static func spokenDistance(_ bytes: [UInt8]) -> Distance? {
    var words = bytes.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    guard words.count == 3 else { return nil }
    let sign: String
    if words[0] == "in" {
      words.removeFirst()
      sign = "+"
    } else if words[2] == "ago" {
      words.removeLast()
      sign = "-"
    } else {
      return nil
    }
    let number = ["a": "1", "an": "1", "one": "1"][words[0]] ?? words[0]
    let unit = words[1].hasSuffix("s") ? String(words[1].dropLast()) : words[1]
    guard ["day", "week", "month", "year"].contains(unit), let letter = unit.utf8.first else { return nil }
    return Distance(Array("\(sign)\(number)".utf8) + [letter])
  }
}
