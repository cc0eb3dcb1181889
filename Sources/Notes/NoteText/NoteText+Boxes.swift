extension NoteText {
  /// The note with the ticks taken out of the boxes of its lists, `- [x] water`; code between fences stays.
  ///
  /// - Complexity: O(n).
  func withoutTicks() -> NoteText {
    var bytes = self.bytes
    var fence: UInt8?
    var start = body.lowerBound
    while start < bytes.count {
      let end = bytes.lineFeed(from: start) ?? bytes.count
      var place = start
      while place < end, [0x20, 0x09, UInt8(ascii: ">")].contains(bytes[place]) { place += 1 }
      if let mark = Self.fence(in: bytes[place..<end]) {
        if fence == nil { fence = mark } else if fence == mark { fence = nil }
      } else if fence == nil, let tick = Self.tick(in: bytes[place..<end]) {
        bytes[tick] = 0x20
      }
      start = end + 1
    }
    return bytes == self.bytes ? self : NoteText(bytes)
  }

  /// The mark of a fence of code that a line begins with.
  private static func fence(in line: ArraySlice<UInt8>) -> UInt8? {
    guard let mark = line.first, mark == UInt8(ascii: "`") || mark == UInt8(ascii: "~") else { return nil }
    return line.prefix { $0 == mark }.count >= 3 ? mark : nil
  }

  /// Where the tick stands in an element of a list that begins with a ticked box.
  private static func tick(in line: ArraySlice<UInt8>) -> Int? {
    guard let first = line.first else { return nil }
    var place = line.startIndex + 1
    if !"-*+".utf8.contains(first) {
      place = line.startIndex + line.prefix { $0 &- UInt8(ascii: "0") < 10 }.count
      guard place > line.startIndex, place < line.endIndex, ".)".utf8.contains(line[place]) else {
        return nil
      }
      place += 1
    }
    let blanks = line[place...].prefix { $0 == 0x20 || $0 == 0x09 }
    let box = line[(place + blanks.count)...].prefix(4)
    guard !blanks.isEmpty, box.count >= 3, box[box.startIndex] == UInt8(ascii: "["),
      box[box.startIndex + 1] | 0x20 == UInt8(ascii: "x"), box[box.startIndex + 2] == UInt8(ascii: "]"),
      box.count == 3 || [0x20, 0x09, 0x0D].contains(box[box.startIndex + 3])
    else { return nil }
    return box.startIndex + 1
  }
}
