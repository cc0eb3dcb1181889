import CCmark
import Text

/// Gathers the running text of one block from the nodes inside it.
struct InlineLayout {
  private let style: Style
  /// The number of bytes of addresses that may still be shown: a reference can be used more often than it is written.
  private var addressBudget: Int
  private var text = InlineText()
  private var emphasis = 0
  private var strong = 0
  private var deleted = 0
  private var images: [OpenLink] = []
  private var links: [OpenLink] = []

  /// A link or image whose inside is being read.
  private struct OpenLink {
    let address: [UInt8]
    /// The offset of its text.
    let start: Int
    /// Its index among the text's links, if the terminal shows it as a link.
    let link: Int?
  }

  init(style: Style, addressBudget: Int) {
    self.style = style
    self.addressBudget = addressBudget
  }

  /// Begins a block.
  mutating func begin() {
    text = InlineText()
    (emphasis, strong, deleted, images, links) = (0, 0, 0, [], [])
  }

  /// Ends the block and returns its text.
  mutating func end() -> InlineText {
    InlineMarks.apply(to: &text, style: style)
    defer { text = InlineText() }
    return text
  }

  /// Begins a node inside the block.
  mutating func enter(_ kind: MarkdownNode, _ node: OpaquePointer) {
    switch kind {
    case .text: add(MarkdownNode.bytes(cmark_node_get_literal(node)), [])
    case .code: addCode(MarkdownNode.bytes(cmark_node_get_literal(node)))
    case .html: addHTML(MarkdownNode.bytes(cmark_node_get_literal(node)))
    case .softBreak: add([0x20], [])
    case .lineBreak: text.breakLine()
    case .emphasis: emphasis += 1
    case .strong: strong += 1
    case .deleted:
      deleted += 1
      addSigns("~~", .deleted)
    case .link: links.append(opened(node))
    case .image:
      images.append(opened(node))
      text.append("[image: ", attributes(.aside), link: link)
    default: break
    }
  }

  /// Ends a node inside the block.
  mutating func leave(_ kind: MarkdownNode, _ node: OpaquePointer) {
    switch kind {
    case .emphasis: emphasis -= 1
    case .strong: strong -= 1
    case .deleted:
      addSigns("~~", .deleted)
      deleted -= 1
    case .link: closeLink()
    case .image: closeImage()
    default: break
    }
  }
}

extension InlineLayout {
  /// The place that the text being read leads to.
  private var link: Int? { links.last?.link ?? images.last?.link }

  private func attributes(_ own: TextAttributes) -> TextAttributes {
    var attributes = own
    if emphasis > 0 { attributes.insert(.emphasis) }
    if strong > 0 { attributes.insert(.strong) }
    if deleted > 0 { attributes.insert(.deleted) }
    if !links.isEmpty { attributes.insert(.link) }
    if !images.isEmpty { attributes.insert(.aside) }
    return attributes
  }

  private mutating func add(_ bytes: [UInt8], _ own: TextAttributes) {
    text.append(bytes.span, attributes(own), link: link)
  }

  /// Adds signs in place of text attributes if there are no colours.
  private mutating func addSigns(_ signs: String, _ own: TextAttributes) {
    if !style.colour { text.append(signs, attributes(own), link: link) }
  }

  private mutating func addCode(_ code: [UInt8]) {
    addSigns("`", .code)
    add(code, .code)
    addSigns("`", .code)
  }

  private mutating func addHTML(_ html: [UInt8]) {
    if HTMLText.isLineBreak(html) {
      text.breakLine()
    } else {
      add(HTMLText.withoutComments(html).map { $0 == 0x0A || $0 == 0x0D ? 0x20 : $0 }, .aside)
    }
  }

  private mutating func opened(_ node: OpaquePointer) -> OpenLink {
    let address = MarkdownNode.bytes(cmark_node_get_url(node))
    var link: Int?
    if style.hyperlinks, address.count <= addressBudget, let target = Hyperlink(address) {
      addressBudget -= address.count
      link = text.addLink(target)
    }
    return OpenLink(address: address, start: text.bytes.count, link: link)
  }

  /// Ends a link: its address follows, unless the terminal knows it or the label says it already.
  private mutating func closeLink() {
    guard let closed = links.popLast() else { return }
    let label = text.bytes[min(closed.start, text.bytes.count)...]
    let address = closed.address
    let isSaid = Hyperlink.isSaid(by: label, address)
    let isPlace = address.isEmpty || address.first == UInt8(ascii: "#")
    let isKnown = closed.link != nil && !label.isEmpty
    guard !isKnown, !isSaid, !isPlace, address.count <= addressBudget else { return }
    addressBudget -= address.count
    text.append(label.isEmpty ? "(" : " (", attributes(.aside))
    add(address, .aside)
    text.append(")", attributes(.aside))
  }

  private mutating func closeImage() {
    guard let closed = images.last else { return }
    if text.bytes.count == closed.start + "[image: ".utf8.count, closed.address.count <= addressBudget {
      addressBudget -= closed.address.count
      let name = closed.address.split(separator: UInt8(ascii: "/")).last.map(Array.init) ?? closed.address
      add(name, .aside)
    }
    text.append("]", attributes(.aside), link: link)
    images.removeLast()
  }
}

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

  /// Whether no letter, digit or similar character precedes `index`.
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

  /// Removes the punctuation of the sentence from the end, and a closing parenthesis that the address does not open.
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
