package import NoteIndex
package import Notes
package import SlipboxCore
import Text

/// How the columns of a row are laid out on a terminal.
///
/// If there is too little room, tags leave first, then other text, then numbers and days, then signs and states,
/// the rightmost of each first; the name and the title stay. Days, numbers and states are never cut.
enum RowLayout {
  /// The column of the name: an id's first letters, or a path.
  ///
  /// - Parameter isAlone: whether all notes are named by paths, which get more room then.
  static func name(_ width: Int?, isAlone: Bool, _ paint: @escaping Table.Paint) -> Table.Column {
    var column = Table.Column(isFlexible: true, minimumWidth: 8, paint: paint)
    column.cut = .middle
    column.maximumWidth = width.map { max(8, $0 / (isAlone ? 3 : 6)) } ?? .max
    return column
  }

  /// The column of the title.
  static var title: Table.Column { title(atLeast: 16) }

  /// The least room for titles beside other panes, while other columns can leave.
  static let windowTitle = 30
  /// The same in lists with due dates, which stay.
  static let windowTitleOfDated = 20

  private static func title(atLeast width: Int) -> Table.Column {
    var column = Table.Column(isFlexible: true, minimumWidth: width)
    column.weight = 3
    return column
  }

  /// A column of text, which may be cut.
  static func text(leaves: Int) -> Table.Column {
    var column = Table.Column(isFlexible: true, minimumWidth: 8)
    column.leaves = leaves
    return column
  }

  /// A column that is never cut.
  static func fixed(leaves: Int, keeping width: Int = 0) -> Table.Column {
    var column = Table.Column(minimumWidth: width)
    column.leaves = leaves
    column.isKept = width > 0
    return column
  }

  /// The columns that a kind declares for its row.
  ///
  /// - Parameter leastTitle: the least room for the title; nil for the usual one.
  static func columns(of kind: Kind, unicode: Bool, leastTitle: Int? = nil) -> [Table.Column] {
    kind.row.enumerated().map { index, column in
      let place = kind.row.count - index
      guard case .field(let name) = column.content else { return fixed(leaves: 200 + place) }
      // Beside other panes texts leave before a title has less than its usual room.
      if name == "title", let leastTitle {
        var column = title(atLeast: leastTitle)
        column.comfortableWidth = windowTitle
        return column
      }
      if name == "title" { return title }
      guard column.symbols.isEmpty, let field = kind.field(name) else {
        return fixed(leaves: 300 + place, keeping: column.markWidth(unicode: unicode))
      }
      let isText = [.tags, .text, .reference].contains(field.type) || field.isList
      guard isText else { return fixed(leaves: 200 + place) }
      var column = text(leaves: field.type == .tags ? place : 100 + place)
      column.leavesEarly = leastTitle != nil
      return column
    }
  }
}

extension RowColumn {
  private static let widestMark = 3

  /// The room for signs of a few letters, so that titles begin at the same column in every list; else 0.
  fileprivate func markWidth(unicode: Bool) -> Int {
    let signs = symbols.map { unicode ? $0.sign : $0.ascii ?? $0.sign }
    let widest = signs.map { CellWidth.of($0) }.max() ?? 0
    return widest <= Self.widestMark ? widest : 0
  }
}

/// The colours of a row for a pipe, if colour is requested.
struct RowPaint: Sendable {
  private let style: Style
  private let states: RecordStates

  init(_ style: Style, _ states: RecordStates) {
    self.style = style
    self.states = states
  }

  /// A cell with its colour: the colour of a title shows the state of its record.
  @Sendable func callAsFunction(_ column: String, _ text: String, _ entry: Entry) -> String {
    guard style.colour else { return text }
    switch column {
    case "name": return style.bold(text)
    case "title":
      let state = states.state(of: entry)
      return (state.paint(style) ?? { $0 })(text)
    default: return style.dim(text)
    }
  }
}

/// The row of a kind for single records, for hovers and hints: it builds no table of all records.
package struct LiveRow: Sendable {
  private let schema: Schema
  private let states: RecordStates
  private let lookup: RecordLookup

  /// - Throws: if the notes can't be read.
  package init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    let catalogue = try snapshot.catalogue()
    schema = snapshot.schema()
    states = RecordStates(schema, clock: snapshot.clock, catalogue)
    lookup = RecordLookup(catalogue, schema)
  }

  /// The state of a record in a word: `open`, `overdue`, `waiting 2026-12-01`; empty for a note that has no state.
  package func state(of entry: Entry) -> String { states.state(of: entry).word }

  /// Whether a record is active; a finished one needs no day.
  package func isActive(_ entry: Entry) -> Bool { states.state(of: entry).isActive }

  /// The texts of the columns that its kind declares, as `slip list kind:X` shows them; none for a kind without a row.
  ///
  /// - Parameter count: how many records of a kind refer to it.
  package func cells(
    of entry: Entry, count: @escaping @Sendable (_ kind: String) -> Int
  ) -> [String] {
    guard let kind = schema.kind(named: entry.kind), kind.name != "note" else { return [] }
    let surroundings = surroundings(of: entry, count)
    return kind.row.map { $0.text(for: entry.note, kind: kind, unicode: true, surroundings) }
  }

  /// The title of the record of a kind that a reference names; nil if there is none, or more than one.
  package func title(of reference: String, _ kind: String) -> String? {
    let records = lookup.records(of: kind, stored: reference)
    return records.count == 1 ? records[0].note.title : nil
  }

  /// The facts shown beside the name of a record: its state, and of its row the choices, future days, and numbers; three
  /// of them at most.
  ///
  /// - Parameter day: puts a day into words.
  package func hint(of entry: Entry, day: (CivilDate) -> String) -> [String] {
    guard let kind = schema.kind(named: entry.kind), kind.isOfRecords else { return [] }
    let state = states.state(of: entry)
    var parts = state.word.isEmpty ? [] : [state.word]
    for column in kind.row {
      guard case .field(let name) = column.content, let field = kind.field(name), field != kind.stateField,
        let value = kind.storedValue(of: name, in: entry.note)
      else { continue }
      switch value {
      case .choice: parts.append(field.written(value))
      case .integer:
        parts.append(
          column.text(for: entry.note, kind: kind, unicode: true, surroundings(of: entry) { _ in 0 }))
      case .date(let date) where state.isActive && !field.looksBack:
        parts.append("\(field.name) \(day(date))")
      default: break
      }
    }
    return Array(parts.filter { !$0.isEmpty }.prefix(3))
  }

  /// The fields of a note but for those that every row shows, each as one line; a reference with its title before it.
  package func fields(of entry: Entry) -> [(name: String, value: String)] {
    let kind = schema.kind(named: entry.kind)
    return NoteColumn.otherFields(of: entry.note, kind).map { field in
      guard let declared = kind?.field(field.name), declared.type == .reference, let target = declared.target
      else { return (field.name, NoteColumns.text(field.value)) }
      let titled = field.value.strings.map { name in
        title(of: Field.bareReference(name), target).map { $0 == name ? name : "\($0) (\(name))" } ?? name
      }
      return (field.name, titled.joined(separator: ", "))
    }
  }

  private func surroundings(
    of entry: Entry, _ count: @escaping @Sendable (_ kind: String) -> Int
  ) -> RowSurroundings {
    RowSurroundings(
      created: entry.created, count: count, title: { [self] kind, name in title(of: name, kind) },
      isIn: { [states] in states.isIn($0, entry) })
  }
}

/// A note as a line that people choose among others.
package struct OfferedNote: Sendable {
  /// How the note is named in a command: its id, or its path.
  package let name: [UInt8]
  /// Day, title, state and tags, without control characters.
  package let text: String
  /// The note as it is named after the choice.
  package let echo: String

  /// The lines of some notes.
  package static func lines(
    _ entries: [Entry], _ snapshot: BoxSnapshot
  ) throws(SlipboxError) -> [OfferedNote] {
    let states = RecordStates(snapshot.schema(), clock: snapshot.clock, try snapshot.catalogue())
    return entries.map { OfferedNote($0, states.state(of: $0).word) }
  }

  private init(_ entry: Entry, _ state: String) {
    let note = entry.note
    name = note.id?.bytes ?? note.path
    let parts =
      [entry.created.civilDate.description, note.title, state] + note.tags.map { "#" + $0 }
    text = Visible.escape(parts.filter { !$0.isEmpty }.joined(separator: "  "))
    echo = "\(note.shownName)  \(Visible.escape(note.title))"
  }
}
