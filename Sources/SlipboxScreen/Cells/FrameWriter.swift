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
