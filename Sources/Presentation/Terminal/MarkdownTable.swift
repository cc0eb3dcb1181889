import CCmark
import Text

/// A table of a document, gathered row by row and then shown in columns.
///
/// Text that does not fit is wrapped inside its cell.
struct MarkdownTable {
  private enum Alignment { case leading, centre, trailing }

  private static let narrowest = 6

  private let style: Style
  private let alignments: [Alignment]
  private var rows: [[InlineText]] = []

  init(_ node: OpaquePointer, style: Style) {
    self.style = style
    let count = Int(cmark_gfm_extensions_get_table_columns(node))
    let letters = UnsafeBufferPointer(start: cmark_gfm_extensions_get_table_alignments(node), count: count)
    alignments = letters.map { letter in
      switch letter {
      case UInt8(ascii: "c"): .centre
      case UInt8(ascii: "r"): .trailing
      default: .leading
      }
    }
  }

  mutating func beginRow() { rows.append([]) }

  mutating func add(_ cell: InlineText) {
    guard !rows.isEmpty, rows[rows.count - 1].count < alignments.count else { return }
    rows[rows.count - 1].append(cell)
  }

  /// Returns the lines of the table; the first row is its head.
  ///
  /// - Complexity: O(n).
  func lines(width: Int) -> [[UInt8]] {
    let widths = columnWidths(width: width)
    let cells = rows.enumerated().map { index, row in
      row.enumerated().map { column, text in
        LineWrapping.lines(of: text, width: widths[column], style: style, under: index == 0 ? .strong : [])
      }
    }
    // If a row takes several lines, rows are separated visibly.
    let partsRows = cells.contains { $0.contains { $0.count > 1 } }
    var lines: [[UInt8]] = []
    for (index, row) in cells.enumerated() {
      if index == 1 || index > 1 && partsRows { lines.append(rule(widths)) }
      lines += self.lines(of: row, widths)
    }
    if cells.count == 1 { lines.append(rule(widths)) }
    return lines
  }

  private func columnWidths(width: Int) -> [Int] {
    var wanted = [Int](repeating: 1, count: alignments.count)
    for row in rows {
      for (column, text) in row.enumerated() {
        var line = 0
        for part in text.bytes.split(separator: 0x0A) { line = max(line, CellWidth.of(part.span)) }
        wanted[column] = max(wanted[column], line)
      }
    }
    let room = width - 3 * max(0, alignments.count - 1)
    guard wanted.reduce(0, +) > room else { return wanted }
    return Table.share(room, among: wanted.map { ($0, min($0, Self.narrowest), 1) })
  }

  private func lines(of row: [[StyledLine]], _ widths: [Int]) -> [[UInt8]] {
    let bar = [0x20] + TextAttributes.aside.on(style.unicode ? "│" : "|", style) + [0x20]
    return (0..<(row.map(\.count).max() ?? 0)).map { height in
      var line: [UInt8] = []
      for column in alignments.indices {
        if column > 0 { line += bar }
        let cell = column < row.count && height < row[column].count ? row[column][height] : StyledLine()
        let missing = max(0, widths[column] - cell.cells)
        let before = self.before(alignments[column], missing)
        line += [UInt8](repeating: 0x20, count: before) + cell.bytes
        if column < alignments.count - 1 { line += [UInt8](repeating: 0x20, count: missing - before) }
      }
      while line.last == 0x20 { line.removeLast() }
      return line
    }
  }

  /// The number of missing cells before the text.
  private func before(_ alignment: Alignment, _ missing: Int) -> Int {
    switch alignment {
    case .leading: 0
    case .centre: missing / 2
    case .trailing: missing
    }
  }

  private func rule(_ widths: [Int]) -> [UInt8] {
    let (line, cross) = style.unicode ? ("─", "─┼─") : ("-", "-+-")
    let parts = widths.map { String(repeating: line, count: $0) }
    return TextAttributes.aside.on(parts.joined(separator: cross), style)
  }
}
