import NoteIndex
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

  /// The maximum sizes of texts, in bytes, and of lists; larger ones are not values.
  static let longestText = 64 << 10
  static let longestList = 10_000

  /// Whether a filter with this value includes the note.
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

  var isList: Bool { if case .list = self { true } else { false } }

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

  /// Returns the value of a property according to its syntax: a number, a date, true or false, otherwise a text.
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
    case .boolean(let flag): [.boolean(flag)]
    case .duration, .link: [.text(text)]
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

  /// Parses `2026-11-28`, optionally followed by `T` or a space and a time.
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

  /// Returns the date a duration later; nil if it is too far away.
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

  /// Parses `1 week`, `2d`, `1M`: M is a month, m a minute.
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

  /// The total in seconds; a month has its mean length.
  private var total: Double { Double(months) * 2_629_800 + seconds }

  private static let units: [(name: String, seconds: Double)] = [
    ("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1),
  ]

  /// The text, such as `1 year, 2 days`; each part has its own sign.
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

  /// Returns the duration in a unit, such as `days`; nil if there is no such unit.
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

/// A link as a value of an expression of a `.base` file.
struct BaseLink: Sendable {
  /// The text that a column shows.
  let text: String
  /// The path of the note that the link leads to; nil if the target is not a note.
  let path: [UInt8]?
}

/// Links are equal if they lead to the same note; links to no note, if they have the same text.
extension BaseLink: Hashable {
  static func == (one: BaseLink, other: BaseLink) -> Bool {
    one.path == other.path && (one.path != nil || one.text == other.text)
  }

  func hash(into hasher: inout Hasher) {
    if let path { hasher.combine(path) } else { hasher.combine(text) }
  }
}

/// Resolves the links of the expressions of a `.base` file. Data that most files don't need is computed at its first use.
final class BaseLinks {
  private let entries: Entries
  private let graph: LinkGraph
  private var resolver: LinkResolver { graph.resolver() }
  /// The paths that each note links to, by its own path.
  private lazy var targets: [[UInt8]: Set<[UInt8]>] = {
    let all = graph.targets().map { source in
      (entries.path(at: source.place), Set(source.targets.map { entries.path(at: $0.place) }))
    }
    return Dictionary(all, uniquingKeysWith: { first, _ in first })
  }()

  init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    entries = try snapshot.catalogue().entries
    graph = try snapshot.linkGraph()
  }

  /// Returns whether a note links to the note that a value names: a link, or a text as in `link()`.
  func hasLink(_ path: [UInt8], to value: BaseValue) -> Bool {
    guard let target = link(value).path else { return false }
    return targets[path]?.contains(target) == true
  }

  /// Returns the link that a value is or names.
  func link(_ value: BaseValue, shown: String? = nil) -> BaseLink {
    if case .link(let link) = value { return BaseLink(text: shown ?? link.text, path: link.path) }
    let text = value.text
    if let link = whole(text, from: []) { return BaseLink(text: shown ?? text, path: link.path) }
    let path = whole("[[\(text)]]", from: [])?.path ?? nil
    return BaseLink(text: shown ?? text, path: path)
  }

  /// Returns the values of a property of a note: a text that consists of one link is a link.
  func value(_ value: BaseValue, from path: [UInt8]) -> BaseValue {
    switch value {
    case .text(let text): whole(text, from: path).map { .link($0) } ?? value
    case .list(let elements): .list(elements.map { self.value($0, from: path) })
    default: value
    }
  }

  /// Returns the link of a text that contains nothing else.
  private func whole(_ text: String, from path: [UInt8]) -> BaseLink? {
    guard text.utf8.first == UInt8(ascii: "["), let link = FieldLinks.links(in: text).first,
      link.range == 0..<text.utf8.count
    else { return nil }
    guard case .note(let place) = resolver.meaning(of: link, from: path) else {
      return BaseLink(text: text, path: nil)
    }
    return BaseLink(text: text, path: entries.path(at: place))
  }
}
