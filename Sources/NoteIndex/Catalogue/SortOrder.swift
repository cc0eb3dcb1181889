import Notes
import Text

/// What a note is sorted by: numbers before dates before texts, and what is absent always last.
enum SortValue: Sendable {
  case number(DecimalNumber)
  /// Seconds since 1970.
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

  private var rank: Int {
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

/// Sorts entries by a query's keys; what ties keeps the catalogue's order.
struct SortOrder {
  let keys: [SortKey]
  let schema: Schema

  /// Returns places in an array of entries in the order of the keys.
  ///
  /// - Parameters:
  ///   - places: ascending, so that ties stay newest first.
  ///   - modified: when the entry at a place was modified; asked only where a key needs it.
  /// - Complexity: O(n log n).
  func sorted(_ places: [Int], of entries: Entries, modified: (Int) -> Timestamp) -> [Int] {
    guard !keys.isEmpty else { return places }
    let kinds = kinds(of: places, entries)
    let types = keys.map { Self.builtInFields.contains($0.field) ? nil : TypedOrder($0.field, of: kinds) }
    let rows = places.map { place in
      (
        place: place,
        values: values(of: entries[place], types) { modified(place) }
      )
    }
    return rows.sorted { left, right in
      for (index, key) in keys.enumerated() {
        let (first, second) = (left.values[index], right.values[index])
        if let isBefore = Self.isBefore(first, second, descending: key.descending) { return isBefore }
      }
      return left.place < right.place
    }.map(\.place)
  }

  private func values(
    of entry: Entry, _ types: [TypedOrder?], modified: () -> Timestamp
  ) -> [SortValue] {
    zip(keys, types).map { key, type in
      type?.value(of: entry) ?? value(of: entry, key.field, modified: modified)
    }
  }

  /// Whether one value goes before another; nil where they are equal.
  private static func isBefore(_ left: SortValue, _ right: SortValue, descending: Bool) -> Bool? {
    if left.group != right.group { return left.group < right.group }
    if left.precedes(right) { return !descending }
    if right.precedes(left) { return descending }
    return nil
  }

  /// The names that mean the same for every kind.
  private static let builtInFields: Set<String> = [
    "created", "id", "kind", "modified", "path", "tag", "tags", "title",
  ]

  /// The kinds of the entries at these places, each once; nil for those that nobody declared.
  private func kinds(of places: [Int], _ entries: Entries) -> [Kind?] {
    var names: [String] = []
    for place in places where !names.contains(where: entries[place].kind.hasSameBytes) {
      names.append(entries[place].kind)
    }
    return names.map { schema.kind(named: $0) }
  }

  private func value(of entry: Entry, _ field: String, modified: () -> Timestamp) -> SortValue {
    let note = entry.note
    switch field {
    case "title": return .text(Collation.key(note.title))
    case "created": return .instant(entry.created.seconds)
    case "modified": return .instant(modified().seconds)
    case "path": return .text(note.path)
    case "id": return note.id.map { .text($0.bytes) } ?? .absent
    case "kind": return .text(Collation.key(entry.kind))
    case "tag", "tags": return note.tags.first.map { .text(Collation.key($0)) } ?? .absent
    default: return note.value(of: field)?.first.map(SortValue.init) ?? .absent
    }
  }
}
