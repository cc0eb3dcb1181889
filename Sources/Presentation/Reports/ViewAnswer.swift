import Text
package import NoteIndex
package import Notes
package import SlipboxCore

/// The notes of a view, in the form of the view.
package enum ViewAnswer {
  case table(NoteTable)
  case groups([NoteGroup])
  case list([Match])
  case board(Board)
  case calendar(NoteCalendar)
  case agenda(Agenda)
  case todos([Todo])

  /// Asks the notes of a view.
  /// - Parameters:
  ///   - filter: a further query that the notes match.
  ///   - month: a day of the month that a calendar shows; nil for the current one.
  /// - Throws: `QueryError` and `SlipboxError` if the query or a column can't be read.
  package init(
    _ view: View, filter: String = "", month: CivilDate? = nil, in snapshot: BoxSnapshot
  ) throws {
    if view.form == .agenda {
      var request = Agenda.Request()
      request.query = view.query(narrowedBy: filter)
      if let days = view.days { (request.days, request.isOfToday) = (days, days == 0) }
      if let limit = view.limit { (request.limit, request.most) = (limit, nil) }
      self = .agenda(try Agenda(request, in: snapshot))
      return
    }
    if view.form == .todos {
      let query = try snapshot.query(view.query(narrowedBy: filter))
      let todos = try view.todoOrder().sorted(try TodoList(in: snapshot).open(query).todos)
      self = .todos(Array(todos.prefix(view.limit ?? .max)))
      return
    }
    let notes = try ViewNotes(view, filter: filter, in: snapshot)
    if view.isTable {
      self = .table(try NoteTable(notes.matches, try TableRequest(view, kind: notes.kind), in: snapshot))
    } else if view.form == .calendar {
      self = .calendar(try NoteCalendar(view, notes, month: month, in: snapshot))
    } else if view.form == .board {
      self = .board(try Board(view, notes, in: snapshot))
    } else if let by = view.by {
      self = .groups(try NoteGroup.groups(notes.matches, by: try TableColumn.readGroup(by), in: snapshot))
    } else {
      self = .list(notes.matches)
    }
  }
}

// MARK: For a terminal

extension ViewAnswer {
  /// The notes that are named in the lines, in their order.
  package var entries: [Entry] {
    switch self {
    case .table, .calendar, .board: []
    case .groups(let groups): groups.flatMap(\.matches).map(\.entry)
    case .list(let matches): matches.map(\.entry)
    case .agenda(let agenda): agenda.sections.flatMap(\.items).map(\.note.entry)
    case .todos(let todos): TodoRows(todos).notes().map(\.entry)
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
    case .board(let board): return Self.lines(board, display)
    case .calendar(let calendar): return Self.lines(calendar, display)
    }
  }

  /// The cells that a column of a board needs at least; narrower ones are written one below the other.
  private static let leastColumn = 14

  /// Columns side by side, a card a line.
  private static func lines(_ board: Board, _ display: Display) -> [String] {
    let style = display.style
    if let width = display.width, width < board.columns.count * leastColumn {
      return board.columns.flatMap { column in
        [style.bold(column.heading) + style.dim(" \(column.facts)")]
          + column.matches.map { "  " + Visible.escape($0.entry.note.title) } + [""]
      }.dropLast()
    }
    let column = Table.Column(isFlexible: true, minimumWidth: 8)
    var table = Table(columns: board.columns.map { _ in column }, style: style, width: display.width)
    table.add(board.columns.map { Table.Cell("\($0.heading) \($0.matches.count)", paint: style.bold) })
    let aggregates = board.columns.map(\.shownAggregates)
    for row in aggregates.first?.indices ?? 0..<0 {
      table.add(aggregates.map { Table.Cell($0[row], paint: style.dim) })
    }
    for row in 0..<(board.columns.map(\.matches.count).max() ?? 0) {
      table.add(
        board.columns.map { Table.Cell(row < $0.matches.count ? $0.matches[row].entry.note.title : "") })
    }
    return table.lines()
  }

  /// The weeks of a month, with the titles of each day under its number.
  private static func lines(_ calendar: NoteCalendar, _ display: Display) -> [String] {
    let (style, today) = (display.style, calendar.today)
    let column = Table.Column(isFlexible: true, minimumWidth: 4)
    var table = Table(columns: (0..<7).map { _ in column }, style: style, width: display.width)
    table.add(DateInterval.weekdays.map { Table.Cell(String($0.prefix(3)), paint: style.dim) })
    let (days, month) = (NoteCalendar.days(ofMonth: calendar.month), calendar.month.month)
    for start in stride(from: 0, to: days.count, by: 7) {
      let week = days[start..<start + 7].map { $0.month == month ? $0 : nil }
      table.add(
        week.map { day in
          Table.Cell(day.map { String($0.day) } ?? "", paint: day == today ? style.green : style.bold)
        })
      let titles = week.map { day in day.map(calendar.items) ?? [] }.map { $0.map(\.match.entry.note.title) }
      for row in 0..<(titles.map(\.count).max() ?? 0) {
        table.add(titles.map { Table.Cell(row < $0.count ? $0[row] : "") })
      }
    }
    return [style.bold(String(calendar.month.description.prefix(7)))] + table.lines()
      + calendar.otherMonths.map { style.dim($0) }
  }
}

extension NoteCalendar {
  /// Says how many notes are in other months and have no day.
  package var otherMonths: [String] {
    let line = { (areLater: Bool, word: String) in
      others(areLater: areLater).map {
        "\(word) months: \(Count.notes($0.count)), the \(areLater ? "first" : "last") on \($0.nearest)"
      }
    }
    let without = undated == 0 ? nil : "without a date in \(Visible.escape(field)): \(Count.notes(undated))"
    return [line(true, "later"), line(false, "earlier"), without].compactMap { $0 }
  }
}

extension Board.Column {
  /// The value, safe for a terminal; `no status` if the notes have none.
  package var heading: String { Visible.escape(title ?? absentName) }

  /// The number of notes and the aggregates of the view.
  package var facts: String { ([String(matches.count)] + shownAggregates).joined(separator: ", ") }

  /// The aggregates without the number of notes. The values come first, so that they are seen in a narrow column.
  fileprivate var shownAggregates: [String] {
    aggregates.filter { $0.heading != "count" }.map {
      "\($0.value?.text ?? "-") \(Visible.escape($0.heading))"
    }
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
    case .board(let board):
      return board.columns.flatMap { column in
        column.matches.map { match in
          NoteColumns.row(
            [column.heading, match.entry.name, match.entry.note.title]
              + column.aggregates.map { $0.value?.text ?? "" })
        }
      }
    case .groups, .list, .calendar:
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
    case .groups(let groups):
      groups.flatMap { group in group.matches.map { (group.heading, $0.entry) } }
    case .board(let board):
      board.columns.flatMap { column in column.matches.map { (column.heading, $0.entry) } }
    case .calendar(let calendar):
      calendar.daysOfMonth.flatMap { day in
        calendar.items(on: day).map { (day.description, $0.match.entry) }
      }
    }
  }

  /// `{"schema": 2, "view": "board", "groups": [{"name": "open", "count": 1, "aggregates": {"sum(hours)": 3}, "notes":
  /// [{"id": ..., "title": ...}]}]}`; a table and an agenda as their commands print them.
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
      case .groups(let groups): groups.map(\.heading)
      case .board(let board): board.columns.map(\.heading)
      default: cells.map(\.group).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
      }
    return JSONDocument.object { writer in
      writer.member("view", form.rawValue)
      writer.member("groups", of: names) { name, writer in
        let notes = cells.filter { $0.group == name }.map(\.entry)
        writer.object { writer in
          writer.member("name", name)
          writer.member("count", notes.count)
          if case .board(let board) = self, let column = board.columns.first(where: { $0.heading == name }),
            !column.aggregates.isEmpty
          {
            writer.key("aggregates")
            TableRows.write(column.aggregates, to: &writer)
          }
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
      return todos.map { "- \(presenter.markdown($0, from: path)) (\(link($0.note.entry)))" }
    case .list(let matches): return matches.map { "- \(link($0.entry))" }
    case .groups(let groups):
      return Self.markdown(groups.map { ($0.heading, String($0.matches.count), $0.matches) }, link)
    case .board(let board):
      return Self.markdown(board.columns.map { ($0.heading, $0.facts, $0.matches) }, link)
    case .calendar:
      return cells.map { day, entry in "- \(day ?? "") \(link(entry))" }
    }
  }

  private static func markdown(
    _ groups: [(heading: String, facts: String, matches: [Match])], _ link: (Entry) -> String
  ) -> [String] {
    withoutLastBlank(
      groups.flatMap { heading, facts, matches in
        ["**\(MarkdownLine.escaped(heading))** (\(MarkdownLine.escaped(facts)))", ""]
          + matches.map { "- \(link($0.entry))" } + [""]
      })
  }

  private static func withoutLastBlank(_ lines: [String]) -> [String] {
    lines.last == "" ? Array(lines.dropLast()) : lines
  }
}

extension NotePresenter {
  /// The text of a check box as Markdown in a note at a path: its links stay links, all else means nothing.
  func markdown(_ todo: Todo, from path: [UInt8]) -> String {
    let links = FieldLinks.links(in: todo.text)
    guard !links.isEmpty, let entries = try? snapshot.catalogue().entries,
      let resolver = try? snapshot.linkGraph().resolver()
    else { return MarkdownLine.escaped(todo.text) }
    let bytes = Array(todo.text.utf8)
    let written = links.compactMap { link -> (Range<Int>, String)? in
      let raw = String(decoding: bytes[link.range], as: UTF8.self)
      let parts = raw.split(separator: "](", omittingEmptySubsequences: false)
      let meaning = resolver.meaning(of: link, from: todo.note.names.path)
      switch (link.form, meaning) {
      case (.wiki, _) where parts.count == 1 && !raw.contains("<"):
        if case .note(let place) = meaning, resolver.meaning(of: link, from: path) != meaning {
          return (link.range, MarkdownLine.link(to: entries[place].note, from: path))
        }
        return (link.range, raw)
      case (.markdown, .note(let place)) where parts.count == 2:
        let label = String(parts[0].dropFirst())
        return (link.range, MarkdownLine.link(to: entries[place].note, from: path, label: label))
      case (.markdown, .url) where parts.count == 2 && !link.target.contains(where: { " <>".contains($0) }):
        return (link.range, "[\(MarkdownLine.escaped(String(parts[0].dropFirst())))](\(link.target))")
      default: return nil
      }
    }
    return MarkdownLine.escaped(todo.text, links: written)
  }
}

/// The saved views of a box.
package enum ViewLines {
  /// A line for each view: its name and its content.
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

/// The lists of baked blocks, as the notes that they are in may show them.
package final class BakedLists {
  /// A box as lists in some notes may show it, and the notes that they leave out.
  private struct Readable {
    let snapshot: BoxSnapshot
    let presenter: NotePresenter
    let hidden: Set<[UInt8]>
  }

  private let snapshot: BoxSnapshot
  /// By the filters of the notes.
  private var known: [String?: Readable] = [:]

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The lines of a view in a note at a path, and the encrypted notes that they leave out.
  /// - Throws: as `ViewAnswer`.
  package func lines(
    of view: View, in path: [UInt8]
  ) throws -> (lines: [String], leftOut: [[UInt8]]) {
    let readable = try readable(at: path)
    let answer = try ViewAnswer(view, in: readable.snapshot)
    var leftOut: [[UInt8]] = []
    if !readable.hidden.isEmpty {
      let all = try ViewAnswer(view, in: snapshot).sources(of: view, in: snapshot)
      leftOut = all.map(\.note.path).filter(readable.hidden.contains)
    }
    return (answer.markdown(readable.presenter, from: path), leftOut)
  }

  /// The notes that the lines of a view in a note at a path come from.
  package func sources(of view: View, in path: [UInt8]) throws -> [Entry] {
    let snapshot = try readable(at: path).snapshot
    return try ViewAnswer(view, in: snapshot).sources(of: view, in: snapshot)
  }

  private func readable(at path: [UInt8]) throws -> Readable {
    let filter = snapshot.box.encryption(of: path)
    if let readable = known[filter] { return readable }
    let hidden = try snapshot.encryptedNotes(apartFrom: path)
    let shown = snapshot.without(hidden)
    let readable = Readable(snapshot: shown, presenter: NotePresenter(shown), hidden: hidden)
    known[filter] = readable
    return readable
  }
}

extension ViewAnswer {
  /// The notes that the answer comes from.
  fileprivate func sources(of view: View, in snapshot: BoxSnapshot) -> [Entry] {
    switch self {
    case .agenda, .todos: entries
    // Counts and sums come from all notes of the query.
    default: (try? ViewNotes(view, in: snapshot).matches.map(\.entry)) ?? []
    }
  }
}
