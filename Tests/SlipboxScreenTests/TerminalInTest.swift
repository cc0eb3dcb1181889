import Text

@testable import SlipboxScreen

/// A terminal as far as frames need one: it moves, erases, sets styles and shows characters.
struct TerminalInTest {
  private(set) var frame: Frame
  private var style = CellStyle.plain
  private var row = 0
  private var column = 0
  /// Sequences that it does not know.
  private(set) var unknown: [String] = []

  init(columns: Int, rows: Int) { frame = Frame(columns: columns, rows: rows) }

  mutating func take(_ bytes: [UInt8]) {
    var offset = 0
    while offset < bytes.count {
      if bytes[offset] == 0x1B, offset + 1 < bytes.count, bytes[offset + 1] == UInt8(ascii: "[") {
        let end = bytes[(offset + 2)...].firstIndex { (0x40...0x7E).contains($0) } ?? bytes.count - 1
        act(String(decoding: bytes[(offset + 2)..<end], as: UTF8.self), bytes[end])
        offset = end + 1
        continue
      }
      let cluster = GraphemeCluster(in: bytes.span, at: offset)
      show(String(decoding: bytes[offset..<offset + cluster.length], as: UTF8.self), cluster.cells)
      offset += cluster.length
    }
  }

  private mutating func show(_ text: String, _ cells: Int) {
    // What does not fit at the edge is lost, as where wrapping is off.
    guard cells > 0, column + cells <= frame.columns else { return }
    var line = Array(frame.row(row))
    // Half a wide character that is written over leaves a blank.
    if line[column].width == 0 { line[column - 1] = .blank(line[column - 1].style) }
    if column + cells < line.count, line[column + cells].width == 0 { line[column + cells] = .blank(.plain) }
    line[column] = Cell(text: text, width: UInt8(cells), style: style)
    if cells == 2 { line[column + 1] = .half(style) }
    frame.put(line, row: row, column: 0, width: frame.columns)
    column += cells
  }

  private mutating func act(_ parameters: String, _ end: UInt8) {
    let numbers = parameters.split(separator: ";").map { Int($0) ?? 0 }
    switch Character(Unicode.Scalar(end)) {
    case "H":
      row = min(frame.rows, numbers.first ?? 1) - 1
      column = min(frame.columns, numbers.dropFirst().first ?? 1) - 1
    case "K": erase(row, from: column)
    case "J": for row in 0..<frame.rows { erase(row, from: 0) }
    case "m": for number in numbers { style.apply(UInt8(number)) }
    case "h" where parameters == "?25": frame.cursor = (row, column)
    case "l" where parameters == "?25": frame.cursor = nil
    case "h" where parameters == "?2026", "l" where parameters == "?2026": break
    default: unknown.append("\(parameters)\(Character(Unicode.Scalar(end)))")
    }
  }

  private mutating func erase(_ row: Int, from column: Int) {
    let line = Array(frame.row(row).prefix(column))
    frame.put(line, row: row, column: 0, width: frame.columns)
  }
}
