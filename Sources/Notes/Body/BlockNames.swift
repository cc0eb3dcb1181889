/// The names of blocks, such as `^figure` at the end of a line, by which links lead to them.
package enum BlockNames {
  /// The names with their `^`, and their bytes in the file; those in code are among them.
  ///
  /// - Complexity: O(n).
  package static func all(in text: NoteText) -> [(name: String, range: Range<Int>)] {
    guard text.bytes[text.body].contains(UInt8(ascii: "^")) else { return [] }
    var found: [(name: String, range: Range<Int>)] = []
    var start = text.body.lowerBound
    while start < text.body.upperBound {
      let lineFeed = text.bytes[start..<text.body.upperBound].firstIndex(of: 0x0A) ?? text.body.upperBound
      if let range = name(in: text.bytes[start..<lineFeed]) {
        found.append((String(decoding: text.bytes[range], as: UTF8.self), range))
      }
      start = lineFeed + 1
    }
    return found
  }

  private static func name(in line: ArraySlice<UInt8>) -> Range<Int>? {
    var end = line.endIndex
    while end > line.startIndex, line[end - 1] <= 0x20 { end -= 1 }
    var start = end
    while start > line.startIndex, isLetter(line[start - 1]) { start -= 1 }
    guard start < end, start > line.startIndex, line[start - 1] == UInt8(ascii: "^"),
      start - 1 == line.startIndex || line[start - 2] <= 0x20
    else { return nil }
    return (start - 1)..<end
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
  }
}
