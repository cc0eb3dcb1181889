import CCmark

/// Lays out a document while cmark's iterator walks through it.
///
/// The walk is flat, so deep nesting costs no stack.
struct MarkdownLayout {
  let style: Style
  var page: Page
  /// The running text of the open paragraph, heading or table cell.
  var inline: InlineLayout
  /// The lists that are open, the innermost last; a quote counts as a list that is not one.
  var lists: [OpenList] = []
  var table: MarkdownTable?

  init(width: Int, style: Style, addressBudget: Int) {
    self.style = style
    page = Page(width: width)
    inline = InlineLayout(style: style, addressBudget: addressBudget)
  }

  /// Begins a node; nodes without children are shown at once.
  mutating func enter(_ node: OpaquePointer) {
    switch MarkdownNode(node) {
    case .paragraph, .heading, .tableCell:
      inline.begin()
    case .codeBlock:
      writeCode(MarkdownNode.bytes(cmark_node_get_literal(node)))
    case .htmlBlock:
      writeHTML(MarkdownNode.bytes(cmark_node_get_literal(node)))
    case .rule:
      page.writeBlankLine()
      page.write(Ink.aside.on(String(repeating: style.unicode ? "─" : "-", count: page.room), style))
      endBlock()
    case .quote:
      openQuote()
    case .list:
      lists.append(OpenList(node, inside: lists.last))
    case .item:
      openItem(node)
    case .table:
      table = MarkdownTable(node, style: style)
    case .tableRow:
      table?.beginRow()
    case let kind:
      inline.enter(kind, node)
    }
  }

  /// Ends a node that may have children.
  mutating func leave(_ node: OpaquePointer) {
    switch MarkdownNode(node) {
    case .paragraph:
      writeParagraph()
    case .heading:
      writeHeading(level: Int(cmark_node_get_heading_level(node)))
    case .quote, .list:
      closeListOrQuote(node)
    case .item:
      page.close()
    case .tableCell:
      table?.add(inline.end())
    case .table:
      writeTable()
    case let kind:
      inline.leave(kind, node)
    }
  }

  /// Asks for a blank line after a block, unless it is part of a tight list.
  mutating func endBlock() {
    page.needsBlankLine = !(lists.last?.isTight ?? false)
  }
}

extension MarkdownLayout {
  private mutating func writeParagraph() {
    let text = inline.end()
    guard !text.bytes.isEmpty else { return }
    page.writeBlankLine()
    write(text, under: [])
    endBlock()
  }

  private mutating func writeHeading(level: Int) {
    let marks = String(repeating: "#", count: level)
    page.open(first: Ink.aside.on(marks, style) + [0x20], rest: blanks(level + 1), cells: level + 1)
    write(inline.end(), under: .heading(level: level))
    page.close()
    endBlock()
  }

  private mutating func write(_ text: InlineText, under ink: Ink) {
    for line in LineWrapping.lines(of: text, width: page.room, style: style, under: ink) {
      page.write(line.bytes)
    }
  }

  private mutating func writeCode(_ code: [UInt8]) {
    page.open(rest: blanks(4), cells: 4)
    for line in CodeText.lines(of: code) { page.write(line.isEmpty ? [] : Ink.aside.on(line, style)) }
    page.close()
    endBlock()
  }

  private mutating func writeHTML(_ html: [UInt8]) {
    let lines = CodeText.lines(of: HTMLText.withoutComments(html)).filter { !$0.isEmpty }
    guard !lines.isEmpty else { return }
    page.writeBlankLine()
    for line in lines {
      var text = InlineText()
      text.append(Array(line.utf8).span, .aside)
      write(text, under: [])
    }
    endBlock()
  }

  private mutating func writeTable() {
    guard let table else { return }
    page.writeBlankLine()
    for line in table.lines(width: page.room) { page.write(line) }
    self.table = nil
    endBlock()
  }

  func blanks(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x20, count: count) }
}
