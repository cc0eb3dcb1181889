/// A table of plain text with aligned columns, two blanks between them.
package struct TextTable {
  package enum Alignment: Sendable { case left, right }

  private let columns: [(title: String, alignment: Alignment)]
  private var rows: [[String]] = []

  package init(_ columns: [(title: String, alignment: Alignment)]) { self.columns = columns }

  /// Adds a row; missing cells are empty.
  package mutating func add(_ cells: [String]) { rows.append(cells) }

  /// The lines, without blanks at their ends.
  package var text: String {
    let header = columns.map(\.title)
    let widths = columns.indices.map { column in
      ([header] + rows).map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    let rule = widths.map { String(repeating: "-", count: $0) }
    return ([header, rule] + rows).map { line($0, widths) + "\n" }.joined()
  }

  private func line(_ cells: [String], _ widths: [Int]) -> String {
    var text = ""
    for (column, width) in widths.enumerated() {
      let cell = column < cells.count ? cells[column] : ""
      let padding = String(repeating: " ", count: width - cell.count)
      if column > 0 { text += "  " }
      text += columns[column].alignment == .left ? cell + padding : padding + cell
    }
    while text.last == " " { text.removeLast() }
    return text
  }
}
