import Text

/// The interval of a recurrence: `weekly` counts from the due day, `+1w` from the day of completion.
///
/// A length in months or years may name a fixed day of the month, `monthly on 31`: in a shorter month,
/// its last day is used.
package struct Recurrence: Sendable, Equatable {
  private enum Step: Sendable, Equatable {
    case weekdays
    /// A day of the week, Monday 1.
    case weekday(Int)
    case days(Int)
    case months(Int)
  }

  private let step: Step
  /// Whether it counts from the day on which the last one was done.
  package let countsFromEnd: Bool
  /// The day of the month that it keeps to; nil for that of the last one.
  private let dayOfMonth: Int?
  /// The text without the day of the month.
  private let length: String

  /// The words for a length.
  package static let words = ["daily", "weekdays", "weekly", "biweekly", "monthly", "quarterly", "yearly"]

  /// Reads a word or a length (`3d`, `2w`, `6m`, `1y`), perhaps with `+` before it or `on DAY` after it.
  ///
  /// A day of the week means each of them: `friday`, `every friday`. `every 2 weeks` and `every month` are lengths.
  /// The words of taskwarrior and todo.txt are read too: `2wks`, `3months`, `annual`, `P1W`, `1b`.
  package init?(_ text: String) {
    var parts = Self.lengthFirst(text.lowercased().split(separator: " ").map(String.init))
    guard var word = parts.first else { return nil }
    length = word
    parts.removeFirst()
    countsFromEnd = word.utf8.first == UInt8(ascii: "+")
    if countsFromEnd { word = String(word.unicodeScalars.dropFirst()) }
    guard let step = Self.step(word) else { return nil }
    self.step = step
    if parts.isEmpty {
      dayOfMonth = nil
      return
    }
    guard case .months = step, !countsFromEnd, parts.count == 2, parts[0] == "on",
      let day = CivilDate.number(Array(parts[1].utf8)[...]), (1...31).contains(day)
    else { return nil }
    dayOfMonth = day
  }

  /// The words with one length at the beginning: `every 2 weeks` and `2 weeks` are `2weeks`, `every month` is `1month`.
  private static func lengthFirst(_ words: [String]) -> [String] {
    if words.count > 1, let first = words.first,
      first.utf8.last.map({ $0 &- UInt8(ascii: "0") < 10 }) ?? false
    {
      return [first + words[1]] + words.dropFirst(2)
    }
    guard words.first == "every", words.count > 1 else { return words }
    let rest = words.dropFirst()
    if rest.count > 1, let number = rest.first, number.utf8.allSatisfy({ $0 &- UInt8(ascii: "0") < 10 }) {
      return [number + rest[2]] + rest.dropFirst(2)
    }
    return ["day", "week", "month", "quarter", "year"].contains(rest[1])
      ? ["1" + rest[1]] + rest.dropFirst() : Array(rest)
  }

  private static func step(_ word: String) -> Step? {
    if let weekday = weekday(word) { return .weekday(weekday) }
    switch word {
    case "weekdays", "weekday", "1b": return .weekdays
    case "daily": return .days(1)
    case "weekly", "sennight": return .days(7)
    case "biweekly", "fortnight": return .days(14)
    case "monthly": return .months(1)
    case "bimonthly": return .months(2)
    case "quarterly": return .months(3)
    case "semiannual": return .months(6)
    case "yearly", "annual": return .months(12)
    case "biannual", "biyearly": return .months(24)
    default: break
    }
    // `P1W` of ISO 8601 is `1w`.
    let length = word.utf8.first == UInt8(ascii: "p") ? Array(word.utf8.dropFirst()) : Array(word.utf8)
    let digits = length.prefix { $0 &- UInt8(ascii: "0") < 10 }
    guard digits.count <= 6, let count = CivilDate.number(digits), count > 0 else { return nil }
    switch String(decoding: length[digits.count...], as: UTF8.self) {
    case "d", "day", "days": return .days(count)
    case "w", "wk", "wks", "week", "weeks": return .days(count * 7)
    case "m", "mo", "mos", "mth", "mths", "mnths", "month", "months": return .months(count)
    case "q", "qtr", "qtrs", "quarter", "quarters": return .months(count * 3)
    case "y", "yr", "yrs", "year", "years": return .months(count * 12)
    default: return nil
    }
  }
}

extension Recurrence {
  /// A day of the week by its name or three letters or more of it, also in the plural.
  private static func weekday(_ word: String) -> Int? {
    DateInterval.weekday(Array(word.utf8))
      ?? DateInterval.weekdays.firstIndex { "\($0)s" == word }.map { $0 + 1 }
  }

  package static func isWeekday(_ word: String) -> Bool { weekday(word) != nil }

  /// The rule as iCalendar has it, without its end; nil if it is counted from the day on which the last one was done.
  ///
  /// The rule counts from the beginning, and the day that is due moves with it.
  ///
  /// Source: RFC 5545, section 3.3.10.
  package func calendarRule(from first: CivilDate, due: CivilDate) -> String? {
    guard !countsFromEnd else { return nil }
    let every = { (count: Int) in count == 1 ? "" : ";INTERVAL=\(count)" }
    switch step {
    case .weekdays: return "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
    case .weekday(let day):
      if first != due || first.weekday == day { return "FREQ=WEEKLY" }
      return "FREQ=WEEKLY;BYDAY=\(["MO", "TU", "WE", "TH", "FR", "SA", "SU"][day - 1])"
    case .days(let count):
      return count % 7 == 0 ? "FREQ=WEEKLY\(every(count / 7))" : "FREQ=DAILY\(every(count))"
    case .months(let count):
      let day = first == due ? dayOfMonth ?? first.day : first.day
      if day > 28 {
        // A shorter month has its last day instead.
        let days = (28...day).map(String.init).joined(separator: ",")
        return "FREQ=MONTHLY\(every(count));BYMONTHDAY=\(days);BYSETPOS=-1"
      }
      let own = day == first.day ? "" : ";BYMONTHDAY=\(day)"
      return count % 12 == 0 && own.isEmpty
        ? "FREQ=YEARLY\(every(count / 12))" : "FREQ=MONTHLY\(every(count))\(own)"
    }
  }
}

extension Recurrence {
  /// The day on which something comes again.
  package struct Next: Sendable, Equatable {
    package let day: CivilDate
    /// How many days it would have come on have gone by.
    package let skipped: Int
  }

  /// Returns the first day after `last`, and after the day on which it was done; nil beyond the calendar.
  ///
  /// - Complexity: O(1).
  package func next(after last: CivilDate, done today: CivilDate) -> Next? {
    if countsFromEnd { return day(1, after: today).map { Next(day: $0, skipped: 0) } }
    switch step {
    case .weekdays:
      let skipped = max(0, Self.weekdays(through: today) - Self.weekdays(through: last))
      return day(1, after: max(last, today)).map { Next(day: $0, skipped: skipped) }
    case .weekday:
      guard let first = day(1, after: last) else { return nil }
      if first > today { return Next(day: first, skipped: 0) }
      let skipped = (today.dayNumber - first.dayNumber) / 7 + 1
      return day(1, after: today).map { Next(day: $0, skipped: skipped) }
    case .days(let count):
      let number = max(0, today.dayNumber - last.dayNumber) / count + 1
      return day(number, after: last).map { Next(day: $0, skipped: number - 1) }
    case .months(let count):
      let months = (today.year - last.year) * 12 + today.month - last.month
      var number = max(1, months / count)
      while let day = day(number, after: last) {
        if day > today, day > last { return Next(day: day, skipped: number - 1) }
        number += 1
      }
      return nil
    }
  }

  /// The day one step after another, whenever that one was done; nil beyond the calendar.
  package func step(after last: CivilDate) -> CivilDate? { day(1, after: last) }

  /// The day of a number of steps after another; nil beyond the calendar.
  private func day(_ number: Int, after last: CivilDate) -> CivilDate? {
    let next: CivilDate
    switch step {
    case .weekdays: next = last.adding(days: last.weekday < 5 ? 1 : 8 - last.weekday)
    case .weekday(let weekday):
      next = last.adding(days: (weekday - last.weekday + 6) % 7 + 1 + 7 * (number - 1))
    case .days(let count): next = last.adding(days: number * count)
    case .months(let count):
      let month = last.adding(months: number * count)
      guard month < CivilDate.range.upperBound else { return nil }
      let longest = CivilDate.days(inMonth: month.month, of: month.year)
      let day = min(dayOfMonth ?? last.day, longest)
      next = CivilDate(year: month.year, month: month.month, day: day) ?? month
    }
    return next > last && next < CivilDate.range.upperBound ? next : nil
  }

  /// How many days from Monday to Friday there are up to a day, from one that is always the same.
  private static func weekdays(through day: CivilDate) -> Int {
    // Monday, 1969-12-29.
    let days = day.dayNumber + 3
    let weeks = days >= 0 ? days / 7 : (days - 6) / 7
    return weeks * 5 + min(days - weeks * 7 + 1, 5)
  }

  /// Returns the text for the next occurrence: if its month is too short for the day of the last one, it names that day.
  package func text(after last: CivilDate, on next: CivilDate) -> String? {
    guard case .months = step, !countsFromEnd, dayOfMonth == nil, next.day < last.day else { return nil }
    return "\(length) on \(last.day)"
  }
}

extension Recurrence {
  /// The attribute of a task in which taskwarrior stores recurrences that its own `recur` can't express.
  package static let taskwarriorAttribute = "sliprecur"

  /// The field of an instance in which its recurring task of taskwarrior is kept: its due date, date of entry and mask.
  package static let taskwarriorSeries = "taskwarrior-series"

  /// The last day before one, or itself, that is the day of the month which the recurrence keeps to, and how many steps it
  /// is away: taskwarrior counts from there.
  package func origin(of day: CivilDate) -> (day: CivilDate, steps: Int) {
    guard case .months(let count) = step, let dayOfMonth, dayOfMonth > day.day else { return (day, 0) }
    for steps in 1...12 {
      let month = day.adding(months: -steps * count)
      guard CivilDate.days(inMonth: month.month, of: month.year) >= dayOfMonth,
        let first = CivilDate(year: month.year, month: month.month, day: dayOfMonth)
      else { continue }
      return (first, steps)
    }
    return (day, 0)
  }

  /// The text of a recurrence whose first day was another one: an instance on the last day of a shorter month keeps to the
  /// day of the first.
  package static func text(_ text: String, from first: CivilDate, on day: CivilDate) -> String {
    guard day.day == CivilDate.days(inMonth: day.month, of: day.year) else { return text }
    return Recurrence(text)?.text(after: first, on: day) ?? text
  }

  /// Returns a text as taskwarrior spells it: `+2w` is `2w`, `6m` is `6mo`, and a day of the month has no place.
  package static func taskwarrior(_ text: String) -> String? {
    if case .weekday? = Recurrence(text)?.step { return "weekly" }
    guard let word = lengthFirst(text.split(separator: " ").map(String.init)).first else { return nil }
    let length = word.first == "+" ? String(word.dropFirst()) : word
    let isOfMonths = length.last == "m" && length.utf8.count > 1 && length.dropLast().allSatisfy(\.isNumber)
    return length.isEmpty ? nil : isOfMonths ? length + "o" : length
  }
}

extension Recurrence {
  /// Returns the text of a `rec:` of todo.txt as slip has it; nil if it is not a length.
  ///
  /// `rec:+1m` is strict, counted from the day on which the task was due; `rec:3d` is counted from its completion. Here
  /// the sign means the opposite.
  package static func fromTodoTxt(_ text: String) -> String? {
    let own = text.hasPrefix("+") ? String(text.dropFirst()) : "+\(text)"
    return !own.contains(" ") && Recurrence(own) != nil ? own : nil
  }

  /// The key of todo.txt in which slip keeps the day of the month, which `rec:` has no place for.
  package static let todoTxtDay = "rec-day"

  /// The day of the month that the text names; nil if it names none.
  package var namedDay: Int? { dayOfMonth }

  /// Returns a text with a day of the month; the text itself if that can't be.
  package static func text(_ text: String, onDay day: String?) -> String {
    guard let day, Recurrence("\(text) on \(day)") != nil else { return text }
    return "\(text) on \(day)"
  }

  /// The text of a `rec:` of todo.txt, without the day of the month.
  package var todoTxt: String {
    let sign = countsFromEnd ? "" : "+"
    switch step {
    case .weekdays: return "\(sign)1b"
    case .weekday: return "\(sign)1w"
    case .days(let count): return sign + (count % 7 == 0 ? "\(count / 7)w" : "\(count)d")
    case .months(let count): return sign + (count % 12 == 0 ? "\(count / 12)y" : "\(count)m")
    }
  }
}

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

  /// The message about a text that is not a reminder.
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
