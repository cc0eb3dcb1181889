import Text

/// One cell of a screen: a character as a reader sees it, or the second half of the one before.
struct Cell: Hashable, Sendable {
  /// Empty in the second half of a wide character.
  let text: String
  /// How many cells the character takes: 1 or 2; 0 for a second half.
  let width: UInt8
  var style: CellStyle

  static let blank = Cell(text: " ", width: 1, style: .plain)

  static func blank(_ style: CellStyle) -> Cell { Cell(text: " ", width: 1, style: style) }
  static func half(_ style: CellStyle) -> Cell { Cell(text: "", width: 0, style: style) }
}

/// The cells of a line of text.
enum CellLine {
  /// The cells of a text with the colours and weights of our own styling. Other control sequences are shown as
  /// the replacement character.
  ///
  /// - Parameter limit: the largest number of cells.
  /// - Complexity: O(n).
  static func cells(_ text: String, _ style: CellStyle = .plain, limit: Int = .max) -> [Cell] {
    var text = text
    return text.withUTF8 { cells($0.span, style, limit) }
  }

  /// The cells of a text in lines of a width, cut at blanks if there are some.
  static func wrapped(_ text: String, to width: Int) -> [[Cell]] {
    var rest = cells(text)[...]
    let width = max(2, width)
    var lines: [[Cell]] = []
    while rest.count > width {
      let line = rest.prefix(width + 1)
      var end = line.lastIndex { $0.text == " " } ?? rest.startIndex
      if end - rest.startIndex < width / 2 {
        end = rest.startIndex + width
        // Both halves of a wide character go to the next line.
        if rest[end].width == 0 { end -= 1 }
      }
      lines.append(Array(rest[..<end]))
      rest = rest[end...].drop { $0.text == " " }
    }
    return lines + [Array(rest)]
  }

  private static func cells(_ bytes: Span<UInt8>, _ start: CellStyle, _ limit: Int) -> [Cell] {
    var cells: [Cell] = []
    var style = start
    var offset = 0
    while offset < bytes.count {
      if bytes[offset] == 0x1B, let (parameters, length) = colours(bytes, offset) {
        for parameter in parameters { style.apply(parameter) }
        if style == .plain { style = start }
        offset += length
        continue
      }
      if let length = linkLength(bytes, offset) {
        offset += length
        continue
      }
      let cluster = GraphemeCluster(in: bytes, at: offset)
      let end = offset + cluster.length
      defer { offset = end }
      guard cluster.cells > 0 else {
        // A lone combining mark joins the character before it; control characters are not shown.
        if bytes[offset] < 0x20 || bytes[offset] == 0x7F || cells.isEmpty {
          if cells.count < limit {
            cells.append(Cell(text: bytes[offset] == 9 ? " " : "\u{FFFD}", width: 1, style: style))
          }
        }
        continue
      }
      guard cells.count + cluster.cells <= limit else { return cells }
      cells.append(Cell(text: string(bytes, offset..<end), width: UInt8(cluster.cells), style: style))
      for _ in 1..<cluster.cells { cells.append(.half(style)) }
    }
    return cells
  }

  /// The length of a mark of a link (OSC 8) that begins here; nil if none does.
  private static func linkLength(_ bytes: Span<UInt8>, _ start: Int) -> Int? {
    let beginning = Array("\u{1B}]8;".utf8)
    guard start + beginning.count < bytes.count,
      beginning.indices.allSatisfy({ bytes[start + $0] == beginning[$0] })
    else { return nil }
    for offset in (start + beginning.count)..<bytes.count - 1
    where bytes[offset] == 0x1B && bytes[offset + 1] == UInt8(ascii: "\\") {
      return offset + 2 - start
    }
    return nil
  }

  private static func string(_ bytes: Span<UInt8>, _ range: Range<Int>) -> String {
    bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
  }

  /// The parameters of a sequence of colours that begins here, and its length; nil for any other.
  private static func colours(_ bytes: Span<UInt8>, _ start: Int) -> (parameters: [UInt8], length: Int)? {
    guard start + 1 < bytes.count, bytes[start + 1] == UInt8(ascii: "[") else { return nil }
    var parameters: [UInt8] = []
    var value = 0
    var offset = start + 2
    while offset < bytes.count, offset - start < 32 {
      let byte = bytes[offset]
      offset += 1
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = min(255, value * 10 + Int(byte - UInt8(ascii: "0")))
      case UInt8(ascii: ";"), UInt8(ascii: "m"):
        parameters.append(UInt8(value))
        value = 0
        if byte == UInt8(ascii: "m") { return (parameters, offset - start) }
      default: return nil
      }
    }
    return nil
  }
}

/// The weight and the colours of one cell.
struct CellStyle: Hashable, Sendable {
  struct Attributes: OptionSet, Hashable, Sendable {
    let rawValue: UInt8
    static let bold = Attributes(rawValue: 1)
    static let dim = Attributes(rawValue: 2)
    static let italic = Attributes(rawValue: 4)
    static let underline = Attributes(rawValue: 8)
    static let reverse = Attributes(rawValue: 16)
  }

  var attributes: Attributes = []
  /// The parameter of SGR for text; 0 for the terminal's own.
  var foreground: UInt8 = 0
  /// The SGR parameter of the background; 0 for the terminal's own.
  var background: UInt8 = 0

  static let plain = CellStyle()
  static let bold = CellStyle(attributes: .bold)
  static let dim = CellStyle(attributes: .dim)
  static let reverse = CellStyle(attributes: .reverse)

  /// The attributes with the parameters of SGR that set and clear them.
  private static let parameters: [(attribute: Attributes, on: UInt8)] = [
    (.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7),
  ]

  /// Takes one parameter of SGR; of those that are not known nothing comes.
  mutating func apply(_ parameter: UInt8) {
    switch parameter {
    case 0: self = .plain
    case 22: attributes.subtract([.bold, .dim])
    case 23: attributes.remove(.italic)
    case 24: attributes.remove(.underline)
    case 27: attributes.remove(.reverse)
    case 30...37, 90...97: foreground = parameter
    case 39: foreground = 0
    case 40...47, 100...107: background = parameter
    case 49: background = 0
    default:
      if let (attribute, _) = Self.parameters.first(where: { $0.on == parameter }) {
        attributes.insert(attribute)
      }
    }
  }

  /// The sequence that sets this style, whatever was set before.
  var sequence: String {
    var parameters = ["0"]
    for (attribute, on) in Self.parameters where attributes.contains(attribute) {
      parameters.append(String(on))
    }
    if foreground != 0 { parameters.append(String(foreground)) }
    if background != 0 { parameters.append(String(background)) }
    return "\u{1B}[\(parameters.joined(separator: ";"))m"
  }

  /// This style with more attributes.
  func adding(_ more: Attributes) -> CellStyle {
    var style = self
    style.attributes.formUnion(more)
    return style
  }
}

/// The content of a screen: a grid of cells, and the position of the cursor.
struct Frame: Sendable, Equatable {
  let columns: Int
  let rows: Int
  private(set) var cells: [Cell]
  /// nil if no cursor is shown.
  var cursor: (row: Int, column: Int)?

  init(columns: Int, rows: Int) {
    self.columns = max(1, columns)
    self.rows = max(1, rows)
    cells = Array(repeating: .blank, count: self.columns * self.rows)
  }

  static func == (left: Frame, right: Frame) -> Bool {
    left.columns == right.columns && left.rows == right.rows && left.cells == right.cells
      && left.cursor?.row == right.cursor?.row && left.cursor?.column == right.cursor?.column
  }

  subscript(row: Int, column: Int) -> Cell { cells[row * columns + column] }

  func row(_ row: Int) -> ArraySlice<Cell> { cells[row * columns..<(row + 1) * columns] }

  /// Puts cells into an area of one row, cut at its end and filled with blanks; cells outside of the frame are left out.
  ///
  /// - Parameter more: attributes that all cells get.
  mutating func put(_ line: [Cell], row: Int, column: Int, width: Int, adding more: CellStyle.Attributes = [])
  {
    guard row >= 0, row < rows, column >= 0, column < columns else { return }
    let width = min(width, columns - column)
    guard width > 0 else { return }
    let start = row * columns + column
    // Of a wide character that is cut in two, nothing stays.
    if cells[start].width == 0 { cells[start - 1] = .blank(cells[start - 1].style) }
    if column + width < columns, cells[start + width].width == 0 {
      cells[start + width] = .blank(cells[start + width].style)
    }
    var used = 0
    for cell in line {
      // A wide character is never cut in half.
      guard used + Int(max(1, cell.width)) <= width else { break }
      cells[start + used] = Cell(text: cell.text, width: cell.width, style: cell.style.adding(more))
      used += 1
    }
    for place in used..<max(used, width) { cells[start + place] = .blank(CellStyle(attributes: more)) }
  }

  /// Puts a text of one style.
  mutating func put(_ text: String, _ style: CellStyle = .plain, row: Int, column: Int, width: Int) {
    put(
      CellLine.cells(text, style, limit: max(0, width)), row: row, column: column, width: width,
      adding: style.attributes)
  }

  /// The frame as text: a line a row, without colours, and without blanks at the end.
  var text: String {
    (0..<rows).map { row in
      var line = self.row(row).map(\.text).joined()
      while line.last == " " { line.removeLast() }
      return line
    }.joined(separator: "\n")
  }
}

/// Makes the bytes that turn one frame on the terminal into the next.
enum FrameWriter {
  /// The bytes that turn one frame into the next, as one update.
  ///
  /// - Parameter old: the frame on the terminal; nil if it is unknown, so that all is drawn.
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

  /// The position and style of the terminal's next character.
  private struct Pen {
    var style = CellStyle.plain
    /// nil if it is not sure: terminals differ in how wide they show some characters.
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
