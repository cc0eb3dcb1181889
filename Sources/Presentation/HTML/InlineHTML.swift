import CCmark
import Notes

/// Running text: emphasis, links, images, code, and what our own scanner has marked.
struct InlineHTML {
  let body: MarkedBody
  /// The footnotes at the end that were written so far.
  var footnotes = 0
  /// The links that are open: how each ends.
  private var links: [LinkEnd] = []
  /// The images that are open; inside of them there is text alone.
  private var images: [[UInt8]] = []
  /// Raw elements and highlights that are open, each with the number of Markdown's elements around it.
  private var elements: [(name: String, depth: Int)] = []
  private var depth = 0
  private var referred: Set<[UInt8]> = []

  private enum LinkEnd { case link, span, nothing }

  init(_ body: MarkedBody) { self.body = body }

  /// - Parameter skippingMark: whether the mark with which a text begins is shown elsewhere.
  mutating func enter(
    _ kind: MarkdownNode, _ node: OpaquePointer, skippingMark: Bool = false,
    _ out: inout MarkupWriter
  ) {
    switch kind {
    case .text:
      write(MarkdownNode.bytes(cmark_node_get_literal(node)), skippingMark: skippingMark, &out)
    case .code: writeCode(body.original(of: MarkdownNode.bytes(cmark_node_get_literal(node))), &out)
    case .html: writeHTML(body.original(of: MarkdownNode.bytes(cmark_node_get_literal(node))), &out)
    case .softBreak where !body.breaksLines: images.isEmpty ? out.add("\n") : addToImage([0x20])
    case .softBreak, .lineBreak: images.isEmpty ? out.add("<br>\n") : addToImage([0x20])
    case .emphasis: open("<em>", &out)
    case .strong: open("<strong>", &out)
    case .deleted: open("<del>", &out)
    case .footnoteReference:
      writeFootnoteReference(MarkdownNode.bytes(cmark_node_get_literal(node)), &out)
    case .link:
      open(target(MarkdownNode.bytes(cmark_node_get_url(node))), title(node), &out)
      depth += 1
    case .image: images.append([])
    default: break
    }
  }

  mutating func leave(_ kind: MarkdownNode, _ node: OpaquePointer, _ out: inout MarkupWriter) {
    switch kind {
    case .emphasis: close("</em>", &out)
    case .strong: close("</strong>", &out)
    case .deleted: close("</del>", &out)
    case .link:
      closeElements(&out)
      depth -= 1
      switch links.popLast() {
      case .link: markup("</a>", &out)
      case .span: markup("</span>", &out)
      default: break
      }
    case .image: closeImage(node, &out)
    default: break
    }
  }

  /// Ends a block: raw elements that are still open are closed.
  mutating func end(_ out: inout MarkupWriter) {
    while let element = elements.popLast() { RawElement.close(element.name, &out) }
    depth = 0
  }
}

extension InlineHTML {
  private mutating func open(_ markup: StaticString, _ out: inout MarkupWriter) {
    self.markup(markup, &out)
    depth += 1
  }

  private mutating func close(_ markup: StaticString, _ out: inout MarkupWriter) {
    closeElements(&out)
    depth -= 1
    self.markup(markup, &out)
  }

  /// Closes the raw elements that began inside of the element of Markdown which ends here.
  private mutating func closeElements(_ out: inout MarkupWriter) {
    while let last = elements.last, last.depth >= depth, depth > 0 {
      elements.removeLast()
      RawElement.close(last.name, &out)
    }
  }

  private mutating func open(element name: String, _ out: inout MarkupWriter) {
    elements.append((name, depth))
    RawElement.open(name, &out)
  }

  /// Closes a raw element; false if it did not begin in the same element of Markdown.
  private mutating func close(element name: String, _ out: inout MarkupWriter) -> Bool {
    guard let last = elements.last, last.name == name, last.depth == depth else { return false }
    elements.removeLast()
    RawElement.close(name, &out)
    return true
  }

  private mutating func markup(_ markup: StaticString, _ out: inout MarkupWriter) {
    if images.isEmpty { out.add(markup) }
  }

  private mutating func addToImage(_ text: [UInt8]) {
    if !images.isEmpty { images[images.count - 1] += text }
  }

  private mutating func write(_ text: [UInt8], skippingMark: Bool, _ out: inout MarkupWriter) {
    for piece in body.pieces(of: text).dropFirst(skippingMark ? 1 : 0) {
      switch piece {
      case .text(let bytes) where images.isEmpty:
        PlainTextHTML.write(bytes, linking: links.isEmpty, opensTabs: body.opensTabs, &out)
      case .text(let bytes): addToImage(Array(bytes))
      case .mark(let mark) where images.isEmpty: write(mark, &out)
      case .mark(let mark): addToImage(body.original(of: mark))
      }
    }
  }

  private mutating func write(_ mark: BodyMark, _ out: inout MarkupWriter) {
    let isOutside = links.isEmpty
    switch mark.content {
    case .link(let label, let target): LinkHTML.write(label, isOutside ? target : .text, &out)
    case .embed(let label, let target, let size):
      EmbedHTML.write(label, isOutside || target.isImage ? target : .text, size: size, &out)
    case .tag(let name, let address):
      LinkHTML.writeTag(name, isOutside ? address : nil, &out)
    case .block(""), .hidden: break
    case .block(let name): writeAnchor(name, &out)
    case .checkBox(let isDone, let line):
      out.add("<input type=\"checkbox\" disabled")
      if isDone { out.add(" checked") }
      if let line { out.attribute("data-line", String(line)) }
      out.add(">")
    case .box(let sign, let line):
      out.add("<input type=\"checkbox\" disabled")
      out.attribute("data-task", sign)
      out.attribute("aria-label", sign)
      if let line { out.attribute("data-line", String(line)) }
      out.add(">")
    case .target, .callout, .footnote: out.text(body.original(of: mark))
    case .transclusion(let label, let target, _):
      LinkHTML.write(label, isOutside ? target : .text, &out)
    case .highlight(isOpening: true): open(element: "mark", &out)
    case .highlight(isOpening: false):
      if !close(element: "mark", &out) { out.text(body.original(of: mark)) }
    case .math(let isBlock):
      let source = body.original(of: mark)
      if let markup = body.rendered.formula(source, isBlock: isBlock) { return out.add(markup) }
      out.add(isBlock ? "<span class=\"math display\">" : "<span class=\"math\">")
      out.text(source)
      out.add("</span>")
    }
  }

  private mutating func writeCode(_ code: [UInt8], _ out: inout MarkupWriter) {
    guard images.isEmpty else { return addToImage(code) }
    out.add("<code>")
    out.text(code)
    out.add("</code>")
  }

  private mutating func writeHTML(_ html: [UInt8], _ out: inout MarkupWriter) {
    guard images.isEmpty else { return }
    if HTMLText.isLineBreak(html) { return out.add("<br>") }
    if let element = RawElement(html) {
      guard element.isClosing else { return open(element: element.name, &out) }
      if !close(element: element.name, &out) { out.text(html) }
      return
    }
    writeAnchors(of: html, &out)
    out.text(HTMLText.withoutComments(html))
  }

  /// Writes the ids of elements that are shown as text: links lead to them.
  func writeAnchors(of html: [UInt8], _ out: inout MarkupWriter) {
    guard body.namesAnchors else { return }
    for anchor in BodyScan(NoteText(html)).anchors { writeAnchor(anchor.name, &out) }
  }

  private func writeAnchor(_ name: String, _ out: inout MarkupWriter) {
    out.add("<span class=\"block\"")
    out.attribute("id", name)
    out.add("></span>")
  }

  private mutating func writeFootnoteReference(_ number: [UInt8], _ out: inout MarkupWriter) {
    guard images.isEmpty else { return }
    let text = String(decoding: number, as: UTF8.self)
    out.add("<sup class=\"footnote\"><a")
    out.attribute("href", "\(body.anchorBase)#fn:\(body.idPrefix)\(text)")
    if referred.insert(number).inserted { out.attribute("id", "ref:\(body.idPrefix)\(text)") }
    out.add(">")
    out.text(text)
    out.add("</a></sup>")
  }

  private func title(_ node: OpaquePointer) -> String {
    String(
      decoding: body.original(of: MarkdownNode.bytes(cmark_node_get_title(node))), as: UTF8.self)
  }

  /// The target of a link's or an image's address.
  private func target(_ url: [UInt8]) -> PageTarget {
    if case .target(let target) = body.mark(url)?.content { return target }
    let address = body.original(of: url)
    return body.opensTabs ? .tab(address) : .url(address)
  }

  private mutating func open(_ target: PageTarget, _ title: String, _ out: inout MarkupWriter) {
    guard images.isEmpty, links.isEmpty else { return links.append(.nothing) }
    if case .broken = target {
      out.add("<span class=\"broken\">")
      return links.append(.span)
    }
    links.append(LinkHTML.open(target, title: title, &out) ? .link : .nothing)
  }

  private mutating func closeImage(_ node: OpaquePointer, _ out: inout MarkupWriter) {
    guard let label = images.popLast() else { return }
    guard images.isEmpty else { return addToImage(label) }
    var target = target(MarkdownNode.bytes(cmark_node_get_url(node)))
    if !links.isEmpty, !target.isImage { target = .text }
    let parts = WikiLabel.imageParts(String(decoding: label, as: UTF8.self))
    EmbedHTML.write(parts.text ?? "", target, size: parts.size, title: title(node), &out)
  }
}

/// An element of raw HTML that a page may have: one without attributes that only changes how its text looks.
struct RawElement {
  let name: String
  let isClosing: Bool

  private static let names: Set<String> = [
    "kbd", "sub", "sup", "mark", "u", "s", "b", "i", "small",
  ]

  /// Reads a tag; nil for any that a page does not have.
  init?(_ tag: [UInt8]) {
    guard tag.first == UInt8(ascii: "<"), tag.last == UInt8(ascii: ">"), tag.count < 12 else {
      return nil
    }
    let inner = String(decoding: tag[1..<tag.count - 1], as: UTF8.self).lowercased()
    isClosing = inner.hasPrefix("/")
    name = isClosing ? String(inner.dropFirst()) : inner
    guard Self.names.contains(name) else { return nil }
  }

  static func open(_ name: String, _ out: inout MarkupWriter) {
    out.add("<")
    out.text(name)
    out.add(">")
  }

  static func close(_ name: String, _ out: inout MarkupWriter) {
    out.add("</")
    out.text(name)
    out.add(">")
  }
}
