import Text

/// Rows of text in columns, aligned by the cells of a terminal.
///
/// Cells are plain text: they go through `Visible`, and the column's paint is put on after they were cut.
package struct Table: Sendable {
  /// How one column is laid out.
  package struct Column: Sendable {
    /// The side on which the text of a column stands.
    package enum Alignment: Sendable { case leading, trailing }

    /// The side on which the text stands.
    package let alignment: Alignment
    /// Whether the column gives way when a row is too wide.
    package let isFlexible: Bool
    /// The number of cells that the column takes at least, even when it gives way.
    package let minimumWidth: Int
    /// Adorns a cell; it must not change the cell's width.
    package let paint: (@Sendable (String) -> String)?

    /// Makes a column.
    package init(
      alignment: Alignment = .leading, isFlexible: Bool = false, minimumWidth: Int = 0,
      paint: (@Sendable (String) -> String)? = nil
    ) {
      self.alignment = alignment
      self.isFlexible = isFlexible
      self.minimumWidth = minimumWidth
      self.paint = paint
    }
  }

  private struct Cell { let text: String, width: Int }

  private static let gap = 2

  private let columns: [Column]
  private let style: Style
  private let width: Int?
  private var rows: [[Cell]] = []
  private var widths: [Int]

  /// Makes an empty table.
  ///
  /// - Parameter width: the cells of the terminal; nil where nothing may be cut.
  package init(columns: [Column], style: Style, width: Int?) {
    self.columns = columns
    self.style = style
    self.width = width
    widths = columns.map(\.minimumWidth)
  }

  /// Adds a row; missing cells are empty, surplus ones are left out.
  package mutating func add(_ cells: [String]) {
    var row: [Cell] = []
    row.reserveCapacity(columns.count)
    for (index, text) in cells.prefix(columns.count).enumerated() {
      let shown = Table.onOneLine(text)
      let cell = Cell(text: shown, width: CellWidth.of(shown))
      widths[index] = max(widths[index], cell.width)
      row.append(cell)
    }
    rows.append(row)
  }

  /// Returns the rows as lines without line ends.
  ///
  /// Where a width is given, flexible columns are cut so that rows fit, the widest first; what is still beyond it is
  /// cut off. The last column is not padded.
  package func lines() -> [String] {
    let fitted = fittedWidths()
    return rows.map { line($0, widths: fitted) }
  }

  private static func onOneLine(_ text: String) -> String {
    let shown = Visible.escape(text)
    guard shown.utf8.contains(0x09) else { return shown }
    return String(decoding: shown.utf8.map { $0 == 0x09 ? 0x20 : $0 }, as: UTF8.self)
  }

  private func line(_ row: [Cell], widths: [Int]) -> String {
    var line = ""
    var blanks = 0
    var room = width ?? .max
    for (index, cell) in row.enumerated() {
      let column = columns[index]
      let text =
        cell.width > widths[index]
        ? CellWidth.truncate(cell.text, to: widths[index], mark: style.ellipsis) : cell.text
      let taken = cell.width > widths[index] ? CellWidth.of(text) : cell.width
      let missing = max(0, widths[index] - taken)
      if column.alignment == .trailing { blanks += missing }
      if !text.isEmpty {
        // What is beyond the terminal's edge would stand on a line of its own.
        guard blanks < room else { return line }
        let shown =
          taken > room - blanks ? CellWidth.truncate(text, to: room - blanks, mark: style.ellipsis) : text
        room -= blanks + taken
        line += String(repeating: " ", count: blanks)
        line += column.paint?(shown) ?? shown
        blanks = 0
        if room <= 0 { return line }
      }
      blanks += Table.gap + (column.alignment == .leading ? missing : 0)
    }
    return line
  }

  /// Returns the columns' widths after flexible ones gave way.
  private func fittedWidths() -> [Int] {
    let total = widths.reduce(0, +) + Table.gap * max(0, columns.count - 1)
    guard let width, total > width else { return widths }
    let flexible = columns.indices.filter { columns[$0].isFlexible }
    let room = width - (total - flexible.reduce(0) { $0 + widths[$1] })
    let fitted = Table.share(
      room, among: flexible.map { widths[$0] }, atLeast: flexible.map { max(1, columns[$0].minimumWidth) })
    var result = widths
    for (place, index) in flexible.enumerated() { result[index] = fitted[place] }
    return result
  }

  /// Shares `room` cells among columns: narrow ones get what they want, wide ones the same each.
  ///
  /// - Complexity: O(n log w) for n columns of at most w cells.
  static func share(_ room: Int, among wanted: [Int], atLeast minimum: [Int]) -> [Int] {
    func widths(_ cap: Int) -> [Int] {
      zip(wanted, minimum).map { wanted, minimum in min(wanted, max(cap, minimum)) }
    }
    var low = 0
    var high = wanted.max() ?? 0
    while low < high {
      let middle = (low + high + 1) / 2
      if widths(middle).reduce(0, +) <= room { low = middle } else { high = middle - 1 }
    }
    var result = widths(low)
    var left = room - result.reduce(0, +)
    for index in result.indices where left > 0 && result[index] < wanted[index] {
      result[index] += 1
      left -= 1
    }
    return result
  }
}
