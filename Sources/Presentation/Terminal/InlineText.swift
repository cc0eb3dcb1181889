import Text

/// The running text of one block, in pieces with the same attributes.
///
/// All of it went through `Visible`; the only control character is a line feed at a hard line break.
struct InlineText {
  /// A piece of text that looks alike, from the end of the piece before it.
  struct Run {
    var end: Int
    var attributes: TextAttributes
    /// The index in `links` of the piece's target.
    var link: Int?
  }

  private(set) var bytes: [UInt8] = []
  private(set) var runs: [Run] = []
  private(set) var links: [Hyperlink] = []

  /// Appends text of the note.
  mutating func append(_ text: Span<UInt8>, _ attributes: TextAttributes, link: Int? = nil) {
    let start = bytes.count
    Visible.append(text, to: &bytes)
    for index in start..<bytes.count where bytes[index] == 0x09 { bytes[index] = 0x20 }
    extendRuns(attributes, link)
  }

  /// Appends text of our own.
  mutating func append(_ text: String, _ attributes: TextAttributes, link: Int? = nil) {
    bytes += text.utf8
    extendRuns(attributes, link)
  }

  /// Ends the line.
  mutating func breakLine() {
    bytes.append(0x0A)
    extendRuns([], nil)
  }

  /// Adds a place to lead to and returns its index.
  mutating func addLink(_ link: Hyperlink) -> Int {
    links.append(link)
    return links.count - 1
  }

  private mutating func extendRuns(_ attributes: TextAttributes, _ link: Int?) {
    if let last = runs.last, last.attributes == attributes, last.link == link {
      runs[runs.count - 1].end = bytes.count
    } else if bytes.count > runs.last?.end ?? 0 {
      runs.append(Run(end: bytes.count, attributes: attributes, link: link))
    }
  }
}

extension InlineText {
  /// A range of the text with attributes.
  struct Mark {
    let range: Range<Int>
    let attributes: TextAttributes
    var link: Int?
  }

  /// Puts marks on top of the runs.
  ///
  /// - Parameter marks: in order, without overlap.
  /// - Complexity: O(n + m) for n runs and m marks.
  mutating func apply(_ marks: [Mark]) {
    guard !marks.isEmpty else { return }
    var marked: [Run] = []
    var start = 0
    var next = 0
    for run in runs {
      while start < run.end {
        while next < marks.count && marks[next].range.upperBound <= start { next += 1 }
        guard next < marks.count, marks[next].range.lowerBound < run.end else { break }
        let mark = marks[next]
        if mark.range.lowerBound > start {
          marked.append(Run(end: mark.range.lowerBound, attributes: run.attributes, link: run.link))
        }
        start = min(run.end, mark.range.upperBound)
        marked.append(
          Run(end: start, attributes: run.attributes.union(mark.attributes), link: mark.link ?? run.link))
      }
      if start < run.end { marked.append(run) }
      start = run.end
    }
    runs = marked
  }
}

/// The attributes of a run of text: weight, colour, underline.
struct TextAttributes: OptionSet, Hashable {
  let rawValue: UInt16

  static let strong = TextAttributes(rawValue: 1)
  static let emphasis = TextAttributes(rawValue: 1 << 1)
  static let deleted = TextAttributes(rawValue: 1 << 2)
  static let code = TextAttributes(rawValue: 1 << 3)
  static let link = TextAttributes(rawValue: 1 << 4)
  static let wikiLink = TextAttributes(rawValue: 1 << 5)
  static let tag = TextAttributes(rawValue: 1 << 6)
  /// Dimmed: addresses, raw HTML, code blocks, rules.
  static let aside = TextAttributes(rawValue: 1 << 7)
  static let title = TextAttributes(rawValue: 1 << 8)
  static let chapter = TextAttributes(rawValue: 1 << 9)
  static let section = TextAttributes(rawValue: 1 << 10)
  static let done = TextAttributes(rawValue: 1 << 11)

  /// The SGR code of each attribute; where two set a colour, the later one wins.
  ///
  /// Yellow and cyan can't be read on a white terminal, blue not on a black one.
  private static let codes: [(TextAttributes, String)] = [
    (.strong, "1"), (.aside, "2"), (.emphasis, "3"), (.link, "4"), (.deleted, "9"), (.title, "1;35"),
    (.chapter, "1;35"), (.section, "1"), (.done, "32"), (.tag, "32"), (.code, "35"), (.wikiLink, "4"),
  ]

  /// The SGR sequence that resets all attributes and sets these.
  var sequence: String {
    var sequence = "\u{1B}[0"
    for (part, code) in TextAttributes.codes where contains(part) { sequence += ";" + code }
    return sequence + "m"
  }

  /// Returns the text with these attributes, or unchanged if the style has no colours.
  func on(_ text: String, _ style: Style) -> [UInt8] {
    style.colour && !isEmpty ? Array((sequence + text + TextAttributes([]).sequence).utf8) : Array(text.utf8)
  }

  /// The attributes of a heading.
  static func heading(level: Int) -> TextAttributes {
    switch level {
    case 1: .title
    case 2: .chapter
    default: .section
    }
  }
}
