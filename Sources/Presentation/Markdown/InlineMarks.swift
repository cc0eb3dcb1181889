import Text

/// Finds what Markdown itself does not know in running text: wiki links, tags and bare addresses.
struct InlineMarks {
  private let text: InlineText
  private let showsLinks: Bool
  private var marks: [InlineText.Mark] = []
  private var links: [Hyperlink] = []

  /// Gives wiki links, tags and addresses in the text their looks.
  ///
  /// - Complexity: O(n).
  static func apply(to text: inout InlineText, style: Style) {
    var finder = InlineMarks(text: text, showsLinks: style.hyperlinks)
    finder.find()
    for link in finder.links { _ = text.addLink(link) }
    text.apply(finder.marks)
  }

  private init(text: InlineText, showsLinks: Bool) {
    self.text = text
    self.showsLinks = showsLinks
  }

  private mutating func find() {
    var start = 0
    for run in text.runs {
      defer { start = run.end }
      let isText = run.attributes.isDisjoint(with: [.code, .link, .aside])
      if isText { find(in: start..<run.end) }
    }
  }

  private mutating func find(in run: Range<Int>) {
    let bytes = text.bytes
    var wikiStart: Int?
    var index = run.lowerBound
    while index < run.upperBound {
      switch bytes[index] {
      case UInt8(ascii: "[") where isAt(index + 1, UInt8(ascii: "["), run):
        wikiStart = index
        index += 2
        continue
      case UInt8(ascii: "]") where isAt(index + 1, UInt8(ascii: "]"), run):
        if let start = wikiStart { markWikiLink(start..<index + 2) }
        wikiStart = nil
        index += 2
        continue
      case UInt8(ascii: "#") where wikiStart == nil && beginsWord(index, run):
        index = markTag(from: index, run)
        continue
      case UInt8(ascii: "h") where beginsWord(index, run):
        index = markAddress(from: index, run)
        continue
      case 0x0A:
        wikiStart = nil
      default:
        break
      }
      index += 1
    }
  }

  private func isAt(_ index: Int, _ byte: UInt8, _ run: Range<Int>) -> Bool {
    index < run.upperBound && text.bytes[index] == byte
  }

  /// Whether nothing that makes a word stands before `index`.
  private func beginsWord(_ index: Int, _ run: Range<Int>) -> Bool {
    guard index > 0 else { return true }
    let before = text.bytes[index - 1]
    return before <= 0x20 || before == UInt8(ascii: "(") || before == UInt8(ascii: "[")
      || before == UInt8(ascii: "<") || before == UInt8(ascii: "\"") || before == UInt8(ascii: ",")
  }

  /// Marks a wiki link in place of the tags and addresses that were found inside it.
  private mutating func markWikiLink(_ range: Range<Int>) {
    guard range.count > 4 else { return }
    while let last = marks.last, last.range.lowerBound >= range.lowerBound { marks.removeLast() }
    marks.append(InlineText.Mark(range: range, attributes: .wikiLink))
  }

  /// Marks the tag that begins at a `#`, and returns where to go on.
  private mutating func markTag(from start: Int, _ run: Range<Int>) -> Int {
    var end = start + 1
    var hasLetter = false
    while end < run.upperBound {
      let byte = text.bytes[end]
      let isDigit = byte >= 0x30 && byte <= 0x39
      let isLetter = byte >= 0x80 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
      guard isDigit || isLetter || byte == 0x5F || byte == 0x2D || byte == 0x2F else { break }
      if isLetter { hasLetter = true }
      end += 1
    }
    if hasLetter { marks.append(InlineText.Mark(range: start..<end, attributes: .tag)) }
    return end
  }

  /// Marks the address that begins at an `h`, and returns where to go on.
  private mutating func markAddress(from start: Int, _ run: Range<Int>) -> Int {
    let rest = text.bytes[start..<run.upperBound]
    guard rest.starts(with: "https://".utf8) || rest.starts(with: "http://".utf8) else { return start + 1 }
    var end = start
    while end < run.upperBound, text.bytes[end] > 0x20, text.bytes[end] != 0x3C, text.bytes[end] != 0x22 {
      end += 1
    }
    let address = Self.withoutPunctuation(text.bytes[start..<end])
    guard address.count > 8 else { return end }
    var link: Int?
    if showsLinks, let target = Hyperlink(Array(address)) {
      link = text.links.count + links.count
      links.append(target)
    }
    marks.append(InlineText.Mark(range: address.indices, attributes: .link, link: link))
    return address.endIndex
  }

  /// Leaves out what ends a sentence rather than an address, and a parenthesis that was not opened in it.
  private static func withoutPunctuation(_ address: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var address = address
    var surplus = 0
    for byte in address { surplus += byte == 0x29 ? 1 : byte == 0x28 ? -1 : 0 }
    while let last = address.last {
      let isParenthesis = last == 0x29 && surplus > 0
      guard isParenthesis || ".,;:!?'*]}".utf8.contains(last) else { break }
      if isParenthesis { surplus -= 1 }
      address.removeLast()
    }
    return address
  }
}
