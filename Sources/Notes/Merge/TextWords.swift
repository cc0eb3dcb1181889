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
