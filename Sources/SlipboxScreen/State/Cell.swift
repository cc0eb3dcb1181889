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
  /// The cells of a text with the colours and weights of our own styling; whatever else could act on a terminal is shown as
  /// the sign for what can't be shown.
  ///
  /// - Parameter limit: no more cells than these are made.
  /// - Complexity: O(n).
  static func cells(_ text: String, _ style: CellStyle = .plain, limit: Int = .max) -> [Cell] {
    var text = text
    return text.withUTF8 { cells($0.span, style, limit) }
  }

  /// The cells of a text in lines of a width, cut at blanks where there are some.
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
        // A lone mark joins what stands before it; a control character has no place here.
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

  /// The length of a mark of a link (OSC 8) that begins here; nil where none does.
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
  /// The parameter of SGR for what is behind text; 0 for the terminal's own.
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
