import Text

/// What a screen shows: a grid of cells, and where the cursor stands.
struct Frame: Sendable, Equatable {
  let columns: Int
  let rows: Int
  private(set) var cells: [Cell]
  /// Nil where no cursor is shown.
  var cursor: (row: Int, column: Int)?

  init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    cells = Array(repeating: .blank, count: self.columns * self.rows)
  }

  static func == (left: Frame, right: Frame) -> Bool {
    left.columns == right.columns && left.rows == right.rows && left.cells == right.cells
      && left.cursor?.row == right.cursor?.row && left.cursor?.column == right.cursor?.column
  }

  subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

  func row(_ row: Int) -> ArraySlice<Cell> { cells[row * columns..<(row + 1) * columns] }

  /// Puts cells into an area of one row, cut at its end and filled up with blanks; what is outside of the frame is left out.
  ///
  /// - Parameter more: attributes that all cells get.
  mutating func put(_ line: [Cell], row: Int, column: Int, width: Int, adding more: CellStyle.Attributes = [])
  {
    guard row >= 0, row < rows, column >= 0, column < columns else { return }
    let width = min(width, columns - column)
    guard width > 0 else { return }
    let start = row * columns + column
    // Of a wide character that is cut in two, nothing stays.
    if cells[start].width == 0 { cells[start - 1] = .blank(cells[start - 1].style) }
    if column + width < columns, cells[start + width].width == 0 {
      cells[start + width] = .blank(cells[start + width].style)
    }
    var used = 0
    for cell in line {
      // Half a wide character is none.
      guard used + Int(max(1, cell.width)) <= width else { break }
      cells[start + used] = Cell(text: cell.text, width: cell.width, style: cell.style.adding(more))
      used += 1
    }
    for place in used..<max(used, width) { cells[start + place] = .blank(CellStyle(attributes: more)) }
  }

  /// Puts a text of one style.
  mutating func put(_ text: String, _ style: CellStyle = .plain, row: Int, column: Int, width: Int) {
    put(
      CellLine.cells(text, style, limit: max(0, width)), row: row, column: column, width: width,
      adding: style.attributes)
  }

  /// The frame as text: a line a row, without colours, and without blanks at the end.
  var text: String {
    (0..<rows).map { row in
      var line = self.row(row).map(\.text).joined()
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}

/// Makes what has to be written so that a terminal shows the next frame.
enum FrameWriter {
  /// The bytes that turn one frame into the next, as one update.
  ///
  /// - Parameter old: what the terminal shows; nil where that is not known, so that all is drawn.
  /// - Complexity: O(n) in the cells of a frame.
  static func bytes(from old: Frame?, to new: Frame) -> [UInt8] {
    let known = old.flatMap { $0.columns == new.columns && $0.rows == new.rows ? $0 : nil }
    var output = known == nil ? "\u{1B}[0m\u{1B}[2J" : ""
    var pen = Pen()
    for row in 0..<new.rows { draw(row, of: new, over: known, &pen, &output) }
    if pen.style != .plain { output += CellStyle.plain.sequence }
    if output.isEmpty, let known, known == new { return [] }
    let cursor =
      new.cursor.map { "\u{1B}[\($0.row + 1);\($0.column + 1)H\u{1B}[?25h" } ?? "\u{1B}[?25l"
    // A synchronized update: terminals that know it show no half of a frame.
    return Array("\u{1B}[?2026h\u{1B}[?25l\(output)\(cursor)\u{1B}[?2026l".utf8)
  }

  /// Where the terminal writes next, and how.
  private struct Pen {
    var style = CellStyle.plain
    /// Nil where it is not sure: terminals differ in how wide they show some characters.
    var place: (row: Int, column: Int)?
  }

  private static func draw(
    _ row: Int, of new: Frame, over old: Frame?, _ pen: inout Pen, _ output: inout String
  ) {
    let blanks = new.row(row).reversed().prefix { $0 == .blank }.count
    let end = new.columns - blanks
    var column = 0
    while column < new.columns {
      let cell = new[row, column]
      if cell == old?[row, column] ?? .blank || cell.width == 0 {
        column += 1
        continue
      }
      if pen.place?.row != row || pen.place?.column != column {
        output += "\u{1B}[\(row + 1);\(column + 1)H"
      }
      if cell.style != pen.style {
        output += cell.style.sequence
        pen.style = cell.style
      }
      if column >= end, blanks > 8 {
        // The rest of the row is empty.
        output += "\u{1B}[K"
        pen.place = nil
        return
      }
      output += cell.text
      column += Int(cell.width)
      let isSure = cell.text.utf8.count == 1 && column < new.columns
      pen.place = isSure ? (row, column) : nil
    }
  }
}
