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
