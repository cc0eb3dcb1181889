/// A block of raw HTML, by what ends it.
///
/// Source: CommonMark 0.29, section 4.6, which cmark-gfm implements.
enum HTMLBlock {
  /// `<script>`, `<pre>`, `<style>`: nothing in it is read.
  case element
  case comment
  case instruction
  case declaration
  case data
  /// Any other element, up to a blank line.
  case tags

  var endsAtBlank: Bool { if case .tags = self { true } else { false } }
}

extension BodyBlocks {
  /// Begins a block of HTML at the text of a line.
  mutating func takeHTML(_ line: BodyLine, depth: Int, isParagraph: Bool) -> Bool {
    guard let block = htmlStart(line, isParagraph: isParagraph) else { return false }
    close(to: depth, before: line)
    leaf = .html(block)
    takeHTMLLine(line, block)
    return true
  }

  /// Takes a line of a block of HTML, which may end it; the text after a comment is read.
  mutating func takeHTMLLine(_ line: BodyLine, _ block: HTMLBlock) {
    var close: Int?
    switch block {
    case .tags: return add(line.text..<line.end, isHTML: true)
    case .element:
      for name in ["</script>", "</pre>", "</style>"] as [StaticString] where close == nil {
        close = find(name, in: line)
      }
    case .comment:
      close = find("-->", in: line)
      if let close { add(close..<line.end, isHTML: true) }
    case .instruction: close = find("?>", in: line)
    case .declaration: close = find(">", in: line)
    case .data: close = find("]]>", in: line)
    }
    if close != nil { leaf = .none }
  }

  private func htmlStart(_ line: BodyLine, isParagraph: Bool) -> HTMLBlock? {
    let next = line.text + 1
    guard next < line.end else { return nil }
    switch bytes[next] {
    case UInt8(ascii: "?"): return .instruction
    case UInt8(ascii: "!"):
      if starts("--", at: next + 1, to: line.end) { return .comment }
      if starts("[CDATA[", at: next + 1, to: line.end) { return .data }
      return next + 1 < line.end && (0x41...0x5A).contains(bytes[next + 1]) ? .declaration : nil
    default: break
    }
    let isClosing = bytes[next] == UInt8(ascii: "/")
    let start = isClosing ? next + 1 : next
    var last = start
    while last < line.end, isNameByte(bytes[last]) { last += 1 }
    let name = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<last]), as: UTF8.self)
      .lowercased()
    let isAtEnd = last == line.end || isSpaceByte(bytes[last]) || bytes[last] == UInt8(ascii: ">")
    if !isClosing, isAtEnd, ["script", "pre", "style"].contains(name) { return .element }
    if isAtEnd || starts("/>", at: last, to: line.end), Self.blockNames.contains(name) { return .tags }
    guard !isParagraph,
      let tag = HTMLTag(bytes, from: line.text, to: line.end), tag.isElement,
      (tag.range.upperBound..<line.end).allSatisfy({ isBlankByte(bytes[$0]) })
    else { return nil }
    return .tags
  }

  private func isNameByte(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }

  private func find(_ text: StaticString, in line: BodyLine) -> Int? {
    var position = line.text
    while let candidate = bytes.offset(of: text.utf8Start[0], from: position, to: line.end) {
      if starts(text, at: candidate, to: line.end) { return candidate }
      position = candidate + 1
    }
    return nil
  }

  /// Whether a text of small letters begins at an offset; the case of letters does not count.
  private func starts(_ text: StaticString, at position: Int, to end: Int) -> Bool {
    let count = text.utf8CodeUnitCount
    guard end - position >= count else { return false }
    for index in 0..<count {
      let (byte, wanted) = (bytes[position + index], text.utf8Start[index])
      guard byte == wanted || (0x41...0x5A).contains(byte) && byte | 0x20 == wanted else { return false }
    }
    return true
  }

  private static let blockNames: Set<String> = [
    "address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col",
    "colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure",
    "footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html",
    "iframe", "legend", "li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup",
    "option", "p", "param", "section", "source", "summary", "table", "tbody", "td", "tfoot", "th", "thead",
    "title", "tr", "track", "ul",
  ]
}
