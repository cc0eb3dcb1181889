import CCmark

/// A list whose items are being shown, or a quote.
struct OpenList {
  /// Whether its items stand without blank lines between them.
  let isTight: Bool
  /// The number of bullet lists around it, inside the same quote.
  let depth: Int
  /// The number of the next item; nil for bullets.
  var number: Int?
  /// The delimiter after a number.
  let delimiter: String
  /// The cells of the widest number.
  let numberWidth: Int
  /// Whether it is no list but a quote.
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
