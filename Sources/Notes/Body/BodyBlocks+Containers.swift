extension BodyBlocks {
  /// Moves past blanks and the marks of quotations; inside of a fence only past those around it.
  func strip(_ line: inout Line) {
    while line.position < line.end {
      switch bytes[line.position] {
      case UInt8(ascii: " "): line.column += 1
      case UInt8(ascii: "\t"): line.column += 4 - line.column % 4
      case UInt8(ascii: ">"):
        if let fence, line.quoteDepth >= fence.quoteDepth { return }
        guard line.column - (line.quoteDepth == 0 ? lists.last : 0) < 4 else { return }
        line.quoteDepth += 1
        line.column = 0
        if line.position + 1 < line.end, isBlank(bytes[line.position + 1]) { line.position += 1 }
      default: return
      }
      line.position += 1
    }
  }

  /// Moves past the marker of a list item, and remembers where its text begins.
  mutating func takeListMarker(_ line: inout Line) -> Bool {
    let start = line.position
    var position = start
    guard start < line.end else { return false }
    switch bytes[start] {
    case UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "*"): position += 1
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      while position < line.end, position - start < 9, (0x30...0x39).contains(bytes[position]) {
        position += 1
      }
      guard position < line.end, bytes[position] == UInt8(ascii: ".") || bytes[position] == UInt8(ascii: ")")
      else { return false }
      position += 1
    default: return false
    }
    guard position == line.end || isBlank(bytes[position]) else { return false }
    flush()
    lists.leave(to: line.column)
    let markerEnd = line.column + position - start
    line.position = position
    line.column = markerEnd
    strip(&line)
    let isCode = line.column - markerEnd > 4 || line.position == line.end
    lists.enter(isCode ? markerEnd + 1 : line.column)
    return true
  }
}
