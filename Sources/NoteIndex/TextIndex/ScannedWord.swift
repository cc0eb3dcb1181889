/// A folded word as the scanner hands it on: its first 16 bytes in two numbers, for most words are no longer.
struct ScannedWord {
  /// The most bytes of a word that are stored. A longer word is cut and matches all words that begin the same way.
  static let longest = 255

  /// The first eight bytes, the first of them lowest, zeros after the end.
  let low: UInt64
  /// The next eight.
  let high: UInt64
  /// The number of bytes of the word, at most `longest`.
  let count: Int
  /// All bytes of a word that is longer than 16; the pointer must not escape.
  let bytes: UnsafePointer<UInt8>?

  @inline(__always)
  init(low: UInt64, high: UInt64, count: Int) {
    self.low = low
    self.high = high
    self.count = count
    bytes = nil
  }

  /// Takes a word from memory.
  init(_ start: UnsafePointer<UInt8>, count: Int) {
    self.count = min(count, Self.longest)
    low = Self.number(start, min(self.count, 8))
    high = Self.number(start + min(self.count, 8), min(max(self.count - 8, 0), 8))
    bytes = self.count > 16 ? start : nil
  }

  /// Puts up to eight bytes into a number.
  @inline(__always)
  static func number(_ start: UnsafePointer<UInt8>, _ count: Int) -> UInt64 {
    if count == 8 { return UnsafeRawPointer(start).loadUnaligned(as: UInt64.self).littleEndian }
    var value: UInt64 = 0
    for index in 0..<count { value |= UInt64(start[index]) &<< UInt64(8 &* index) }
    return value
  }

  /// A hash of the word for a table.
  @inline(__always)
  var hash: UInt64 {
    var mixed = (low ^ UInt64(count)) &* 0x9E37_79B9_7F4A_7C15
    mixed = (mixed ^ mixed >> 32 ^ high) &* 0xC2B2_AE3D_27D4_EB4F
    if count > 16 { mixed = longHash(mixed) }
    return mixed ^ mixed >> 29
  }

  private func longHash(_ start: UInt64) -> UInt64 {
    var mixed = start
    guard let bytes else { return mixed }
    var offset = 16
    while offset < count {
      let part = Self.number(bytes + offset, min(8, count - offset))
      mixed = (mixed ^ mixed >> 29 ^ part) &* 0x1656_67B1_9E37_79F9
      offset += 8
    }
    return mixed
  }
}

/// The text of a note that contains a word.
package enum TextField: UInt8, Sendable, CaseIterable {
  case body = 0
  case title = 1
  case alias = 2
  case tag = 3
  /// Any other text of the front matter.
  case other = 4

  static let count = 5
}

/// The texts of a note that a search for a word reads.
package struct TextScope: OptionSet, Sendable, Hashable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue }

  package init(_ field: TextField) { rawValue = 1 << field.rawValue }

  package static let body = TextScope(.body)
  package static let title = TextScope(.title)
  package static let aliases = TextScope(.alias)
  package static let tags = TextScope(.tag)
  package static let others = TextScope(.other)
  package static let anywhere: TextScope = [.body, .title, .aliases, .tags, .others]
}

/// The place of a word in a document: its field, and its number among the words of that field, from 1.
///
/// One number is skipped between two texts of one field, so that words of different texts are never adjacent.
enum WordPlace {
  static let fieldShift: UInt32 = 28
  /// Words after that many are counted but can't be found; no note is that long.
  static let highestNumber: UInt32 = 1 << fieldShift - 2

  static func field(of place: UInt32) -> UInt32 { place >> fieldShift }
}
