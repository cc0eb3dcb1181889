/// Looks through running text for tags and links, around code, comments and HTML tags.
///
/// Each kind of search that may fail remembers how far it failed or stops at the next opening mark, so that no text
/// takes more than linear time.
struct BodyInline {
  let bytes: UnsafeBufferPointer<UInt8>
  var found = BodyContents()
  private var start = 0
  private var end = 0
  private var brackets: [Int] = []
  /// A bit for each length of backticks that has no further partner.
  private var lonelyTicks: UInt64 = 0
  private var isCommentOpen = false
  /// Where the last byte after a backslash is.
  private var escaped = -1
  /// The stretches that were scanned, and those of them that are code, comments or HTML; nil where nobody asks.
  var prose: (scanned: [Range<Int>], skipped: [Range<Int>])?

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Scans a stretch of text: a paragraph, an item, a heading, a row.
  mutating func scan(_ first: Int, _ last: Int) {
    (start, end) = (first, last)
    brackets.removeAll(keepingCapacity: true)
    (lonelyTicks, isCommentOpen, escaped) = (0, false, -1)
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

  /// Whether a byte may begin or end something: `# < [ \ ]` and the backtick.
  @inline(__always)
  private func isMark(_ byte: UInt8) -> Bool {
    let marks: UInt64 = byte < 0x40 ? 1 << 0x23 | 1 << 0x3C : 1 << 0x1B | 1 << 0x1C | 1 << 0x1D | 1 << 0x20
    return byte < 0x80 && marks >> UInt64(byte & 0x3F) & 1 == 1
  }

  /// Takes what a mark begins, and returns where to go on.
  private mutating func take(_ position: Int) -> Int {
    switch bytes[position] {
    case UInt8(ascii: "\\"):
      escaped = position + 1
      return position + 2
    case UInt8(ascii: "`"):
      let next = takeTicks(position)
      prose?.skipped.append(position..<next)
      return next
    case UInt8(ascii: "<"):
      let next = takeHTML(position)
      if next > position + 1 { prose?.skipped.append(position..<next) }
      return next
    case UInt8(ascii: "#"): return takeTag(position)
    case UInt8(ascii: "["): return takeOpening(position)
    default: return takeClosing(position)
    }
  }

  /// A code span, or backticks without a partner.
  private mutating func takeTicks(_ position: Int) -> Int {
    let open = endOfTicks(position)
    let length = open - position
    guard length < 64, lonelyTicks >> UInt64(length) & 1 == 0 else { return open }
    var candidate = open
    while let next = bytes.offset(of: UInt8(ascii: "`"), from: candidate, to: end) {
      candidate = endOfTicks(next)
      if candidate - next == length { return candidate }
    }
    lonelyTicks |= 1 << UInt64(length)
    return open
  }

  private func endOfTicks(_ position: Int) -> Int {
    var position = position
    while position < end, bytes[position] == UInt8(ascii: "`") { position += 1 }
    return position
  }

  /// A comment, an element's tag, or an address between `<` and `>`.
  private mutating func takeHTML(_ position: Int) -> Int {
    guard position + 1 < end else { return end }
    switch bytes[position + 1] {
    case UInt8(ascii: "!"): return takeComment(position)
    case UInt8(ascii: "/"), UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
      return endOfElement(position) ?? position + 1
    default: return position + 1
    }
  }

  private mutating func takeComment(_ position: Int) -> Int {
    guard !isCommentOpen, position + 4 <= end, bytes[position + 2] == UInt8(ascii: "-"),
      bytes[position + 3] == UInt8(ascii: "-")
    else { return position + 1 }
    var candidate = position + 4
    while let close = bytes.offset(of: UInt8(ascii: ">"), from: candidate, to: end) {
      if close >= position + 4, bytes[close - 1] == UInt8(ascii: "-"), bytes[close - 2] == UInt8(ascii: "-") {
        return close + 1
      }
      candidate = close + 1
    }
    isCommentOpen = true
    return position + 1
  }

  /// The end of a tag of HTML or of an address; nil where a second `<`, a `#` by itself or the end comes first.
  private func endOfElement(_ position: Int) -> Int? {
    var quote: UInt8 = 0
    for index in (position + 1)..<end {
      let byte = bytes[index]
      if quote != 0 {
        if byte == quote { quote = 0 }
      } else if byte == UInt8(ascii: ">") {
        return index + 1
      } else if byte == UInt8(ascii: "<") {
        return nil
      } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
        guard bytes[index - 1] == UInt8(ascii: "=") else { return nil }
        quote = byte
      } else if byte == UInt8(ascii: "#"), isBlank(bytes[index - 1]) || bytes[index - 1] == 0x0A {
        return nil
      }
    }
    return nil
  }
}

extension BodyInline {
  /// A link in double brackets, or the bracket that may open a label.
  private mutating func takeOpening(_ position: Int) -> Int {
    if let close = takeWikiLink(position) { return close }
    if brackets.count == 10_000 { brackets.removeAll(keepingCapacity: true) }
    brackets.append(position)
    return position + 1
  }

  private mutating func takeWikiLink(_ position: Int) -> Int? {
    guard position + 2 < end, bytes[position + 1] == UInt8(ascii: "[") else { return nil }
    var bar: Int?
    for index in (position + 2)..<end {
      switch bytes[index] {
      case UInt8(ascii: "["), 0x0A: return nil
      case UInt8(ascii: "|") where bar == nil: bar = index
      case UInt8(ascii: "]"):
        guard index + 1 < end, bytes[index + 1] == UInt8(ascii: "]") else { return nil }
        return addWikiLink(position, target: position + 2, to: bar ?? index, end: index + 2)
      default: break
      }
    }
    return nil
  }

  private mutating func addWikiLink(_ position: Int, target start: Int, to bar: Int, end: Int) -> Int? {
    var (first, last) = (start, bar)
    if bytes[bar] == UInt8(ascii: "|"), last > first, bytes[last - 1] == UInt8(ascii: "\\") { last -= 1 }
    while first < last, isBlank(bytes[first]) { first += 1 }
    while first < last, isBlank(bytes[last - 1]) { last -= 1 }
    guard first < last, !isLabel(before: end) else { return nil }
    let isEmbed = isAfterBang(position)
    add(isEmbed ? .embed : .wiki, target: first..<last, range: (isEmbed ? position - 1 : position)..<end)
    return end
  }

  /// Whether double brackets are a label in brackets, as in `[[1]](https://x.org)`: an address or a path follows.
  private func isLabel(before position: Int) -> Bool {
    guard position < end, bytes[position] == UInt8(ascii: "("),
      let link = LinkTarget(bytes, from: position + 1, to: end, isInParentheses: true)
    else { return false }
    return bytes[link.target].contains { ":/.#".utf8.contains($0) }
  }

  /// The end of a label: with a target after it, it is a link.
  private mutating func takeClosing(_ position: Int) -> Int {
    guard let open = brackets.popLast(), position + 1 < end, bytes[position + 1] == UInt8(ascii: "("),
      let link = LinkTarget(bytes, from: position + 2, to: end, isInParentheses: true)
    else { return position + 1 }
    let isImage = isAfterBang(open)
    add(isImage ? .image : .markdown, target: link.target, range: (isImage ? open - 1 : open)..<link.end)
    return link.end
  }

  private func isAfterBang(_ position: Int) -> Bool {
    position > start && bytes[position - 1] == UInt8(ascii: "!") && escaped != position - 1
  }

  private mutating func add(_ form: BodyScan.Link.Form, target: Range<Int>, range: Range<Int>) {
    found.links.append(BodyScan.Link(form: form, target: text(target), range: range, line: 0))
  }

  /// Takes `[label]: target "title"` where a whole line is that; footnotes are not.
  mutating func takeDefinition(_ first: Int, _ last: Int) -> Bool {
    guard first + 1 < last, bytes[first + 1] != UInt8(ascii: "^") else { return false }
    var close = first + 1
    while close < min(last, first + 1000), bytes[close] != UInt8(ascii: "]") {
      if bytes[close] == UInt8(ascii: "[") { return false }
      close += bytes[close] == UInt8(ascii: "\\") ? 2 : 1
    }
    guard close > first + 1, close + 1 < last, bytes[close] == UInt8(ascii: "]"),
      bytes[close + 1] == UInt8(ascii: ":"),
      let link = LinkTarget(bytes, from: close + 2, to: last, isInParentheses: false), !link.target.isEmpty
    else { return false }
    add(.reference, target: link.target, range: first..<link.end)
    return true
  }

  /// Takes a heading that says something: the first, and the first of the first level before it.
  mutating func takeHeading(_ first: Int, _ last: Int, level: Int) {
    let isTop = level == 1
    guard found.heading.map({ isTop && !$0.isTop }) ?? true, first < last else { return }
    let limit = min(last, first + 1000)
    var cut = limit
    while cut < last, cut > first, bytes[cut] & 0xC0 == 0x80 { cut -= 1 }
    let plain = PlainText.of(Array(bytes[first..<cut]))
    if !plain.isEmpty { found.heading = TitleHeading(text: plain, isTop: isTop) }
  }

  func text(_ range: Range<Int>) -> String {
    String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0D }
}

extension BodyInline {
  /// A tag, unless what is before or in it says otherwise.
  private mutating func takeTag(_ position: Int) -> Int {
    guard mayFollow(position) else { return position + 1 }
    let last = TagName.end(in: bytes, from: position + 1, to: end)
    if last > position + 1, last - position <= TagName.longest, TagName.isTag(bytes, position + 1, last) {
      found.tags.append(BodyScan.InlineTag(name: text((position + 1)..<last), offset: position))
    }
    return max(last, position + 1)
  }

  /// Whether a tag may stand here: at the beginning, after a blank, after what opens a bracket or emphasis.
  private func mayFollow(_ position: Int) -> Bool {
    guard position > start else { return true }
    let before = bytes[position - 1]
    switch before {
    case 0x09...0x0D, 0x20, UInt8(ascii: "["), UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: "|"),
      UInt8(ascii: ">"):
      return true
    case UInt8(ascii: "("): return position - 2 < start || bytes[position - 2] != UInt8(ascii: "]")
    case 0x80...: return TagName.opens(scalarBefore: position, in: bytes, from: start)
    default: return false
    }
  }
}
