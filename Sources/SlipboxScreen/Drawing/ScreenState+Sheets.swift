import Presentation
import Text

/// What lies over the panes.
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
    let area = Layout(self).list ?? Layout.Area(column: 0, row: 1, columns: size.columns, rows: size.rows - 2)
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
