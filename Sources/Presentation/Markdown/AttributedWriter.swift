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
