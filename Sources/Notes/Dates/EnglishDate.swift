/// Reads dates as English texts, mail and web pages write them.
enum EnglishDate {
  /// Reads `May 7, 2021`, `7 May 2021`, `Fri, 07 May 2021 10:00:00 +0200`, `Mon May 7 2021 10:00:00 GMT+0200 (CEST)`.
  ///
  /// Names of weekdays, ordinal endings and a remark in parentheses are not looked at.
  static func read(_ bytes: ArraySlice<UInt8>, _ isLocal: Bool = false) -> Timestamp? {
    var parts = Parts()
    let isBreak: (UInt8) -> Bool = {
      $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "\t")
    }
    for word in bytes.split(whereSeparator: isBreak) {
      if word.first == UInt8(ascii: "(") { break }
      guard parts.take(word) else { return nil }
    }
    guard let stamp = parts.stamp else { return nil }
    return isLocal && parts.time != nil && parts.offset == nil ? LocalZone.stamp(stamp) : stamp
  }

  /// The parts that were found so far; each may occur once.
  private struct Parts {
    var year: Int?
    var month: Int?
    var day: Int?
    var time: Int?
    var hourOfHalfDay = false
    var offset: Int?

    var stamp: Timestamp? {
      guard let year, let month, let day, let date = CivilDate(year: year, month: month, day: day) else {
        return nil
      }
      return Timestamp(date: date, secondOfDay: time ?? 0, offsetSeconds: offset ?? 0)
    }

    mutating func take(_ word: ArraySlice<UInt8>) -> Bool {
      var reader = TimeReader(word)
      if time == nil, let second = reader.clockTime() {
        time = second
        return reader.isAtEnd || takeOffset(&reader)
      }
      if time != nil, isHalfDay(word) { return takeHalfDay(word) }
      if time != nil, takeOffset(&reader) { return true }
      return takeNumber(word) || takeName(word)
    }

    private mutating func takeOffset(_ reader: inout TimeReader) -> Bool {
      guard offset == nil, let read = reader.offset(), reader.isAtEnd else { return false }
      offset = read
      return true
    }

    private func isHalfDay(_ word: ArraySlice<UInt8>) -> Bool {
      let lower = word.map { $0 | 0x20 }
      return lower == Array("am".utf8) || lower == Array("pm".utf8)
    }

    private mutating func takeHalfDay(_ word: ArraySlice<UInt8>) -> Bool {
      guard let read = time, !hourOfHalfDay, let first = word.first, (3600..<46_800).contains(read) else {
        return false
      }
      hourOfHalfDay = true
      time = read % 43_200 + (first | 0x20 == UInt8(ascii: "p") ? 43_200 : 0)
      return true
    }

    /// A day (`7`, `07`, `7th`) or a year of four digits.
    private mutating func takeNumber(_ word: ArraySlice<UInt8>) -> Bool {
      var reader = TimeReader(word)
      if year == nil, let read = reader.number(digits: 4...4), reader.isAtEnd {
        year = read
        return true
      }
      guard day == nil, let read = reader.number(digits: 1...2) else { return false }
      day = read
      return reader.isAtEnd || ["st", "nd", "rd", "th"].contains { reader.rest.elementsEqual($0.utf8) }
    }

    /// The name of a month, or of a weekday, whole or its beginning of three letters or more.
    private mutating func takeName(_ word: ArraySlice<UInt8>) -> Bool {
      var lower = word.map { $0 | 0x20 }
      if word.last == UInt8(ascii: ".") { lower.removeLast() }
      guard lower.count >= 3 else { return false }
      if month == nil, let index = months.firstIndex(where: { $0.utf8.starts(with: lower) }) {
        month = index + 1
        return true
      }
      return weekdays.contains { $0.utf8.starts(with: lower) }
    }
  }

  /// The names of the months.
  static let months = [
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november",
    "december",
  ]

  /// The names of the days of the week, Monday first.
  static let weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
}

/// Days as tables of many countries write them, if only one reading is possible.
package enum SpelledDate {
  /// Reads `31.01.2026` (the day first, as everywhere with dots), and `31/01/2026`, `01/31/2026` and the like with dashes
  /// if one of the numbers can't be a month; nil for anything else.
  package static func day(_ text: String) -> CivilDate? {
    let bytes = Array(text.utf8)
    for separator in [".", "/", "-"].map({ $0.utf8.first ?? 0 }) {
      let parts = bytes.split(separator: separator, omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0].count <= 2, parts[1].count <= 2, parts[2].count == 4 else { continue }
      let numbers = parts.compactMap { CivilDate.number($0) }
      guard numbers.count == 3 else { return nil }
      let dayFirst = CivilDate(year: numbers[2], month: numbers[1], day: numbers[0])
      if separator == UInt8(ascii: ".") { return dayFirst }
      let monthFirst = CivilDate(year: numbers[2], month: numbers[0], day: numbers[1])
      // If both readings are possible, as in 03/04/2026, the text is ambiguous.
      if let dayFirst, let monthFirst, dayFirst != monthFirst { return nil }
      return dayFirst ?? monthFirst
    }
    return nil
  }
}

extension DateInterval {
  /// Reads dates of two words or three, in lower case: `next week`, `last friday`, `dec 5`, `5 dec 2026`.
  static func words(_ bytes: [UInt8], clock: ClockReading, looking: Direction) -> DateInterval? {
    let words = bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
    guard words.count == 2 || words.count == 3 else { return nil }
    if words.count == 2, let step = step(words[0]) { return period(words[1], step, clock) }
    return dayOfMonth(words, clock, looking)
  }

  /// The first day of a future period: the meaning of `next week` in a change; nil for anything else.
  package static func start(ofNext text: String, clock: ClockReading) -> CivilDate? {
    guard text.lowercased().utf8.starts(with: "next ".utf8) else { return nil }
    return parse(text, clock: clock, looking: .ahead)?.days?.first
  }

  private static func step(_ word: ArraySlice<UInt8>) -> Int? {
    switch String(decoding: word, as: UTF8.self) {
    case "last": -1
    case "this": 0
    case "next": 1
    default: nil
    }
  }

  /// The week, month or year so many after this one, in the user's zone; of a weekday the first one after today, the
  /// last one before it, or that of this week.
  private static func period(_ word: ArraySlice<UInt8>, _ step: Int, _ clock: ClockReading) -> DateInterval? {
    let today = clock.today
    switch String(decoding: word, as: UTF8.self) {
    case "week":
      let monday = today.adding(days: 1 - today.weekday + 7 * step)
      return span(from: monday, before: monday.adding(days: 7), clock)
    case "month":
      let first = today.adding(days: 1 - today.day).adding(months: step)
      return span(from: first, before: first.adding(months: 1), clock)
    case "year":
      guard let first = CivilDate(year: today.year + step, month: 1, day: 1) else { return nil }
      return span(from: first, before: first.adding(months: 12), clock)
    default:
      guard let weekday = weekday(Array(word)) else { return nil }
      let inWeek = weekday - today.weekday
      let distance =
        switch step {
        case 1: inWeek > 0 ? inWeek : inWeek + 7
        case -1: inWeek < 0 ? inWeek : inWeek - 7
        default: inWeek
        }
      return day(today.adding(days: distance), clock: clock)
    }
  }

  private static func span(from first: CivilDate, before end: CivilDate, _ clock: ClockReading)
    -> DateInterval
  {
    DateInterval(
      lower: Bound(day: first, instant: clock.start(of: first)),
      upper: Bound(day: end, instant: clock.start(of: end)))
  }

  /// `dec 5`, `5 dec`, `dec 5 2026`: without a year, the nearest one in the direction.
  private static func dayOfMonth(
    _ words: [ArraySlice<UInt8>], _ clock: ClockReading, _ looking: Direction
  ) -> DateInterval? {
    let isMonthFirst = month(words[0]) != nil
    guard let month = month(words[isMonthFirst ? 0 : 1]),
      let number = dayNumber(words[isMonthFirst ? 1 : 0])
    else { return nil }
    if words.count == 3 {
      var reader = TimeReader(words[2])
      guard let year = reader.digits(4), reader.isAtEnd,
        let date = CivilDate(year: year, month: month, day: number)
      else { return nil }
      return days(from: date, before: following(date))
    }
    return nearest(month: month, day: number, year: nil, today: clock.today, looking)
      .map { day($0, clock: clock) }
  }

  /// The day of a month in a year; without a year, the nearest one in the direction.
  static func nearest(
    month: Int, day: Int, year: Int?, today: CivilDate, _ looking: Direction
  ) -> CivilDate? {
    if let year { return CivilDate(year: year, month: month, day: day) }
    let step = looking == .back ? -1 : 1
    // The 29th of February may be eight years away.
    for distance in 0...8 {
      guard let date = CivilDate(year: today.year + step * distance, month: month, day: day) else {
        continue
      }
      if looking == .back ? date <= today : date >= today { return date }
    }
    return nil
  }

  /// A month by its name or the first three letters or more of it.
  private static func month(_ word: ArraySlice<UInt8>) -> Int? {
    let name = word.last == UInt8(ascii: ".") ? word.dropLast() : word
    guard name.count >= 3 else { return nil }
    return EnglishDate.months.firstIndex { $0.utf8.starts(with: name) }.map { $0 + 1 }
  }

  /// `5`, `05`, `5th`.
  private static func dayNumber(_ word: ArraySlice<UInt8>) -> Int? {
    var reader = TimeReader(word)
    guard let number = reader.number(digits: 1...2) else { return nil }
    let isWhole = reader.isAtEnd || ["st", "nd", "rd", "th"].contains { reader.rest.elementsEqual($0.utf8) }
    return isWhole ? number : nil
  }
}

/// Dates as people say or abbreviate them.
extension DateInterval {
  /// Reads `in 3 days`, `2 weeks ago`, `11/30`, `11/30/2026`, `30.11.2026`, `day after tomorrow`, `end of month` and a day
  /// with a time: `monday 9am`, `tomorrow at 17:30`.
  ///
  /// - Parameter bytes: in lower case.
  /// - Returns: nil for anything else, and for numbers with a slash that can be read in two ways.
  static func spoken(_ bytes: [UInt8], clock: ClockReading, looking: Direction) -> DateInterval? {
    if let distance = spokenDistance(bytes) {
      return day(distance.day(from: clock.today, looking: looking), clock: clock)
    }
    if let date = phrasedDay(bytes, today: clock.today) ?? dottedDay(bytes, clock.today, looking) {
      return day(date, clock: clock)
    }
    let slashed = slashedDays(bytes, clock: clock, looking: looking)
    if slashed.count == 1 { return day(slashed[0], clock: clock) }
    guard let (date, stamp) = dayAndTime(bytes, clock: clock, looking: looking) else { return nil }
    return instants(from: stamp.seconds, on: date, before: stamp.seconds + 60, within: date)
  }

  /// `day after tomorrow`, `end of month`, `end of this week`.
  private static func phrasedDay(_ bytes: [UInt8], today: CivilDate) -> CivilDate? {
    let words = bytes.split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0 != "the" && $0 != "this" }
    return switch words.joined(separator: " ") {
    case "day after tomorrow": today.adding(days: 2)
    case "day before yesterday": today.adding(days: -2)
    case "end of day": today
    case "end of week": namedDay("eow", today: today)
    case "end of month": namedDay("eom", today: today)
    case "end of year": namedDay("eoy", today: today)
    default: nil
    }
  }

  /// `30.11.2026` and `30.11.`: the day first, as everywhere with dots.
  private static func dottedDay(_ bytes: [UInt8], _ today: CivilDate, _ looking: Direction) -> CivilDate? {
    var reader = TimeReader(bytes)
    guard let day = reader.number(digits: 1...2), reader.skipOne(of: "."),
      let month = reader.number(digits: 1...2), reader.skipOne(of: ".")
    else { return nil }
    if reader.isAtEnd { return nearest(month: month, day: day, year: nil, today: today, looking) }
    guard let year = reader.digits(4), reader.isAtEnd else { return nil }
    return CivilDate(year: year, month: month, day: day)
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

  /// The time of a day that a text names with the day: `monday 9am`, `tomorrow at 17:30`, `9am tomorrow`.
  static func dayAndTime(
    _ bytes: [UInt8], clock: ClockReading, looking: Direction
  ) -> (date: CivilDate, stamp: Timestamp)? {
    let blank = UInt8(ascii: " ")
    for start in bytes.indices.dropFirst() where bytes[start - 1] == blank {
      var (before, after) = (bytes[..<start], bytes[start...])
      while before.last == blank { before.removeLast() }
      let name: ArraySlice<UInt8>
      let second: Int
      if let last = TimeReader.secondOfDay(after) {
        (name, second) = (before.suffix(3).elementsEqual(" at".utf8) ? before.dropLast(3) : before, last)
      } else if let first = TimeReader.secondOfDay(before) {
        if after.starts(with: "on ".utf8) { after.removeFirst(3) }
        (name, second) = (after, first)
      } else {
        continue
      }
      guard let text = String(validating: name, as: UTF8.self),
        let date =
          (point(text, clock: clock, looking: looking) ?? parse(text, clock: clock, looking: looking))?.day
      else { continue }
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
