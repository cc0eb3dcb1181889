import NoteIndex
import Notes

/// What a row says of a record beside its fields.
struct RecordState: Sendable {
  /// `open`, `done`, `in progress`, `overdue`, `blocked`, `waiting` with its day; empty for a note that has none.
  let word: String
  let isActive: Bool
  /// Whether it is not over: active, or put off.
  let isOpen: Bool
  /// Whether it is active and its day is past.
  let isOverdue: Bool
  /// Whether it is active and a choice that its row marks is at its highest.
  let isUrgent: Bool
  /// The word where it says more than the record's own field does: that it is overdue, blocked or put off.
  let hindrance: String?

  /// The paint of the state itself: overdue is red, what is urgent magenta, what is over green.
  func paint(_ style: Style) -> Table.Paint? {
    if isOverdue { return style.red }
    if isUrgent { return style.magenta }
    if isOpen, !isActive { return style.dim }
    return isActive ? nil : style.green
  }

  /// The paint of other cells: what is over or put off steps back.
  func otherPaint(_ style: Style) -> Table.Paint? { isActive ? nil : style.dim }
}

/// The states of records, as their kinds declare them.
struct RecordStates: Sendable {
  private let schema: Schema
  private let standings: RecordStandings
  private let today: CivilDate
  private static let due = Field("due", .date)

  /// - Parameter catalogue: the notes by which it is told what blocks.
  init(_ schema: Schema, clock: ClockReading, _ catalogue: Catalogue) {
    self.schema = schema
    standings = RecordStandings(catalogue, schema, clock: clock)
    today = clock.today
  }

  /// Whether a record is in a state.
  func isIn(_ state: RecordStanding, _ entry: Entry) -> Bool { standings.isIn(state, entry) }

  /// The state of a record.
  func state(of entry: Entry) -> RecordState {
    let isActive = standings.isIn(.active, entry)
    let isOpen = isActive || standings.isOpen(entry)
    let kind = schema.kind(named: entry.kind)
    let due = (kind?.field(Self.due.name) ?? Self.due).storedValue(in: entry.note)?.day
    let isOverdue = isActive && due.map { $0 < today } ?? false
    let hindrance = isOverdue ? "overdue" : kind.flatMap { self.hindrance(entry, $0, isActive, isOpen) }
    return RecordState(
      word: hindrance ?? kind.map { Self.word(entry.note, $0, isOpen) } ?? "", isActive: isActive,
      isOpen: isOpen, isOverdue: isOverdue,
      isUrgent: isActive && kind?.marksHighest(in: entry.note) == true, hindrance: hindrance)
  }

  private func hindrance(_ entry: Entry, _ kind: Kind, _ isActive: Bool, _ isOpen: Bool) -> String? {
    if isOpen, !isActive {
      let day = kind.waitField?.storedValue(in: entry.note)?.day
      return "waiting" + (day.map { " \($0)" } ?? "")
    }
    return standings.isIn(.blocked, entry) ? "blocked" : nil
  }

  private static func word(_ note: Note, _ kind: Kind, _ isOpen: Bool) -> String {
    guard kind.active != nil else { return "" }
    let usual = isOpen ? "open" : "closed"
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
  /// The field that says whether a record is open: the first choice or boolean in `active:`.
  var stateField: Field? {
    fields.first { [.choice, .boolean].contains($0.type) && Self.query(active, asks: $0) }
  }

  /// The field with the day to which a record is put off: the first date in `waiting:`.
  var waitField: Field? { fields.first { $0.isTime && Self.query(waiting, asks: $0) } }

  private static func query(_ query: String?, asks field: Field) -> Bool {
    (query ?? "").split { " ()".contains($0) }.contains { $0.hasPrefix("\(field.name):") }
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
