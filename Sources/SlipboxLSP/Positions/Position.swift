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
