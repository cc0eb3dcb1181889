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

/// A list whose items are being shown, or a quote.
struct OpenList {
  /// Whether its items have no blank lines between them.
  let isTight: Bool
  /// The number of bullet lists around it, inside the same quote.
  let depth: Int
  /// The number of the next item; nil for bullets.
  var number: Int?
  /// The delimiter after a number.
  let delimiter: String
  /// The cells of the widest number.
  let numberWidth: Int
  /// Whether it is not a list but a quote.
  let isQuote: Bool

  /// A quote: blank lines between its blocks, no markers.
  static let quote = OpenList(
    isTight: false, depth: 0, number: nil, delimiter: "", numberWidth: 0, isQuote: true)

  private init(
    isTight: Bool, depth: Int, number: Int?, delimiter: String, numberWidth: Int, isQuote: Bool = false
  ) {
    self.isQuote = isQuote
    self.isTight = isTight
    self.depth = depth
    self.number = number
    self.delimiter = delimiter
    self.numberWidth = numberWidth
  }

  /// Reads how a list is to be shown.
  init(_ node: OpaquePointer, inside outer: OpenList?) {
    let depth = outer.map { $0.number == nil && !$0.isQuote ? $0.depth + 1 : $0.depth } ?? 0
    let isTight = cmark_node_get_list_tight(node) != 0
    guard cmark_node_get_list_type(node) == CMARK_ORDERED_LIST else {
      self.init(isTight: isTight, depth: depth, number: nil, delimiter: "", numberWidth: 0)
      return
    }
    let start = Int(cmark_node_get_list_start(node))
    var last = start - 1
    var item = cmark_node_first_child(node)
    while let current = item {
      last += 1
      item = cmark_node_next(current)
    }
    let delimiter = cmark_node_get_list_delim(node) == CMARK_PAREN_DELIM ? ")" : "."
    let width = String(last).utf8.count
    self.init(isTight: isTight, depth: depth, number: start, delimiter: delimiter, numberWidth: width)
  }
}

extension MarkdownLayout {
  private static let bullets = ["•", "◦", "▪"]

  mutating func openQuote() {
    let bar = TextAttributes.aside.on(style.unicode ? "│" : ">", style) + [0x20]
    output.open(rest: bar, cells: 2)
    lists.append(.quote)
  }

  mutating func closeListOrQuote(_ node: OpaquePointer) {
    if MarkdownNode(node) == .quote { output.close() }
    _ = lists.popLast()
    endBlock()
  }

  /// Begins an item with its bullet, number or box.
  mutating func openItem(_ node: OpaquePointer) {
    guard let list = lists.last else { return }
    var marker: [UInt8] = []
    var cells = 0
    if let number = list.number {
      let text = String(number)
      marker = blanks(list.numberWidth - text.utf8.count) + text.utf8 + list.delimiter.utf8 + [0x20]
      cells = list.numberWidth + 2
      lists[lists.count - 1].number = number + 1
    }
    if MarkdownNode.isTask(node) {
      marker += snapshot(isChecked: cmark_gfm_extensions_get_tasklist_item_checked(node)) + [0x20]
      cells += style.unicode ? 2 : 4
    } else if list.number == nil {
      marker += Array((style.unicode ? Self.bullets[list.depth % Self.bullets.count] : "-").utf8) + [0x20]
      cells += 2
    }
    output.open(first: marker, rest: blanks(cells), cells: cells)
  }

  private func snapshot(isChecked: Bool) -> [UInt8] {
    if isChecked { return TextAttributes.done.on(style.unicode ? "☑" : "[x]", style) }
    return Array((style.unicode ? "☐" : "[ ]").utf8)
  }
}

/// Output lines with the margins of open lists and quotes at their left.
struct IndentedLines {
  /// The prefix of the lines in a list item or quote.
  private struct Margin {
    /// Shown once, on the first line.
    var first: [UInt8]?
    let rest: [UInt8]
    let cells: Int
  }

  private(set) var bytes: [UInt8] = []
  private let width: Int
  private var margins: [Margin] = []
  private var marginCells = 0
  /// For each open container, whether it has a margin: one that is nested too deeply has none.
  private var hasMargin: [Bool] = []
  /// Whether a blank line is due before the next block.
  var needsBlankLine = false

  init(width: Int) { self.width = width }

  /// The cells that a line may take.
  var room: Int { max(1, width - marginCells) }

  /// Opens a container, with a marker on its first line.
  mutating func open(first: [UInt8]? = nil, rest: [UInt8], cells: Int) {
    writeBlankLine()
    let fits = marginCells + cells <= width / 2
    hasMargin.append(fits)
    guard fits else { return }
    margins.append(Margin(first: first, rest: rest, cells: cells))
    marginCells += cells
  }

  /// Closes the container opened last; an empty one still shows its marker.
  mutating func close() {
    guard hasMargin.popLast() == true else { return }
    if margins.last?.first != nil { write([]) }
    marginCells -= margins.removeLast().cells
  }

  /// Writes the blank line that is due.
  mutating func writeBlankLine() {
    if needsBlankLine && !bytes.isEmpty { write([]) }
    needsBlankLine = false
  }

  /// Writes one line.
  mutating func write(_ line: [UInt8]) {
    for index in margins.indices {
      bytes += margins[index].first ?? margins[index].rest
      margins[index].first = nil
    }
    bytes += line
    if line.isEmpty {
      while bytes.last == 0x20 { bytes.removeLast() }
    }
    bytes.append(0x0A)
  }
}
