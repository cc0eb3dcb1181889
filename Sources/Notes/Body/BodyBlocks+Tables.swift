/// The cells of a row of a table.
///
/// Source: cmark-gfm, table.c, row_from_string.
extension BodyBlocks {
  /// Takes a line of a table: a row, or the delimiter row below a header; returns whether it is one.
  mutating func takeTableLine(_ line: BodyLine) -> Bool {
    switch leaf {
    case .table(let columns):
      for cell in cells(line.text..<line.end).prefix(columns) { add(cell) }
      return true
    case .paragraph(let paragraph):
      guard isDelimiterRow(line) else { return false }
      let header = cells(paragraph.lastLine..<paragraph.end)
      guard header.count == cells(line.text..<line.end).count else { return false }
      // The lines above the header are a paragraph of their own.
      add(paragraph.start..<paragraph.lastLine)
      for cell in header { add(cell) }
      leaf = .table(columns: header.count)
      return true
    default: return false
    }
  }

  /// Whether a line has a cell: it is more than a bar.
  func isRow(_ line: BodyLine) -> Bool {
    var position = line.text
    if line.first == UInt8(ascii: "|") { position += 1 }
    skip(&position, line.end) { isBlankByte($0) }
    return position < line.end
  }

  private func isDelimiterRow(_ line: BodyLine) -> Bool {
    var position = line.text
    if line.first == UInt8(ascii: "|") { position += 1 }
    while true {
      skip(&position, line.end) { isBlankByte($0) }
      if position < line.end, bytes[position] == UInt8(ascii: ":") { position += 1 }
      let start = position
      skip(&position, line.end) { $0 == UInt8(ascii: "-") }
      guard position > start else { return false }
      if position < line.end, bytes[position] == UInt8(ascii: ":") { position += 1 }
      skip(&position, line.end) { isBlankByte($0) }
      if position == line.end { return true }
      guard bytes[position] == UInt8(ascii: "|") else { return false }
      position += 1
      var rest = position
      skip(&rest, line.end) { isBlankByte($0) }
      if rest == line.end { return true }
    }
  }

  private func skip(_ position: inout Int, _ end: Int, _ isSkipped: (UInt8) -> Bool) {
    while position < end, isSkipped(bytes[position]) { position += 1 }
  }

  /// The cells of a line; a bar that is escaped or in double brackets ends none.
  private func cells(_ row: Range<Int>) -> [Range<Int>] {
    var cells: [Range<Int>] = []
    var position = row.lowerBound
    if position < row.upperBound, bytes[position] == UInt8(ascii: "|") { position += 1 }
    skip(&position, row.upperBound) { isBlankByte($0) }
    while position < row.upperBound {
      let start = position
      while position < row.upperBound, bytes[position] != UInt8(ascii: "|") {
        if let link = inline.endOfWikiLink(at: position, to: row.upperBound) {
          position = link
        } else if bytes[position] == UInt8(ascii: "\\"), position + 1 < row.upperBound,
          bytes[position + 1] == UInt8(ascii: "|")
        {
          position += 2
        } else {
          position += 1
        }
      }
      var last = position
      while last > start, isBlankByte(bytes[last - 1]) { last -= 1 }
      cells.append(start..<last)
      guard position < row.upperBound else { break }
      position += 1
      skip(&position, row.upperBound) { isBlankByte($0) }
    }
    return cells
  }
}
