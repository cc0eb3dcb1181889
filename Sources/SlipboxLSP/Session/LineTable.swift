/// The lines of a text, for positions of the protocol and offsets of bytes.
///
/// A line ends in a line feed, a carriage return, or both. A byte-order mark belongs to the file and not to its first line:
/// no editor shows it.
struct LineTable: Sendable {
  private let bytes: [UInt8]
  private let encoding: PositionEncoding
  /// Where each line begins, in bytes.
  private let starts: [Int]

  /// - Complexity: O(n).
  init(_ bytes: [UInt8], _ encoding: PositionEncoding) {
    self.bytes = bytes
    self.encoding = encoding
    var starts = [bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0]
    bytes.withUnsafeBufferPointer { bytes in
      for index in bytes.indices {
        let byte = bytes[index]
        if byte == 0x0A || byte == 0x0D && (index + 1 == bytes.count || bytes[index + 1] != 0x0A) {
          starts.append(index + 1)
        }
      }
    }
    self.starts = starts
  }

  /// How many lines there are; after a last line end there is an empty one.
  var count: Int { starts.count }

  /// The bytes of a line without its end.
  func content(ofLine line: Int) -> Range<Int> {
    let start = starts[line]
    var end = line + 1 < starts.count ? starts[line + 1] : bytes.count
    while end > start, bytes[end - 1] == 0x0A || bytes[end - 1] == 0x0D { end -= 1 }
    return start..<end
  }

  /// The offset of a position in bytes; beyond a line or the text it is the end of that.
  ///
  /// In the middle of a character it is the character's beginning.
  /// - Complexity: O(m) in the length of the line.
  func offset(of position: Position) -> Int {
    guard position.line >= 0 else { return starts[0] }
    guard position.line < starts.count else { return bytes.count }
    let line = content(ofLine: position.line)
    if encoding == .utf8 {
      var offset = line.lowerBound + min(max(0, position.character), line.count)
      while offset > line.lowerBound, offset < bytes.count, bytes[offset] & 0xC0 == 0x80 { offset -= 1 }
      return offset
    }
    var units = 0
    var offset = line.lowerBound
    while offset < line.upperBound {
      let next = units + encoding.units(ofLead: bytes[offset])
      if next > position.character { break }
      units = next
      offset += 1
    }
    return offset
  }

  /// The position of an offset in bytes.
  ///
  /// - Complexity: O(log n) in the lines, O(m) in the length of the line.
  func position(of offset: Int) -> Position {
    let offset = min(max(offset, starts[0]), bytes.count)
    let line = line(at: offset)
    // Between a carriage return and its line feed is the end of the line.
    let end = min(offset, content(ofLine: line).upperBound)
    if encoding == .utf8 { return Position(line: line, character: end - starts[line]) }
    var units = 0
    for index in starts[line]..<max(end, starts[line]) { units += encoding.units(ofLead: bytes[index]) }
    return Position(line: line, character: units)
  }

  /// The number of the line that holds an offset, from 0.
  func line(at offset: Int) -> Int {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = (low + high) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return low
  }

  func range(of offsets: Range<Int>) -> PositionRange {
    PositionRange(start: position(of: offsets.lowerBound), end: position(of: offsets.upperBound))
  }

  func offsets(of range: PositionRange) -> Range<Int> {
    let (start, end) = (offset(of: range.start), offset(of: range.end))
    return min(start, end)..<max(start, end)
  }

  /// The range of all of the text.
  var whole: PositionRange { range(of: starts[0]..<bytes.count) }
}

/// A place in a text: a line and the units of the agreed encoding before it in the line, both from 0.
struct Position: Codable, Hashable, Comparable, Sendable {
  var line: Int
  var character: Int

  static func < (left: Position, right: Position) -> Bool {
    (left.line, left.character) < (right.line, right.character)
  }
}

/// A part of a text, without its end.
struct PositionRange: Codable, Hashable, Sendable {
  var start: Position
  var end: Position

  init(start: Position, end: Position) {
    self.start = start
    self.end = end
  }

  /// Whether two ranges have a place in common, be it an end.
  func touches(_ other: PositionRange) -> Bool { start <= other.end && other.start <= end }
}

/// A part of a file.
struct Location: Codable, Hashable, Sendable {
  var uri: String
  var range: PositionRange
}

/// The units in which positions count.
enum PositionEncoding: String, Codable, Sendable, CaseIterable {
  case utf8 = "utf-8"
  case utf16 = "utf-16"
  case utf32 = "utf-32"

  /// The best of those that a client offers: bytes need no counting. A client that offers none means UTF-16.
  init(offered: [String]) {
    let known = offered.compactMap { PositionEncoding(rawValue: $0) }
    self = known.contains(.utf8) ? .utf8 : known.first ?? .utf16
  }

  /// How many units a character has whose first byte in UTF-8 is this one; none for a byte that continues one.
  @inline(__always)
  func units(ofLead byte: UInt8) -> Int {
    if byte & 0xC0 == 0x80 { return 0 }
    return self == .utf16 && byte >= 0xF0 ? 2 : 1
  }
}
