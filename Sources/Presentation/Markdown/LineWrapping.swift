import Text

/// A line as the terminal gets it.
struct StyledLine {
  var bytes: [UInt8] = []
  var cells = 0
}

/// Breaks running text into lines by the cells of a terminal.
///
/// Lines break at blanks, and beside wide characters; a word that is wider than a line is cut at a character.
struct LineWrapping {
  private let text: InlineText
  private let width: Int
  private var writer: AttributedWriter
  private var lines: [StyledLine] = []
  private var line = StyledLine()
  /// The word being read, and its cells.
  private var word: Range<Int>?
  private var wordCells = 0
  /// The offset of the blank before the word.
  private var blank: Int?

  /// Returns the lines of the text, at least one, each complete in itself.
  ///
  /// - Parameter attributes: the look that all of the text has.
  /// - Complexity: O(n).
  static func lines(of text: InlineText, width: Int, style: Style, under attributes: TextAttributes = [])
    -> [StyledLine]
  {
    var wrapping = LineWrapping(
      text: text, width: max(1, width), writer: AttributedWriter(style: style, base: attributes))
    wrapping.wrap()
    return wrapping.lines
  }

  private init(text: InlineText, width: Int, writer: AttributedWriter) {
    self.text = text
    self.width = width
    self.writer = writer
  }

  private mutating func wrap() {
    let text = self.text
    let bytes = text.bytes.span
    var offset = 0
    var previous = BreakClass.blank
    while offset < bytes.count {
      let cluster = GraphemeCluster(in: bytes, at: offset)
      let kind = BreakClass(bytes, offset, cluster)
      switch kind {
      case .blank:
        endWord()
        blank = blank ?? offset
      case .lineEnd:
        endWord()
        endLine()
      default:
        if previous.allowsBreak(before: kind) { endWord() }
        word = (word?.lowerBound ?? offset)..<offset + cluster.length
        wordCells += cluster.cells
      }
      offset += cluster.length
      previous = kind
    }
    endWord()
    if !line.bytes.isEmpty || lines.isEmpty { endLine() }
  }

  /// Puts the word that was read on this line or the next.
  private mutating func endWord() {
    guard let word else { return }
    let blankCells = blank == nil || line.bytes.isEmpty ? 0 : 1
    if !line.bytes.isEmpty && line.cells + blankCells + wordCells > width {
      endLine()
    } else if let blank, blankCells > 0 {
      write(blank..<blank + 1, cells: 1)
    }
    if wordCells <= width {
      write(word, cells: wordCells)
    } else {
      cut(word)
    }
    self.word = nil
    wordCells = 0
    blank = nil
  }

  /// Writes a word that is wider than a line.
  private mutating func cut(_ word: Range<Int>) {
    let text = self.text
    let bytes = text.bytes.span
    var start = word.lowerBound
    var cells = 0
    var offset = start
    while offset < word.upperBound {
      let cluster = GraphemeCluster(in: bytes, at: offset)
      if offset > start && cells + cluster.cells > width {
        write(start..<offset, cells: cells)
        endLine()
        start = offset
        cells = 0
      }
      cells += cluster.cells
      offset += cluster.length
    }
    write(start..<word.upperBound, cells: cells)
  }

  private mutating func write(_ range: Range<Int>, cells: Int) {
    writer.write(range, of: text, to: &line.bytes)
    line.cells += cells
  }

  private mutating func endLine() {
    writer.lift(from: &line.bytes)
    lines.append(line)
    line = StyledLine()
    blank = nil
  }
}
