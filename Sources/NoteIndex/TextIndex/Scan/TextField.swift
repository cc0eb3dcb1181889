/// Which of a note's texts a word stands in.
package enum TextField: UInt8, Sendable, CaseIterable {
  case body = 0
  case title = 1
  case alias = 2
  case tag = 3
  /// A text of the front-matter that is none of the others.
  case other = 4

  static let count = 5
}

/// The texts of a note that a word is looked for in.
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

/// Where a word stands in a document: its field, and its number among the words of that field, from 1.
///
/// Between two texts of one field a number is left out, so that words of different texts never follow one
/// another.
enum WordPlace {
  static let fieldShift: UInt32 = 28
  /// Words after that many are counted but can't be found; no note is that long.
  static let highestNumber: UInt32 = 1 << fieldShift - 2

  static func field(of place: UInt32) -> UInt32 { place >> fieldShift }
}
