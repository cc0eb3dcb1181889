extension BodyBlocks {
  /// Takes a heading, a fence, raw HTML, or the definition of a link: the end of the line, or where to go on.
  mutating func takeLeaf(_ line: Line, isItem: Bool) -> Int? {
    guard line.position < line.end else { return nil }
    switch bytes[line.position] {
    case UInt8(ascii: "#"): return takeHeading(line, isItem: isItem)
    case UInt8(ascii: "`"), UInt8(ascii: "~"): return takeFence(line)
    case UInt8(ascii: "<"): return takeHTML(line)
    case UInt8(ascii: "["):
      guard run == nil, inline.takeDefinition(line.position, line.end) else { return nil }
      return line.end
    default: return nil
    }
  }

  private mutating func takeHeading(_ line: Line, isItem: Bool) -> Int? {
    var start = line.position
    while start < line.end, bytes[start] == UInt8(ascii: "#") { start += 1 }
    guard start - line.position <= 6, start == line.end || isBlank(bytes[start]) else { return nil }
    interrupt(at: line)
    var last = line.end
    while start < last, isBlank(bytes[start]) { start += 1 }
    while start < last, isBlank(bytes[last - 1]) { last -= 1 }
    var close = last
    while start < close, bytes[close - 1] == UInt8(ascii: "#") { close -= 1 }
    if close == start || isBlank(bytes[close - 1]) { last = close }
    if !isItem, line.quoteDepth == 0, lists.isEmpty {
      var level = 0
      while line.position + level < line.end, bytes[line.position + level] == UInt8(ascii: "#") { level += 1 }
      inline.takeHeading(start, last, level: level)
      headings?.append(
        BodyHeading(level: level, text: min(start, last)..<last, lines: line.position..<line.end))
    }
    inline.scan(start, last)
    return line.end
  }

  /// Makes the paragraph above a heading where a line of `=` or `-` without blanks follows it.
  mutating func takeUnderline(_ line: Line) {
    guard let above = run, above.isPlain, line.quoteDepth == 0 else { return }
    let mark = bytes[line.position]
    guard mark == UInt8(ascii: "-") || mark == UInt8(ascii: "=") else { return }
    var position = line.position
    while position < line.end, bytes[position] == mark { position += 1 }
    while position < line.end, isBlank(bytes[position]) { position += 1 }
    guard position == line.end else { return }
    let level = mark == UInt8(ascii: "=") ? 1 : 2
    inline.takeHeading(above.start, above.end, level: level)
    headings?.append(BodyHeading(level: level, text: above.start..<above.end, lines: above.start..<line.end))
  }

  /// Whether a line is `---`, `* * *`, `___`, or, under a paragraph, `-` or `===`.
  func isBreak(_ line: Line) -> Bool {
    guard line.position < line.end else { return false }
    let mark = bytes[line.position]
    switch mark {
    case UInt8(ascii: "-"), UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "="): break
    default: return false
    }
    var count = 0
    for position in line.position..<line.end {
      if bytes[position] == mark { count += 1 } else if !isBlank(bytes[position]) { return false }
    }
    if mark == UInt8(ascii: "=") { return run?.isPlain == true }
    return count >= 3
      || (mark == UInt8(ascii: "-") && count == line.end - line.position && run?.isPlain == true)
  }

  private mutating func takeFence(_ line: Line) -> Int? {
    let mark = bytes[line.position]
    var position = line.position
    while position < line.end, bytes[position] == mark { position += 1 }
    let length = position - line.position
    guard length >= 3 else { return nil }
    if mark == UInt8(ascii: "`"), offset(of: mark, from: position, to: line.end) != nil { return nil }
    interrupt(at: line)
    fence = Fence(
      start: line.position, mark: mark, length: length, quoteDepth: line.quoteDepth, listColumn: lists.last)
    return line.end
  }

  func isInside(_ line: Line, _ fence: Fence) -> Bool {
    if line.quoteDepth < fence.quoteDepth { return false }
    return line.position == line.end || line.column >= fence.listColumn
  }

  func closes(_ line: Line, _ fence: Fence) -> Bool {
    guard line.column - fence.listColumn < 4 else { return false }
    var position = line.position
    while position < line.end, bytes[position] == fence.mark { position += 1 }
    guard position - line.position >= fence.length else { return false }
    while position < line.end, isBlank(bytes[position]) { position += 1 }
    return position == line.end
  }
}
