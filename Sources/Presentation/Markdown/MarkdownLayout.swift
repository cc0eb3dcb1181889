import CCmark

/// Lays out a document while cmark's iterator walks through it.
///
/// The walk is flat, so deep nesting costs no stack.
struct MarkdownLayout {
  let style: Style
  var output: IndentedLines
  /// The running text of the open paragraph, heading or table cell.
  var inline: InlineLayout
  /// The lists that are open, the innermost last; a quote counts as a list that is not one.
  var lists: [OpenList] = []
  var table: MarkdownTable?

  init(width: Int, style: Style, addressBudget: Int) {
    self.style = style
    output = IndentedLines(width: width)
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
      output.writeBlankLine()
      output.write(
        TextAttributes.aside.on(String(repeating: style.unicode ? "─" : "-", count: output.room), style))
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
      output.close()
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
    output.needsBlankLine = !(lists.last?.isTight ?? false)
  }
}

extension MarkdownLayout {
  private mutating func writeParagraph() {
    let text = inline.end()
    guard !text.bytes.isEmpty else { return }
    output.writeBlankLine()
    write(text, under: [])
    endBlock()
  }

  private mutating func writeHeading(level: Int) {
    let marks = String(repeating: "#", count: level)
    output.open(
      first: TextAttributes.aside.on(marks, style) + [0x20], rest: blanks(level + 1), cells: level + 1)
    write(inline.end(), under: .heading(level: level))
    output.close()
    endBlock()
  }

  private mutating func write(_ text: InlineText, under attributes: TextAttributes) {
    for line in LineWrapping.lines(of: text, width: output.room, style: style, under: attributes) {
      output.write(line.bytes)
    }
  }

  private mutating func writeCode(_ code: [UInt8]) {
    output.open(rest: blanks(4), cells: 4)
    for line in CodeText.lines(of: code) {
      output.write(line.isEmpty ? [] : TextAttributes.aside.on(line, style))
    }
    output.close()
    endBlock()
  }

  private mutating func writeHTML(_ html: [UInt8]) {
    let lines = CodeText.lines(of: HTMLText.withoutComments(html)).filter { !$0.isEmpty }
    guard !lines.isEmpty else { return }
    output.writeBlankLine()
    for line in lines {
      var text = InlineText()
      text.append(Array(line.utf8).span, .aside)
      write(text, under: [])
    }
    endBlock()
  }

  private mutating func writeTable() {
    guard let table else { return }
    output.writeBlankLine()
    for line in table.lines(width: output.room) { output.write(line) }
    self.table = nil
    endBlock()
  }

  func blanks(_ count: Int) -> [UInt8] { [UInt8](repeating: 0x20, count: count) }
}
