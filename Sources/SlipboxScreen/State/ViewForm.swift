import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// The columns of a board or the days of a calendar, over the notes of a list in that order.
struct ViewForm: Sendable {
  /// A column or a day.
  struct Part: Sendable {
    let title: String
    /// The rows of the list that are its notes.
    let rows: Range<Int>
  }

  enum Kind: Sendable {
    case board(Board)
    /// The days of the weeks of a month, and the month.
    case calendar(NoteCalendar, days: [CivilDate], month: CivilDate)
  }

  let kind: Kind
  let parts: [Part]

  /// The form of a view with its notes in the order of the parts; nil for a view whose notes are a plain list.
  static func of(
    _ view: View, _ notes: ViewNotes, day: CivilDate?, in snapshot: BoxSnapshot
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
    case .list, .table, .agenda, .todos: return nil
    }
    var start = 0
    let parts = groups.map { group in
      defer { start += group.matches.count }
      return Part(title: group.title, rows: start..<start + group.matches.count)
    }
    return (ViewForm(kind: kind, parts: parts), groups.flatMap(\.matches))
  }

  /// The number of the part that a row is in; 0 if there are no rows.
  func part(of row: Int) -> Int { parts.firstIndex { $0.rows.contains(row) } ?? 0 }

  /// The row beside a row: in the next part that has notes, as far down as there are notes; nil if there is none.
  func row(beside row: Int, step: Int) -> Int? {
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
    }
  }
}
