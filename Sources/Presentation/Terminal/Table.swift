import Text

/// Rows of text in columns, aligned by the cells of a terminal.
///
/// Cells are plain text: they go through `Visible`, and paint is put on after they were cut.
package struct Table: Sendable {
  /// Adorns a text; it must not change the text's width.
  package typealias Paint = @Sendable (String) -> String

  /// The layout of one column.
  package struct Column: Sendable {
    /// The alignment of a column.
    package enum Alignment: Sendable { case leading, trailing }
    /// The part of a text that is cut if it is too wide.
    package enum Cut: Sendable { case end, middle }

    /// The alignment of the text.
    package var alignment = Alignment.leading
    /// Whether the column gives way when a row is too wide; other columns are never cut.
    package var isFlexible = false
    /// The number of cells that the column takes at least, while other columns can leave.
    package var minimumWidth = 0
    /// The number of cells that it takes at most, though there were room for more.
    package var maximumWidth = Int.max
    /// Its share of the room beside other flexible columns.
    package var weight = 1
    /// When the column leaves a row that is too wide: the lowest number first; nil: it stays.
    package var leaves: Int?
    /// The width below which the column is cut only after the columns that leave early are gone.
    package var comfortableWidth = 0
    /// Whether the column leaves before another column has less than its comfortable width.
    package var leavesEarly = false
    /// The part that is left out of a text.
    package var cut = Cut.end
    /// Whether the column has its minimum width even if all its cells are empty.
    package var isKept = false
    /// Adorns the cells that have no paint of their own.
    package var paint: Paint?

    /// Makes a column.
    package init(
      alignment: Alignment = .leading, isFlexible: Bool = false, minimumWidth: Int = 0, paint: Paint? = nil
    ) {
      self.alignment = alignment
      self.isFlexible = isFlexible
      self.minimumWidth = minimumWidth
      self.paint = paint
    }
  }

  /// A text with its paint.
  package struct Cell: Sendable {
    package let text: String
    package let paint: Paint?

    package init(_ text: String, paint: Paint? = nil) {
      self.text = text
      self.paint = paint
    }
  }

  private struct Measured { let text: String, width: Int, paint: Paint? }

  private static let gap = 2

  private let columns: [Column]
  private let style: Style
  private let width: Int?
  private var rows: [[Measured]] = []
  /// The widest cell of each column.
  private var widths: [Int]

  /// Makes an empty table.
  ///
  /// - Parameter width: the cells of the terminal; nil if nothing may be cut.
  package init(columns: [Column], style: Style, width: Int?) {
    self.columns = columns
    self.style = style
    self.width = width
    widths = columns.map { $0.isKept ? $0.minimumWidth : 0 }
  }

  /// Adds a row; missing cells are empty, surplus ones are left out.
  package mutating func add(_ cells: [String]) { add(cells.map { Cell($0) }) }

  /// Adds a row; missing cells are empty, surplus ones are left out.
  package mutating func add(_ cells: [Cell]) {
    var row: [Measured] = []
    row.reserveCapacity(columns.count)
    for (index, cell) in cells.prefix(columns.count).enumerated() {
      let shown = Table.onOneLine(cell.text)
      let measured = Measured(text: shown, width: CellWidth.of(shown), paint: cell.paint)
      widths[index] = max(widths[index], min(measured.width, columns[index].maximumWidth))
      row.append(measured)
    }
    rows.append(row)
  }

  /// Returns the rows as lines without line ends.
  ///
  /// If a width is given, columns leave in their order until the others have the room that they need; then flexible
  /// ones are cut, the widest first. Columns of empty cells take no room. The last column is not padded.
  package func lines() -> [String] {
    let layout = layout()
    return rows.map { line($0, layout) }
  }

  private static func onOneLine(_ text: String) -> String {
    let shown = Visible.escape(text)
    guard shown.utf8.contains(0x09) else { return shown }
    return String(decoding: shown.utf8.map { $0 == 0x09 ? 0x20 : $0 }, as: UTF8.self)
  }

  private func line(_ row: [Measured], _ layout: [(column: Int, width: Int)]) -> String {
    var line = ""
    var blanks = 0
    var room = width ?? .max
    for (index, cells) in layout where index < row.count {
      let (cell, column) = (row[index], columns[index])
      let text = cell.width > cells ? shortened(cell.text, to: cells, column.cut) : cell.text
      let taken = cell.width > cells ? CellWidth.of(text) : cell.width
      let missing = max(0, cells - taken)
      if column.alignment == .trailing { blanks += missing }
      if !text.isEmpty {
        // Text beyond the terminal's edge would begin another line.
        guard blanks < room else { return line }
        let shown = taken > room - blanks ? shortened(text, to: room - blanks, column.cut) : text
        room -= blanks + taken
        line += String(repeating: " ", count: blanks)
        line += (cell.paint ?? column.paint)?(shown) ?? shown
        blanks = 0
        if room <= 0 { return line }
      }
      blanks += Table.gap + (column.alignment == .leading ? missing : 0)
    }
    return line
  }

  private func shortened(_ text: String, to cells: Int, _ cut: Column.Cut) -> String {
    switch cut {
    case .end: CellWidth.truncate(text, to: cells, mark: style.ellipsis)
    case .middle: CellWidth.truncateMiddle(text, to: cells, mark: style.ellipsis)
    }
  }
}

extension Table {
  /// The columns that are shown, each with its width.
  private func layout() -> [(column: Int, width: Int)] {
    var shown = columns.indices.filter { widths[$0] > 0 }
    guard let width else { return shown.map { ($0, widths[$0]) } }
    if total(shown, comfortable) > width { shown.removeAll { columns[$0].leavesEarly } }
    while total(shown, least) > width,
      let first = shown.filter({ columns[$0].leaves != nil })
        .min(by: { columns[$0].leaves ?? 0 < columns[$1].leaves ?? 0 })
    {
      shown.removeAll { $0 == first }
    }
    let flexible = shown.filter { columns[$0].isFlexible }
    let room = width - (total(shown) { widths[$0] } - flexible.reduce(0) { $0 + widths[$1] })
    let fitted = Table.share(room, among: flexible.map { (widths[$0], least($0), columns[$0].weight) })
    var result = widths
    for (place, index) in flexible.enumerated() { result[index] = fitted[place] }
    return shown.map { ($0, result[$0]) }
  }

  /// The least room for a column beside others that may leave.
  private func least(_ index: Int) -> Int {
    columns[index].isFlexible ? min(widths[index], max(1, columns[index].minimumWidth)) : widths[index]
  }

  /// The room for a column beside others that leave early.
  private func comfortable(_ index: Int) -> Int {
    max(least(index), min(widths[index], columns[index].comfortableWidth))
  }

  private func total(_ shown: [Int], _ width: (Int) -> Int) -> Int {
    shown.reduce(0) { $0 + width($1) } + Table.gap * max(0, shown.count - 1)
  }

  /// Distributes `room` cells among columns: narrow ones get their wanted width, wide ones shares by their weights.
  ///
  /// - Complexity: O(n log w) for n columns of at most w cells.
  static func share(_ room: Int, among columns: [(wanted: Int, least: Int, weight: Int)]) -> [Int] {
    func widths(_ cap: Int) -> [Int] {
      columns.map { min($0.wanted, max(cap * $0.weight, $0.least)) }
    }
    var low = 0
    var high = columns.map(\.wanted).max() ?? 0
    while low < high {
      let middle = (low + high + 1) / 2
      if widths(middle).reduce(0, +) <= room { low = middle } else { high = middle - 1 }
    }
    var result = widths(low)
    var left = room - result.reduce(0, +)
    // The remaining cells are given out one at a time, the heaviest columns first.
    let order = result.indices.sorted { columns[$0].weight > columns[$1].weight }
    while left > 0, order.contains(where: { result[$0] < columns[$0].wanted }) {
      for index in order where left > 0 && result[index] < columns[index].wanted {
        result[index] += 1
        left -= 1
      }
    }
    return result
  }
}
