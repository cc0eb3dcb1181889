import Notes
import SlipboxCore

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
  init(_ form: ViewForm, in area: Layout.Area, cursor: Int) {
    guard area.rows > 1, area.columns > 0 else { return }
    switch form.kind {
    case .board: board(form, area, cursor)
    case .calendar(let calendar, let days, let month):
      self.calendar(form, days, month, today: calendar.today, area, cursor)
    case .sections, .table: sections(form, area, cursor)
    }
  }

  /// Headings with their rows below, as far as the cursor is in sight.
  private mutating func sections(_ form: ViewForm, _ area: Layout.Area, _ cursor: Int) {
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

  private mutating func board(_ form: ViewForm, _ area: Layout.Area, _ cursor: Int) {
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
    _ form: ViewForm, _ days: [CivilDate], _ month: CivilDate, today: CivilDate, _ area: Layout.Area,
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
