import Bytes

/// A place in a template that is filled when a note is made of it.
enum Placeholder: Sendable, Equatable {
  case title
  case id
  /// The day of the note so far away, with the time of the command.
  case date(distance: DateInterval.Distance?, format: DateFormat)
  /// The value of a field of the new note.
  case field(String)
  /// The text that was given with the command.
  case selection

  /// Whether it is the value of a field.
  var isField: Bool {
    if case .field = self { true } else { false }
  }

  /// Reads what stands between `{{` and `}}`.
  ///
  /// - Throws: `PlaceholderFault` for what is none of the forms.
  init(_ inside: some Sequence<UInt8>) throws(PlaceholderFault) {
    let text = String(decoding: Array(inside), as: UTF8.self).withoutBlanksAround
    let name = text.unicodeScalars.prefix { $0 != ":" && $0 != " " }
    let rest = String(text.unicodeScalars.dropFirst(name.count))
    switch (String(name), rest) {
    case ("title", ""): self = .title
    case ("id", ""): self = .id
    case ("selection", ""): self = .selection
    case ("time", ""): self = .date(distance: nil, format: .time)
    case ("time", _) where rest.utf8.first == UInt8(ascii: ":"): self = try Self.date(rest)
    case ("date", _): self = try Self.date(rest)
    case ("field", _) where rest.utf8.first == UInt8(ascii: ":"):
      let field = String(rest.unicodeScalars.dropFirst()).withoutBlanksAround
      guard !field.isEmpty else { throw PlaceholderFault("{{\(text)}} matches no field") }
      self = .field(field)
    default: throw PlaceholderFault("unknown placeholder {{\(text)}}")
    }
  }

  /// Reads what follows `date`: a distance such as ` +1d`, and a format after a colon.
  private static func date(_ rest: String) throws(PlaceholderFault) -> Placeholder {
    let scalars = rest.unicodeScalars
    let written = String(scalars.prefix { $0 != ":" }).withoutBlanksAround
    var distance: DateInterval.Distance?
    if !written.isEmpty {
      distance = DateInterval.Distance(Array(written.utf8))
      guard distance?.sign != nil else {
        throw PlaceholderFault("\(written) in {{date\(rest)}} is not an offset such as +1d or -2w")
      }
    }
    guard let colon = scalars.firstIndex(of: ":") else { return .date(distance: distance, format: .day) }
    let format = String(scalars[scalars.index(after: colon)...]).withoutBlanksAround
    return .date(distance: distance, format: try DateFormat(format))
  }
}

/// Why a placeholder can't be read, in words with control characters as they stand.
struct PlaceholderFault: Error, Equatable {
  let message: String

  static let unclosed = PlaceholderFault("{{ without }} on its line")

  init(_ message: String) { self.message = message }
}

/// The form in which a template asks for a date, such as `dddd, D MMMM YYYY`.
///
/// The words are those of Obsidian's templates. Letters that are none of them are refused, so that a slip of the finger
/// does not end up in a note; text of letters stands in brackets, `[week] WW`.
struct DateFormat: Sendable, Equatable {
  /// A part of a date, or text.
  enum Part: Sendable, Equatable {
    case text(String)
    case word(Word)
  }

  /// The parts of a date by the letters that stand for them.
  enum Word: String, Sendable, CaseIterable {
    case year = "YYYY"
    case shortYear = "YY"
    case monthName = "MMMM"
    case shortMonthName = "MMM"
    case month = "MM"
    case bareMonth = "M"
    case weekday = "dddd"
    case shortWeekday = "ddd"
    case day = "DD"
    case bareDay = "D"
    case hour = "HH"
    case minute = "mm"
    case second = "ss"
    case weekYear = "GGGG"
    case week = "WW"
    case offset = "Z"
  }

  let parts: [Part]

  /// `2026-11-21`
  static let day = DateFormat(words: [.year, .month, .day], "-")
  /// `09:30`
  static let time = DateFormat(words: [.hour, .minute], ":")

  private init(words: [Word], _ separator: String) {
    parts = Array(words.map { [Part.word($0)] }.joined(separator: [.text(separator)]))
  }

  /// Reads a format.
  ///
  /// - Throws: `PlaceholderFault` for letters that stand for nothing, an open bracket, and no format at all.
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
        guard let word = Word(rawValue: String(run)) else {
          let known = Word.allCases.map(\.rawValue).joined(separator: " ")
          throw PlaceholderFault("\(String(run)) is not a date format; use \(known), and [text]")
        }
        parts.append(.word(word))
        rest = rest.dropFirst(run.count)
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
    return switch word {
    case .year: CivilDate.padded(day.year, to: 4)
    case .shortYear: two(day.year % 100)
    case .monthName: capitalised(EnglishDate.months[day.month - 1])
    case .shortMonthName: String(capitalised(EnglishDate.months[day.month - 1]).prefix(3))
    case .month: two(day.month)
    case .bareMonth: String(day.month)
    case .weekday: capitalised(EnglishDate.weekdays[day.weekday - 1])
    case .shortWeekday: String(capitalised(EnglishDate.weekdays[day.weekday - 1]).prefix(3))
    case .day: two(day.day)
    case .bareDay: String(day.day)
    case .hour: two(time / 3600)
    case .minute: two(time / 60 % 60)
    case .second: two(time % 60)
    case .weekYear: CivilDate.padded(day.isoWeek.year, to: 4)
    case .week: two(day.isoWeek.number)
    case .offset: String(moment.rfc3339.suffix(6))
    }
  }

  private static func capitalised(_ name: String) -> String { name.prefix(1).uppercased() + name.dropFirst() }
}

extension CivilDate {
  /// The week by ISO 8601: the year that has its Thursday, and its number in that year, from 1.
  package var isoWeek: (year: Int, number: Int) {
    let thursday = adding(days: 4 - weekday)
    let first = thursday.adding(months: 1 - thursday.month).adding(days: 1 - thursday.day)
    return (thursday.year, (thursday.dayNumber - first.dayNumber) / 7 + 1)
  }
}
