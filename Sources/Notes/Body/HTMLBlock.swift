/// A block of raw HTML, by its end condition.
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
    if case .element = block { beginElement(at: line.text) }
    if case .tags = block { add(line.text..<line.end, isHTML: true) } else { takeHTMLLine(line, block) }
    return true
  }

  /// Takes a further line of a block of HTML, which may end it; the text after a comment is read.
  mutating func takeHTMLLine(_ line: BodyLine, _ block: HTMLBlock) {
    var close: Int?
    switch block {
    case .tags: return extendHTML(to: line.end)
    case .element:
      for name in ["</script>", "</pre>", "</style>"] as [StaticString] where close == nil {
        close = find(name, in: line)
      }
    case .comment:
      close = find("-->", in: line)
      if let close { add(close..<line.end, isHTML: true, isAfterComment: true) }
    case .instruction: close = find("?>", in: line)
    case .declaration: close = find(">", in: line)
    case .data: close = find("]]>", in: line)
    }
    guard close != nil else { return }
    if case .element = block { endElement(at: line.end) }
    leaf = .none
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

/// A tag, comment, instruction or declaration of raw HTML in running text.
///
/// Source: CommonMark 0.31, section 6.6, with the comments of cmark-gfm 0.29.
struct HTMLTag {
  /// The value of an attribute, without its quotes.
  struct Attribute {
    let name: Range<Int>
    let value: Range<Int>
  }

  private(set) var range: Range<Int>
  /// The name of the element; empty if the tag has none.
  private(set) var name: Range<Int>
  private(set) var isClosing = false
  /// The attributes that have a value.
  private(set) var attributes: [Attribute] = []

  /// Whether this is the tag of an element.
  var isElement: Bool { !name.isEmpty }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let limit: Int
  private let quoteDepth: Int
  private var position: Int

  /// Reads the tag of an element that begins at a `<`; nil if there is none.
  ///
  /// - Parameter quoteDepth: how many marks of quotations may begin a line.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to limit: Int, quoteDepth: Int = 0) {
    (self.bytes, self.limit, self.quoteDepth) = (bytes, limit, quoteDepth)
    position = start + 1
    (range, name) = (start..<start, start..<start)
    if peek == UInt8(ascii: "/") {
      isClosing = true
      position += 1
    }
    let first = position
    guard isLetter(peek) else { return nil }
    while isLetter(peek) || isDigit(peek) || peek == UInt8(ascii: "-") { position += 1 }
    name = first..<position
    if !isClosing {
      while takeAttribute() {}
    }
    skipSpaces()
    if !isClosing, peek == UInt8(ascii: "/") { position += 1 }
    guard position < limit, peek == UInt8(ascii: ">") else { return nil }
    range = start..<position + 1
  }

  private var peek: UInt8 { position < limit ? bytes[position] : 0 }

  private mutating func takeAttribute() -> Bool {
    let start = position
    skipSpaces()
    let first = position
    guard position > start, isLetter(peek) || peek == UInt8(ascii: "_") || peek == UInt8(ascii: ":") else {
      position = start
      return false
    }
    while isLetter(peek) || isDigit(peek) || ":._-".utf8.contains(peek) { position += 1 }
    let name = first..<position
    let end = position
    skipSpaces()
    guard peek == UInt8(ascii: "=") else {
      position = end
      return true
    }
    position += 1
    skipSpaces()
    guard let value = takeValue() else {
      position = end
      return true
    }
    attributes.append(Attribute(name: name, value: value))
    return true
  }

  private mutating func takeValue() -> Range<Int>? {
    let quote = peek
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      guard let close = bytes.offset(of: quote, from: position + 1, to: limit) else { return nil }
      defer { position = close + 1 }
      return position + 1..<close
    }
    let start = position
    while position < limit, !isSpaceByte(peek), !"\"'=<>`".utf8.contains(peek) { position += 1 }
    return position > start ? start..<position : nil
  }

  /// Skips white space, and quotation marks at the beginning of a line.
  private mutating func skipSpaces() {
    position = bytes.skippingSpaces(from: position, to: limit, quoteDepth)
  }

  private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension BodyInline {
  /// The links in the attributes of a tag.
  mutating func addLinks(of tag: HTMLTag) {
    let element = text(tag.name).lowercased()
    guard !tag.isClosing else { return closeAnchor(tag, element) }
    defer {
      openAnchors.append((element, found.anchors.last?.range == tag.range ? found.anchors.count - 1 : nil))
    }
    for attribute in tag.attributes where !attribute.value.isEmpty {
      let name = text(attribute.name).lowercased()
      if name == "id" || name == "name" && element == "a" { addAnchor(tag, element, attribute.value) }
      let isLink = name == "src" || name == "href" && (element == "a" || element == "area")
      if isLink || name == "poster" || name == "data" && element == "object" {
        add(.html, target: attribute.value, range: attribute.value)
      } else if name == "srcset" {
        for address in addresses(inSet: attribute.value) { add(.html, target: address, range: address) }
      }
    }
  }

  /// The addresses of a `srcset`: `a.png 1x, b.png 2x`.
  ///
  /// Source: the HTML standard, "parse a srcset attribute".
  private func addresses(inSet value: Range<Int>) -> [Range<Int>] {
    let comma = UInt8(ascii: ",")
    var (addresses, position) = ([Range<Int>](), value.lowerBound)
    while position < value.upperBound {
      if isSpaceByte(bytes[position]) || bytes[position] == comma {
        position += 1
        continue
      }
      let first = position
      while position < value.upperBound, !isSpaceByte(bytes[position]) { position += 1 }
      var last = position
      while last > first, bytes[last - 1] == comma { last -= 1 }
      addresses.append(first..<last)
      // Without a comma, the width or density follows.
      guard last == position else { continue }
      position = bytes.offset(of: comma, from: position, to: value.upperBound) ?? value.upperBound
    }
    return addresses
  }

  /// Remembers the tag that ends the element of an anchor.
  private mutating func closeAnchor(_ tag: HTMLTag, _ element: String) {
    guard let open = openAnchors.popLast(), open.element == element, let number = open.number else { return }
    found.anchors[number].closing = tag.range
  }

  private mutating func addAnchor(_ tag: HTMLTag, _ element: String, _ name: Range<Int>) {
    guard found.anchors.last?.range.lowerBound != tag.range.lowerBound else { return }
    found.anchors.append(
      BodyScan.Anchor(
        name: text(name), range: tag.range,
        isInvisible: (element == "a" || element == "span")
          && !tag.attributes.contains { text($0.name).lowercased() == "href" }))
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The offset after white space, and after quotation marks at the beginning of a line.
  func skippingSpaces(from start: Int, to limit: Int, _ quoteDepth: Int) -> Int {
    var (position, marks) = (start, 0)
    while position < limit {
      let byte = self[position]
      if byte == 0x0A || byte == 0x0D {
        marks = quoteDepth
      } else if byte == UInt8(ascii: ">"), marks > 0 {
        marks -= 1
      } else if !isSpaceByte(byte) {
        break
      }
      position += 1
    }
    return position
  }
}
