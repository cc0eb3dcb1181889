import CCmark

/// A quote that begins with `[!type]` as a box with a title, which can be folded if its head says so.
///
/// Source: Callouts of Obsidian; alerts of GitHub.
struct CalloutHTML {
  private let type: String
  private let isOpen: Bool?
  private(set) var isInTitle = false
  private var start = 0

  /// Reads the head of a quote; nil if it is not a callout.
  init?(_ quote: OpaquePointer, _ body: MarkedBody) {
    guard let paragraph = cmark_node_first_child(quote), MarkdownNode(paragraph) == .paragraph,
      let text = cmark_node_first_child(paragraph), MarkdownNode(text) == .text,
      case .callout(let type, let isOpen)? = body.leadingMark(
        MarkdownNode.bytes(cmark_node_get_literal(text)))?.content
    else { return nil }
    self.type = type
    self.isOpen = isOpen
  }

  func open(_ out: inout MarkupWriter) {
    out.add(isOpen == nil ? "<div class=\"callout\"" : "<details class=\"callout\"")
    out.attribute("data-callout", type)
    if isOpen == true { out.add(" open") }
    out.add(">\n")
  }

  func close(_ out: inout MarkupWriter) { out.add(isOpen == nil ? "</div>\n" : "</details>\n") }

  mutating func beginTitle(_ out: inout MarkupWriter) {
    isInTitle = true
    out.add(isOpen == nil ? "<p class=\"callout-title\">" : "<summary class=\"callout-title\">")
    start = out.bytes.count
  }

  /// Ends the title; without one of its own the callout is titled by its type.
  mutating func endTitle(_ out: inout MarkupWriter) {
    isInTitle = false
    if out.bytes.count == start { out.text(type.prefix(1).uppercased() + type.dropFirst()) }
    out.add(isOpen == nil ? "</p>\n" : "</summary>\n")
  }
}

extension MarkdownHTML {
  /// Whether a paragraph is the one that begins the innermost callout.
  func isCalloutTitle(_ node: OpaquePointer) -> Bool {
    guard let callout = callouts.last, callout != nil, cmark_node_previous(node) == nil,
      let parent = cmark_node_parent(node)
    else { return false }
    return MarkdownNode(parent) == .quote
  }

  /// Whether a line ends here that is the title of a callout.
  func isCalloutBreak(_ node: OpaquePointer) -> Bool {
    guard callouts.last??.isInTitle == true, let parent = cmark_node_parent(node) else {
      return false
    }
    return MarkdownNode(parent) == .paragraph && isCalloutTitle(parent)
  }

  /// Whether a text begins with the head of a callout.
  func isCalloutHead(_ node: OpaquePointer) -> Bool {
    guard callouts.last??.isInTitle == true, cmark_node_previous(node) == nil,
      let parent = cmark_node_parent(node)
    else { return false }
    return MarkdownNode(parent) == .paragraph && isCalloutTitle(parent)
  }

  /// Writes a paragraph that is an embedded note alone; false for any other node.
  mutating func writeTransclusion(_ node: OpaquePointer) -> Bool {
    guard MarkdownNode(node) == .paragraph, let text = cmark_node_first_child(node),
      cmark_node_next(text) == nil, MarkdownNode(text) == .text,
      case .transclusion(let label, let target, let content)? = body.mark(
        MarkdownNode.bytes(cmark_node_get_literal(text)))?.content,
      !isCalloutTitle(node)
    else { return false }
    out.add("<section class=\"embed\">\n<p class=\"embed-title\">")
    LinkHTML.write(label, target, &out)
    out.add("</p>\n")
    out.add(content)
    out.add("</section>\n")
    return true
  }
}
