import func Glibc.memchr

/// A line of a body with a reading position, as block structure is read: tabs reach to the next multiple of four columns.
///
/// Source: cmark, blocks.c, S_advance_offset and S_find_first_nonspace.
struct BodyLine {
  let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of the first byte that is not read yet; a tab that is read in part is not.
  private(set) var position: Int
  /// The end without the line end.
  let end: Int
  private(set) var column = 0
  /// The offset of the first byte that is no blank, from `position` on.
  private(set) var text = 0
  /// The columns of the blanks between `position` and `text`.
  private(set) var indent = 0

  init(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, to end: Int) {
    (self.bytes, self.position, self.end) = (bytes, start, end)
    findText()
  }

  var isBlank: Bool { text == end }

  /// Whether the text is so far to the right that it begins code.
  var isIndented: Bool { indent >= 4 }

  /// The first byte that is no blank; 0 for a blank line.
  var first: UInt8 { text < end ? bytes[text] : 0 }

  /// Whether a blank is at the position.
  var hasBlank: Bool { position < end && isBlankByte(bytes[position]) }

  /// Moves past some columns of blanks.
  mutating func skip(columns count: Int) {
    var left = count
    while left > 0, hasBlank {
      guard bytes[position] == 0x09 else {
        (position, column, left) = (position + 1, column + 1, left - 1)
        continue
      }
      let width = 4 - column % 4
      if width <= left { position += 1 }
      column += min(width, left)
      left -= min(width, left)
    }
    findText()
  }

  /// Moves to the text.
  mutating func skipBlanks() { skip(columns: indent) }

  /// Moves past the blanks and some bytes of the text.
  mutating func skipText(_ count: Int) {
    column += indent + count
    position = text + count
    findText()
  }

  private mutating func findText() {
    (text, indent) = (position, 0)
    while text < end, isBlankByte(bytes[text]) {
      indent += bytes[text] == 0x09 ? 4 - (column + indent) % 4 : 1
      text += 1
    }
  }
}

/// Whether a byte is a space or a tab.
@inline(__always)
func isBlankByte(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

/// Whether a byte is white space of ASCII, a line end included.
@inline(__always)
func isSpaceByte(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

/// Whether a byte is punctuation of ASCII, which a backslash may escape.
@inline(__always)
func isPunctuationByte(_ byte: UInt8) -> Bool {
  (0x21...0x2F).contains(byte) || (0x3A...0x40).contains(byte) || (0x5B...0x60).contains(byte)
    || (0x7B...0x7E).contains(byte)
}

extension UnsafeBufferPointer<UInt8> {
  /// The offset of the first such byte in a range.
  func offset(of byte: UInt8, from start: Int, to end: Int) -> Int? {
    guard start < end, let base = baseAddress, let found = memchr(base + start, Int32(byte), end - start)
    else {
      return nil
    }
    return UnsafeRawPointer(found) - UnsafeRawPointer(base)
  }
}
