import Notes
import Text

/// A value of an expression of a `.base` file.
enum BaseValue: Sendable, Hashable {
  case empty
  case boolean(Bool)
  case number(Double)
  case text(String)
  case date(BaseDate)
  case duration(BaseDuration)
  case list([BaseValue])
  case link(BaseLink)

  /// Longer texts and lists are no values.
  static let longestText = 64 << 10
  static let longestList = 10_000

  /// Whether a filter with this value takes the note.
  var isTrue: Bool {
    switch self {
    case .empty: false
    case .boolean(let value): value
    case .number(let number): number != 0 && !number.isNaN
    case .text(let text): !text.isEmpty
    case .date, .duration, .link: true
    case .list(let elements): !elements.isEmpty
    }
  }

  /// Whether a column shows nothing.
  var isEmpty: Bool {
    switch self {
    case .empty: true
    case .text(let text): text.isEmpty
    case .list(let elements): elements.isEmpty
    default: false
    }
  }

  var isText: Bool {
    switch self {
    case .text, .link: true
    default: false
    }
  }

  var number: Double? { if case .number(let number) = self { number } else { nil } }

  /// The text of the value, as it is joined to others.
  var text: String {
    switch self {
    case .empty: ""
    case .boolean(let value): value ? "true" : "false"
    case .number(let number): TableValue.number(number).text
    case .text(let text): text
    case .date(let date): date.text
    case .duration(let duration): duration.text
    case .link(let link): link.text
    case .list(let elements): elements.map(\.text).joined(separator: ", ")
    }
  }

  /// The value of a property as its form says: a number, a date, true or false, else a text.
  static func of(_ value: FieldValue) -> BaseValue {
    switch value {
    case .empty: .empty
    case .list(let elements): .list(elements.prefix(longestList).map { of($0) })
    case .map: .text(value.json)
    case .text("true"): .boolean(true)
    case .text("false"): .boolean(false)
    case .text(let text): BaseDate(text).map { .date($0) } ?? numeric(text).map { .number($0) } ?? .text(text)
    }
  }

  static func numeric(_ text: String) -> Double? {
    guard let first = text.utf8.first, (0x30...0x39).contains(first) || [0x2B, 0x2D, 0x2E].contains(first),
      text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
      let number = Double(text), number.isFinite
    else { return nil }
    return number
  }

  /// The cells of a table.
  var cells: [TableValue] {
    switch self {
    case .empty: []
    case .text(let text): text.isEmpty ? [] : [.text(text)]
    case .number(let number): number.isNaN ? [] : [.number(number)]
    case .date(let date): [.date(date.day, date.text)]
    case .boolean, .duration, .link: [.text(text)]
    case .list(let elements): elements.flatMap(\.cells)
    }
  }
}

/// A day, or a moment of a day, without a time zone.
struct BaseDate: Sendable, Hashable {
  let day: CivilDate
  /// The second of the day; nil for a day as a whole.
  let second: Int?

  init(_ day: CivilDate, second: Int? = nil) {
    self.day = day
    self.second = second
  }

  init(_ stamp: Timestamp) { self.init(stamp.civilDate, second: stamp.secondOfDay) }

  /// Reads `2026-11-28`, with `T` or a blank and a time or without.
  init?(_ text: String) {
    guard text.utf8.count >= 10, let day = CivilDate(String(text.prefix(10))) else { return nil }
    let rest = text.dropFirst(10)
    guard let separator = rest.first else {
      self.init(day)
      return
    }
    guard separator == "T" || separator == " ", let stamp = Timestamp.adopted(text, isLocal: true) else {
      return nil
    }
    self.init(stamp)
  }

  /// The seconds since the beginning of the calendar.
  var seconds: Int { day.dayNumber * 86_400 + (second ?? 0) }

  var text: String {
    second.map { "\(day) \(BaseDate.two($0 / 3_600)):\(BaseDate.two($0 / 60 % 60))" } ?? day.description
  }

  static func two(_ number: Int) -> String { CivilDate.padded(number, to: 2) }

  /// The date a duration later; nil if it is too far away.
  func adding(_ duration: BaseDuration, times sign: Int = 1) -> BaseDate? {
    guard duration.months.magnitude < 12_000, duration.seconds.magnitude < 3e11 else { return nil }
    let moved = day.adding(months: sign * duration.months)
    let total = (second ?? 0) + sign * Int(duration.seconds)
    let days = Int((Double(total) / 86_400).rounded(.down))
    let hasTime = second != nil || total % 86_400 != 0
    return BaseDate(moved.adding(days: days), second: hasTime ? total - days * 86_400 : nil)
  }
}

/// A length of time: months, and seconds.
struct BaseDuration: Sendable, Hashable {
  var months = 0
  var seconds = 0.0

  /// Reads `1 week`, `2d`, `1M`: M is a month, m a minute.
  init?(_ text: String) {
    let parts = text.drop { $0 == " " }
    let digits = parts.prefix { $0.isASCII && ($0.isNumber || "+-.".contains($0)) }
    guard let count = Double(digits), count.isFinite, count.magnitude < 1e9 else { return nil }
    let unit = parts.dropFirst(digits.count).drop { $0 == " " }
    switch unit {
    case "y", "year", "years": months = Int(count * 12)
    case "M", "month", "months": months = Int(count)
    case "w", "week", "weeks": seconds = count * 604_800
    case "d", "day", "days": seconds = count * 86_400
    case "h", "hour", "hours": seconds = count * 3_600
    case "m", "minute", "minutes": seconds = count * 60
    case "s", "second", "seconds": seconds = count
    default: return nil
    }
  }

  init(months: Int, seconds: Double) {
    self.months = months
    self.seconds = seconds
  }

  /// The seconds of all of it; a month has the mean length of one.
  private var total: Double { Double(months) * 2_629_800 + seconds }

  private static let units: [(name: String, seconds: Double)] = [
    ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1),
  ]

  /// Such as `1 year, 2 days`; the sign of the parts is that of each.
  var text: String {
    var parts = [("year", months / 12), ("month", months % 12)].map { ($0, Double($1)) }
    var rest = seconds
    for unit in Self.units {
      let count = unit.seconds == 1 ? rest : (rest / unit.seconds).rounded(.towardZero)
      parts.append((unit.name, count))
      rest -= count * unit.seconds
    }
    let shown = parts.filter { $0.1 != 0 }.map { name, count in
      "\(TableValue.number(count).text) \(name)\(count.magnitude == 1 ? "" : "s")"
    }
    return shown.isEmpty ? "0 days" : shown.joined(separator: ", ")
  }

  /// The duration in a unit, such as `days`; nil if there is no such unit.
  func count(of unit: String) -> Double? {
    switch unit {
    case "milliseconds": total * 1_000
    case "weeks": total / 604_800
    case "months": total / 2_629_800
    case "years": total / 31_557_600
    default: Self.units.first { $0.name + "s" == unit }.map { total / $0.seconds }
    }
  }
}
