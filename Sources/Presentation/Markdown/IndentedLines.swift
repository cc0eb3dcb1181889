/// Output lines with the margins of open lists and quotes at their left.
struct IndentedLines {
  /// The prefix of the lines in a list item or quote.
  private struct Margin {
    /// Shown once, on the first line.
    var first: [UInt8]?
    let rest: [UInt8]
    let cells: Int
  }

  private(set) var bytes: [UInt8] = []
  private let width: Int
  private var margins: [Margin] = []
  private var marginCells = 0
  /// For each open container, whether it has a margin: what is nested too deeply has none.
  private var hasMargin: [Bool] = []
  /// Whether a blank line is due before what comes next.
  var needsBlankLine = false

  init(width: Int) { self.width = width }

  /// The cells that a line may take.
  var room: Int { max(1, width - marginCells) }

  /// Opens a container, with a marker on its first line.
  mutating func open(first: [UInt8]? = nil, rest: [UInt8], cells: Int) {
    writeBlankLine()
    let fits = marginCells + cells <= width / 2
    hasMargin.append(fits)
    guard fits else { return }
    margins.append(Margin(first: first, rest: rest, cells: cells))
    marginCells += cells
  }

  /// Closes the container opened last; an empty one still shows its marker.
  mutating func close() {
    guard hasMargin.popLast() == true else { return }
    if margins.last?.first != nil { write([]) }
    marginCells -= margins.removeLast().cells
  }

  /// Writes the blank line that is due.
  mutating func writeBlankLine() {
    if needsBlankLine && !bytes.isEmpty { write([]) }
    needsBlankLine = false
  }

  /// Writes one line.
  mutating func write(_ line: [UInt8]) {
    for index in margins.indices {
      bytes += margins[index].first ?? margins[index].rest
      margins[index].first = nil
    }
    bytes += line
    if line.isEmpty {
      while bytes.last == 0x20 { bytes.removeLast() }
    }
    bytes.append(0x0A)
  }
}
