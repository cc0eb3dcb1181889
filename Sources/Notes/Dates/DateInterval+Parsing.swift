extension DateInterval {
  /// Reads what a date field is asked for or set to, without regard to case.
  ///
  /// - `2026`, `2026-11`, `2026-W49`, `2026-11-21`, `20261121`: that year, month, week, day, as each note's own offset
  ///   shows it.
  /// - RFC 3339 with seconds or without: that second or minute; without an offset, in the user's zone.
  /// - `today`, `yesterday`, `tomorrow`, `now`; `sow`, `eow` (Monday, Sunday of this week), `eod` (today), `som`, `eom`, `soy`, `eoy`.
  /// - `monday`, `mon`, `dec 5`, `5 december`: the nearest one in the direction; today where today is one.
  /// - `next week`, `this month`, `last year`, `next friday`, `5 dec 2026`.
  /// - `3d`, `2w`, `6m`, `1y`, `3 days`: the time from that long ago to now (`7d`: 168 hours), or from now to so far ahead.
  /// - `-3d`, `+3d`, `in 3 days`, `3 days ago`: the day so far away, whatever the direction.
  /// - `11/30`, `30/11`, `2026/11/30`: that day, if one of the numbers can't be a month.
  /// - `30.11.2026`, `30.11.`: that day. `day after tomorrow`, `end of week`, `end of month`, `end of year`.
  /// - `monday 9am`, `tomorrow at 17:30`: that minute.
  ///
  /// - Returns: nil for anything else.
  package static func parse(_ text: String, clock: ClockReading, looking: Direction) -> DateInterval? {
    guard text.utf8.count <= TimeReader.longestText else { return nil }
    let bytes = text.utf8.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0 }
    guard let first = bytes.first else { return nil }
    if let named = named(bytes, clock: clock, looking: looking) { return named }
    if let distance = Distance(bytes) { return distance.interval(clock: clock, looking: looking) }
    if let words = words(bytes, clock: clock, looking: looking) { return words }
    if first >= UInt8(ascii: "0"), first <= UInt8(ascii: "9"),
      let read = calendar(bytes) ?? moment(bytes, clock: clock)
    {
      return read
    }
    return spoken(bytes, clock: clock, looking: looking)
  }

  /// Reads a time of a day as it is typed: RFC 3339 with seconds or without, `now`, and `monday 9am`.
  ///
  /// - Returns: the moment at the offset that was typed, else at the user's; nil for a day and anything else.
  package static func moment(
    named text: String, clock: ClockReading, looking: Direction = .ahead
  ) -> Timestamp? {
    guard text.utf8.count <= TimeReader.longestText else { return nil }
    let bytes = Array(text.utf8.map { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") ? $0 | 0x20 : $0 })
    if bytes.elementsEqual("now".utf8) { return clock.now }
    return stamp(bytes, clock: clock)?.stamp ?? dayAndTime(bytes, clock: clock, looking: looking)?.stamp
  }

  /// Reads `a..b`, `a..` and `..b`: from the beginning of one to the end of the other, both whole.
  ///
  /// A duration is the whole day so far away, but as the lower end of a range that looks back the moment so long ago. Of
  /// two weekdays the second follows the first.
  ///
  /// - Returns: nil if an end can't be read. Ends in the wrong order give an interval that contains nothing.
  package static func range(
    _ lower: String?, _ upper: String?, clock: ClockReading, looking: Direction
  ) -> DateInterval? {
    guard var first = part(lower, clock: clock, looking: looking),
      var last = part(upper, clock: clock, looking: looking)
    else { return nil }
    if looking == .ahead, let point = point(lower, clock: clock, looking: looking) { first = point }
    if let point = point(upper, clock: clock, looking: looking) { last = point }
    if let start = first.day, let end = last.day, end < start, isWeekday(lower), isWeekday(upper) {
      switch looking {
      case .back: first = day(start.adding(days: -7), clock: clock)
      case .ahead: last = day(end.adding(days: 7), clock: clock)
      }
    }
    return DateInterval(lower: first.lower, upper: last.upper)
  }

  /// The day that a duration names, counted from today; nil for anything else.
  package static func point(_ text: String?, clock: ClockReading, looking: Direction) -> DateInterval? {
    text.flatMap { Distance(Array($0.utf8)) }
      .map { day($0.day(from: clock.today, looking: looking), clock: clock) }
  }

  private static func part(_ text: String?, clock: ClockReading, looking: Direction) -> DateInterval? {
    guard let text else { return .all }
    return parse(text, clock: clock, looking: looking)
  }

  private static func isWeekday(_ text: String?) -> Bool {
    text.map { weekday($0.utf8.map { $0 | 0x20 }) != nil } ?? false
  }

  /// The names of the months.
  package static let months = EnglishDate.months

  /// The names of the days of the week, Monday first.
  package static let weekdays = EnglishDate.weekdays

  /// A weekday's number, Monday 1, by its name or the first three letters or more of it.
  static func weekday(_ bytes: [UInt8]) -> Int? {
    guard bytes.count >= 3 else { return nil }
    return EnglishDate.weekdays.firstIndex { $0.utf8.starts(with: bytes) }.map { $0 + 1 }
  }

  private static func named(_ bytes: [UInt8], clock: ClockReading, looking: Direction) -> DateInterval? {
    let today = clock.today
    if let weekday = weekday(bytes) {
      let ahead = (weekday - today.weekday + 7) % 7
      let distance = looking == .ahead || ahead == 0 ? ahead : ahead - 7
      return day(today.adding(days: distance), clock: clock)
    }
    if bytes.elementsEqual("now".utf8) {
      let now = clock.now.seconds
      return instants(from: now, on: today, before: now + 1, within: today)
    }
    return namedDay(String(decoding: bytes, as: UTF8.self), today: today).map { day($0, clock: clock) }
  }

  static func namedDay(_ name: String, today: CivilDate) -> CivilDate? {
    let lastOfMonth = CivilDate.days(inMonth: today.month, of: today.year)
    return switch name {
    case "today", "eod": today
    case "yesterday": today.adding(days: -1)
    case "tomorrow": today.adding(days: 1)
    case "sow": today.adding(days: 1 - today.weekday)
    case "eow": today.adding(days: 7 - today.weekday)
    case "som": CivilDate(year: today.year, month: today.month, day: 1)
    case "eom": CivilDate(year: today.year, month: today.month, day: lastOfMonth)
    case "soy": CivilDate(year: today.year, month: 1, day: 1)
    case "eoy": CivilDate(year: today.year, month: 12, day: 31)
    default: nil
    }
  }

  /// `2026`, `2026-11`, `2026-W49`, `2026-11-21`, `20261121`.
  private static func calendar(_ bytes: [UInt8]) -> DateInterval? {
    var reader = TimeReader(bytes)
    if let date = reader.compactDate() {
      return reader.isAtEnd ? days(from: date, before: following(date)) : nil
    }
    guard let year = reader.digits(4) else { return nil }
    if reader.isAtEnd {
      guard let start = CivilDate(year: year, month: 1, day: 1) else { return nil }
      return days(from: start, before: CivilDate(year: year + 1, month: 1, day: 1))
    }
    let hasDash = reader.skipOne(of: "-")
    if reader.skipOne(of: "w") { return week(of: year, &reader) }
    guard hasDash, let month = reader.digits(2) else { return nil }
    if reader.isAtEnd {
      guard let start = CivilDate(year: year, month: month, day: 1) else { return nil }
      let last = start.adding(days: CivilDate.days(inMonth: month, of: year) - 1)
      return days(from: start, before: following(last))
    }
    guard reader.skipOne(of: "-"), let day = reader.digits(2), reader.isAtEnd,
      let date = CivilDate(year: year, month: month, day: day)
    else { return nil }
    return days(from: date, before: following(date))
  }

  /// Reads the part of an ISO week after the `W`: `49`, or `49-5` for its Friday.
  private static func week(of year: Int, _ reader: inout TimeReader) -> DateInterval? {
    guard let number = reader.digits(2), number > 0, let fourth = CivilDate(year: year, month: 1, day: 4)
    else { return nil }
    let monday = fourth.adding(days: 1 - fourth.weekday + 7 * (number - 1))
    guard monday.adding(days: 3).year == year else { return nil }
    if reader.isAtEnd { return days(from: monday, before: following(monday.adding(days: 6))) }
    _ = reader.skipOne(of: "-")
    guard let weekday = reader.digits(1), reader.isAtEnd, (1...7).contains(weekday) else { return nil }
    let day = monday.adding(days: weekday - 1)
    return days(from: day, before: following(day))
  }

  /// `2026-11-21T09:30:00+01:00`, with less precision too.
  private static func moment(_ bytes: [UInt8], clock: ClockReading) -> DateInterval? {
    guard let (date, stamp, hasSeconds) = stamp(bytes, clock: clock) else { return nil }
    let end = stamp.seconds + (hasSeconds ? 1 : 60)
    return instants(from: stamp.seconds, on: date, before: end, within: date)
  }

  private static func stamp(
    _ bytes: [UInt8], clock: ClockReading
  ) -> (date: CivilDate, stamp: Timestamp, hasSeconds: Bool)? {
    var reader = TimeReader(bytes)
    guard let date = reader.isoDate(), reader.skipOne(of: "t ") else { return nil }
    let start = reader.position
    guard let second = reader.clockTime() else { return nil }
    let hasSeconds = bytes[start..<reader.position].filter { $0 == UInt8(ascii: ":") }.count == 2
    reader.skipBlanks()
    if reader.isAtEnd {
      let instant = clock.instant(of: date, secondOfDay: second)
      let stamp = Timestamp(
        seconds: instant, offsetSeconds: clock.offset(instant), milliseconds: reader.milliseconds)
      return (date, stamp, hasSeconds)
    }
    guard let offset = reader.offset(), reader.isAtEnd else { return nil }
    let stamp = Timestamp(
      date: date, secondOfDay: second, offsetSeconds: offset, milliseconds: reader.milliseconds)
    return (date, stamp, hasSeconds)
  }
}

extension DateInterval {
  /// A distance from today, such as `7d` or `-2w`.
  struct Distance: Sendable, Equatable {
    enum Unit: Sendable { case days, weeks, months, years }

    let count: Int
    let unit: Unit
    /// Minus one, plus one, or nil if no sign was written.
    let sign: Int?

    /// Reads an optional sign, up to six digits and one of `d w m y`, or `3 days`.
    init?(_ bytes: [UInt8]) {
      var digits = Self.short(bytes)[...]
      switch digits.first {
      case UInt8(ascii: "-"): sign = -1
      case UInt8(ascii: "+"): sign = 1
      default: sign = nil
      }
      if sign != nil { digits.removeFirst() }
      guard let letter = digits.popLast(), digits.count <= 6, let count = CivilDate.number(digits) else {
        return nil
      }
      switch letter | 0x20 {
      case UInt8(ascii: "d"): unit = .days
      case UInt8(ascii: "w"): unit = .weeks
      case UInt8(ascii: "m"): unit = .months
      case UInt8(ascii: "y"): unit = .years
      default: return nil
      }
      self.count = count
    }

    /// `3d` for `3 days`, and any other text as it is.
    private static func short(_ bytes: [UInt8]) -> [UInt8] {
      let words = bytes.split(separator: 0x20)
      guard words.count == 2, words[0].allSatisfy({ (0x30...0x39).contains($0) }) else { return bytes }
      let unit = String(decoding: words[1], as: UTF8.self).lowercased()
      guard ["day", "week", "month", "year"].contains(unit.hasSuffix("s") ? String(unit.dropLast()) : unit)
      else { return bytes }
      return Array(words[0] + words[1].prefix(1))
    }

    /// The day so far from another one; its sign goes before the direction.
    func day(from today: CivilDate, looking: Direction) -> CivilDate {
      let signed = count * (sign ?? (looking == .back ? -1 : 1))
      return switch unit {
      case .days: today.adding(days: signed)
      case .weeks: today.adding(days: signed * 7)
      case .months: today.adding(months: signed)
      case .years: today.adding(months: signed * 12)
      }
    }

    /// Without a sign the time between now and the day so far away, with one the day.
    func interval(clock: ClockReading, looking: Direction) -> DateInterval {
      let target = day(from: clock.today, looking: looking)
      guard sign == nil, count > 0 else { return .day(target, clock: clock) }
      let now = clock.now.seconds
      switch looking {
      case .back:
        return .instants(
          from: instant(on: target, -1, clock), on: target, before: now + 1, within: clock.today)
      case .ahead:
        return .instants(
          from: now, on: clock.today, before: instant(on: target, 1, clock) + 1, within: target)
      }
    }

    /// The instant so far from now, which lies on a day: days and weeks have hours, months and years have none.
    private func instant(on target: CivilDate, _ sign: Int64, _ clock: ClockReading) -> Int64 {
      switch unit {
      case .days: clock.now.seconds + sign * Int64(count) * 86_400
      case .weeks: clock.now.seconds + sign * Int64(count) * 7 * 86_400
      case .months, .years: clock.instant(of: target, secondOfDay: clock.now.secondOfDay)
      }
    }
  }
}
