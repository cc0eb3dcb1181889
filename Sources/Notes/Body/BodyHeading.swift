/// A heading of a note's body; those in lists and quotations are none.
package struct BodyHeading: Sendable, Equatable {
  /// From 1 to 6.
  package let level: Int
  /// The bytes of its text, without marks and blanks around it.
  package let text: Range<Int>
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

  /// Whether a line of marks below the text makes the heading.
  package var isUnderlined: Bool { lines.lowerBound == text.lowerBound && !text.isEmpty }

  /// The text without markup.
  package func plain(in bytes: [UInt8]) -> String { PlainText.of(Array(bytes[text])) }
}
