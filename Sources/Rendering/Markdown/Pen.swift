/// Writes pieces of running text with the escape sequences that they need, and no more.
struct Pen {
  private let style: Style
  /// The look that all of the text has.
  private let base: Ink
  private var ink: Ink = []
  private var link: Int?
  /// The run that was written last.
  private var run = 0

  init(style: Style, base: Ink) {
    self.style = style
    self.base = base
  }

  /// Appends a part of the text; parts come in order.
  mutating func write(_ range: Range<Int>, of text: InlineText, to line: inout [UInt8]) {
    var start = range.lowerBound
    while start < range.upperBound {
      while text.runs[run].end <= start { run += 1 }
      let current = text.runs[run]
      let end = min(current.end, range.upperBound)
      change(to: current.ink.union(base), current.link, of: text, in: &line)
      line += text.bytes[start..<end]
      start = end
    }
  }

  /// Ends all that is set, at the end of a line.
  mutating func lift(from line: inout [UInt8]) {
    if style.hyperlinks && link != nil { line += Hyperlink.closing }
    if style.colour && !ink.isEmpty { line += Ink([]).sequence.utf8 }
    (ink, link) = ([], nil)
  }

  private mutating func change(to ink: Ink, _ link: Int?, of text: InlineText, in line: inout [UInt8]) {
    if style.hyperlinks && link != self.link {
      line += link.map { text.links[$0].opening } ?? Hyperlink.closing
    }
    if style.colour && ink != self.ink { line += ink.sequence.utf8 }
    (self.ink, self.link) = (ink, link)
  }
}
