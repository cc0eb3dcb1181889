/// The target of a link and the title after it, as Markdown writes them.
///
/// Source: CommonMark 0.31, section 6.3 (link destination, link title), on one line.
struct LinkTarget {
  /// The bytes of the target, without `<>`.
  private(set) var target: Range<Int>
  /// Where the link ends: after its parenthesis, or after the target or title of a definition.
  private(set) var end: Int

  private let bytes: UnsafeBufferPointer<UInt8>
  private let limit: Int

  /// Reads what follows `](`, up to the parenthesis that closes it, or what follows `]:`, up to the end of the line.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to limit: Int, isInParentheses: Bool) {
    self.bytes = bytes
    self.limit = limit
    target = start..<start
    end = start
    skipBlanks()
    guard readTarget() else { return nil }
    let afterTarget = end
    skipBlanks()
    if end > afterTarget, end < limit, !isInParentheses || bytes[end] != UInt8(ascii: ")") {
      guard readTitle() else { return nil }
    } else {
      end = afterTarget
    }
    let afterTitle = end
    skipBlanks()
    if isInParentheses {
      guard end < limit, bytes[end] == UInt8(ascii: ")") else { return nil }
      end += 1
    } else {
      guard end == limit else { return nil }
      end = afterTitle
    }
  }

  private mutating func readTarget() -> Bool {
    guard end < limit else { return false }
    return bytes[end] == UInt8(ascii: "<") ? readBracketed() : readPlain()
  }

  private mutating func readBracketed() -> Bool {
    let start = end + 1
    var position = start
    while position < limit {
      switch bytes[position] {
      case UInt8(ascii: ">"):
        target = start..<position
        end = position + 1
        return true
      case UInt8(ascii: "<"), 0x0A: return false
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    return false
  }

  /// Bytes without blanks in which parentheses pair, at most 32 deep.
  private mutating func readPlain() -> Bool {
    let start = end
    var depth = 0
    var position = start
    scan: while position < limit {
      switch bytes[position] {
      case 0...0x20, 0x7F: break scan
      case UInt8(ascii: "\\") where position + 1 < limit && bytes[position + 1] > 0x20: position += 1
      case UInt8(ascii: "("):
        depth += 1
        if depth > 32 { return false }
      case UInt8(ascii: ")"):
        if depth == 0 { break scan }
        depth -= 1
      default: break
      }
      position += 1
    }
    target = start..<position
    end = position
    return depth == 0
  }

  private mutating func readTitle() -> Bool {
    let open = bytes[end]
    let close: UInt8
    switch open {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): close = open
    case UInt8(ascii: "("): close = UInt8(ascii: ")")
    default: return false
    }
    var position = end + 1
    while position < limit {
      let byte = bytes[position]
      if byte == close {
        end = position + 1
        return true
      }
      if byte == open || byte == 0x0A { return false }
      position += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    return false
  }

  private mutating func skipBlanks() {
    while end < limit, bytes[end] == 0x20 || bytes[end] == 0x09 || bytes[end] == 0x0D { end += 1 }
  }
}
