import Notes
import Text

/// What a note is sorted by: numbers before dates before texts, and what is absent always last.
enum SortValue: Sendable {
  case number(DecimalNumber)
  /// Seconds since 1970.
  case instant(Int64)
  /// A collation key, or bytes that are compared as they are.
  case text([UInt8])
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

  private var rank: Int {
    switch self {
    case .number: 0
    case .instant: 1
    case .text: 2
    case .absent: 3
    }
  }

  var isAbsent: Bool { rank == 3 }

  func precedes(_ other: SortValue) -> Bool {
    switch (self, other) {
    case (.number(let left), .number(let right)): left < right
    case (.instant(let left), .instant(let right)): left < right
    case (.text(let left), .text(let right)): left.lexicographicallyPrecedes(right)
    default: rank < other.rank
    }
  }
}

/// Sorts entries by a query's keys; what ties keeps the catalogue's order.
struct SortOrder {
  let keys: [SortKey]

  /// Returns places in an array of entries in the order of the keys.
  ///
  /// - Parameters:
  ///   - places: ascending, so that ties stay newest first.
  ///   - modified: when the entry at a place was modified; asked only where a key needs it.
  /// - Complexity: O(n log n).
  func sorted(_ places: [Int], of entries: [Entry], modified: (Int) -> Timestamp) -> [Int] {
    guard !keys.isEmpty else { return places }
    let rows = places.map { place in
      (place: place, values: keys.map { value(of: entries[place], $0.field, modified: { modified(place) }) })
    }
    return rows.sorted { left, right in
      for (index, key) in keys.enumerated() {
        let (first, second) = (left.values[index], right.values[index])
        if let isBefore = Self.isBefore(first, second, descending: key.descending) { return isBefore }
      }
      return left.place < right.place
    }.map(\.place)
  }

  /// Whether one value goes before another; nil where they are equal.
  private static func isBefore(_ left: SortValue, _ right: SortValue, descending: Bool) -> Bool? {
    if left.isAbsent || right.isAbsent {
      return left.isAbsent == right.isAbsent ? nil : right.isAbsent
    }
    if left.precedes(right) { return !descending }
    if right.precedes(left) { return descending }
    return nil
  }

  private func value(of entry: Entry, _ field: String, modified: () -> Timestamp) -> SortValue {
    let note = entry.note
    switch field {
    case "title": return .text(Collation.key(note.title))
    case "created": return .instant(entry.created.seconds)
    case "modified": return .instant(modified().seconds)
    case "path": return .text(note.path)
    case "id": return note.id.map { .text($0.bytes) } ?? .absent
    case "kind": return .text(Collation.key(note.kind))
    case "tag", "tags": return note.tags.first.map { .text(Collation.key($0)) } ?? .absent
    default: return note.value(of: field)?.first.map(SortValue.init) ?? .absent
    }
  }
}
