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
    /// Its index among the text's links, where the terminal is told of it.
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

  /// Adds signs that stand for a look where there are no colours.
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
