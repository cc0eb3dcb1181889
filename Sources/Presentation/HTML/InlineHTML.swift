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
  /// Raw elements that are open.
  private var elements: [String] = []
  private var referred: Set<[UInt8]> = []

  private enum LinkEnd { case link, span, nothing }

  init(_ body: MarkedBody) { self.body = body }

  mutating func enter(_ kind: MarkdownNode, _ node: OpaquePointer, _ out: inout MarkupWriter) {
    switch kind {
    case .text: write(MarkdownNode.bytes(cmark_node_get_literal(node)), &out)
    case .code: writeCode(body.original(of: MarkdownNode.bytes(cmark_node_get_literal(node))), &out)
    case .html: writeHTML(body.original(of: MarkdownNode.bytes(cmark_node_get_literal(node))), &out)
    case .softBreak: images.isEmpty ? out.add("\n") : addToImage([0x20])
    case .lineBreak: images.isEmpty ? out.add("<br>\n") : addToImage([0x20])
    case .emphasis: markup("<em>", &out)
    case .strong: markup("<strong>", &out)
    case .deleted: markup("<del>", &out)
    case .footnoteReference: writeFootnoteReference(MarkdownNode.bytes(cmark_node_get_literal(node)), &out)
    case .link: open(target(MarkdownNode.bytes(cmark_node_get_url(node))), title(node), &out)
    case .image: images.append([])
    default: break
    }
  }

  mutating func leave(_ kind: MarkdownNode, _ node: OpaquePointer, _ out: inout MarkupWriter) {
    switch kind {
    case .emphasis: markup("</em>", &out)
    case .strong: markup("</strong>", &out)
    case .deleted: markup("</del>", &out)
    case .link:
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
    while let name = elements.popLast() { RawElement.close(name, &out) }
  }
}

extension InlineHTML {
  private mutating func markup(_ markup: StaticString, _ out: inout MarkupWriter) {
    if images.isEmpty { out.add(markup) }
  }

  private mutating func addToImage(_ text: [UInt8]) {
    if !images.isEmpty { images[images.count - 1] += text }
  }

  private mutating func write(_ text: [UInt8], _ out: inout MarkupWriter) {
    for piece in body.pieces(of: text) {
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
    case .block(let name):
      out.add("<span class=\"block\"")
      out.attribute("id", name)
      out.add("></span>")
    case .target: out.text(body.original(of: mark))
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
      if element.isClosing {
        guard elements.last == element.name else { return out.text(html) }
        elements.removeLast()
        return RawElement.close(element.name, &out)
      }
      elements.append(element.name)
      return RawElement.open(element.name, &out)
    }
    out.text(HTMLText.withoutComments(html))
  }

  private mutating func writeFootnoteReference(_ number: [UInt8], _ out: inout MarkupWriter) {
    guard images.isEmpty else { return }
    let text = String(decoding: number, as: UTF8.self)
    out.add("<sup class=\"footnote\"><a href=\"#fn:")
    out.text(text)
    out.add("\"")
    if referred.insert(number).inserted { out.attribute("id", "ref:\(text)") }
    out.add(">")
    out.text(text)
    out.add("</a></sup>")
  }

  private func title(_ node: OpaquePointer) -> String {
    String(decoding: body.original(of: MarkdownNode.bytes(cmark_node_get_title(node))), as: UTF8.self)
  }

  /// What the address of a link or an image means.
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
    EmbedHTML.write(String(decoding: label, as: UTF8.self), target, size: nil, title: title(node), &out)
  }
}

/// An element of raw HTML that a page may have: one without attributes that only changes how its text looks.
struct RawElement {
  let name: String
  let isClosing: Bool

  private static let names: Set<String> = ["kbd", "sub", "sup", "mark", "u", "s", "b", "i", "small"]

  /// Reads a tag; nil for any that a page does not have.
  init?(_ tag: [UInt8]) {
    guard tag.first == UInt8(ascii: "<"), tag.last == UInt8(ascii: ">"), tag.count < 12 else { return nil }
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
