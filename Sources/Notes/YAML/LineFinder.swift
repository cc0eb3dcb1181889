/// Turns places counted in characters into byte offsets.
struct CharacterOffsets {
  private static let stride = 64
  private let bytes: [UInt8]
  private let range: Range<Int>
  /// The offset of every 64th character, or nothing where every character is one byte.
  private var marks: [Int] = []

  init(_ bytes: [UInt8], in range: Range<Int>) {
    self.bytes = bytes
    self.range = range
    guard bytes[range].contains(where: { $0 >= 0x80 }) else { return }
    var characters = 0
    for offset in range where bytes[offset] & 0xC0 != 0x80 {
      if characters % Self.stride == 0 { marks.append(offset) }
      characters += 1
    }
  }

  /// The byte offset in the file of a character of the block, or the block's end.
  subscript(character: Int) -> Int {
    guard !marks.isEmpty else { return min(range.lowerBound + character, range.upperBound) }
    guard character / Self.stride < marks.count else { return range.upperBound }
    var offset = marks[character / Self.stride]
    var left = character % Self.stride
    while left > 0, offset < range.upperBound {
      offset += 1
      while offset < range.upperBound, bytes[offset] & 0xC0 == 0x80 { offset += 1 }
      left -= 1
    }
    return offset
  }
}

/// Finds the lines of offsets that never decrease, so that the lines of many fields cost one pass.
struct LineFinder {
  private var number = 1
  private var start = 0
  private var next: Int?

  /// Returns the line that an offset is in: its number from 1, its start and the start of the next.
  mutating func line(of offset: Int, in bytes: [UInt8]) -> (number: Int, start: Int, next: Int) {
    var end = next ?? bytes.lineEnd(of: start)
    while end <= offset, end < bytes.count {
      number += 1
      start = end
      end = bytes.lineEnd(of: start)
    }
    next = end
    return (number, start, end)
  }
}

extension [UInt8] {
  /// Returns the start of the line after the one that an offset is in.
  func lineEnd(of offset: Int) -> Int {
    lineFeed(from: offset).map { $0 + 1 } ?? count
  }

  /// Returns the start of the line where nothing but spaces stands before an offset, else nil.
  func indentedLineStart(of offset: Int) -> Int? {
    var index = offset
    while index > 0, self[index - 1] == 0x20 { index -= 1 }
    return index == 0 || self[index - 1] == 0x0A ? index : nil
  }
}
