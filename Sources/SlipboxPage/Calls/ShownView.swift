import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// A view that a page requests.
struct ViewRequest: Equatable, Sendable {
  let view: View
  /// A further query, which the notes match too.
  let filter: String
}

/// A view with its notes.
enum ShownView: Sendable {
  case board(Board)
  case calendar(NoteCalendar)
  case table(NoteTable)
  /// Parts one below the other, each with a heading.
  case sections([(title: String, matches: [Match])], total: Int)

  init(_ request: ViewRequest, in snapshot: BoxSnapshot) throws {
    let view = request.view
    if view.form == .agenda {
      var agenda = Agenda.Request()
      agenda.query = view.query + (request.filter.isEmpty ? [] : ["(\(request.filter))"])
      if let days = view.days { (agenda.days, agenda.isOfToday) = (days, days == 0) }
      let sections = try Agenda(agenda, in: snapshot).sections
      self = .sections(
        sections.map { section in
          let (title, date) = AgendaRows.title(section.part, today: snapshot.clock.today)
          return (date.isEmpty ? title : "\(title), \(date)", section.items.map(\.match))
        },
        total: sections.map(\.count).reduce(0, +))
      return
    }
    let notes = try ViewNotes(view, filter: request.filter, in: snapshot)
    switch view.form {
    case .board: self = .board(try Board(view, notes, in: snapshot))
    case .calendar: self = .calendar(try NoteCalendar(view, notes, in: snapshot))
    case _ where view.isTable:
      self = .table(try NoteTable(notes.matches, try TableRequest(view, kind: notes.kind), in: snapshot))
    default:
      guard let by = view.by else {
        self = .sections([("", notes.matches)], total: notes.matches.count)
        return
      }
      let groups = try NoteGroup.groups(notes.matches, by: try TableColumn.readGroup(by), in: snapshot)
      self = .sections(groups.map { ($0.heading, $0.matches) }, total: notes.matches.count)
    }
  }
}
