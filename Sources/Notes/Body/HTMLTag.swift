/// A tag, comment, instruction or declaration of raw HTML in running text.
///
/// Source: CommonMark 0.31, section 6.6, with the comments of cmark-gfm 0.29.
struct HTMLTag {
  /// The value of an attribute, without its quotes.
  struct Attribute {
    let name: Range<Int>
    let value: Range<Int>
  }

  private(set) var range: Range<Int>
  /// The name of the element; empty for what is no tag of one.
  private(set) var name: Range<Int>
  private(set) var isClosing = false
  /// The attributes that have a value.
  private(set) var attributes: [Attribute] = []

  /// Whether this is the tag of an element.
  var isElement: Bool { !name.isEmpty }

  private let bytes: UnsafeBufferPointer<UInt8>
  private let limit: Int
  private let quoteDepth: Int
  private var position: Int

  /// Reads the tag of an element that begins at a `<`; nil if there is none.
  ///
  /// - Parameter quoteDepth: how many marks of quotations may begin a line.
  init?(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to limit: Int, quoteDepth: Int = 0) {
    (self.bytes, self.limit, self.quoteDepth) = (bytes, limit, quoteDepth)
    position = start + 1
    (range, name) = (start..<start, start..<start)
    if peek == UInt8(ascii: "/") {
      isClosing = true
      position += 1
    }
    let first = position
    guard isLetter(peek) else { return nil }
    while isLetter(peek) || isDigit(peek) || peek == UInt8(ascii: "-") { position += 1 }
    name = first..<position
    if !isClosing {
      while takeAttribute() {}
    }
    skipSpaces()
    if !isClosing, peek == UInt8(ascii: "/") { position += 1 }
    guard position < limit, peek == UInt8(ascii: ">") else { return nil }
    range = start..<position + 1
  }

  private var peek: UInt8 { position < limit ? bytes[position] : 0 }

  private mutating func takeAttribute() -> Bool {
    let start = position
    skipSpaces()
    let first = position
    guard position > start, isLetter(peek) || peek == UInt8(ascii: "_") || peek == UInt8(ascii: ":") else {
      position = start
      return false
    }
    while isLetter(peek) || isDigit(peek) || ":._-".utf8.contains(peek) { position += 1 }
    let name = first..<position
    let end = position
    skipSpaces()
    guard peek == UInt8(ascii: "=") else {
      position = end
      return true
    }
    position += 1
    skipSpaces()
    guard let value = takeValue() else {
      position = end
      return true
    }
    attributes.append(Attribute(name: name, value: value))
    return true
  }

  private mutating func takeValue() -> Range<Int>? {
    let quote = peek
    if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
      guard let close = bytes.offset(of: quote, from: position + 1, to: limit) else { return nil }
      defer { position = close + 1 }
      return position + 1..<close
    }
    let start = position
    while position < limit, !isSpaceByte(peek), !"\"'=<>`".utf8.contains(peek) { position += 1 }
    return position > start ? start..<position : nil
  }

  /// Moves past white space, and past the marks of quotations where a line begins.
  private mutating func skipSpaces() {
    position = bytes.skippingSpaces(from: position, to: limit, quoteDepth)
  }

  private func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }

  private func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}

extension UnsafeBufferPointer<UInt8> {
  /// The offset after white space, and after the marks of quotations where a line begins.
  func skippingSpaces(from start: Int, to limit: Int, _ quoteDepth: Int) -> Int {
    var (position, marks) = (start, 0)
    while position < limit {
      let byte = self[position]
      if byte == 0x0A || byte == 0x0D {
        marks = quoteDepth
      } else if byte == UInt8(ascii: ">"), marks > 0 {
        marks -= 1
      } else if !isSpaceByte(byte) {
        break
      }
      position += 1
    }
    return position
  }
}
