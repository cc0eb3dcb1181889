import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// The columns of a board, the days of a calendar or the sections of an agenda or a grouped table, over the notes of a list in that order.
struct ViewForm: Sendable {
  /// A column, a day or a section.
  struct Part: Sendable {
    let title: String
    /// The rows of the list that are its notes.
    let rows: Range<Int>
  }

  enum Kind: Sendable {
    case board(Board)
    /// The days of the weeks of a month, and the month.
    case calendar(NoteCalendar, days: [CivilDate], month: CivilDate)
    /// Rows under headings, one below the other.
    case sections
    /// A note on each row, in columns.
    case table(NoteTable)
  }

  let kind: Kind
  let parts: [Part]

  /// Whether its parts are side by side; sections and the rows of a table are not.
  var isGrid: Bool {
    switch kind {
    case .board, .calendar: true
    case .sections, .table: false
    }
  }

  /// The form of a view with its notes in the order of the parts; nil for a view whose notes are a plain list.
  ///
  /// - Parameter filter: a further query that the notes match.
  static func of(
    _ view: View, _ notes: ViewNotes, filter: String, day: CivilDate?, in snapshot: BoxSnapshot
  ) throws -> (form: ViewForm, matches: [Match])? {
    var groups: [(title: String, matches: [Match])]
    let kind: Kind
    switch view.form {
    case .board:
      let board = try Board(view, notes, in: snapshot)
      kind = .board(board)
      groups = board.columns.map { ("\($0.heading) \($0.facts)", $0.matches) }
    case .calendar:
      let calendar = try NoteCalendar(view, notes, in: snapshot)
      let month = day ?? calendar.today
      let days = NoteCalendar.days(ofMonth: month)
      kind = .calendar(calendar, days: days, month: month)
      groups = days.map { day in (String(day.day), calendar.items(on: day).map(\.match)) }
    case .agenda:
      kind = .sections
      groups = try sections(ofAgenda: view, filter: filter, in: snapshot)
    case .list where view.isTable && view.by == nil, .table where view.by == nil:
      let table = try NoteTable(notes.matches, try TableRequest(view, kind: notes.kind), in: snapshot)
      let matches = table.rows.compactMap(\.match)
      // The one row of a table of aggregates has no note.
      guard matches.count == table.rows.count, !matches.isEmpty else { return nil }
      kind = .table(table)
      groups = [("", matches)]
    case .list, .table:
      guard let by = view.by, let column = try? TableColumn.readGroup(by) else { return nil }
      kind = .sections
      groups = try NoteGroup.groups(notes.matches, by: column, in: snapshot).map {
        ("\($0.heading)  \($0.matches.count)", $0.matches)
      }
    case .todos: return nil
    }
    var start = 0
    let parts = groups.map { group in
      defer { start += group.matches.count }
      return Part(title: group.title, rows: start..<start + group.matches.count)
    }
    return (ViewForm(kind: kind, parts: parts), groups.flatMap(\.matches))
  }

  private static func sections(
    ofAgenda view: View, filter: String, in snapshot: BoxSnapshot
  ) throws -> [(title: String, matches: [Match])] {
    var request = Agenda.Request()
    request.query = view.query(narrowedBy: filter)
    if let days = view.days { (request.days, request.isOfToday) = (days, days == 0) }
    if let limit = view.limit { (request.limit, request.most) = (limit, nil) }
    let agenda = try Agenda(request, in: snapshot)
    return agenda.sections.map { section in
      let (title, date) = AgendaRows.title(section.part, today: agenda.today)
      let facts = [date, String(section.count)].filter { !$0.isEmpty }.joined(separator: ", ")
      return ("\(title)  \(facts)", section.items.map(\.note.match))
    }
  }

  /// The headings and some rows of a table.
  ///
  /// The first rows count for the widths of the columns too, so that they rarely change while the list scrolls.
  static func lines(
    of table: NoteTable, rows: [Int], _ display: Display
  ) -> (heading: String, rows: [String]) {
    let measured = min(200, table.rows.count)
    let lines = TableRows(table.only(Array(0..<measured) + rows)).lines(display)
    return (lines.first ?? "", Array(lines.dropFirst(1 + measured)))
  }

  /// The number of the part that a row is in; 0 if there are no rows.
  func part(of row: Int) -> Int { parts.firstIndex { $0.rows.contains(row) } ?? 0 }

  /// The row beside a row: in the next part that has notes, as far down as there are notes; nil if there is none.
  func row(beside row: Int, step: Int) -> Int? {
    guard isGrid else { return nil }
    let here = part(of: row)
    var next = here + step
    while parts.indices.contains(next), parts[next].rows.isEmpty { next += step }
    guard parts.indices.contains(next), parts.indices.contains(here) else { return nil }
    let index = max(0, row - parts[here].rows.lowerBound)
    return parts[next].rows.lowerBound + min(index, parts[next].rows.count - 1)
  }

  /// The words of the command that moves a note to the next column or day; nil if there is none.
  func moving(_ entry: Entry, at row: Int, step: Int) -> [String]? {
    let here = part(of: row)
    switch kind {
    case .board(let board):
      guard board.columns.indices.contains(here + step) else { return nil }
      let (old, new) = (board.columns[here].value, board.columns[here + step].value)
      switch board.move(ofKind: entry.kind, from: old, to: new) {
      case .action(let name)?: return ["do", name, "@"]
      case .changes(let changes)?: return ["set", "@"] + changes.map(\.word)
      case nil: return nil
      }
    case .calendar(let calendar, let days, _):
      guard calendar.isMovable, days.indices.contains(here) else { return nil }
      let items = calendar.items(on: days[here])
      let index = row - parts[here].rows.lowerBound
      guard items.indices.contains(index), items[index].isCurrent else { return nil }
      return ["set", "@", calendar.change(to: days[here].adding(days: step)).word]
    case .sections, .table: return nil
    }
  }
}

/// The places of the headings and notes of a board, a calendar or sections in the pane of the list.
struct ViewPlaces {
  struct Place {
    let row: Int
    let column: Int
    let width: Int
  }

  private(set) var headings: [(text: String, isToday: Bool, place: Place)] = []
  /// The rows of the list, with their places.
  private(set) var notes: [(row: Int, place: Place)] = []

  /// Narrower columns are not shown side by side.
  private static let leastColumn = 16

  /// - Parameter cursor: the row of the cursor, which is among those that are shown.
  init(_ form: ViewForm, in area: Panes.Area, cursor: Int) {
    guard area.rows > 1, area.columns > 0 else { return }
    switch form.kind {
    case .board: board(form, area, cursor)
    case .calendar(let calendar, let days, let month):
      self.calendar(form, days, month, today: calendar.today, area, cursor)
    case .sections, .table: sections(form, area, cursor)
    }
  }

  /// Headings with their rows below, as far as the cursor is in sight.
  private mutating func sections(_ form: ViewForm, _ area: Panes.Area, _ cursor: Int) {
    let here = form.part(of: cursor)
    // A heading and a blank line for each part above.
    let line = cursor + 2 * here + 1
    let top = max(0, line - area.rows + 1)
    for (number, part) in form.parts.enumerated() {
      let heading = part.rows.lowerBound + 2 * number
      let shown = { (line: Int) in (top..<top + area.rows).contains(line) }
      if shown(heading) {
        let place = Place(row: area.row + heading - top, column: area.column, width: area.columns)
        headings.append((part.title, false, place))
      }
      for row in part.rows where shown(row + 2 * number + 1) {
        let place = Place(
          row: area.row + row + 2 * number + 1 - top, column: area.column, width: area.columns)
        notes.append((row, place))
      }
    }
  }

  /// The first of some notes that is shown, so that the cursor is in sight.
  private static func top(_ rows: Range<Int>, _ cursor: Int, _ height: Int) -> Int {
    rows.contains(cursor) ? max(rows.lowerBound, cursor - height + 1) : rows.lowerBound
  }

  private mutating func board(_ form: ViewForm, _ area: Panes.Area, _ cursor: Int) {
    let count = form.parts.count
    guard count > 0 else { return }
    let shown = max(1, min(count, (area.columns + 1) / (Self.leastColumn + 1)))
    let width = max(1, (area.columns - (shown - 1)) / shown)
    let here = form.part(of: cursor)
    let first = max(0, min(here - shown / 2, count - shown))
    for (number, part) in form.parts[first..<first + shown].enumerated() {
      let column = area.column + number * (width + 1)
      headings.append((part.title, false, Place(row: area.row, column: column, width: width)))
      add(part.rows, at: area.row + 1, column, width, height: area.rows - 1, cursor)
    }
  }

  private mutating func add(
    _ rows: Range<Int>, at line: Int, _ column: Int, _ width: Int, height: Int, _ cursor: Int
  ) {
    guard height > 0 else { return }
    let top = Self.top(rows, cursor, height)
    for (number, row) in (top..<min(rows.upperBound, top + height)).enumerated() {
      notes.append((row, Place(row: line + number, column: column, width: width)))
    }
  }

  private mutating func calendar(
    _ form: ViewForm, _ days: [CivilDate], _ month: CivilDate, today: CivilDate, _ area: Panes.Area,
    _ cursor: Int
  ) {
    let weeks = days.count / 7
    let (width, height) = (max(1, (area.columns - 6) / 7), max(1, (area.rows - 1) / max(1, weeks)))
    let title = String(month.description.prefix(7))
    headings.append((title, false, Place(row: area.row, column: area.column, width: area.columns)))
    for (number, part) in form.parts.enumerated() {
      let (line, column) = (area.row + 1 + number / 7 * height, area.column + number % 7 * (width + 1))
      guard line < area.row + area.rows else { return }
      let isOther = days[number].month != month.month
      let hidden = part.rows.count - max(0, height - 1)
      let more = hidden > 0 && height > 1 ? " +\(hidden)" : hidden > 0 ? " \(part.rows.count)" : ""
      let name = Self.weekday(number) + (isOther ? "(\(part.title))" : part.title)
      headings.append((name + more, days[number] == today, Place(row: line, column: column, width: width)))
      let room = min(height, area.row + area.rows - line) - 1
      add(part.rows, at: line + 1, column, width, height: room, cursor)
    }
  }

  /// The short name of a day of the first week, with a blank; empty for other days.
  private static func weekday(_ number: Int) -> String {
    guard DateInterval.weekdays.indices.contains(number) else { return "" }
    let name = DateInterval.weekdays[number].prefix(3)
    return name.prefix(1).uppercased() + name.dropFirst() + " "
  }

  /// The row of the list at a place of the screen.
  func row(atColumn column: Int, row: Int) -> Int? {
    notes.first {
      $0.place.row == row && ($0.place.column..<$0.place.column + $0.place.width).contains(column)
    }?.row
  }
}
