/// The target of a link and the title after it, as Markdown writes them.
///
/// Source: CommonMark 0.31, section 6.3 (link destination, link title), and cmark's manual_scan_link_url.
struct LinkTarget {
  /// The bytes of the target, without `<>`.
  private(set) var target: Range<Int>
  /// The end of the link: after its parenthesis, or after the target or title of a definition.
  private(set) var end: Int

  private let bytes: UnsafeBufferPointer<UInt8>
  private let limit: Int
  private let quoteDepth: Int

  /// Reads the bytes after `](`, up to the closing parenthesis.
  ///
  /// - Parameter quoteDepth: the number of quotation marks that may begin a line.
  init?(
    _ bytes: UnsafeBufferPointer<UInt8>, inParenthesesFrom start: Int, to limit: Int, quoteDepth: Int = .max
  ) {
    self.init(bytes, start, limit, quoteDepth)
    skipSpaces()
    guard readTarget() else { return nil }
    let afterTarget = end
    skipSpaces()
    if end > afterTarget { readTitle() }
    skipSpaces()
    guard end < limit, bytes[end] == UInt8(ascii: ")") else { return nil }
    end += 1
  }

  /// Reads the bytes after `]:`, up to the end of a line.
  init?(
    _ bytes: UnsafeBufferPointer<UInt8>, ofDefinitionFrom start: Int, to limit: Int, quoteDepth: Int = .max
  ) {
    self.init(bytes, start, limit, quoteDepth)
    skipSpaces()
    guard end < limit, readTarget() else { return nil }
    let afterTarget = end
    skipSpaces()
    // With further text on its line, the title is not a title but text.
    if end > afterTarget, readTitle(), isAtLineEnd { return }
    end = afterTarget
    guard isAtLineEnd else { return nil }
  }

  private init(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ limit: Int, _ quoteDepth: Int) {
    (self.bytes, self.limit, self.quoteDepth) = (bytes, limit, quoteDepth)
    (target, end) = (start..<start, start)
  }

  private var isAtLineEnd: Bool {
    var position = end
    while position < limit, isBlankByte(bytes[position]) { position += 1 }
    return position == limit || bytes[position] == 0x0A || bytes[position] == 0x0D
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
      case UInt8(ascii: "<"), 0x0A, 0x0D: return false
      case UInt8(ascii: "\\"): position += 2
      default: position += 1
      }
    }
    return false
  }

  /// Bytes without white space, up to a parenthesis that closes none of at most 32 open ones.
  private mutating func readPlain() -> Bool {
    let start = end
    var depth = 0
    var position = start
    scan: while position < limit {
      let byte = bytes[position]
      if isSpaceByte(byte) { break }
      switch byte {
      case UInt8(ascii: "\\") where position + 1 < limit && isPunctuationByte(bytes[position + 1]):
        position += 1
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
    return true
  }

  @discardableResult
  private mutating func readTitle() -> Bool {
    guard end < limit else { return false }
    let open = bytes[end]
    let close: UInt8
    switch open {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): close = open
    case UInt8(ascii: "("): close = UInt8(ascii: ")")
    default: return false
    }
    var position = end + 1
    // A title that is not closed ends at a mark after a backslash.
    var escapedClose: Int?
    while position < limit {
      let byte = bytes[position]
      if byte == close {
        end = position + 1
        return true
      }
      if byte == open { break }
      if byte == UInt8(ascii: "\\"), position + 1 < limit, isPunctuationByte(bytes[position + 1]) {
        position += 1
        if bytes[position] == close { escapedClose = position }
      }
      position += 1
    }
    guard let escapedClose else { return false }
    end = escapedClose + 1
    return true
  }

  private mutating func skipSpaces() { end = bytes.skippingSpaces(from: end, to: limit, quoteDepth) }
}

/// The side of the bar on which wiki links have their labels: `[[target|label]]`, in Dendron's vaults `[[label|target]]`.
package enum WikiLabels {
  private static var areFirst: Bool { TextConventions.has(.labelsFirst) }

  /// Splits the text between the brackets of a wiki link; a backslash before the bar belongs to neither part.
  ///
  /// - Returns: no label if there is no bar.
  package static func parts(
    of inner: ArraySlice<UInt8>, isEmbed: Bool = false
  ) -> (target: ArraySlice<UInt8>, label: ArraySlice<UInt8>?) {
    guard let bar = inner.firstIndex(of: UInt8(ascii: "|")) else { return (inner, nil) }
    var before = inner[..<bar]
    if before.last == UInt8(ascii: "\\") { before.removeLast() }
    let after = inner[(bar + 1)...]
    return areFirst && !isEmbed ? (after, before) : (before, after)
  }

  /// A target and its label with the bar between them.
  package static func joined(_ target: [UInt8], _ label: [UInt8], isInTable: Bool = false) -> [UInt8] {
    let bar = Array((isInTable ? "\\|" : "|").utf8)
    return areFirst ? label + bar + target : target + bar + label
  }
}
