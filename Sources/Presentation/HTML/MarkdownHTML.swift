import CCmark

/// Markdown (GitHub's, with wiki links, tags and blocks) as HTML in which nothing of a note is markup.
///
/// Raw HTML is shown as text, but for line breaks and a few elements without attributes; comments go. Text that is made to
/// be slow to parse is shown as it is written. Walks the tree flat, so deep nesting costs no stack.
/// - Complexity: O(n).
struct MarkdownHTML {
  let body: MarkedBody
  /// The number of levels by which headings are deeper than they are written.
  let shift: Int
  /// Whether the first block is a heading that is shown elsewhere.
  let skipsHeading: Bool
  var out = MarkupWriter()
  var inline: InlineHTML
  /// The lists that are open: whether each is tight.
  var lists: [Bool] = []
  var table: TableHTML?
  /// The quotes that are open: the callout that each is, if it is one.
  var callouts: [CalloutHTML?] = []
  private var hasFootnotes = false
  /// The start of the heading that is left out.
  private var cut: Int?

  /// Writes a body.
  static func write(
    _ body: MarkedBody, shift: Int = 0, skipsHeading: Bool = false, to writer: inout MarkupWriter
  ) {
    let hazards = MarkdownHazards(body.markdown[...])
    guard hazards.allowsParsing,
      let tree = MarkdownTree(body.markdown[...], tables: hazards.allowsTables, footnotes: true),
      let iterator = cmark_iter_new(tree.root)
    else { return writeSource(body, to: &writer) }
    defer { cmark_iter_free(iterator) }
    var layout = MarkdownHTML(body, shift, skipsHeading)
    while true {
      let event = cmark_iter_next(iterator)
      guard event == CMARK_EVENT_ENTER || event == CMARK_EVENT_EXIT else { break }
      guard let node = cmark_iter_get_node(iterator) else { break }
      if event == CMARK_EVENT_ENTER, layout.writeTransclusion(node) {
        cmark_iter_reset(iterator, node, CMARK_EVENT_EXIT)
      } else if event == CMARK_EVENT_ENTER {
        layout.enter(node, in: tree.root)
      } else {
        layout.leave(node)
      }
    }
    if layout.hasFootnotes { layout.out.add("</ol>\n</section>\n") }
    writer.add(layout.out)
  }

  private init(_ body: MarkedBody, _ shift: Int, _ skipsHeading: Bool) {
    self.body = body
    self.shift = shift
    self.skipsHeading = skipsHeading
    inline = InlineHTML(body)
  }

  private static func writeSource(_ body: MarkedBody, to writer: inout MarkupWriter) {
    writer.add("<pre class=\"source\">")
    writer.text(body.original(of: body.markdown))
    writer.add("</pre>\n")
  }

  private mutating func enter(_ node: OpaquePointer, in root: OpaquePointer) {
    switch MarkdownNode(node) {
    case .paragraph:
      if isCalloutTitle(node) {
        callouts[callouts.count - 1]?.beginTitle(&out)
      } else if !isTight(node) {
        out.add("<p>")
        if isFirstOfTask(node), let item = cmark_node_parent(node) { writeBox(of: item) }
      }
    case .heading: enterHeading(node, in: root)
    case .codeBlock: writeCode(node)
    case .htmlBlock: writeHTML(node)
    case .rule: out.add("<hr>\n")
    case .quote:
      lists.append(false)
      callouts.append(CalloutHTML(node, body))
      if let callout = callouts.last ?? nil {
        callout.open(&out)
      } else {
        out.add("<blockquote>\n")
      }
    case .list: enterList(node)
    case .item: enterItem(node)
    case .footnote: enterFootnote(node)
    case .table:
      out.add("<div class=\"table\" tabindex=\"0\"><table>\n")
      table = TableHTML(node)
    case .tableRow: table?.enterRow(node, &out)
    case .tableCell: table?.enterCell(&out)
    case .softBreak where isCalloutBreak(node):
      inline.end(&out)
      callouts[callouts.count - 1]?.endTitle(&out)
      out.add("<p>")
    case .text where isCalloutHead(node):
      inline.enter(.text, node, skippingMark: true, &out)
    case let kind: inline.enter(kind, node, &out)
    }
  }

  private mutating func leave(_ node: OpaquePointer) {
    switch MarkdownNode(node) {
    case .paragraph:
      inline.end(&out)
      if callouts.last??.isInTitle == true, isCalloutTitle(node) {
        callouts[callouts.count - 1]?.endTitle(&out)
      } else if !isTight(node) {
        out.add("</p>\n")
      }
    case .heading: leaveHeading(node)
    case .quote:
      lists.removeLast()
      if let callout = callouts.removeLast() {
        callout.close(&out)
      } else {
        out.add("</blockquote>\n")
      }
    case .list:
      lists.removeLast()
      out.add(cmark_node_get_list_type(node) == CMARK_ORDERED_LIST ? "</ol>\n" : "</ul>\n")
    case .item: out.add("</li>\n")
    case .footnote: out.add("</li>\n")
    case .table:
      table?.leave(&out)
      table = nil
      out.add("</table></div>\n")
    case .tableRow: table?.leaveRow(&out)
    case .tableCell:
      inline.end(&out)
      table?.leaveCell(&out)
    case let kind: inline.leave(kind, node, &out)
    }
  }
}

extension MarkdownHTML {
  /// Whether a paragraph is the text of an item in a tight list.
  private func isTight(_ node: OpaquePointer) -> Bool {
    guard lists.last == true, let parent = cmark_node_parent(node) else { return false }
    return MarkdownNode(parent) == .item
  }

  private mutating func enterHeading(_ node: OpaquePointer, in root: OpaquePointer) {
    let isTop = cmark_node_parent(node) == root
    if skipsHeading, isTop, cmark_node_previous(node) == nil { cut = out.bytes.count }
    openHeading(level(of: node))
    if isTop, let id = body.headingIDs[Int(cmark_node_get_start_line(node))] {
      out.attribute("id", id)
    }
    out.add(">")
  }

  private func level(of node: OpaquePointer) -> Int {
    min(6, Int(cmark_node_get_heading_level(node)) + shift)
  }

  private mutating func openHeading(_ level: Int) {
    out.add("<h")
    out.add(number: level)
  }

  private mutating func leaveHeading(_ node: OpaquePointer) {
    inline.end(&out)
    out.add("</h")
    out.add(number: level(of: node))
    out.add(">\n")
    if let cut { out.cut(to: cut) }
    cut = nil
  }

  private static func code(_ node: OpaquePointer, _ body: MarkedBody) -> (language: [UInt8], code: [UInt8]) {
    let info = MarkdownNode.bytes(cmark_node_get_fence_info(node))
    let language = info.prefix { $0 > 0x20 }.filter { byte in
      (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
        || "+-#_.".utf8.contains(byte)
    }
    return (language, body.original(of: MarkdownNode.bytes(cmark_node_get_literal(node))))
  }

  /// The blocks of code of a body that have a language.
  static func codeBlocks(of body: MarkedBody) -> [(language: [UInt8], code: [UInt8])] {
    guard MarkdownHazards(body.markdown[...]).allowsParsing,
      let tree = MarkdownTree(body.markdown[...], tables: false, footnotes: true),
      let iterator = cmark_iter_new(tree.root)
    else { return [] }
    defer { cmark_iter_free(iterator) }
    var blocks: [(language: [UInt8], code: [UInt8])] = []
    while true {
      let event = cmark_iter_next(iterator)
      guard event == CMARK_EVENT_ENTER || event == CMARK_EVENT_EXIT else { break }
      guard event == CMARK_EVENT_ENTER, let node = cmark_iter_get_node(iterator),
        MarkdownNode(node) == .codeBlock
      else { continue }
      let block = code(node, body)
      if !block.language.isEmpty { blocks.append(block) }
    }
    return blocks
  }

  private mutating func writeCode(_ node: OpaquePointer) {
    let (language, code) = Self.code(node, body)
    out.add(body.namesLines ? "<pre><code" : "<pre tabindex=\"0\"><code")
    if !language.isEmpty {
      out.attribute("class", "language-" + String(decoding: language, as: UTF8.self))
    }
    out.add(">")
    if let markup = body.rendered.code(code, language) { out.add(markup) } else { out.text(code) }
    out.add("</code></pre>\n")
  }

  private mutating func writeHTML(_ node: OpaquePointer) {
    let html = HTMLText.withoutComments(
      body.original(of: MarkdownNode.bytes(cmark_node_get_literal(node))))
    guard html.contains(where: { $0 > 0x20 }) else { return }
    inline.writeAnchors(of: html, &out)
    out.add("<pre class=\"source\">")
    out.text(html)
    out.add("</pre>\n")
  }

  private mutating func enterList(_ node: OpaquePointer) {
    lists.append(cmark_node_get_list_tight(node) == 1)
    guard cmark_node_get_list_type(node) == CMARK_ORDERED_LIST else { return out.add("<ul>\n") }
    out.add("<ol")
    let start = Int(cmark_node_get_list_start(node))
    if start != 1 { out.attribute("start", String(start)) }
    out.add(">\n")
  }

  private mutating func enterItem(_ node: OpaquePointer) {
    guard MarkdownNode.isTask(node) else {
      return out.add(beginsWithBox(node) ? "<li class=\"task\">" : "<li>")
    }
    out.add("<li class=\"task\">")
    if let first = cmark_node_first_child(node), isFirstOfTask(first), !isTight(first) { return }
    writeBox(of: node)
  }

  /// Whether a paragraph is the first one of an item with a box that cmark reads. In a loose list the box is in it.
  private func isFirstOfTask(_ node: OpaquePointer) -> Bool {
    guard MarkdownNode(node) == .paragraph, cmark_node_previous(node) == nil,
      let item = cmark_node_parent(node), MarkdownNode(item) == .item
    else { return false }
    return MarkdownNode.isTask(item)
  }

  private mutating func writeBox(of item: OpaquePointer) {
    out.add("<input type=\"checkbox\" disabled")
    if cmark_gfm_extensions_get_tasklist_item_checked(item) { out.add(" checked") }
    if let line = body.boxLines[Int(cmark_node_get_start_line(item))] {
      out.attribute("data-line", String(line))
    }
    out.add("> ")
  }

  /// Whether the text of an item begins with the mark of a check box.
  private func beginsWithBox(_ item: OpaquePointer) -> Bool {
    guard let paragraph = cmark_node_first_child(item), MarkdownNode(paragraph) == .paragraph,
      let text = cmark_node_first_child(paragraph), MarkdownNode(text) == .text
    else { return false }
    return switch body.leadingMark(MarkdownNode.bytes(cmark_node_get_literal(text)))?.content {
    case .checkBox, .box: true
    default: false
    }
  }

  private mutating func enterFootnote(_ node: OpaquePointer) {
    if !hasFootnotes { out.add("<section class=\"footnotes\">\n<ol>\n") }
    hasFootnotes = true
    inline.footnotes += 1
    out.add("<li")
    out.attribute("id", "fn:\(body.idPrefix)\(inline.footnotes)")
    out.add("><a class=\"back\"")
    out.attribute("href", "\(body.anchorBase)#ref:\(body.idPrefix)\(inline.footnotes)")
    out.add(" aria-label=\"Back to the text\">\u{21A9}\u{FE0E}</a> ")
  }
}

/// The rows and cells of a table.
struct TableHTML {
  private let alignments: [UInt8]
  private var isHeader = true
  private var hasBody = false
  private var column = 0

  init(_ node: OpaquePointer) {
    let count = Int(cmark_gfm_extensions_get_table_columns(node))
    alignments = Array(
      UnsafeBufferPointer(start: cmark_gfm_extensions_get_table_alignments(node), count: count))
  }

  mutating func enterRow(_ node: OpaquePointer, _ out: inout MarkupWriter) {
    isHeader = cmark_node_previous(node) == nil
    column = 0
    if isHeader {
      out.add("<thead>\n")
    } else if !hasBody {
      out.add("<tbody>\n")
      hasBody = true
    }
    out.add("<tr>")
  }

  mutating func leaveRow(_ out: inout MarkupWriter) {
    out.add("</tr>\n")
    if isHeader { out.add("</thead>\n") }
  }

  mutating func enterCell(_ out: inout MarkupWriter) {
    out.add(isHeader ? "<th" : "<td")
    switch alignments.indices.contains(column) ? alignments[column] : 0 {
    case UInt8(ascii: "r"): out.add(" class=\"right\"")
    case UInt8(ascii: "c"): out.add(" class=\"centre\"")
    default: break
    }
    out.add(">")
  }

  mutating func leaveCell(_ out: inout MarkupWriter) {
    out.add(isHeader ? "</th>" : "</td>")
    column += 1
  }

  func leave(_ out: inout MarkupWriter) {
    if hasBody { out.add("</tbody>\n") }
  }
}
