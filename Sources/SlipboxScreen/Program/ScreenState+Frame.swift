import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

extension ScreenState {
  /// The frame of the screen.
  ///
  /// - Complexity: O(n) in the cells of the screen; of lists and notes only the visible rows are made.
  func frame() -> Frame {
    var frame = Frame(columns: size.columns, rows: size.rows)
    let layout = Panes(self)
    drawHeader(&frame)
    if let area = layout.sidebar { draw(sidebarIn: area, &frame) }
    if let area = layout.list { draw(listIn: area, &frame) }
    if let area = layout.preview { draw(previewIn: area, &frame) }
    let areas = [(Pane.sidebar, layout.sidebar), (.list, layout.list), (.preview, layout.preview)]
    let focused = areas.first { $0.0 == focus }?.1
    for area in [layout.list, layout.preview].compactMap({ $0 }) where area.column > 0 {
      // The borders of the pane that has the keys are heavy.
      let isMarked =
        focused.map { $0.column == area.column || $0.column + $0.columns == area.column - 1 } ?? false
      let sign = isMarked ? (style.unicode ? "┃" : "#") : style.unicode ? "│" : "|"
      for row in area.row..<area.row + area.rows {
        frame.put(sign, isMarked ? .bold : .dim, row: row, column: area.column - 1, width: 1)
      }
    }
    if let sheet { draw(sheet, &frame) }
    drawFoot(&frame)
    return frame
  }

  private var bar: String { style.unicode ? "─" : "-" }

  /// The first line: the box, the query or view, and the number of notes.
  private func drawHeader(_ frame: inout Frame) {
    let request = listing?.request ?? view.request
    var words = [Visible.escape(boxName)]
    switch request.moment {
    case .now: break
    case .past(_, let point): words.append("as of \(Visible.escape(point))")
    case .deleted: words.append("deleted notes")
    }
    if let name = request.view { words.append(Visible.escape(name)) }
    if !request.query.isEmpty || request.view == nil {
      words.append(request.query.isEmpty ? "all notes" : Visible.escape(request.query))
    }
    if let sort = request.sort { words.append("by \(Visible.escape(sort))") }
    var right =
      listing == nil ? "reading\(style.ellipsis)" : view.count == 0 ? "0" : "\(view.cursor + 1)/\(view.count)"
    let marked = view.marked.isEmpty && view.anchor == nil ? 0 : targetCount
    if marked > 0 { right = "\(marked) marked  \(right)" }
    right = "[\(focus.name)]  \(right)"
    let width = CellWidth.of(right)
    let left = CellWidth.truncate(
      words.joined(separator: style.unicode ? " · " : " - "), to: max(0, size.columns - width - 2))
    frame.put(left, .reverse, row: 0, column: 0, width: size.columns)
    if size.columns > width + 1 {
      frame.put(right, .reverse, row: 0, column: size.columns - width - 1, width: width + 1)
    }
  }

  private func draw(sidebarIn area: Panes.Area, _ frame: inout Frame) {
    for (row, item) in sidebar.dropFirst(sidebarTop).prefix(area.rows).enumerated() {
      let place = sidebarTop + row
      guard item.query != nil else {
        frame.put(item.label, .bold, row: area.row + row, column: area.column, width: area.columns)
        continue
      }
      let count = item.count.map(String.init) ?? (item.view == nil ? "?" : "")
      let room = max(1, area.columns - count.utf8.count - 3)
      let label = CellWidth.pad(
        CellWidth.truncate(Visible.escape(item.label), to: room, mark: style.ellipsis), to: room)
      let cells = CellLine.cells("  \(label) \(count)", isListed(item) ? .bold : .plain)
      frame.put(
        cells, row: area.row + row, column: area.column, width: area.columns,
        adding: place == sidebarCursor && focus == .sidebar ? .reverse : [])
    }
  }

  private func draw(listIn area: Panes.Area, _ frame: inout Frame) {
    guard let listing else { return }
    if let form = listing.form { return draw(form, of: listing, in: area, &frame) }
    guard !listing.matches.isEmpty else {
      let text = listing.hint ?? "no note"
      for (row, line) in Self.wrapped(text, to: area.columns).prefix(area.rows).enumerated() {
        frame.put(line, .dim, row: area.row + row, column: area.column, width: area.columns)
      }
      return
    }
    let height = listing.rowHeight
    let shown = listing.matches.dropFirst(view.top).prefix((area.rows + height - 1) / height)
    let mark = 2
    let display = Display(style: style, width: max(1, area.columns - mark))
    let lines = listing.rows.lines(shown.map(\.entry), kind: listing.kind, display)
    for (row, line) in lines.enumerated() {
      let place = view.top + row
      let top = area.row + row * height
      let isMarked = view.isMarked(place)
      let sign = isMarked ? (style.unicode ? "● " : "* ") : "  "
      let cells =
        CellLine.cells(sign, isMarked ? .bold : .plain)
        + CellLine.cells(line, limit: max(0, area.columns - mark))
      frame.put(
        cells, row: top, column: area.column, width: area.columns,
        adding: place != view.cursor ? [] : focus == .list ? .reverse : .underline)
      guard let line = listing.found?.line(ofRow: place, display), top + 1 < area.row + area.rows else {
        continue
      }
      let column = area.column + 2 * mark
      frame.put(CellLine.cells(line), row: top + 1, column: column, width: max(0, area.columns - 2 * mark))
    }
  }

  private func draw(previewIn area: Panes.Area, _ frame: inout Frame) {
    guard let preview, area.columns > 1 else { return }
    for (row, line) in preview.lines.dropFirst(previewTop).prefix(area.rows).enumerated() {
      frame.put([.blank] + line, row: area.row + row, column: area.column, width: area.columns)
    }
  }

  // MARK: The foot

  /// The last line: the prompt, the message, or the keys; progress is shown above it.
  private func drawFoot(_ frame: inout Frame) {
    let row = size.rows - 1
    if let prompt {
      draw(prompt, row, &frame)
      if let message, prompt.candidates.isEmpty { draw(message, endingAt: row - 1, &frame) }
      return
    }
    if let message { return draw(message, endingAt: row, &frame) }
    if let running {
      return frame.put("\(running.line) \(style.ellipsis)", .dim, row: row, column: 0, width: size.columns)
    }
    let text = sheet.map(Self.foot) ?? keys
    frame.put(CellLine.cells(text, limit: size.columns), row: row, column: 0, width: size.columns)
  }

  private func draw(_ message: Message, endingAt row: Int, _ frame: inout Frame) {
    let lines = message.lines.flatMap { Self.wrapped(Visible.escape($0), to: size.columns) }
      .prefix(max(1, size.rows / 2))
    let style = message.isError && style.colour ? CellStyle(attributes: .bold, foreground: 31) : .bold
    for (place, line) in lines.enumerated() {
      frame.put(line, style, row: row - lines.count + 1 + place, column: 0, width: size.columns)
    }
  }

  /// The keys of the actions that can be done here now, as many as there is room for, help and the way out last.
  private var keys: String {
    let shown =
      ActionTable.ofKind(self) + actions.actions.filter { $0.foot != nil && $0.panes.contains(focus) }
    let words = shown.compactMap { action -> (name: String, cells: Int, text: String)? in
      guard action.name == "quit" || action.refusal(self) == nil else { return nil }
      let (key, text) = (action.keys.first?.name ?? "", action.foot ?? "")
      return (action.name, CellWidth.of(key) + CellWidth.of(text) + 3, "\(Self.bold(key)) \(text)")
    }
    let ends = words.filter { ["help", "quit"].contains($0.name) }
    var room = size.columns + 2 - ends.reduce(0) { $0 + $1.cells }
    var texts: [String] = []
    for word in words where !["help", "quit"].contains(word.name) {
      room -= word.cells
      if room < 0 { break }
      texts.append(word.text)
    }
    return (texts + ends.map(\.text)).joined(separator: "  ")
  }

  /// The keys of the sheet over the panes.
  private static func foot(_ sheet: Sheet) -> String {
    let keys: [(key: String, text: String)] =
      switch sheet {
      case .help: [("j k", "scroll"), ("esc", "back")]
      case .palette: [("enter", "run"), ("up down", "choose"), ("esc", "back")]
      case .parts(let parts):
        [
          ("enter", parts.purpose == .headings ? "go there" : "tick or untick"), ("j k", "choose"),
          ("esc", "back"),
        ]
      case .menu(let menu): menu.choices.map { ($0.key, "") } + [("esc", "back")]
      case .text(let text):
        if text.confirmed != nil {
          [("y", "confirm"), ("n", "cancel"), ("j k", "scroll")]
        } else {
          text.choices.map { ($0.key, $0.text) } + [("j k", "scroll"), ("esc", "back")]
        }
      case .history(let history):
        [("enter", "show"), ("u", "undo")]
          + (history.note == nil ? [] : [("r", "restore this version")])
          + [("T", "show the box then"), ("esc", "back")]
      }
    return keys.map { $0.text.isEmpty ? bold($0.key) : "\(bold($0.key)) \($0.text)" }.joined(separator: "  ")
  }

  private static func bold(_ text: String) -> String { "\u{1B}[1m\(text)\u{1B}[22m" }

  private func draw(_ prompt: Prompt, _ row: Int, _ frame: inout Frame) {
    let sign = prompt.sign
    let text = Visible.escape(prompt.line.text)
    let before = CellWidth.of(sign) + CellWidth.of(Visible.escape(prompt.line.head))
    // The part with the cursor is shown.
    let skipped = max(0, before - size.columns + 1)
    let cells = CellLine.cells(sign, .bold) + CellLine.cells(text)
    frame.put(Array(cells.dropFirst(skipped)), row: row, column: 0, width: size.columns)
    frame.cursor = (row, min(before - skipped, size.columns - 1))
    let room = min(8, size.rows - 2)
    guard room > 0, !prompt.candidates.isEmpty else { return }
    let chosen = prompt.chosen ?? 0
    let first = max(0, min(chosen - room + 1, prompt.candidates.count - room))
    let shown = prompt.candidates.dropFirst(max(0, first)).prefix(room)
    for (place, candidate) in shown.enumerated() {
      let note = candidate.note.isEmpty ? "" : "  \(candidate.note)"
      frame.put(
        CellLine.cells("  \(candidate.text)\u{1B}[2m\(note)\u{1B}[22m", limit: size.columns),
        row: row - shown.count + place, column: 0, width: size.columns,
        adding: prompt.chosen == max(0, first) + place ? .reverse : [])
    }
  }

  /// A text cut into lines of a width, at blanks if there are some.
  static func wrapped(_ text: String, to width: Int) -> [String] {
    var lines: [String] = []
    for paragraph in text.split(separator: "\n", omittingEmptySubsequences: false) {
      var line = ""
      for word in paragraph.split(separator: " ") {
        let longer = line.isEmpty ? String(word) : "\(line) \(word)"
        if CellWidth.of(longer) > max(1, width), !line.isEmpty {
          lines.append(line)
          line = String(word)
        } else {
          line = longer
        }
      }
      lines.append(line)
    }
    return lines
  }
}

/// The sheets over the panes.
extension ScreenState {
  func draw(_ sheet: Sheet, _ frame: inout Frame) {
    switch sheet {
    case .help(let top):
      let lines = actions.helpLines(self).map { line in
        line.keys.isEmpty
          ? "\u{1B}[1m\(line.text)\u{1B}[22m" : "  \(CellWidth.pad(line.keys, to: 16)) \(line.text)"
      }
      draw("Keys", lines, top: top, cursor: nil, &frame)
    case .palette(let line, let cursor):
      let found = actions.found(line.text, self)
      let lines = found.map { action in
        let text = "\(CellWidth.pad(action.keyNames, to: 16)) \(action.text)"
        return action.refusal(self).map { "\u{1B}[2m\(text) (\($0))\u{1B}[22m" } ?? text
      }
      let top = max(0, cursor - max(1, size.rows - 4) + 1)
      draw("> \(Visible.escape(line.text))", lines, top: top, cursor: cursor - top, &frame)
      frame.cursor = (1, min(size.columns - 1, 2 + CellWidth.of(Visible.escape(line.head))))
    case .menu(let menu):
      popUp(Visible.escape(menu.title), menu.choices.map { ($0.key, Visible.escape($0.text)) }, &frame)
    case .text(let text):
      draw(Visible.escape(text.title), text.lines, top: text.top, cursor: nil, &frame)
    case .history(let history): draw(history, &frame)
    case .parts(let parts):
      let lines = parts.items.map { item in
        let text = Visible.escape(item.text)
        switch parts.purpose {
        case .headings: return String(repeating: "  ", count: item.level - 1) + text
        case .boxes: return item.isDone ? "[x] \u{1B}[2m\(text)\u{1B}[22m" : "[ ] \(text)"
        }
      }
      let top = max(0, parts.cursor - max(1, size.rows - 4) + 1)
      draw(Visible.escape(parts.title), lines, top: top, cursor: parts.cursor - top, &frame)
    }
  }

  private func draw(_ history: HistorySheet, _ frame: inout Frame) {
    var lines: [String] = []
    var starts: [Int] = []
    for item in history.items {
      starts.append(lines.count)
      lines.append(item.line)
      lines += item.changes.map { "    \($0)" }
    }
    let room = max(1, size.rows - 3)
    let line = starts.indices.contains(history.cursor) ? starts[history.cursor] : 0
    let end = history.cursor + 1 < starts.count ? starts[history.cursor + 1] : lines.count
    let top = max(0, min(line, end - room))
    draw(
      Visible.escape(history.title), lines, top: top, cursor: line - top, &frame)
  }

  /// A title and choices in a box over the list, which stays in sight around it.
  private func popUp(_ title: String, _ choices: [(key: String, text: String)], _ frame: inout Frame) {
    let area = Panes(self).list ?? Panes.Area(column: 0, row: 1, columns: size.columns, rows: size.rows - 2)
    let widest = choices.map { CellWidth.of($0.key) + 2 + CellWidth.of($0.text) }.max() ?? 0
    let width = min(size.columns, max(CellWidth.of(title) + 2, widest) + 4)
    let rows = min(choices.count + 2, max(0, size.rows - 2))
    guard width > 4, rows > 2 else { return }
    let column = max(0, min(area.column + max(0, (area.columns - width) / 2), size.columns - width))
    let row = area.row + max(0, (area.rows - rows) / 2)
    let (side, bar) = style.unicode ? ("│", "─") : ("|", "-")
    let corners = style.unicode ? ["┌", "┐", "└", "┘"] : ["+", "+", "+", "+"]
    let head = CellWidth.truncate(" \(title) ", to: width - 4, mark: style.ellipsis)
    let rest = String(repeating: bar, count: max(0, width - 3 - CellWidth.of(head)))
    frame.put("\(corners[0])\(bar)\(head)\(rest)\(corners[1])", .bold, row: row, column: column, width: width)
    for (place, choice) in choices.prefix(rows - 2).enumerated() {
      let line = row + 1 + place
      frame.put(side, row: line, column: column, width: width)
      frame.put(
        CellLine.cells("\u{1B}[1m\(choice.key)\u{1B}[22m  \(choice.text)", limit: width - 4), row: line,
        column: column + 2, width: width - 4)
      frame.put(side, row: line, column: column + width - 1, width: 1)
    }
    let foot = corners[2] + String(repeating: bar, count: width - 2) + corners[3]
    frame.put(foot, .bold, row: row + rows - 1, column: column, width: width)
  }

  /// A title and lines under it, over all panes.
  private func draw(_ title: String, _ lines: [String], top: Int, cursor: Int?, _ frame: inout Frame) {
    let rows = max(0, size.rows - 2)
    for row in 0..<rows { frame.put("", row: 1 + row, column: 0, width: size.columns) }
    guard rows > 0 else { return }
    frame.put(
      CellWidth.truncate(title, to: size.columns, mark: style.ellipsis), .bold, row: 1, column: 0,
      width: size.columns)
    for (row, line) in lines.dropFirst(top).prefix(rows - 1).enumerated() {
      frame.put(
        CellLine.cells(line, limit: size.columns), row: 2 + row, column: 0, width: size.columns,
        adding: row == cursor ? .reverse : [])
    }
  }
}

extension ScreenState {
  /// Rows of a kind need at least this room; narrower ones show the title alone.
  private static let leastRow = 30

  /// A board or a calendar in the pane of the list.
  func draw(_ form: ViewForm, of listing: Listing, in area: Panes.Area, _ frame: inout Frame) {
    let places = ViewPlaces(form, in: area, cursor: view.cursor)
    for heading in places.headings {
      let place = heading.place
      let text = CellWidth.truncate(heading.text, to: place.width, mark: style.ellipsis)
      // The days of other months are in brackets; today is highlighted.
      let style = CellStyle(attributes: heading.isToday ? [.bold, .reverse] : .bold)
      frame.put(text, style, row: place.row, column: place.column, width: place.width)
    }
    if case .table(let table) = form.kind { return draw(table, places, in: area, &frame) }
    if !form.isGrid { return draw(sections: places, of: listing, in: area, &frame) }
    for (row, place) in places.notes {
      guard let entry = listing.entry(row) else { continue }
      let isMarked = view.isMarked(row)
      let line: String
      if place.width >= Self.leastRow {
        let display = Display(style: style, width: place.width)
        line = listing.rows.lines([entry], kind: listing.kind, display).first ?? ""
      } else {
        line = CellWidth.truncate(Visible.escape(entry.note.title), to: place.width, mark: style.ellipsis)
      }
      let sign = isMarked ? (style.unicode ? "●" : "*") : ""
      frame.put(
        CellLine.cells(sign + line, limit: place.width), row: place.row, column: place.column,
        width: place.width, adding: row != view.cursor ? [] : focus == .list ? .reverse : .underline)
    }
  }

  /// The rows of sections, in columns of one width.
  private func draw(
    sections places: ViewPlaces, of listing: Listing, in area: Panes.Area, _ frame: inout Frame
  ) {
    let display = Display(style: style, width: max(1, area.columns - 2))
    let rows = places.notes.compactMap { row, place in listing.entry(row).map { (row, place, $0) } }
    let lines = listing.rows.lines(rows.map(\.2), kind: listing.kind, display)
    draw(zip(rows, lines).map { ($0.0, $0.1, $1) }, &frame)
  }

  /// The rows of a table below its headings.
  private func draw(_ table: NoteTable, _ places: ViewPlaces, in area: Panes.Area, _ frame: inout Frame) {
    let display = Display(style: style, width: max(1, area.columns - 2))
    let lines = ViewForm.lines(of: table, rows: places.notes.map(\.row), display)
    let heading = CellLine.cells("  " + lines.heading)
    if let top = places.headings.first?.place {
      frame.put(heading, row: top.row, column: top.column, width: top.width)
    }
    draw(zip(places.notes, lines.rows).map { ($0.row, $0.place, $1) }, &frame)
  }

  /// Lines of notes, each with the sign of a marked one before it.
  private func draw(_ lines: [(row: Int, place: ViewPlaces.Place, line: String)], _ frame: inout Frame) {
    for (row, place, line) in lines {
      let sign = view.isMarked(row) ? (style.unicode ? "● " : "* ") : "  "
      frame.put(
        CellLine.cells(sign + line, limit: place.width), row: place.row, column: place.column,
        width: place.width, adding: row != view.cursor ? [] : focus == .list ? .reverse : .underline)
    }
  }
}
