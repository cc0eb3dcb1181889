import NoteIndex
import Notes

/// What a row says of a record beside its fields.
struct RecordState: Sendable {
  /// `open`, `done`, `in progress`, `overdue`; empty for a note that has none.
  let word: String
  let isActive: Bool
  /// Whether it is active and its day is past.
  let isOverdue: Bool
  /// Whether it is active and a choice that its row marks is at its highest.
  let isUrgent: Bool

  /// The paint of the state itself: overdue is red, what is urgent magenta, what is over green.
  func paint(_ style: Style) -> Table.Paint? {
    if isOverdue { return style.red }
    if isUrgent { return style.magenta }
    return isActive ? nil : style.green
  }

  /// The paint of other cells: what is over steps back.
  func otherPaint(_ style: Style) -> Table.Paint? { isActive ? nil : style.dim }
}

/// The states of records, as their kinds declare them.
struct RecordStates: Sendable {
  private let schema: Schema
  private let active: ActiveTest
  private let today: CivilDate
  private static let due = Field("due", .date)

  init(_ schema: Schema, clock: ClockReading) {
    self.schema = schema
    active = ActiveTest(schema: schema, clock: clock)
    today = clock.today
  }

  /// The state of a record.
  func state(of entry: Entry) -> RecordState {
    let isActive = active.isActive(entry)
    let kind = schema.kind(named: entry.kind)
    let due = (kind?.field(Self.due.name) ?? Self.due).storedValue(in: entry.note)?.day
    let isOverdue = isActive && due.map { $0 < today } ?? false
    return RecordState(
      word: isOverdue ? "overdue" : kind.map { Self.word(entry.note, $0, isActive) } ?? "",
      isActive: isActive,
      isOverdue: isOverdue, isUrgent: isActive && kind?.marksHighest(in: entry.note) == true)
  }

  private static func word(_ note: Note, _ kind: Kind, _ isActive: Bool) -> String {
    guard kind.active != nil else { return "" }
    let usual = isActive ? "open" : "closed"
    guard let field = kind.stateField, let value = kind.value(of: field.name, in: note) else { return usual }
    let word: String
    switch value {
    case .boolean(let flag): word = flag ? field.name : usual
    default: word = field.written(value)
    }
    return word.split(separator: "-").joined(separator: " ")
  }
}

extension Kind {
  /// The field that says whether a record is active: the first choice or boolean in `active:`.
  var stateField: Field? {
    guard let active else { return nil }
    return fields.first { field in
      [.choice, .boolean].contains(field.type)
        && active.split { " ()".contains($0) }.contains { $0.hasPrefix("\(field.name):") }
    }
  }

  /// Whether a choice that the row shows by signs is at its highest.
  fileprivate func marksHighest(in note: Note) -> Bool {
    row.contains { column in
      guard case .field(let name) = column.content, !column.symbols.isEmpty, let field = field(name),
        field.type == .choice, field != stateField
      else { return false }
      return value(of: name, in: note) == .choice(field.values.count - 1)
    }
  }
}
