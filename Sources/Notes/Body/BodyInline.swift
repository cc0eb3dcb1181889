/// Reads running text for tags and links, around code, comments and HTML, as cmark-gfm does.
///
/// Each kind of search that may fail remembers how far it failed or stops at the next opening mark, so that no text
/// takes more than linear time.
///
/// Source: CommonMark 0.31, section 6, and cmark's inlines.c where it leaves a choice.
struct BodyInline {
  /// A `[` that may open the text of a link.
  private struct Bracket {
    let position: Int
    let isImage: Bool
    /// Whether no link begins after it that ended: links do not hold links.
    var isActive = true
    /// Whether another one was opened after it.
    var hasInner = false
  }

  /// The constructs that begin with `<` and are not searched again after their first failure.
  private enum Unclosed: Int { case comment, instruction, declaration, data }

  let bytes: UnsafeBufferPointer<UInt8>
  var found = BodyContents()
  /// The labels that have a definition, as they are compared.
  private var labels: Set<String> = []
  /// The definitions and uses of labels; nil if the caller does not need them.
  var labelUses: LabelUses?
  private(set) var start = 0
  private(set) var end = 0
  private var isHTML = false
  private var isAfterComment = false
  /// How many marks of quotations may begin a line of the stretch.
  private var quoteDepth = 0
  private let hasLabelsFirst = TextConventions.has(.labelsFirst)
  private let hasShortcodes = TextConventions.has(.shortcodes)
  private let colonMark: UInt64 = TextConventions.has(.colonTags) ? 1 << 0x3A : 0
  private var brackets: [Bracket] = []
  /// The elements of HTML that are open, each with the number of its anchor if it has one.
  var openAnchors: [(element: String, number: Int?)] = []
  /// The offset of the last run of backticks of each length that a search has found.
  private var lastTicks: [Int] = []
  /// Whether a search for backticks has reached the end, so that `lastTicks` shows which have no partner.
  private var hasAllTicks = false
  /// The end of the search for backticks: in HTML the end of the line.
  private var ticksEnd = 0
  private var unclosed: Set<Unclosed> = []
  /// The offset of the last byte after a backslash.
  private var escaped = -1
  /// The code spans outside of HTML blocks, in which backticks are text; nil if the caller does not need them.
  var codeSpans: [Range<Int>]?
  /// The targets of links, images and definitions in their order; nil if the caller does not need them.
  var targets: [Range<Int>]?
  /// The stretches that were scanned, and those of them that are code, comments or HTML; nil if the caller does not need
  /// them.
  var prose: (scanned: [Range<Int>], skipped: [Range<Int>])?

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Scans a stretch of text: a paragraph, a heading, a cell.
  ///
  /// - Parameters:
  ///   - isHTML: whether it is of a block of HTML, where links of Markdown and wiki links are text.
  ///   - isAfterComment: whether it follows a comment on a line, so that it has wiki links all the same: pages leave the
  ///     comment out.
  mutating func scan(
    _ first: Int, _ last: Int, isHTML: Bool = false, isAfterComment: Bool = false, quoteDepth: Int = 0
  ) {
    (start, end, self.isHTML, self.quoteDepth) = (first, last, isHTML, quoteDepth)
    self.isAfterComment = isAfterComment
    brackets.removeAll(keepingCapacity: true)
    openAnchors.removeAll(keepingCapacity: true)
    (ticksEnd, unclosed, escaped) = (first, [], -1)
    if first < last { prose?.scanned.append(first..<last) }
    var position = first
    while position < last {
      guard isMark(bytes[position]) else {
        position += 1
        continue
      }
      position = take(position)
    }
  }

  /// Whether a byte may begin or end something: `# < [ \ ] {` and the backtick; `:` if tags between colons are read.
  @inline(__always)
  private func isMark(_ byte: UInt8) -> Bool {
    let marks: UInt64 =
      byte < 0x40
      ? 1 << 0x23 | 1 << 0x3C | colonMark : 1 << 0x1B | 1 << 0x1C | 1 << 0x1D | 1 << 0x20 | 1 << 0x3B
    return byte < 0x80 && marks >> UInt64(byte & 0x3F) & 1 == 1
  }

  /// Takes the construct that begins at a mark, and returns the next offset.
  private mutating func take(_ position: Int) -> Int {
    switch bytes[position] {
    case UInt8(ascii: "\\"):
      guard position + 1 < end, isPunctuationByte(bytes[position + 1]) else { return position + 1 }
      escaped = position + 1
      return position + 2
    case UInt8(ascii: "`"):
      let next = takeTicks(position)
      if !isHTML, next > endOfTicks(position) { codeSpans?.append(position..<next) }
      prose?.skipped.append(position..<next)
      return next
    case UInt8(ascii: "<"):
      let next = takeHTML(position)
      if next > position + 1 { prose?.skipped.append(position..<next) }
      return next
    case UInt8(ascii: "#"): return takeTag(position)
    case UInt8(ascii: ":"): return takeColonTags(position)
    case UInt8(ascii: "["): return takeOpening(position)
    case UInt8(ascii: "{"): return takeShortcode(position)
    default: return takeClosing(position)
    }
  }

  /// The link in a shortcode, or a brace.
  private mutating func takeShortcode(_ position: Int) -> Int {
    guard hasShortcodes, let code = Shortcode(bytes, at: position, to: end) else { return position + 1 }
    add(.html, target: code.target, range: code.target, isPageReference: code.isPageReference)
    return code.end
  }

  /// A code span, or backticks without a partner.
  ///
  /// Source: cmark, scan_to_closing_backticks: after a search in vain a run looks for a partner only before the last one
  /// that the latest searches came to.
  private mutating func takeTicks(_ position: Int) -> Int {
    let open = endOfTicks(position)
    let length = open - position
    if position >= ticksEnd {
      ticksEnd = (isHTML ? bytes.offset(of: 0x0A, from: position, to: end) : nil) ?? end
      (lastTicks, hasAllTicks) = ([Int](repeating: -1, count: 81), false)
    }
    guard length < lastTicks.count, !hasAllTicks || lastTicks[length] > open else { return open }
    var candidate = open
    while let next = bytes.offset(of: UInt8(ascii: "`"), from: candidate, to: ticksEnd) {
      candidate = endOfTicks(next)
      if candidate - next < lastTicks.count { lastTicks[candidate - next] = next }
      if candidate - next == length { return candidate }
    }
    hasAllTicks = true
    return open
  }

  private func endOfTicks(_ position: Int) -> Int {
    var position = position
    while position < end, bytes[position] == UInt8(ascii: "`") { position += 1 }
    return position
  }

  /// A comment, an element's tag, or an address between `<` and `>`.
  private mutating func takeHTML(_ position: Int) -> Int {
    let next = position + 1
    guard next < end else { return end }
    switch bytes[next] {
    case UInt8(ascii: "!"): return takeDeclaration(position)
    case UInt8(ascii: "?"): return endOf("?>", .instruction, from: next + 1) ?? next
    default: break
    }
    if let address = endOfAddress(position) { return address }
    guard let tag = HTMLTag(bytes, from: position, to: end, quoteDepth: quoteDepth) else { return next }
    addLinks(of: tag)
    return tag.range.upperBound
  }

  private mutating func takeDeclaration(_ position: Int) -> Int {
    let next = position + 1
    guard position + 2 < end else { return next }
    let text = bytes[(position + 2)..<end]
    if text.starts(with: "--".utf8) { return takeComment(position) ?? next }
    if text.starts(with: "[CDATA[".utf8) { return endOf("]]>", .data, from: position + 9) ?? next }
    let name = text.prefix { (0x41...0x5A).contains($0) }
    guard !name.isEmpty, name.endIndex < end, isSpaceByte(bytes[name.endIndex]) else { return next }
    return endOf(">", .declaration, from: name.endIndex) ?? next
  }

  /// The end of a comment; nil for one that is not closed, holds `--`, or begins with `>` or `->`.
  private mutating func takeComment(_ position: Int) -> Int? {
    let text = bytes[(position + 4)..<end]
    guard let close = endOf("--", .comment, from: position + 4), close > position + 6,
      !text.starts(with: ">".utf8), !text.starts(with: "->".utf8), close < end,
      bytes[close] == UInt8(ascii: ">")
    else { return nil }
    return close + 1
  }

  /// The offset after a text; nil if there is none, which is remembered.
  private mutating func endOf(_ text: StaticString, _ kind: Unclosed, from start: Int) -> Int? {
    guard !unclosed.contains(kind), let last = (0..<text.utf8CodeUnitCount).last else { return nil }
    var candidate = start + last
    while let close = bytes.offset(of: text.utf8Start[last], from: candidate, to: end) {
      if (0..<last).allSatisfy({ bytes[close - last + $0] == text.utf8Start[$0] }) { return close + 1 }
      candidate = close + 1
    }
    unclosed.insert(kind)
    return nil
  }

  /// The end of an address such as `<https://x.org/#a>` or `<a@x.org>`.
  private func endOfAddress(_ position: Int) -> Int? {
    var (mark, index) = (UInt8(0), position + 1)
    while index < end, bytes[index] > 0x20, bytes[index] != UInt8(ascii: "<") {
      if bytes[index] == UInt8(ascii: ">") { return mark == 0 ? nil : index + 1 }
      if mark == 0 {
        if bytes[index] == UInt8(ascii: "@") || bytes[index] == UInt8(ascii: ":") {
          guard index > position + 2 || bytes[index] == UInt8(ascii: "@") && index > position + 1 else {
            return nil
          }
          mark = bytes[index]
        } else if !isAddressByte(bytes[index]) {
          return nil
        }
      }
      index += 1
    }
    return nil
  }

  private func isAddressByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
      || "+.-!#$%&'*/=?^_`{|}~".utf8.contains(byte)
  }
}

extension BodyInline {
  /// A link in double brackets, or the bracket that may open a label.
  private mutating func takeOpening(_ position: Int) -> Int {
    if !isHTML || isAfterComment, let close = takeWikiLink(position) { return close }
    if isHTML { return position + 1 }
    if brackets.count == 10_000 { brackets.removeAll(keepingCapacity: true) }
    if let last = brackets.indices.last { brackets[last].hasInner = true }
    // `![^` is a mark of exclamation before a footnote.
    let isNote = position + 1 < end && bytes[position + 1] == UInt8(ascii: "^")
    brackets.append(Bracket(position: position, isImage: !isNote && isAfterBang(position)))
    return position + 1
  }

  private mutating func takeWikiLink(_ position: Int) -> Int? {
    guard let close = endOfWikiLink(at: position, to: end) else { return nil }
    let bar = bytes.offset(of: UInt8(ascii: "|"), from: position + 2, to: close - 2)
    if hasLabelsFirst, let bar, !isAfterBang(position) {
      return addWikiLink(position, target: bar + 1, to: close - 2, end: close)
    }
    return addWikiLink(position, target: position + 2, to: bar ?? close - 2, end: close)
  }

  /// The end of the double brackets that begin at an offset.
  func endOfWikiLink(at position: Int, to end: Int) -> Int? {
    guard position + 2 < end, bytes[position] == UInt8(ascii: "["), bytes[position + 1] == UInt8(ascii: "[")
    else { return nil }
    for index in (position + 2)..<end {
      switch bytes[index] {
      case UInt8(ascii: "["), 0x0A, 0x0D: return nil
      case UInt8(ascii: "]"):
        return index + 1 < end && bytes[index + 1] == UInt8(ascii: "]") ? index + 2 : nil
      default: break
      }
    }
    return nil
  }

  private mutating func addWikiLink(_ position: Int, target start: Int, to bar: Int, end: Int) -> Int? {
    var (first, last) = (start, bar)
    if bytes[bar] == UInt8(ascii: "|"), last > first, bytes[last - 1] == UInt8(ascii: "\\") { last -= 1 }
    while first < last, isBlankByte(bytes[first]) { first += 1 }
    while first < last, isBlankByte(bytes[last - 1]) { last -= 1 }
    guard first < last, !isLabel(before: end) else { return nil }
    let isEmbed = isAfterBang(position)
    add(isEmbed ? .embed : .wiki, target: first..<last, range: (isEmbed ? position - 1 : position)..<end)
    return end
  }

  /// Whether double brackets are a label in brackets, as in `[[1]](https://x.org)`: an address or a path follows.
  private func isLabel(before position: Int) -> Bool {
    guard position < end, bytes[position] == UInt8(ascii: "("),
      let link = LinkTarget(bytes, inParenthesesFrom: position + 1, to: end)
    else { return false }
    return bytes[link.target].contains { ":/.#".utf8.contains($0) }
  }

  /// The end of a label: with a target after it, or with a definition of its own, it is a link.
  private mutating func takeClosing(_ position: Int) -> Int {
    guard let open = brackets.popLast(), open.isActive else { return position + 1 }
    if labelUses != nil, bytes[open.position + 1] == UInt8(ascii: "^") {
      let label = comparable(open.position + 1..<position)
      labelUses?.used.insert(label)
    }
    if position + 1 < end, bytes[position + 1] == UInt8(ascii: "("),
      let link = LinkTarget(
        bytes, inParenthesesFrom: position + 2, to: end, quoteDepth: quoteDepth)
    {
      let first = open.isImage ? open.position - 1 : open.position
      add(open.isImage ? .image : .markdown, target: link.target, range: first..<link.end)
      closeLink(open)
      return link.end
    }
    guard !labels.isEmpty, let end = endOfReference(open, position) else {
      dropLinks(inFootnote: open, position)
      return position + 1
    }
    closeLink(open)
    return end
  }

  /// Removes the links in `[^text]`, which is the name of a footnote.
  private mutating func dropLinks(inFootnote open: Bracket, _ close: Int) {
    guard bytes[open.position + 1] == UInt8(ascii: "^"), close > open.position + 2 else { return }
    while let last = found.links.last, last.range.lowerBound > open.position,
      last.form == .markdown || last.form == .image
    {
      found.links.removeLast()
    }
  }

  /// Links do not hold links: the brackets around one are text.
  private mutating func closeLink(_ link: Bracket) {
    guard !link.isImage else { return }
    for index in brackets.indices.reversed() where !brackets[index].isImage {
      if !brackets[index].isActive { return }
      brackets[index].isActive = false
    }
  }

  /// The end of `[text][label]`, `[label][]` or `[label]` if the label has a definition.
  private mutating func endOfReference(_ open: Bracket, _ close: Int) -> Int? {
    var label = open.position + 1..<close
    var end = close + 1
    if let next = endOfLabel(from: close + 1, to: self.end) {
      end = next
      if next > close + 3 {
        label = close + 2..<next - 1
      } else if open.hasInner {
        return nil
      }
    } else if open.hasInner {
      return nil
    }
    let name = comparable(label)
    guard labels.contains(name) else { return nil }
    labelUses?.used.insert(name)
    return end
  }

  /// The offset after a label in brackets, which are not nested.
  private func endOfLabel(from start: Int, to limit: Int) -> Int? {
    guard start < limit, bytes[start] == UInt8(ascii: "[") else { return nil }
    var position = start + 1
    while position < limit, position - start <= 1001 {
      switch bytes[position] {
      case UInt8(ascii: "]"): return position + 1
      case UInt8(ascii: "["): return nil
      case UInt8(ascii: "\\") where position + 1 < limit && isPunctuationByte(bytes[position + 1]):
        position += 2
      default: position += 1
      }
    }
    return nil
  }

  /// A label as labels are compared: without case, with single blanks.
  func comparable(_ label: Range<Int>) -> String {
    let words = bytes[label].split { isSpaceByte($0) }
    return String(decoding: Array(words.joined(separator: [0x20])), as: UTF8.self).uppercased().lowercased()
  }

  private func isAfterBang(_ position: Int) -> Bool {
    position > start && bytes[position - 1] == UInt8(ascii: "!") && escaped != position - 1
  }

  mutating func add(
    _ form: BodyScan.Link.Form, target: Range<Int>, range: Range<Int>, isPageReference: Bool = false
  ) {
    if [.markdown, .image, .reference].contains(form) { targets?.append(target) }
    found.links.append(
      BodyScan.Link(
        form: form, target: text(target), range: range, line: 0, isPageReference: isPageReference))
  }

  /// Takes `[label]: target "title"` at the beginning of a paragraph, and returns the start of the text after it.
  mutating func takeDefinition(_ first: Int, _ last: Int, quoteDepth: Int) -> Int? {
    guard let close = endOfLabel(from: first, to: last), close < last, bytes[close] == UInt8(ascii: ":"),
      bytes[(first + 1)..<(close - 1)].contains(where: { !isSpaceByte($0) }),
      let link = LinkTarget(bytes, ofDefinitionFrom: close + 1, to: last, quoteDepth: quoteDepth)
    else { return nil }
    add(.reference, target: link.target, range: first..<link.end)
    let label = comparable(first + 1..<close - 1)
    labelUses?.definitions.append((label, first..<link.end))
    labels.insert(label)
    return bytes.skippingSpaces(from: link.end, to: last, quoteDepth)
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }
}
