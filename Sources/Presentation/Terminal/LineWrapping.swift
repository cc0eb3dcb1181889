import Bytes
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

/// The line-breaking class of a character.
///
/// Source: UAX 14, reduced for terminals.
enum BreakClass {
  case blank, lineEnd, letter, wide
  /// Must not end a line: opening brackets of wide scripts.
  case opening
  /// Must not begin a line: closing punctuation.
  case closing

  /// Finds the class of the character at `offset`.
  init(_ bytes: Span<UInt8>, _ offset: Int, _ cluster: GraphemeCluster) {
    let byte = bytes[offset]
    if byte < 0x80 {
      switch byte {
      case 0x20: self = .blank
      case 0x0A: self = .lineEnd
      case UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "!"), UInt8(ascii: "?"), UInt8(ascii: ":"),
        UInt8(ascii: ";"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "\""):
        self = .closing
      default: self = .letter
      }
    } else {
      self = BreakClass(scalar: DecodedScalar(in: bytes, at: offset).value, isWide: cluster.cells > 1)
    }
  }

  private init(scalar: UInt32, isWide: Bool) {
    switch scalar {
    case 0x3001, 0x3002, 0x3005, 0x3009, 0x300B, 0x300D, 0x300F, 0x3011, 0x3015, 0x3017, 0x3019, 0x301B,
      0x30FB,
      0x30FC, 0xFF01, 0xFF09, 0xFF0C, 0xFF0E, 0xFF1A, 0xFF1B, 0xFF1F, 0xFF3D, 0xFF5D, 0x2019, 0x201D, 0x2026:
      self = .closing
    case 0x3041, 0x3043, 0x3045, 0x3047, 0x3049, 0x3063, 0x3083, 0x3085, 0x3087, 0x308E,
      0x30A1, 0x30A3, 0x30A5, 0x30A7, 0x30A9, 0x30C3, 0x30E3, 0x30E5, 0x30E7, 0x30EE, 0x30F5, 0x30F6:
      self = .closing
    case 0x3008, 0x300A, 0x300C, 0x300E, 0x3010, 0x3014, 0x3016, 0x3018, 0x301A, 0xFF08, 0xFF3B, 0xFF5B:
      self = .opening
    default:
      self = isWide ? .wide : .letter
    }
  }

  /// Whether a line may break between this character and the next, if no blank is.
  func allowsBreak(before next: BreakClass) -> Bool {
    switch (self, next) {
    case (.opening, _), (_, .closing), (_, .blank), (_, .lineEnd): false
    case (.wide, _), (_, .wide), (.closing, .opening), (.letter, .opening): true
    default: false
    }
  }
}

/// Writes ranges of a text with the fewest escape sequences for their attributes and links.
struct AttributedWriter {
  private let style: Style
  /// Attributes that every run has besides its own.
  private let base: TextAttributes
  private var attributes: TextAttributes = []
  private var link: Int?
  /// The index of the run that was written last.
  private var run = 0

  init(style: Style, base: TextAttributes) {
    self.style = style
    self.base = base
  }

  /// Appends a range of the text; ranges come in order.
  mutating func write(_ range: Range<Int>, of text: InlineText, to line: inout [UInt8]) {
    var start = range.lowerBound
    while start < range.upperBound {
      while text.runs[run].end <= start { run += 1 }
      let current = text.runs[run]
      let end = min(current.end, range.upperBound)
      change(to: current.attributes.union(base), current.link, of: text, in: &line)
      line += text.bytes[start..<end]
      start = end
    }
  }

  /// Resets attributes and closes the link, at the end of a line.
  mutating func lift(from line: inout [UInt8]) {
    if style.hyperlinks && link != nil { line += Hyperlink.closing }
    if style.colour && !attributes.isEmpty { line += TextAttributes([]).sequence.utf8 }
    (attributes, link) = ([], nil)
  }

  private mutating func change(
    to attributes: TextAttributes, _ link: Int?, of text: InlineText, in line: inout [UInt8]
  ) {
    if style.hyperlinks && link != self.link {
      line += link.map { text.links[$0].opening } ?? Hyperlink.closing
    }
    if style.colour && attributes != self.attributes { line += attributes.sequence.utf8 }
    (self.attributes, self.link) = (attributes, link)
  }
}
