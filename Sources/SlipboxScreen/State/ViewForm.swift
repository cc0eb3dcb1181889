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
