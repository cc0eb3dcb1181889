import NoteIndex
package import Notes
import Text

/// A value of a note or of a group, in a table.
package enum TableValue: Sendable {
  /// A number, with its text in the file; nil if it was computed.
  case number(Double, written: String? = nil)
  /// A date, with its displayed form: 2026-11-25, 2026-11, 2026-Q4, 2026-W48, 2026.
  case date(CivilDate, String)
  /// A choice, with its place among those that the kind declares.
  case choice(String, place: Int)
  /// A record that a field names, with its title.
  case record(String, title: String)
  case boolean(Bool)
  case text(String)

  package var number: Double? { if case .number(let number, _) = self { number } else { nil } }

  package var date: CivilDate? { if case .date(let date, _) = self { date } else { nil } }

  /// Returns a day.
  static func day(_ date: CivilDate) -> TableValue { .date(date, date.description) }

  /// The text for people. A computed number has at most two decimals, and no trailing zeros.
  package var text: String {
    switch self {
    case .number(_, let written?): written
    case .number(let number, nil): Self.rounded(number)
    case .record(_, let title): title
    case .boolean(let flag): flag ? "true" : "false"
    case .date(_, let text), .choice(let text, _), .text(let text): text
    }
  }

  /// The text for programs. A computed number has 15 digits, so that the last ones are not rounding noise.
  package var exactText: String {
    guard case .number(let number, nil) = self else { return text }
    let exact = Self.withoutNoise(number)
    return Self.whole(exact) ?? exact.description
  }

  /// Returns the number with 15 significant digits: 41 for 40.99999999999999.
  private static func withoutNoise(_ number: Double) -> Double {
    guard number.magnitude >= 1e-6, number.magnitude < 1e15 else { return number }
    var (scale, size) = (1.0, number.magnitude)
    while size < 1e14, scale < 1e22 { (scale, size) = (scale * 10, size * 10) }
    return (number * scale).rounded() / scale
  }

  /// The text in the file.
  package var stored: String { if case .record(let name, _) = self { name } else { text } }

  private static func whole(_ number: Double) -> String? {
    number.magnitude < 1e18 ? Int64(exactly: number).map { String($0) } : nil
  }

  private static func rounded(_ number: Double) -> String {
    let hundredths = (number * 100).rounded()
    guard hundredths.magnitude < 1e15 else { return whole(number) ?? number.description }
    let (whole, rest) = (Int(hundredths) / 100, Int(hundredths.magnitude) % 100)
    guard rest != 0 else { return String(whole) }
    let sign = number < 0 && whole == 0 ? "-" : ""
    return "\(sign)\(whole)." + (rest % 10 == 0 ? String(rest / 10) : CivilDate.padded(rest, to: 2))
  }

  /// Returns whether the value comes before another: numbers before dates, choices, records and texts.
  func precedes(_ other: TableValue) -> Bool {
    switch (self, other) {
    case (.number(let one, _), .number(let two, _)): one < two
    case (.date(let one, let text), .date(let two, let otherText)):
      one == two ? text < otherText : one < two
    case (.choice(let one, let place), .choice(let two, let otherPlace)):
      place == otherPlace ? one < two : place < otherPlace
    default:
      rank == other.rank
        ? Collation.key(text).lexicographicallyPrecedes(Collation.key(other.text)) : rank < other.rank
    }
  }

  /// The rank of its type among the types of values.
  private var rank: Int {
    switch self {
    case .number: 0
    case .date: 1
    case .choice: 2
    case .record, .boolean, .text: 3
    }
  }

  /// Whether the type of the value has an order of its own.
  var isOrdered: Bool { rank < 3 }
}

/// Numbers are equal by their values, as in queries; numbers that a `Double` can't represent exactly, by their texts too.
extension TableValue: Hashable {
  package static func == (one: TableValue, other: TableValue) -> Bool {
    switch (one, other) {
    case (.number(let number, let text), .number(let second, let otherText)):
      number == second && (number.magnitude < 0x1p53 || text == otherText)
    case (.date(let date, let text), .date(let second, let otherText)): date == second && text == otherText
    case (.choice(let text, _), .choice(let second, _)): text == second
    case (.record(let name, _), .record(let second, _)): name == second
    case (.boolean(let flag), .boolean(let second)): flag == second
    case (.text(let text), .text(let second)): text == second
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .number(let number, _): hasher.combine(number)
    case .date(let date, _): hasher.combine(date)
    case .choice(let text, _), .record(let text, _), .text(let text): hasher.combine(text)
    case .boolean(let flag): hasher.combine(flag)
    }
  }
}

/// Reads the values of notes for a table.
struct TableValues: Sendable {
  private let snapshot: BoxSnapshot
  private let schema: Schema
  private let catalogue: Catalogue
  private let facts: EntryFacts
  private let meter: UrgencyMeter
  private let lookup: RecordLookup
  /// The values of fields that notes share, by the names of the fields.
  private var shared: [String: SharedFieldValues] = [:]

  init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    self.snapshot = snapshot
    schema = snapshot.schema()
    catalogue = try snapshot.catalogue()
    facts = EntryFacts(catalogue.entries)
    meter = catalogue.urgencyMeter(schema, clock: snapshot.clock, executor: Processors.all)
    lookup = RecordLookup(catalogue, schema)
  }

  /// Reads the values of some fields once for all notes that share them.
  mutating func share(_ names: Set<String>, of matches: [Match]) {
    for name in names where !TableColumn.isKnown(name) {
      guard let distinct = DistinctValues(of: name, at: matches.map(\.place), in: catalogue.entries) else {
        continue
      }
      shared[name] = SharedFieldValues(
        distinct: distinct,
        known: distinct.examples.map { example in
          // A value that no kind declares may have quotes, which only its text shows.
          guard let kind = schema.kind(named: example.kind), let field = kind.field(name) else { return nil }
          return SharedFieldValues.Known(
            values: values(of: field, named: name, kind, in: example.note),
            hasEarlierValues: field.isTime && kind.keepsEarlierValues(of: field))
        })
    }
  }

  /// Returns the values of an expression in a note; several only for a list.
  func values(of expression: TableExpression, in match: Match) -> [TableValue] {
    switch expression {
    case .field(let name): return values(named: name, in: match)
    case .number, .date, .today: return constant(expression).map { [$0] } ?? []
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

  /// Returns whether the value of an expression in a note is a list: its tags, and a field that is a list in its kind or
  /// file.
  func isList(_ expression: TableExpression, in match: Match) -> Bool {
    guard let name = expression.plainField else { return false }
    if TableColumn.isKnown(name) { return name == "tags" || name == "tag" }
    let entry = match.entry
    if let field = schema.kind(named: entry.kind)?.field(name) {
      return field.isList && entry.note.frontMatter[name] != nil
    }
    if case .list? = entry.note.frontMatter[name] { return true }
    return false
  }

  /// Returns the value of an expression that is the same in all notes; nil for any other.
  func constant(_ expression: TableExpression) -> TableValue? {
    switch expression {
    case .number(let number): .number(number)
    case .date(let date): .day(date)
    case .today: .day(snapshot.clock.today)
    default: nil
    }
  }

  /// Returns the values by which a note is grouped: those of the expression, and the former days of a field that
  /// transitions of the kind moved to a list. Queries find these days too.
  func groupValues(of expression: TableExpression, in match: Match) -> [TableValue] {
    switch expression {
    case .field(let name):
      if let known = shared[name]?.known(at: match.place), !known.hasEarlierValues { return known.values }
      let kind = schema.kind(named: self.kind(of: match))
      guard name != "kind", let kind, let field = kind.field(name), field.isTime else { break }
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

  /// Returns the result of an operator on two values; nil if it is not defined for them.
  static func result(
    _ sign: TableExpression.Operator, _ one: TableValue, _ other: TableValue
  ) -> TableValue? {
    switch (one, other) {
    case (.number(let one, _), .number(let two, _)):
      let result =
        switch sign {
        case .plus: one + two
        case .minus: one - two
        case .times: one * two
        case .by: one / two
        }
      return result.isFinite ? .number(result) : nil
    case (.date(let one, _), .date(let two, _)):
      return sign == .minus ? .number(Double(one.dayNumber - two.dayNumber)) : nil
    case (.date(let date, _), .number(let days, _)) where days.magnitude < 1e7:
      guard sign == .plus || sign == .minus else { return nil }
      let count = sign == .plus ? Int(days) : -Int(days)
      let day = date.adding(days: count)
      // Before the first and after the last year there is no date.
      return day.dayNumber - date.dayNumber == count ? .day(day) : nil
    default: return nil
    }
  }

  private static func part(_ part: TableExpression.DatePart, of value: TableValue) -> TableValue? {
    guard let date = value.date else { return nil }
    let (year, month) = (CivilDate.padded(date.year, to: 4), CivilDate.padded(date.month, to: 2))
    switch part {
    case .year: return first(date, month: 1, year)
    case .quarter:
      let quarter = (date.month + 2) / 3
      return first(date, month: quarter * 3 - 2, "\(year)-Q\(quarter)")
    case .month: return first(date, month: date.month, "\(year)-\(month)")
    case .day: return .day(date)
    case .week:
      let monday = date.adding(days: 1 - date.weekday)
      let thursday = monday.adding(days: 3)
      let newYear = CivilDate(year: thursday.year, month: 1, day: 1) ?? thursday
      let week = (thursday.dayNumber - newYear.dayNumber) / 7 + 1
      return .date(monday, "\(CivilDate.padded(thursday.year, to: 4))-W\(CivilDate.padded(week, to: 2))")
    }
  }

  private static func first(_ date: CivilDate, month: Int, _ text: String) -> TableValue? {
    CivilDate(year: date.year, month: month, day: 1).map { .date($0, text) }
  }

  private func kind(of match: Match) -> String { facts.kind(at: match.place) ?? match.entry.kind }

  private func values(named name: String, in match: Match) -> [TableValue] {
    if name == "kind" { return [.text(kind(of: match))] }
    if let known = shared[name]?.known(at: match.place) { return known.values }
    let (entry, note) = (match.entry, match.entry.note)
    switch name {
    case "title": return [.text(note.title)]
    case "path": return [.text(String(decoding: note.path, as: UTF8.self))]
    case "id": return note.id.map { [.text($0.description)] } ?? []
    case "tags", "tag": return note.tags.map { .text($0) }
    case "created": return [.day(entry.created.civilDate)]
    case "modified": return [.day(snapshot.modified(entry).civilDate)]
    case "urgency" where meter.isKnown(ofKind: entry.kind):
      return meter.urgency(of: entry).flatMap { Double($0.description) }.map { [.number($0)] } ?? []
    default: break
    }
    let kind = schema.kind(named: entry.kind)
    if let kind, let field = kind.field(name) { return values(of: field, named: name, kind, in: note) }
    let value = note.frontMatter[name] ?? .empty
    guard value.mayHaveTypes else { return Self.values(of: value, plain: []) }
    var quotes = FieldQuotes(note.head)
    let place = note.frontMatter.fields.firstIndex { $0.name.isSameName(as: name) }
    let plain = place.map { quotes.plainScalars(ofField: $0) } ?? []
    // A field in the text has no quotes.
    return Self.values(of: value, plain: plain.isEmpty ? nil : plain)
  }

  /// Returns the values of a declared field in a note, or its default.
  private func values(of field: Field, named name: String, _ kind: Kind, in note: Note) -> [TableValue] {
    let stored = note.frontMatter[name] ?? .empty
    return values(
      of: stored == .empty ? kind.missingDefault(of: name, in: note) ?? stored : stored, as: field)
  }

  /// Returns the values of a declared field; a value that the type does not allow is text.
  private func values(of value: FieldValue, as field: Field) -> [TableValue] {
    switch value {
    case .list(let elements): return elements.flatMap { values(of: $0, as: field) }
    case .map: return [.text(value.json)]
    case .empty: return []
    case .text(let text):
      if text.isEmpty { return [] }
      return field.storedValue(value).map { values(of: $0, text, field) } ?? [.text(text)]
    }
  }

  /// - Parameter text: the value in the file.
  private func values(of value: TypedValue, _ text: String, _ field: Field) -> [TableValue] {
    switch value {
    case .text(let text): [.text(text)]
    case .integer(let number): [.number(Double(number), written: text)]
    case .boolean(let flag): [.boolean(flag)]
    case .date(let date): [.day(date)]
    case .moment(let time, _): [.day(time.civilDate)]
    case .choice(let place): [.choice(field.values[place], place: place)]
    case .reference(let name): [.record(name, title: title(of: name, field) ?? name)]
    case .list(let elements): elements.flatMap { values(of: $0, text, field) }
    }
  }

  /// Returns the title of the record that a field names; nil if it names none, or several.
  private func title(of name: String, _ field: Field) -> String? {
    guard let kind = field.target else { return nil }
    let records = lookup.records(of: kind, stored: name)
    return records.count == 1 ? records[0].note.title : nil
  }

  /// Returns the values of an undeclared field, according to their syntax.
  /// - Parameter plain: whether each scalar has no quotes; nil if none can have any.
  private static func values(of value: FieldValue, plain: [Bool]?) -> [TableValue] {
    var rest = plain?[...]
    return values(of: value, &rest)
  }

  private static func values(of value: FieldValue, _ plain: inout ArraySlice<Bool>?) -> [TableValue] {
    switch value {
    case .list(let elements):
      var found: [TableValue] = []
      for element in elements { found += values(of: element, &plain) }
      return found
    case .map: return [.text(value.json)]
    case .empty:
      _ = plain?.popFirst()
      return []
    case .text(let text):
      let isPlain = plain == nil || plain?.popFirst() == true
      if text.isEmpty { return [] }
      let type = ScalarType(text, isPlain: isPlain)
      if type == .number, let number = Double(text), number.isFinite {
        return [.number(number, written: text)]
      }
      if type == .boolean { return [.boolean(text == "true")] }
      if text.utf8.first.map({ (0x30...0x39).contains($0) }) == true,
        let date = Timestamp.adopted(text, isLocal: true)?.civilDate
      {
        return [.day(date)]
      }
      return [.text(text)]
    }
  }
}

/// The values of a field that notes share.
private struct SharedFieldValues: Sendable {
  struct Known: Sendable {
    let values: [TableValue]
    /// Whether transitions of the kind moved earlier values to a list.
    let hasEarlierValues: Bool
  }

  let distinct: DistinctValues
  /// The values of each example; nil if only the note has them.
  let known: [Known?]

  func known(at place: Int) -> Known? { distinct.number(at: place).flatMap { known[$0] } }
}
