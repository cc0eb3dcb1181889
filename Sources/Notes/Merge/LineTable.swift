import func Glibc.memcmp

/// A text as lines, each with the line end it has.
struct LineTable {
  let bytes: [UInt8]
  /// The bytes of each line without its end; a carriage return before the line feed is part of the end, or of the line.
  let contents: [Range<Int>]
  /// Whether the last line has an end; true of a text without lines.
  let isEnded: Bool

  /// - Parameter returnsAreText: whether a carriage return before a line feed is part of the line.
  init(_ bytes: [UInt8], returnsAreText: Bool = false) {
    var contents: [Range<Int>] = []
    var start = 0
    bytes.withUnsafeBufferPointer { buffer in
      while let lineFeed = buffer.offset(of: 0x0A, from: start, to: buffer.count) {
        let hasReturn = lineFeed > start && buffer[lineFeed - 1] == 0x0D
        contents.append(start..<(hasReturn && !returnsAreText ? lineFeed - 1 : lineFeed))
        start = lineFeed + 1
      }
    }
    isEnded = start == bytes.count
    if !isEnded { contents.append(start..<bytes.count) }
    self.bytes = bytes
    self.contents = contents
  }
}

/// Numbers for lines: equal contents have equal numbers, whatever their line ends.
struct LineNumbers {
  private struct Key: Hashable {
    let content: ArraySlice<UInt8>

    func hash(into hasher: inout Hasher) {
      content.withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    static func == (left: Key, right: Key) -> Bool {
      guard left.content.count == right.content.count else { return false }
      return left.content.withUnsafeBytes { first in
        right.content.withUnsafeBytes { second in
          guard let one = first.baseAddress, let other = second.baseAddress else { return true }
          return memcmp(one, other, first.count) == 0
        }
      }
    }
  }

  private var numbers: [Key: Int32] = [:]

  mutating func of(_ table: LineTable) -> [Int32] {
    table.contents.map { content in
      let next = Int32(truncatingIfNeeded: numbers.count)
      let key = Key(content: table.bytes[content])
      if let number = numbers[key] { return number }
      numbers[key] = next
      return next
    }
  }
}

/// The words of a text, its blanks, and each other character.
enum TextWords {
  /// The places of all of them, which together are the text.
  static func ranges(_ text: [UInt8]) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start = 0
    for place in text.indices {
      let isJoined = place + 1 < text.count && joins(text[place], text[place + 1])
      if isJoined { continue }
      words.append(start..<place + 1)
      start = place + 1
    }
    return words
  }

  /// Whether a byte can be seen: no blank, no line end, no control character.
  static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 }

  private static func joins(_ byte: UInt8, _ next: UInt8) -> Bool {
    (isLetter(byte) && isLetter(next)) || (byte == 0x20 && next == 0x20)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x80...: true
    default: false
    }
  }
}

/// Numbers for words: equal words have equal numbers.
struct WordNumbers {
  private var numbers: [ArraySlice<UInt8>: Int32] = [:]

  mutating func of(_ words: [Range<Int>], in text: [UInt8]) -> [Int32] {
    words.map { word in
      let next = Int32(truncatingIfNeeded: numbers.count)
      if let number = numbers[text[word]] { return number }
      numbers[text[word]] = next
      return next
    }
  }
}
