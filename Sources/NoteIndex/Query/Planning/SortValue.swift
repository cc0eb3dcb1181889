import Bytes
import Notes
import Text

/// A value to sort notes by: numbers before dates before texts, missing values always last.
enum SortValue: Sendable {
  case number(DecimalNumber)
  /// Seconds since 1970; of creation dates milliseconds.
  case instant(Int64)
  /// A collation key, or bytes that are compared as they are.
  case text([UInt8])
  /// A key by the type of a field, which compares with others of it alone.
  case typed([UInt8])
  /// A value that is not of its field's type, by its text; after all others in either direction.
  case wrong([UInt8])
  case absent

  /// Reads a value of a field.
  init(_ text: String) {
    if text.utf8.allSatisfy(ASCII.isBlank) {
      self = .absent
    } else if let number = DecimalNumber(text) {
      self = .number(number)
    } else if let date = DateReading(text) {
      self = .instant(date.seconds)
    } else {
      self = .text(Collation.key(text))
    }
  }

  /// The place of its sort among the sorts of values.
  var rank: Int {
    switch self {
    case .number: 0
    case .instant: 1
    case .text: 2
    case .typed: 3
    case .wrong: 4
    case .absent: 5
    }
  }

  /// Its place where the direction does not matter: values, wrong ones, none.
  var group: Int { max(rank, 3) }

  func precedes(_ other: SortValue) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left < right
    case (.instant(let left), .instant(let right)): left < right
    case (.text(let left), .text(let right)), (.typed(let left), .typed(let right)),
      (.wrong(let left), .wrong(let right)):
      left.lexicographicallyPrecedes(right)
    default: rank < other.rank
    }
  }
}
