extension BodyBlocks {
  /// The effect of a line on the open leaf.
  enum Continuation {
    /// It is a line of the leaf, or its end, and nothing else.
    case taken
    /// It belongs to the leaf unless another block begins on it.
    case continues
    case ends
  }

  /// Compares a line that continues all containers with the open leaf.
  mutating func continueLeaf(_ line: inout BodyLine) -> Continuation {
    switch leaf {
    case .none: return .ends
    case .paragraph: return line.isBlank ? .ends : .continues
    case .table: return isRow(line) ? .continues : .ends
    case .indentedCode:
      guard line.isIndented || line.isBlank else { return .ends }
      codeLines?.append(line.text..<line.end)
      return .taken
    case .fence(let fence):
      if closes(line, fence) {
        leaf = .none
        addFence(fence, to: line.end)
      }
      return .taken
    case .html(let block):
      if line.isBlank, block.endsAtBlank { return .ends }
      takeHTMLLine(line, block)
      return .taken
    }
  }

  /// Takes a heading, a fence, raw HTML or a break that begins at the text of a line; returns whether there is one.
  mutating func takeLeafStart(_ line: inout BodyLine, depth: Int, isParagraph: Bool) -> Bool {
    switch line.first {
    case UInt8(ascii: "#"): return takeHeading(line, depth: depth)
    case UInt8(ascii: "`"), UInt8(ascii: "~"): return takeFence(line, depth: depth)
    case UInt8(ascii: "<"): return takeHTML(line, depth: depth, isParagraph: isParagraph)
    case UInt8(ascii: "-"), UInt8(ascii: "="):
      return isParagraph && takeUnderline(line) || takeBreak(line, depth: depth)
    case UInt8(ascii: "*"), UInt8(ascii: "_"): return takeBreak(line, depth: depth)
    default: return false
    }
  }

  private mutating func takeHeading(_ line: BodyLine, depth: Int) -> Bool {
    var start = line.text
    while start < line.end, bytes[start] == UInt8(ascii: "#") { start += 1 }
    let level = start - line.text
    guard level <= 6, start == line.end || isBlankByte(bytes[start]) else { return false }
    close(to: depth, before: line)
    var last = line.end
    while start < last, isBlankByte(bytes[start]) { start += 1 }
    while start < last, isBlankByte(bytes[last - 1]) { last -= 1 }
    var mark = last
    while start < mark, bytes[mark - 1] == UInt8(ascii: "#") { mark -= 1 }
    if mark == start || isBlankByte(bytes[mark - 1]) {
      last = mark
      while start < last, isBlankByte(bytes[last - 1]) { last -= 1 }
    }
    addHeading(start..<last, level: level, lines: line.text..<line.end)
    return true
  }

  /// Adds a heading, unless it is in a container.
  private mutating func addHeading(_ text: Range<Int>, level: Int, lines: Range<Int>) {
    if containers.isEmpty {
      let heading = BodyHeading(level: level, text: text, lines: lines, in: bytes)
      takeTitle(heading.text, level: level, from: lines.lowerBound)
      headings?.append(heading)
    }
    add(text)
  }

  /// Makes the paragraph above a line of `=` or `-` a heading, unless definitions are all that it has.
  private mutating func takeUnderline(_ line: BodyLine) -> Bool {
    guard case .paragraph(let paragraph) = leaf else { return false }
    var position = line.text
    while position < line.end, bytes[position] == line.first { position += 1 }
    while position < line.end, isBlankByte(bytes[position]) { position += 1 }
    guard position == line.end else { return false }
    let start = takeDefinitions(paragraph)
    guard start < paragraph.end else {
      // The line is the text after the definitions.
      leaf = .paragraph(Paragraph(line, quoteDepth: quoteDepth))
      return true
    }
    leaf = .none
    var last = paragraph.end
    while last > start, isSpaceByte(bytes[last - 1]) { last -= 1 }
    addHeading(
      start..<last, level: line.first == UInt8(ascii: "=") ? 1 : 2, lines: start..<line.end)
    return true
  }

  /// Takes `---`, `* * *` or `___`.
  private mutating func takeBreak(_ line: BodyLine, depth: Int) -> Bool {
    guard line.first != UInt8(ascii: "=") else { return false }
    var count = 0
    for position in line.text..<line.end {
      if bytes[position] == line.first { count += 1 } else if !isBlankByte(bytes[position]) { return false }
    }
    guard count >= 3 else { return false }
    close(to: depth, before: line)
    return true
  }

  private mutating func takeFence(_ line: BodyLine, depth: Int) -> Bool {
    var position = line.text
    while position < line.end, bytes[position] == line.first { position += 1 }
    let length = position - line.text
    guard length >= 3,
      line.first != UInt8(ascii: "`") || bytes.offset(of: line.first, from: position, to: line.end) == nil
    else { return false }
    close(to: depth, before: line)
    leaf = .fence(Fence(start: line.text, mark: line.first, length: length))
    return true
  }

  private func closes(_ line: BodyLine, _ fence: Fence) -> Bool {
    guard !line.isIndented, line.first == fence.mark else { return false }
    var position = line.text
    while position < line.end, bytes[position] == fence.mark { position += 1 }
    guard position - line.text >= fence.length else { return false }
    while position < line.end, isBlankByte(bytes[position]) { position += 1 }
    return position == line.end
  }

  // MARK: Definitions

  /// Takes the definitions of links at the beginning of a paragraph, and returns the start of the text after them.
  mutating func takeDefinitions(_ paragraph: Paragraph) -> Int {
    var start = paragraph.start
    while start < paragraph.end, bytes[start] == UInt8(ascii: "["), !paragraph.lazyIndented.contains(start),
      let next = inline.takeDefinition(start, paragraph.end, quoteDepth: paragraph.quoteDepth)
    {
      start = next
    }
    return start
  }

  // MARK: Marks of containers

  /// The length of a footnote's label with its colon and the blanks after it.
  func footnoteMark(_ line: BodyLine) -> Int? {
    guard line.text + 1 < line.end, line.first == UInt8(ascii: "["), bytes[line.text + 1] == UInt8(ascii: "^")
    else { return nil }
    var position = line.text + 2
    while position < line.end, bytes[position] != UInt8(ascii: "]"), !isBlankByte(bytes[position]) {
      position += 1
    }
    guard position > line.text + 2, position + 1 < line.end, bytes[position] == UInt8(ascii: "]"),
      bytes[position + 1] == UInt8(ascii: ":")
    else { return nil }
    position += 2
    while position < line.end, isBlankByte(bytes[position]) { position += 1 }
    return position - line.text
  }

  /// The length of the mark of a list item; an empty item, or one of a number above 1, does not interrupt a paragraph.
  func listMark(_ line: BodyLine, isParagraph: Bool) -> Int? {
    var position = line.text
    var number = 0
    switch line.first {
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"):
      number = 1
      position += 1
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      while position < line.end, position - line.text < 9, (0x30...0x39).contains(bytes[position]) {
        number = number * 10 + Int(bytes[position] - 0x30)
        position += 1
      }
      guard position < line.end, bytes[position] == UInt8(ascii: ".") || bytes[position] == UInt8(ascii: ")")
      else { return nil }
      position += 1
    default: return nil
    }
    guard position == line.end || isBlankByte(bytes[position]) else { return nil }
    if isParagraph {
      let isEmpty = (position..<line.end).allSatisfy { isBlankByte(bytes[$0]) }
      if isEmpty || number != 1 { return nil }
    }
    return position - line.text
  }
}

/// The cells of a row of a table.
///
/// Source: cmark-gfm, table.c, row_from_string.
extension BodyBlocks {
  /// Takes a line of a table: a row, or the delimiter row below a header; returns whether it is one.
  mutating func takeTableLine(_ line: BodyLine) -> Bool {
    switch leaf {
    case .table(let columns):
      let cells = cells(line.text..<line.end)
      for cell in cells.prefix(columns) { add(cell) }
      if cells.count > columns { inline.labelUses?.excess.append(cells[columns].lowerBound..<line.end) }
      return true
    case .paragraph(let paragraph):
      guard isDelimiterRow(line) else { return false }
      let header = cells(paragraph.lastLine..<paragraph.end)
      guard header.count == cells(line.text..<line.end).count else { return false }
      // The lines above the header are a paragraph of their own.
      add(paragraph.start..<paragraph.lastLine)
      for cell in header { add(cell) }
      leaf = .table(columns: header.count)
      return true
    default: return false
    }
  }

  /// Whether a line has a cell: it is more than a bar.
  func isRow(_ line: BodyLine) -> Bool {
    var position = line.text
    if line.first == UInt8(ascii: "|") { position += 1 }
    skip(&position, line.end) { isBlankByte($0) }
    return position < line.end
  }

  private func isDelimiterRow(_ line: BodyLine) -> Bool {
    var position = line.text
    if line.first == UInt8(ascii: "|") { position += 1 }
    while true {
      skip(&position, line.end) { isBlankByte($0) }
      if position < line.end, bytes[position] == UInt8(ascii: ":") { position += 1 }
      let start = position
      skip(&position, line.end) { $0 == UInt8(ascii: "-") }
      guard position > start else { return false }
      if position < line.end, bytes[position] == UInt8(ascii: ":") { position += 1 }
      skip(&position, line.end) { isBlankByte($0) }
      if position == line.end { return true }
      guard bytes[position] == UInt8(ascii: "|") else { return false }
      position += 1
      var rest = position
      skip(&rest, line.end) { isBlankByte($0) }
      if rest == line.end { return true }
    }
  }

  private func skip(_ position: inout Int, _ end: Int, _ isSkipped: (UInt8) -> Bool) {
    while position < end, isSkipped(bytes[position]) { position += 1 }
  }

  /// The cells of a line; a bar that is escaped or in double brackets ends none.
  private func cells(_ row: Range<Int>) -> [Range<Int>] {
    var cells: [Range<Int>] = []
    var position = row.lowerBound
    if position < row.upperBound, bytes[position] == UInt8(ascii: "|") { position += 1 }
    skip(&position, row.upperBound) { isBlankByte($0) }
    while position < row.upperBound {
      let start = position
      while position < row.upperBound, bytes[position] != UInt8(ascii: "|") {
        if let link = inline.endOfWikiLink(at: position, to: row.upperBound) {
          position = link
        } else if bytes[position] == UInt8(ascii: "\\"), position + 1 < row.upperBound,
          bytes[position + 1] == UInt8(ascii: "|")
        {
          position += 2
        } else {
          position += 1
        }
      }
      var last = position
      while last > start, isBlankByte(bytes[last - 1]) { last -= 1 }
      cells.append(start..<last)
      guard position < row.upperBound else { break }
      position += 1
      skip(&position, row.upperBound) { isBlankByte($0) }
    }
    return cells
  }
}
