extension DateInterval {
  /// Reads dates of two words or three, in lower case: `next week`, `last friday`, `dec 5`, `5 dec 2026`.
  static func words(_ bytes: [UInt8], clock: ClockReading, looking: Direction) -> DateInterval? {
    let words = bytes.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: ",") }
    guard words.count == 2 || words.count == 3 else { return nil }
    if words.count == 2, let step = step(words[0]) { return period(words[1], step, clock) }
    return dayOfMonth(words, clock, looking)
  }

  /// The first day of a period that lies ahead: what a change means by `next week`; nil for anything else.
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
