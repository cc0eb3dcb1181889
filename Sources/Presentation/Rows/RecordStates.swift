import NoteIndex
import Notes

/// The state of a record in a row, beside its fields.
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
  /// The word if it says more than the record's own field: overdue, blocked or put off.
  let hindrance: String?

  /// The paint of the state itself: overdue is red, urgent magenta, finished green.
  func paint(_ style: Style) -> Table.Paint? {
    if isOverdue { return style.red }
    if isUrgent { return style.magenta }
    if isOpen, !isActive { return style.dim }
    return isActive ? nil : style.green
  }

  /// The paint of other cells: finished and put-off records are dimmed.
  func otherPaint(_ style: Style) -> Table.Paint? { isActive ? nil : style.dim }
}

/// The states of records, as their kinds declare them.
struct RecordStates: Sendable {
  private let schema: Schema
  private let standings: RecordStandings
  private let today: CivilDate
  private static let due = Field("due", .date)

  /// - Parameter catalogue: the notes among which blocking records are searched.
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

/// The cells of a record's row as plain text.
struct RecordRow: Sendable {
  private let kind: Kind
  private let titles: RecordTitles
  private let states: RecordStates
  private let unicode: Bool

  init(_ kind: Kind, _ titles: RecordTitles, _ states: RecordStates, unicode: Bool) {
    self.kind = kind
    self.states = states
    self.titles = titles
    self.unicode = unicode
  }

  /// The text of each column that the kind declares.
  func cells(of entry: Entry) -> [String] {
    let surroundings = RowSurroundings(
      created: entry.created, count: { [titles] kind in titles.count(of: kind, referringTo: entry) },
      title: titles.title, isIn: { [states] in states.isIn($0, entry) })
    return kind.row.map { $0.text(for: entry.note, kind: kind, unicode: unicode, surroundings) }
  }
}

/// The counts that the rows of some kinds show, in words, for rows that all kinds share: `3 tasks`.
struct CountWords: Sendable {
  private let titles: RecordTitles?
  private let columns: [String: [RowColumn]]

  /// - Complexity: O(n) in all notes if one of the listed kinds has a count; else in the listed.
  ///
  /// - Parameter titles: gives the titles of all records, if they are needed.
  init(_ listed: [Entry], _ schema: Schema, titles: () -> RecordTitles) {
    var columns: [String: [RowColumn]] = [:]
    for kind in schema.kinds { columns[kind.name] = kind.row.filter(\.isCount) }
    let isNeeded = listed.contains { columns[$0.kind]?.isEmpty == false }
    self.columns = columns
    self.titles = isNeeded ? titles() : nil
  }

  /// The state of a record with its counts.
  func standing(of entry: Entry, _ state: RecordState) -> String {
    let counts = titles.map { titles in
      (columns[entry.kind] ?? []).map { column in
        column.text(counting: { titles.count(of: $0, referringTo: entry) })
      }
    }
    return ([state.word] + (counts ?? [])).filter { !$0.isEmpty }.joined(separator: ", ")
  }
}

/// A record's own row for programs: the whole name and the columns of its kind, with tabs between them.
struct PlainRow: Sendable {
  private let row: RecordRow?
  private let states: RecordStates
  private let counts: CountWords

  /// - Parameter kind: the kind whose columns are shown; nil if several kinds share the row.
  init(_ entries: [Entry], _ rows: NoteRows, kind: Kind?) {
    let declared = kind.flatMap { $0.name == "note" || $0.row.isEmpty ? nil : $0 }
    let states = RecordStates(rows.schema, clock: rows.clock, rows.catalogue)
    row = declared.map {
      RecordRow(
        $0, RecordTitles(rows.catalogue.entries, rows.schema), states, unicode: rows.display.style.unicode)
    }
    self.states = states
    counts = CountWords(declared == nil ? entries : [], rows.schema) {
      RecordTitles(rows.catalogue.entries, rows.schema)
    }
  }

  /// The texts of the columns.
  func cells(of entry: Entry) -> [String] {
    if let row { return row.cells(of: entry) }
    return [
      counts.standing(of: entry, states.state(of: entry)), entry.created.civilDate.description,
      entry.note.title,
      entry.note.tags.joined(separator: ", "),
    ]
  }
}
