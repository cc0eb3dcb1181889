/// The format of a date in a template or a path, such as `dddd, Do MMMM YYYY`.
///
/// Source: the tokens of moment.js 2.30, "Format", in its locale `en`, which Obsidian uses: weeks of `w` and `g` begin on
/// Sunday and the first one has 1 January, those of `W` and `G` are ISO 8601's.
/// Letters that are not a token are refused, so that a typo does not end up in a note. Literal letters are in
/// brackets, `[week] WW`.
struct DateFormat: Sendable, Equatable {
  /// A part of a date, or text.
  enum Part: Sendable, Equatable {
    case text(String)
    case word(Word)
  }

  /// The parts of a date by their letters in a format.
  enum Word: String, Sendable, CaseIterable {
    case year = "YYYY"
    case shortYear = "YY"
    case quarter = "Q"
    case quarterOrdinal = "Qo"
    case monthName = "MMMM"
    case shortMonthName = "MMM"
    case month = "MM"
    case monthOrdinal = "Mo"
    case bareMonth = "M"
    case weekday = "dddd"
    case shortWeekday = "ddd"
    case shortestWeekday = "dd"
    case weekdayNumber = "d"
    case weekdayOrdinal = "do"
    case localWeekday = "e"
    case isoWeekday = "E"
    case dayOfYear = "DDDD"
    case bareDayOfYear = "DDD"
    case dayOfYearOrdinal = "DDDo"
    case day = "DD"
    case dayOrdinal = "Do"
    case bareDay = "D"
    case hour = "HH"
    case bareHour = "H"
    case hourOfHalf = "hh"
    case bareHourOfHalf = "h"
    case half = "A"
    case smallHalf = "a"
    case minute = "mm"
    case bareMinute = "m"
    case second = "ss"
    case bareSecond = "s"
    case isoWeekYear = "GGGG"
    case shortISOWeekYear = "GG"
    case isoWeek = "WW"
    case bareISOWeek = "W"
    case isoWeekOrdinal = "Wo"
    case weekYear = "gggg"
    case shortWeekYear = "gg"
    case week = "ww"
    case bareWeek = "w"
    case weekOrdinal = "wo"
    case offset = "Z"
    case bareOffset = "ZZ"
    case seconds = "X"
    case milliseconds = "x"

    /// Those that a message names.
    fileprivate static let usual: [Word] = [
      .year, .shortYear, .monthName, .shortMonthName, .month, .bareMonth, .weekday, .shortWeekday, .day,
      .bareDay, .hour, .minute, .second, .isoWeekYear, .isoWeek, .offset,
    ]
  }

  let parts: [Part]

  /// `2026-11-21`
  static let day = DateFormat(words: [.year, .month, .day], "-")
  /// `09:30`
  static let time = DateFormat(words: [.hour, .minute], ":")

  init(parts: [Part]) { self.parts = parts }

  private init(words: [Word], _ separator: String) {
    parts = Array(words.map { [Part.word($0)] }.joined(separator: [.text(separator)]))
  }

  /// Reads a format.
  ///
  /// - Throws: `PlaceholderFault` for unknown letters, an unclosed bracket, and an empty format.
  init(_ text: String) throws(PlaceholderFault) {
    var parts: [Part] = []
    var rest = text.unicodeScalars[...]
    while let first = rest.first {
      if first == "[" {
        guard let close = rest.firstIndex(of: "]") else {
          throw PlaceholderFault("[ without ] in the format \(text)")
        }
        parts.append(.text(String(rest[rest.index(after: rest.startIndex)..<close])))
        rest = rest[rest.index(after: close)...]
      } else if first.isASCII, first.properties.isAlphabetic {
        let run = rest.prefix { $0 == first }
        let ordinal = rest.prefix(run.count + 1)
        let words = ordinal.last == "o" ? [ordinal, run] : [run]
        let found = words.lazy.compactMap { letters in
          Word(rawValue: String(letters)).map { (letters: letters, word: $0) }
        }.first
        guard let found else {
          let known = Word.usual.map(\.rawValue).joined(separator: " ")
          throw PlaceholderFault("\(String(run)) is not a date format; use \(known), and [text]")
        }
        parts.append(.word(found.word))
        rest = rest.dropFirst(found.letters.count)
      } else {
        parts.append(.text(String(first)))
        rest = rest.dropFirst()
      }
    }
    guard !parts.isEmpty else { throw PlaceholderFault("the date format is empty") }
    self.parts = parts
  }

  /// A day, with the time and the offset of a moment.
  func text(of day: CivilDate, at moment: Timestamp) -> String {
    parts.map { part in
      switch part {
      case .text(let text): text
      case .word(let word): Self.text(of: word, day, moment)
      }
    }.joined()
  }

  private static func text(of word: Word, _ day: CivilDate, _ moment: Timestamp) -> String {
    let two = { CivilDate.padded($0, to: 2) }
    let time = moment.secondOfDay
    let hourOfHalf = (time / 3600 + 11) % 12 + 1
    return switch word {
    case .year: CivilDate.padded(day.year, to: 4)
    case .shortYear: two(day.year % 100)
    case .quarter: String((day.month + 2) / 3)
    case .quarterOrdinal: ordinal((day.month + 2) / 3)
    case .monthName: capitalised(EnglishDate.months[day.month - 1])
    case .shortMonthName: String(capitalised(EnglishDate.months[day.month - 1]).prefix(3))
    case .month: two(day.month)
    case .monthOrdinal: ordinal(day.month)
    case .bareMonth: String(day.month)
    case .weekday: capitalised(EnglishDate.weekdays[day.weekday - 1])
    case .shortWeekday: String(capitalised(EnglishDate.weekdays[day.weekday - 1]).prefix(3))
    case .shortestWeekday: String(capitalised(EnglishDate.weekdays[day.weekday - 1]).prefix(2))
    case .weekdayNumber, .localWeekday: String(day.weekday % 7)
    case .weekdayOrdinal: ordinal(day.weekday % 7)
    case .isoWeekday: String(day.weekday)
    case .dayOfYear: CivilDate.padded(day.dayOfYear, to: 3)
    case .bareDayOfYear: String(day.dayOfYear)
    case .dayOfYearOrdinal: ordinal(day.dayOfYear)
    case .day: two(day.day)
    case .dayOrdinal: ordinal(day.day)
    case .bareDay: String(day.day)
    case .hour: two(time / 3600)
    case .bareHour: String(time / 3600)
    case .hourOfHalf: two(hourOfHalf)
    case .bareHourOfHalf: String(hourOfHalf)
    case .half: time < 43_200 ? "AM" : "PM"
    case .smallHalf: time < 43_200 ? "am" : "pm"
    case .minute: two(time / 60 % 60)
    case .bareMinute: String(time / 60 % 60)
    case .second: two(time % 60)
    case .bareSecond: String(time % 60)
    case .isoWeekYear: CivilDate.padded(day.isoWeek.year, to: 4)
    case .shortISOWeekYear: two(day.isoWeek.year % 100)
    case .isoWeek: two(day.isoWeek.number)
    case .bareISOWeek: String(day.isoWeek.number)
    case .isoWeekOrdinal: ordinal(day.isoWeek.number)
    case .weekYear: CivilDate.padded(day.englishWeek.year, to: 4)
    case .shortWeekYear: two(day.englishWeek.year % 100)
    case .week: two(day.englishWeek.number)
    case .bareWeek: String(day.englishWeek.number)
    case .weekOrdinal: ordinal(day.englishWeek.number)
    case .offset: String(moment.rfc3339.suffix(6))
    case .bareOffset: String(moment.rfc3339.suffix(6).filter { $0 != ":" })
    case .seconds: String(moment.seconds)
    case .milliseconds: String(moment.seconds * 1000)
    }
  }

  /// The day of a text in this format; nil for other texts, and for formats with words other than years, months, days of
  /// the month and names of weekdays.
  func day(in text: String) -> CivilDate? {
    var rest = text[...]
    var (year, month, day): (Int?, Int?, Int?)
    for part in parts {
      switch part {
      case .text(let text):
        guard rest.hasPrefix(text) else { return nil }
        rest = rest.dropFirst(text.count)
      case .word(let word):
        switch word {
        case .year: year = Self.number(4...4, &rest)
        case .month: month = Self.number(2...2, &rest)
        case .bareMonth: month = Self.number(1...2, &rest)
        case .day: day = Self.number(2...2, &rest)
        case .bareDay: day = Self.number(1...2, &rest)
        case .dayOrdinal:
          day = Self.number(1...2, &rest)
          guard let day, rest.hasPrefix(Self.ordinal(day).suffix(2)) else { return nil }
          rest = rest.dropFirst(2)
        case .monthName: month = Self.name(EnglishDate.months, nil, &rest)
        case .shortMonthName: month = Self.name(EnglishDate.months, 3, &rest)
        case .weekday: guard Self.name(EnglishDate.weekdays, nil, &rest) != nil else { return nil }
        case .shortWeekday: guard Self.name(EnglishDate.weekdays, 3, &rest) != nil else { return nil }
        default: return nil
        }
      }
    }
    guard rest.isEmpty, let year, let month, let day else { return nil }
    return CivilDate(year: year, month: month, day: day)
  }

  /// The number of some digits at the beginning of a text, which it takes away.
  private static func number(_ lengths: ClosedRange<Int>, _ rest: inout Substring) -> Int? {
    let digits = rest.prefix(lengths.upperBound).prefix { $0.isASCII && $0.isNumber }
    guard digits.count >= lengths.lowerBound else { return nil }
    rest = rest.dropFirst(digits.count)
    return Int(digits)
  }

  /// The number from 1 of the name at the beginning of a text, which it takes away.
  private static func name(_ names: [String], _ length: Int?, _ rest: inout Substring) -> Int? {
    for (number, name) in names.enumerated() {
      let name = length.map { name.prefix($0) } ?? name[...]
      guard rest.lowercased().hasPrefix(name) else { continue }
      rest = rest.dropFirst(name.count)
      return number + 1
    }
    return nil
  }

  private static func capitalised(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }

  /// `1st`, `2nd`, `3rd`, `4th`, `11th`
  private static func ordinal(_ number: Int) -> String {
    let isTeen = number % 100 / 10 == 1
    let ending = isTeen ? "th" : [1: "st", 2: "nd", 3: "rd"][number % 10] ?? "th"
    return "\(number)\(ending)"
  }
}

extension CivilDate {
  /// The number of the day in its year, from 1.
  fileprivate var dayOfYear: Int {
    dayNumber - adding(months: 1 - month).adding(days: 1 - day).dayNumber + 1
  }

  /// The week by ISO 8601: the year that has its Thursday, and its number in that year, from 1.
  package var isoWeek: (year: Int, number: Int) {
    let thursday = adding(days: 4 - weekday)
    return (thursday.year, (thursday.dayOfYear - 1) / 7 + 1)
  }

  /// The week from Sunday to Saturday: the year that has its Saturday, and its number in that year, from 1.
  fileprivate var englishWeek: (year: Int, number: Int) {
    let saturday = adding(days: 6 - weekday % 7)
    return (saturday.year, (saturday.dayOfYear - 1) / 7 + 1)
  }
}

/// The reason why a placeholder can't be read; control characters are not escaped.
struct PlaceholderFault: Error, Equatable {
  let message: String
  /// Whether no form of placeholders matches.
  let isUnknown: Bool

  static let unclosed = PlaceholderFault("{{ without }} on its line")

  init(_ message: String, isUnknown: Bool = false) {
    self.message = message
    self.isUnknown = isUnknown
  }
}
