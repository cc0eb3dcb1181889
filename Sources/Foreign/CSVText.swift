/// Reads comma-separated values: rows of cells, of which the first row names the columns.
///
/// The separator of cells is a comma, a semicolon or a tab: the most frequent of these in the first row. A row that is
/// not well formed is reported with its line; the later rows are read.
///
/// Source: RFC 4180, with any line end, a byte-order mark and quotes inside of cells without quotes.
package struct CSVText {
  /// A row with the line on which it begins.
  package struct Row: Sendable {
    package let line: Int
    package let cells: [String]
  }

  private let bytes: [UInt8]
  private let separator: UInt8
  private let lineEnd: UInt8
  private var next: Int
  private var line = 1

  private static let quote = UInt8(ascii: "\"")

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
    next = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    lineEnd = bytes.contains(0x0A) ? 0x0A : 0x0D
    separator = Self.separator(in: bytes[next...], lineEnd: lineEnd)
  }

  /// Calls `visit` for each row, and `fault` for each that is not well formed, in order.
  ///
  /// - Complexity: O(n), with one row in memory at a time.
  package static func read(
    _ bytes: [UInt8], visit: (Row) -> Void, fault: (ForeignProblem) -> Void
  ) {
    var reader = CSVText(bytes)
    while reader.next < bytes.count {
      do throws(ForeignProblem) {
        if let row = try reader.row() { visit(row) }
      } catch {
        fault(error)
      }
    }
  }

  /// Returns the names of the columns; nil if the first row is not well formed.
  package static func header(of bytes: [UInt8]) -> [String]? {
    var reader = CSVText(bytes)
    while reader.next < bytes.count {
      do throws(ForeignProblem) {
        if let row = try reader.row() { return row.cells }
      } catch {
        // The reader of the whole file reports the error.
        return nil
      }
    }
    return nil
  }

  private static func separator(in bytes: ArraySlice<UInt8>, lineEnd: UInt8) -> UInt8 {
    var counts: [UInt8: Int] = [:]
    var isQuoted = false
    for byte in bytes {
      if byte == quote { isQuoted.toggle() }
      if isQuoted { continue }
      if byte == lineEnd { break }
      counts[byte, default: 0] += 1
    }
    let comma = UInt8(ascii: ",")
    return [UInt8(ascii: ";"), 0x09].reduce(comma) {
      counts[$1, default: 0] > counts[$0, default: 0] ? $1 : $0
    }
  }
}

extension CSVText {
  /// Returns the next row; nil for an empty line.
  private mutating func row() throws(ForeignProblem) -> Row? {
    let (start, startLine) = (next, line)
    var cells: [String] = []
    do throws(ForeignProblem) {
      while true {
        cells.append(try cell(startLine))
        if next == bytes.count { break }
        let byte = bytes[next]
        next += 1
        if byte == separator { continue }
        if byte == 0x0D, lineEnd == 0x0A, next < bytes.count { next += 1 }
        line += 1
        break
      }
    } catch {
      (next, line) = (start, startLine)
      skipLine()
      throw error
    }
    return cells.count == 1 && cells[0].isEmpty && bytes[start] != Self.quote
      ? nil : Row(line: startLine, cells: cells)
  }

  private mutating func skipLine() {
    while next < bytes.count, bytes[next] != lineEnd { next += 1 }
    if next < bytes.count { next += 1 }
    line += 1
  }

  private func isEnd(_ place: Int) -> Bool {
    place == bytes.count || bytes[place] == lineEnd || bytes[place] == separator
      || (bytes[place] == 0x0D && lineEnd == 0x0A && (place + 1 == bytes.count || bytes[place + 1] == 0x0A))
  }

  /// The next cell, up to the separator or the line end behind it.
  private mutating func cell(_ row: Int) throws(ForeignProblem) -> String {
    guard next < bytes.count, bytes[next] == Self.quote else {
      let start = next
      while !isEnd(next) { next += 1 }
      return try text(Array(bytes[start..<next]), row)
    }
    let opening = line
    next += 1
    var cell: [UInt8] = []
    while next < bytes.count {
      let byte = bytes[next]
      next += 1
      if byte == lineEnd { line += 1 }
      guard byte == Self.quote else {
        cell.append(byte)
        continue
      }
      if next < bytes.count, bytes[next] == Self.quote {
        cell.append(byte)
        next += 1
        continue
      }
      guard isEnd(next) else { throw ForeignProblem(line: row, "text after the closing quote of a cell") }
      return try text(cell, row)
    }
    throw ForeignProblem(line: opening, "a quote is opened and never closed")
  }

  private func text(_ cell: [UInt8], _ row: Int) throws(ForeignProblem) -> String {
    guard let text = String(validating: cell, as: UTF8.self) else {
      throw ForeignProblem(line: row, "a cell is not UTF-8")
    }
    return text
  }
}
