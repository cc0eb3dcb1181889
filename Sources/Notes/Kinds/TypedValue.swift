internal import Text

/// A value as a field's type understands it.
package enum TypedValue: Sendable, Equatable {
  case text(String)
  case integer(Int)
  case boolean(Bool)
  case date(CivilDate)
  /// A time, with the text that says it.
  case moment(Timestamp, String)
  /// A choice by its place among the field's values.
  case choice(Int)
  /// The name of a record, without the brackets of a wiki link.
  case reference(String)
  case list([TypedValue])

  /// The day of a date or a moment.
  package var day: CivilDate? {
    switch self {
    case .date(let date): date
    case .moment(let stamp, _): stamp.civilDate
    default: nil
    }
  }

  /// The names of records, if the value is a reference.
  package var names: [String] {
    switch self {
    case .reference(let name): [name]
    case .list(let elements): elements.flatMap(\.names)
    default: []
    }
  }

  /// The elements of a list, else the value alone.
  var elements: [TypedValue] {
    if case .list(let elements) = self { return elements }
    return [self]
  }

  /// The values of different types never equal; texts are equal byte for byte.
  package static func == (left: TypedValue, right: TypedValue) -> Bool {
    switch (left, right) {
    case (.text(let first), .text(let second)), (.reference(let first), .reference(let second)):
      first.hasSameBytes(as: second)
    case (.integer(let first), .integer(let second)), (.choice(let first), .choice(let second)):
      first == second
    case (.boolean(let first), .boolean(let second)): first == second
    case (.date(let first), .date(let second)): first == second
    case (.moment(let first, _), .moment(let second, _)): first == second
    case (.list(let first), .list(let second)): first == second
    default: false
    }
  }
}

extension TypedValue {
  /// Bytes whose lexicographic order is the order of values.
  ///
  /// Numbers sort by size, choices as declared, false before true, text without case and diacritics.
  package var sortKey: [UInt8] {
    switch self {
    case .text(let text), .reference(let text): Collation.key(text)
    case .integer(let number), .choice(let number): Self.ordered(Int64(number))
    case .boolean(let flag): [flag ? 1 : 0]
    case .date(let date): Self.ordered(Int64(date.dayNumber))
    case .moment(let stamp, _): Self.ordered(stamp.millisecondsSince1970)
    case .list(let elements): Array(elements.map(\.sortKey).joined(separator: [0, 0]))
    }
  }

  private static func ordered(_ number: Int64) -> [UInt8] {
    let bits = UInt64(bitPattern: number) ^ (1 << 63)
    return stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt64($0)) }
  }
}

extension Field {
  /// Returns a value as it is written in a note.
  package func written(_ value: TypedValue) -> String {
    switch value {
    case .text(let text), .reference(let text), .moment(_, let text): text
    case .integer(let number): String(number)
    case .boolean(let flag): flag ? "true" : "false"
    case .date(let date): date.description
    case .choice(let index): values.indices.contains(index) ? values[index] : ""
    case .list(let elements): elements.map(written).joined(separator: ", ")
    }
  }
}
