import NoteIndex
package import Notes
import Text

/// A value of a note or of a group, in a table.
package enum TableValue: Sendable, Hashable {
  case number(Double)
  /// A date, with the way in which it is shown: 2026-11-25, 2026-11, 2026-Q4, 2026-W48, 2026.
  case date(CivilDate, String)
  case text(String)

  package var number: Double? { if case .number(let number) = self { number } else { nil } }

  package var date: CivilDate? { if case .date(let date, _) = self { date } else { nil } }

  /// A day.
  static func day(_ date: CivilDate) -> TableValue { .date(date, date.description) }

  /// The text of the value; a number has no digits that it does not need, and two after the point at most.
  package var text: String {
    switch self {
    case .number(let number): Self.text(number)
    case .date(_, let text), .text(let text): text
    }
  }

  private static func text(_ number: Double) -> String {
    let hundredths = (number * 100).rounded()
    guard hundredths.magnitude < 1e15 else { return number.description }
    let (whole, rest) = (Int(hundredths) / 100, Int(hundredths.magnitude) % 100)
    guard rest != 0 else { return String(whole) }
    let sign = number < 0 && whole == 0 ? "-" : ""
    return "\(sign)\(whole)." + (rest % 10 == 0 ? String(rest / 10) : CivilDate.padded(rest, to: 2))
  }

  /// Whether the value comes before another: numbers before dates before texts.
  func precedes(_ other: TableValue) -> Bool {
    switch (self, other) {
    case (.number(let one), .number(let two)): one < two
    case (.date(let one, let text), .date(let two, let otherText)):
      one == two ? text < otherText : one < two
    case (.text(let one), .text(let two)): Collation.key(one).lexicographicallyPrecedes(Collation.key(two))
    case (.number, _), (.date, .text): true
    default: false
    }
  }
}

/// Reads the values of notes for a table.
struct TableValues {
  private let snapshot: BoxSnapshot
  private let schema: Schema
  private let catalogue: Catalogue
  private let meter: UrgencyMeter

  init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    self.snapshot = snapshot
    schema = snapshot.schema()
    catalogue = try snapshot.catalogue()
    meter = catalogue.urgencyMeter(schema, clock: snapshot.clock, executor: BoxSnapshot.executor)
  }

  /// The values of an expression in a note; several only of a list.
  func values(of expression: TableExpression, in match: Match) -> [TableValue] {
    switch expression {
    case .field(let name): return values(named: name, in: match)
    case .number(let number): return [.number(number)]
    case .part(let part, let inner):
      return values(of: inner, in: match).compactMap { Self.part(part, of: $0) }
    case .days(let start, let end):
      guard let first = values(of: start, in: match).first?.date,
        let last = values(of: end, in: match).first?.date
      else { return [] }
      return [.number(Double(last.dayNumber - first.dayNumber))]
    case .arithmetic(let sign, let one, let other):
      guard let first = values(of: one, in: match).first, let second = values(of: other, in: match).first
      else { return [] }
      return Self.result(sign, first, second).map { [$0] } ?? []
    case .aggregate, .percent: return []
    }
  }

  /// The values by which a note is grouped: those of the expression, and the days that a field had before transitions of the
  /// kind moved them to a list, which queries find too.
  func groupValues(of expression: TableExpression, in match: Match) -> [TableValue] {
    switch expression {
    case .field(let name):
      guard let kind = schema.kind(named: match.entry.kind), let field = kind.field(name), field.isTime else {
        break
      }
      let earlier = kind.earlierValues(of: field, in: match.entry.note).compactMap {
        $0.day.map(TableValue.day)
      }
      return values(of: expression, in: match) + earlier
    case .part(let part, let inner):
      return groupValues(of: inner, in: match).compactMap { Self.part(part, of: $0) }
    default: break
    }
    return values(of: expression, in: match)
  }

  /// The result of an operator on two values; nil if it is not defined for them.
  static func result(
    _ sign: TableExpression.Operator, _ one: TableValue, _ other: TableValue
  ) -> TableValue? {
    switch (one, other) {
    case (.number(let one), .number(let two)):
      switch sign {
      case .plus: return .number(one + two)
      case .minus: return .number(one - two)
      case .times: return .number(one * two)
      case .by: return two == 0 ? nil : .number(one / two)
      }
    case (.date(let one, _), .date(let two, _)):
      return sign == .minus ? .number(Double(one.dayNumber - two.dayNumber)) : nil
    case (.date(let date, _), .number(let days)) where days.magnitude < 1e6:
      switch sign {
      case .plus: return .day(date.adding(days: Int(days)))
      case .minus: return .day(date.adding(days: -Int(days)))
      case .times, .by: return nil
      }
    default: return nil
    }
  }

  private static func part(_ part: TableExpression.DatePart, of value: TableValue) -> TableValue? {
    guard let date = value.date else { return nil }
    let month = CivilDate.padded(date.month, to: 2)
    switch part {
    case .year: return first(date, month: 1, "\(date.year)")
    case .quarter:
      let quarter = (date.month + 2) / 3
      return first(date, month: quarter * 3 - 2, "\(date.year)-Q\(quarter)")
    case .month: return first(date, month: date.month, "\(date.year)-\(month)")
    case .day: return .day(date)
    case .week:
      let monday = date.adding(days: 1 - date.weekday)
      let thursday = monday.adding(days: 3)
      let newYear = CivilDate(year: thursday.year, month: 1, day: 1) ?? thursday
      let week = (thursday.dayNumber - newYear.dayNumber) / 7 + 1
      return .date(monday, "\(thursday.year)-W\(CivilDate.padded(week, to: 2))")
    }
  }

  private static func first(_ date: CivilDate, month: Int, _ text: String) -> TableValue? {
    CivilDate(year: date.year, month: month, day: 1).map { .date($0, text) }
  }

  private func values(named name: String, in match: Match) -> [TableValue] {
    let (entry, note) = (match.entry, match.entry.note)
    switch name {
    case "title": return [.text(note.title)]
    case "path": return [.text(String(decoding: note.path, as: UTF8.self))]
    case "id": return note.id.map { [.text($0.description)] } ?? []
    case "kind": return [.text(entry.kind)]
    case "tags", "tag": return note.tags.map { .text($0) }
    case "created": return [.day(entry.created.civilDate)]
    case "modified": return [.day(snapshot.modified(entry).civilDate)]
    case "urgency" where meter.isKnown(ofKind: entry.kind):
      return meter.urgency(of: entry).flatMap { Double($0.description) }.map { [.number($0)] } ?? []
    default: break
    }
    let kind = schema.kind(named: entry.kind)
    let stored = note.frontMatter[name] ?? .empty
    let value = stored == .empty ? kind?.missingDefault(of: name, in: note) ?? stored : stored
    return values(of: value, as: kind?.field(name))
  }

  private func values(of value: FieldValue, as field: Field?) -> [TableValue] {
    switch value {
    case .text(let text): text.isEmpty ? [] : [Self.value(text, as: field)]
    case .list(let elements): elements.flatMap { values(of: $0, as: field) }
    case .map: [.text(value.json)]
    case .empty: []
    }
  }

  /// A text by the type of its field; without a kind by its form.
  private static func value(_ text: String, as field: Field?) -> TableValue {
    if let field, !field.isTime, field.type != .integer, field.type != .text { return .text(text) }
    let isNumber = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
    if field == nil || field?.type == .integer, isNumber, let number = Double(text), number.isFinite {
      return .number(number)
    }
    if field == nil || field?.isTime == true, let date = Timestamp.adopted(text, isLocal: true)?.civilDate,
      text.utf8.first.map({ (0x30...0x39).contains($0) }) == true
    {
      return .day(date)
    }
    return .text(text)
  }
}
