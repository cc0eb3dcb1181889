/// The columns at which the texts of the open list items begin, outermost first.
struct ListColumns {
  private var columns: [Int] = []

  /// The column of the innermost item; 0 outside of lists.
  var last: Int { columns.last ?? 0 }

  var isEmpty: Bool { columns.isEmpty }

  /// Closes the items that a line at a column is not inside of.
  mutating func leave(to column: Int) {
    while let last = columns.last, last > column { columns.removeLast() }
  }

  /// Opens an item; those nested deeper than anyone reads are not kept.
  mutating func enter(_ column: Int) {
    if columns.count < 64 { columns.append(column) }
  }
}
