/// Writes rows of comma-separated values.
///
/// Source: RFC 4180, with a line feed as the line end.
package enum CSVWriter {
  /// Returns one row, its line end included; a cell is quoted where it has to be.
  ///
  /// - Complexity: O(n).
  package static func row(_ cells: [String]) -> [UInt8] {
    var row: [UInt8] = []
    for (index, cell) in cells.enumerated() {
      if index > 0 { row.append(UInt8(ascii: ",")) }
      append(cell, to: &row)
    }
    // A row of one empty cell would read as no row at all.
    if cells.count == 1 && row.isEmpty { row += "\"\"".utf8 }
    row.append(UInt8(ascii: "\n"))
    return row
  }

  private static func append(_ cell: String, to row: inout [UInt8]) {
    let quote = UInt8(ascii: "\"")
    guard needsQuotes(cell) else {
      row += cell.utf8
      return
    }
    row.append(quote)
    for byte in cell.utf8 {
      if byte == quote { row.append(quote) }
      row.append(byte)
    }
    row.append(quote)
  }

  private static func needsQuotes(_ cell: String) -> Bool {
    if cell.utf8.first == 0x20 || cell.utf8.last == 0x20 { return true }
    return cell.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
  }
}
