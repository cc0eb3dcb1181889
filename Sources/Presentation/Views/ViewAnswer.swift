package import NoteIndex
package import Notes
package import SlipboxCore
import Text

/// The notes of a view, in the form of the view.
package enum ViewAnswer {
  case table(NoteTable)
  case groups([NoteGroup])
  case list([Match])
  case board([NoteGroup])
  case calendar(CalendarMonth)
  case agenda(Agenda)
  case todos([Todo])

  /// Asks the notes of a view.
  /// - Throws: `QueryError` and `SlipboxError` if the query or a column can't be read.
  package init(_ view: View, in snapshot: BoxSnapshot) throws {
    if view.form == .agenda {
      var request = Agenda.Request()
      request.query = view.query
      if let days = view.days { (request.days, request.isOfToday) = (days, days == 0) }
      self = .agenda(try Agenda(request, in: snapshot))
      return
    }
    var query = try snapshot.query(view.query)
    let isTable = view.form == .table || view.form == .list && view.columns != nil
    if !isTable {
      if let sort = view.sort { query.sort = try SortKey.parse(sort) }
      if let limit = view.limit { query.limit = limit }
    }
    if view.form == .todos {
      let entries = try snapshot.matches(query.withOpenBoxes).map(\.entry)
      self = .todos(snapshot.todos(in: entries, [.open], query: query))
      return
    }
    let found = try snapshot.matches(query)
    let matches = view.isReversed && !isTable ? found.reversed() : found
    if isTable {
      var request = TableRequest()
      request.columns =
        try view.columns.map { (text) throws(SlipboxError) in try TableColumn.read(text) } ?? []
      request.groups =
        try view.by.map { (text) throws(SlipboxError) in try TableColumn.read(text, option: "--by") } ?? []
      request.hasTotal = view.hasTotal
      request.sort = view.sort.map { TableSort.read($0) } ?? []
      request.isReversed = view.isReversed
      request.limit = view.limit
      self = .table(try NoteTable(matches, request, in: snapshot))
    } else if view.form == .calendar {
      let column = try TableColumn.readGroup(view.by ?? "due")
      self = .calendar(
        CalendarMonth(try NoteGroup.groups(matches, by: column, in: snapshot), snapshot.clock.today))
    } else if view.form == .board {
      let field = view.by ?? Self.boardField(of: query.kindName, snapshot.schema())
      let column = try TableColumn.readGroup(field)
      self = .board(
        try NoteGroup.columns(matches, by: column, kind: query.kindName, in: snapshot))
    } else if let by = view.by {
      self = .groups(try NoteGroup.groups(matches, by: try TableColumn.readGroup(by), in: snapshot))
    } else {
      self = .list(matches)
    }
  }

  /// The field of a board that names none: the state of the kind.
  private static func boardField(of kind: String?, _ schema: Schema) -> String {
    kind.flatMap { schema.kind(named: $0)?.stateField?.name } ?? "status"
  }
}

/// The notes of a month by day.
package struct CalendarMonth {
  package let first: CivilDate
  /// The notes of each day that has any.
  package let days: [CivilDate: [Match]]

  init(_ groups: [NoteGroup], _ today: CivilDate) {
    first = today.adding(days: 1 - today.day)
    var days: [CivilDate: [Match]] = [:]
    for group in groups {
      guard case .date(let day, _)? = group.value, day.year == today.year, day.month == today.month else {
        continue
      }
      days[day, default: []] += group.matches
    }
    self.days = days
  }

  var length: Int { CivilDate.days(inMonth: first.month, of: first.year) }
}

// MARK: For a terminal

extension ViewAnswer {
  /// The notes that are named in the lines, in their order.
  package var entries: [Entry] {
    switch self {
    case .table, .calendar, .board: []
    case .groups(let groups): groups.flatMap(\.matches).map(\.entry)
    case .list(let matches): matches.map(\.entry)
    case .agenda(let agenda): agenda.sections.flatMap(\.items).map(\.match.entry)
    case .todos(let todos): TodoRows(todos).notes()
    }
  }

  /// The lines for a terminal.
  package func lines(_ presenter: NotePresenter, _ display: Display) throws(SlipboxError) -> [String] {
    switch self {
    case .table(let table): return TableRows(table).lines(display)
    case .agenda(let agenda): return try AgendaRows(agenda, presenter).lines(display)
    case .todos(let todos): return try TodoRows(todos).table(presenter, display)
    case .groups(let groups):
      return try NoteList(presenter, .rows, display: display).table(groups, kind: nil)
    case .list(let matches): return try NoteList(presenter, .rows, display: display).table(matches, kind: nil)
    case .board(let groups): return Self.board(groups, display)
    case .calendar(let month): return Self.calendar(month, display)
    }
  }

  /// Columns side by side, a card a line.
  private static func board(_ groups: [NoteGroup], _ display: Display) -> [String] {
    let style = display.style
    let column = Table.Column(isFlexible: true, minimumWidth: 8)
    var table = Table(columns: groups.map { _ in column }, style: style, width: display.width)
    table.add(groups.map { Table.Cell("\($0.heading) \($0.matches.count)", paint: style.bold) })
    for row in 0..<(groups.map(\.matches.count).max() ?? 0) {
      table.add(
        groups.map { Table.Cell(row < $0.matches.count ? $0.matches[row].entry.note.title : "") })
    }
    return table.lines()
  }

  /// The weeks of a month, with the titles of each day under its number.
  private static func calendar(_ month: CalendarMonth, _ display: Display) -> [String] {
    let style = display.style
    let column = Table.Column(isFlexible: true, minimumWidth: 4)
    var table = Table(columns: (0..<7).map { _ in column }, style: style, width: display.width)
    table.add(DateInterval.weekdays.map { Table.Cell(String($0.prefix(3)), paint: style.dim) })
    var monday = month.first.adding(days: 1 - month.first.weekday)
    let end = month.first.adding(days: month.length)
    while monday < end {
      let days = (0..<7).map { monday.adding(days: $0) }
      table.add(
        days.map { Table.Cell($0.month == month.first.month ? String($0.day) : "", paint: style.bold) })
      for row in 0..<(days.map { month.days[$0]?.count ?? 0 }.max() ?? 0) {
        table.add(
          days.map { day in
            let notes = month.days[day] ?? []
            return Table.Cell(row < notes.count ? notes[row].entry.note.title : "")
          })
      }
      monday = monday.adding(days: 7)
    }
    return [style.bold(String(month.first.description.prefix(7)))] + table.lines()
  }
}

// MARK: For programs

extension ViewAnswer {
  /// A row for a pipe on each line.
  package func rows(_ presenter: NotePresenter) -> [String] {
    switch self {
    case .table(let table): return TableRows(table).rows()
    case .agenda(let agenda): return AgendaRows(agenda, presenter).rows()
    case .todos(let todos): return TodoRows(todos).rows()
    case .groups, .list, .board, .calendar:
      return cells.map { group, entry in
        NoteColumns.row((group.map { [$0] } ?? []) + [entry.name, entry.note.title])
      }
    }
  }

  /// The notes with the group that each is in; nil for a list without groups.
  private var cells: [(group: String?, entry: Entry)] {
    switch self {
    case .table, .agenda, .todos: []
    case .list(let matches): matches.map { (nil, $0.entry) }
    case .groups(let groups), .board(let groups):
      groups.flatMap { group in group.matches.map { (group.heading, $0.entry) } }
    case .calendar(let month):
      month.days.sorted { $0.key < $1.key }.flatMap { day, matches in
        matches.map { (day.description, $0.entry) }
      }
    }
  }

  /// `{"schema": 2, "view": "board", "groups": [{"name": "open", "count": 1, "notes": [{"id": ..., "title": ...}]}]}`; a
  /// table and an agenda as their commands print them.
  package func json(_ presenter: NotePresenter, form: View.Form) -> [UInt8] {
    switch self {
    case .table(let table): return TableRows(table).json()
    case .agenda(let agenda): return AgendaRows(agenda, presenter).json()
    case .todos(let todos): return TodoRows(todos).json()
    case .groups, .list, .board, .calendar: break
    }
    let cells = cells
    let names: [String?] =
      switch self {
      case .groups(let groups), .board(let groups): groups.map(\.heading)
      default: cells.map(\.group).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      }
    return JSONDocument.object { writer in
      writer.member("view", form.rawValue)
      writer.member("groups", of: names) { name, writer in
        let notes = cells.filter { $0.group == name }.map(\.entry)
        writer.object { writer in
          writer.member("name", name)
          writer.member("count", notes.count)
          writer.member("notes", of: notes) { entry, writer in
            writer.object { writer in
              writer.member("id", entry.note.id?.description)
              writer.member("path", bytes: entry.note.path)
              writer.member("title", entry.note.title)
              writer.member("kind", entry.kind)
            }
          }
        }
      }
    }
  }

  /// The answer as Markdown, with links from a note.
  /// - Parameter path: the path of the note.
  package func markdown(_ presenter: NotePresenter, from path: [UInt8]) -> [String] {
    let link = { (entry: Entry) in MarkdownLine.link(to: entry.note, from: path) }
    switch self {
    case .table(let table): return TableRows(table).markdown { link($0.entry) }
    case .agenda(let agenda): return Self.withoutLastBlank(AgendaRows(agenda, presenter).markdown(link))
    case .todos(let todos):
      return todos.map { "- \(MarkdownLine.escaped($0.text)) (\(link($0.entry)))" }
    case .list(let matches): return matches.map { "- \(link($0.entry))" }
    case .groups(let groups), .board(let groups):
      return Self.withoutLastBlank(
        groups.flatMap { group in
          ["**\(MarkdownLine.escaped(group.heading))** (\(group.matches.count))", ""]
            + group.matches.map { "- \(link($0.entry))" } + [""]
        })
    case .calendar:
      return cells.map { day, entry in "- \(day ?? "") \(link(entry))" }
    }
  }

  private static func withoutLastBlank(_ lines: [String]) -> [String] {
    lines.last == "" ? Array(lines.dropLast()) : lines
  }
}

/// The saved views of a box.
package enum ViewLines {
  /// A line for each view: its name and what it shows.
  package static func list(_ views: [(name: String, line: String)], _ display: Display) -> [String] {
    guard display.isTerminal else { return views.map { Tabs.row([$0.name, $0.line]) } }
    var table = Table(
      columns: [Table.Column(paint: display.style.bold), Table.Column(isFlexible: true)],
      style: display.style,
      width: display.width)
    for view in views { table.add([Table.Cell(view.name), Table.Cell(view.line)]) }
    return table.lines()
  }

  /// `{"schema": 2, "views": [{"name": "reading", "line": "board kind:book --by status"}]}`.
  package static func json(_ views: [(name: String, line: String)]) -> [UInt8] {
    JSONDocument.list("views", views) { view, writer in
      writer.object { writer in
        writer.member("name", view.name)
        writer.member("line", view.line)
      }
    }
  }
}
