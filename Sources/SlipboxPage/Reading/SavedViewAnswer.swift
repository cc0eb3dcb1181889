import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// A saved view: a window of its notes, in its form.
enum SavedViewAnswer {
  /// The most notes of a column, a day or a table in one answer.
  private static let most = 500
  /// The most days of a calendar in one answer.
  private static let mostDays = 400

  static func answer(_ call: PageCall) throws -> PageResponse {
    let moment = try call.moment()
    var view = try View(named: try call.required("view"), in: moment.snapshot)
    if view.isTable, let columns = try call.argument("columns") { view.columns = columns }
    if view.isTable, let sort = try call.argument("sort") {
      (view.sort, view.isReversed) = (sort.isEmpty ? nil : sort, false)
    }
    let request = ViewRequest(view: view, filter: try call.argument("q") ?? "")
    let shown = try moment.view(request) { try ShownView(request, in: moment.snapshot) }
    let window = try window(of: call)
    let objects = try moment.objects()
    var answer = SavedViewWriter(moment: moment, objects: objects, window: window)
    let days = try days(of: call, moment.snapshot.clock.today)
    let column = try call.argument("column").map { _ in try call.number("column", else: 0) }
    let bytes = try JSONDocument.object { (writer) throws(SlipboxError) in
      writer.member("form", view.shownForm.rawValue)
      writer.member("line", view.line)
      switch shown {
      case .board(let board): try answer.write(board, column: column, to: &writer)
      case .calendar(let calendar): try answer.write(calendar, days, to: &writer)
      case .table(let table): try answer.write(table, view, to: &writer)
      case .agenda(let agenda): try answer.write(agenda, to: &writer)
      case .sections(let sections, let total): try answer.write(sections, total, to: &writer)
      }
      writer.key("titles")
      objects.writeTitles(of: answer.written, to: &writer)
    }
    call.box.noteList(moment)
    return .json(bytes).with(PageResponse.stateHeader, call.isOfPast ? call.box.state : moment.state)
  }

  private static func window(of call: PageCall) throws -> (from: Int, limit: Int) {
    (try call.number("from", else: 0), try call.number("limit", else: 50, most: most))
  }

  /// The requested days of a calendar; by default the weeks of the current month.
  private static func days(of call: PageCall, _ today: CivilDate) throws -> [CivilDate] {
    let bounds = try ["first", "last"].map { name -> CivilDate? in
      guard let text = try call.argument(name) else { return nil }
      guard let day = CivilDate(text) else { throw PageError(.badRequest, "\(name) is a day: 2026-12-31") }
      return day
    }
    guard let first = bounds[0], let last = bounds[1] else { return NoteCalendar.days(ofMonth: today) }
    guard (0..<mostDays).contains(last.dayNumber - first.dayNumber) else {
      throw PageError(.badRequest, "a calendar shows \(mostDays) days at most")
    }
    return (0...last.dayNumber - first.dayNumber).map { first.adding(days: $0) }
  }
}

/// Writes the notes of a view as JSON.
struct SavedViewWriter {
  let moment: PageMoment
  let objects: NoteObjects
  /// The notes of each column, each day or the table that are written.
  let window: (from: Int, limit: Int)
  /// The notes that were written.
  private(set) var written: [Entry] = []

  init(moment: PageMoment, objects: NoteObjects, window: (from: Int, limit: Int)) {
    self.moment = moment
    self.objects = objects
    self.window = window
  }

  private mutating func write(
    _ matches: [Match], to writer: inout JSONWriter,
    more: (Match, inout JSONWriter) -> Void = { _, _ in }
  ) throws(SlipboxError) {
    let shown = Array(matches.dropFirst(window.from).prefix(window.limit))
    written += shown.map(\.entry)
    writer.key("notes")
    writer.beginArray()
    try objects.write(shown, to: &writer) { match, writer in
      moment.writeState(of: match.entry, objects, to: &writer)
      more(match, &writer)
    }
    writer.endArray()
  }

  /// - Parameter column: the number of the one requested column, from 0; nil for all.
  mutating func write(
    _ board: Board, column wanted: Int?, to writer: inout JSONWriter
  ) throws(SlipboxError) {
    writer.member("field", board.field)
    writer.member("movable", board.isMovable)
    writer.member("total", board.total)
    writer.key("columns")
    writer.beginArray()
    for (number, column) in board.columns.enumerated() where wanted == nil || wanted == number {
      writer.beginObject()
      writer.member("value", column.value)
      writer.member("title", column.title)
      writer.member("count", column.matches.count)
      writer.member("facts", of: column.aggregates.filter { $0.heading != "count" }) { fact, writer in
        writer.object {
          $0.member("name", fact.heading)
          $0.member("text", fact.value?.text ?? "-")
        }
      }
      writeActions(board, column, to: &writer)
      try write(column.matches, to: &writer)
      writer.endObject()
    }
    writer.endArray()
  }

  /// The action of each kind that leads to a column.
  private func writeActions(_ board: Board, _ column: Board.Column, to writer: inout JSONWriter) {
    writer.key("actions")
    writer.object { writer in
      guard let value = column.value, board.isMovable else { return }
      for kind in moment.snapshot.schema().kinds {
        guard case .action(let name)? = board.move(ofKind: kind.name, from: nil, to: value) else { continue }
        writer.member(kind.name, name)
      }
    }
  }

  mutating func write(
    _ calendar: NoteCalendar, _ days: [CivilDate], to writer: inout JSONWriter
  ) throws(SlipboxError) {
    writer.member("field", calendar.field)
    writer.member("movable", calendar.isMovable)
    writer.member("total", calendar.total)
    writer.member("undated", calendar.undated)
    writer.key("days")
    writer.beginArray()
    for day in days {
      let items = calendar.items(on: day)
      guard !items.isEmpty else { continue }
      let earlier = Set(items.filter { !$0.isCurrent }.map(\.match.place))
      writer.beginObject()
      writer.member("date", day.description)
      writer.member("count", items.count)
      try write(items.map(\.match), to: &writer) { match, writer in
        if earlier.contains(match.place) { writer.member("earlier", true) }
        let time = match.entry.note.frontMatter["\(calendar.field)-time"]?.text
        if let time, !earlier.contains(match.place) { writer.member("time", time) }
      }
      writer.endObject()
    }
    writer.endArray()
  }

  /// The records of an agenda: each with the day on which it is listed there, and why.
  mutating func write(_ agenda: Agenda, to writer: inout JSONWriter) throws(SlipboxError) {
    writer.member("movable", false)
    writer.member("total", agenda.recordCount)
    writer.key("columns")
    writer.beginArray()
    for section in agenda.sections where !section.items.isEmpty {
      let (name, date) = AgendaRows.title(section.part, today: agenda.today)
      let title = date.isEmpty ? name : "\(name), \(date)"
      writer.beginObject()
      writer.member("value", title)
      writer.member("title", title)
      writer.member("count", section.count)
      let isDay = if case .day = section.part { true } else { false }
      var items = section.items.dropFirst(window.from).makeIterator()
      try write(section.items.map(\.note.match), to: &writer) { _, writer in
        guard let item = items.next() else { return }
        writer.key("listed")
        writer.object {
          $0.member("date", isDay ? nil : item.day?.description)
          $0.member("time", AgendaRows.time(item))
          $0.member("remark", AgendaRows.remark(item))
        }
      }
      writer.endObject()
    }
    writer.endArray()
  }

  mutating func write(
    _ sections: [(title: String, matches: [Match])], _ total: Int, to writer: inout JSONWriter
  ) throws(SlipboxError) {
    writer.member("movable", false)
    writer.member("total", total)
    writer.key("columns")
    writer.beginArray()
    for section in sections where !section.matches.isEmpty {
      writer.beginObject()
      writer.member("value", section.title)
      writer.member("title", section.title)
      writer.member("count", section.matches.count)
      try write(section.matches, to: &writer)
      writer.endObject()
    }
    writer.endArray()
  }

  mutating func write(
    _ table: NoteTable, _ view: View, to writer: inout JSONWriter
  ) throws(SlipboxError) {
    let rows = TableRows(table)
    writer.member("total", table.rows.count)
    writer.member("grouped", table.rows.first.map { $0.match == nil } ?? (view.by != nil))
    writer.member("sort", view.sort)
    writer.member("columns", of: Array(table.headings.enumerated())) { heading, writer in
      writer.object {
        $0.member("name", heading.element)
        $0.member("numeric", rows.isNumeric(column: heading.offset))
      }
    }
    let shown = table.rows.dropFirst(window.from).prefix(window.limit)
    writer.key("rows")
    writer.beginArray()
    for row in shown {
      writer.beginObject()
      writer.key("cells")
      writer.strings(row.cells.map { $0.map(\.text).joined(separator: ", ") })
      if let terms = row.terms { writer.member("query", (view.query + terms).joined(separator: " ")) }
      if let match = row.match {
        written.append(match.entry)
        writer.key("note")
        writer.beginArray()
        try objects.write([match], to: &writer) { match, writer in
          moment.writeState(of: match.entry, objects, to: &writer)
        }
        writer.endArray()
      }
      writer.endObject()
    }
    writer.endArray()
    guard let total = table.total else { return }
    writer.key("totals")
    writer.strings(total.cells.map { $0.map(\.text).joined(separator: ", ") })
  }
}
