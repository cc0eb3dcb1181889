/// A heading of a note's body; those in lists and quotations are none.
package struct BodyHeading: Sendable, Equatable {
  /// From 1 to 6.
  package let level: Int
  /// The bytes of its text, without marks and blanks around it.
  package let text: Range<Int>
  /// The bytes of an id of its own with the marks around it, as `{#id}`; empty if it has none.
  package let attribute: Range<Int>
  /// The bytes from the first mark or letter to the end of its last line, without the line end.
  package let lines: Range<Int>

  /// The headings of a note in their order.
  ///
  /// - Complexity: that of a scan of the body.
  package static func all(in text: NoteText) -> [BodyHeading] {
    let body = text.body
    return text.bytes.withUnsafeBufferPointer { bytes in
      var scanner = BodyBlocks(bytes, end: body.upperBound)
      scanner.headings = []
      scanner.scan(from: body.lowerBound)
      return scanner.headings ?? []
    }
  }

  init(level: Int, text: Range<Int>, lines: Range<Int>, in bytes: UnsafeBufferPointer<UInt8>) {
    self.level = level
    self.lines = lines
    let length = Self.attributeLength(bytes[text])
    attribute = text.upperBound - length..<text.upperBound
    var end = attribute.lowerBound
    while end > text.lowerBound, isSpaceByte(bytes[end - 1]) { end -= 1 }
    self.text = text.lowerBound..<end
  }

  /// The length of `{#id}` at the end of a text after a blank; 0 if there is none.
  private static func attributeLength(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
    guard text.last == UInt8(ascii: "}"), let open = text.lastIndex(of: UInt8(ascii: "{")),
      open > text.startIndex, isBlankByte(text[open - 1]), text[open + 1] == UInt8(ascii: "#")
    else { return 0 }
    let name = text[(open + 2)..<(text.endIndex - 1)]
    let isName = !name.isEmpty && name.allSatisfy { $0 > 0x20 && !"{}#".utf8.contains($0) }
    return isName ? text.endIndex - open : 0
  }

  /// The id that the heading gives itself, as kramdown and Pandoc read it; empty if it has none.
  package func id(in bytes: [UInt8]) -> [UInt8] {
    attribute.isEmpty ? [] : Array(bytes[(attribute.lowerBound + 2)..<(attribute.upperBound - 1)])
  }

  /// Whether a line of marks below the text makes the heading.
  package var isUnderlined: Bool { lines.lowerBound == text.lowerBound && !text.isEmpty }

  /// The text without markup.
  package func plain(in bytes: [UInt8]) -> String { PlainText.of(Array(bytes[text])) }
}
