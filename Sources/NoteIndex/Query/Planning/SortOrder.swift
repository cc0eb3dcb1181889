import Bytes
import Notes
import Text

/// Sorts entries by a query's keys; what ties keeps the catalogue's order.
struct SortOrder {
  let keys: [SortKey]
  let schema: Schema
  let executor: ParallelExecutor?
  /// Works out the urgency of records; nil where no key asks for it, or no kind knows it.
  var meter: UrgencyMeter?

  /// Returns places in an array of entries in the order of the keys.
  ///
  /// No note is made where what is stored beside the notes will do: dates, ids, paths, titles and kinds.
  /// - Parameters:
  ///   - places: ascending, so that ties stay newest first.
  ///   - modified: when the entry at a place was modified; asked on the calling thread, only where a key needs it.
  /// - Complexity: O(n log n).
  func sorted(_ places: [Int], of entries: Entries, modified: (Int) -> Timestamp) -> [Int] {
    guard !keys.isEmpty else { return places }
    let times = keys.contains { $0.field == "modified" } ? places.map { modified($0).seconds } : []
    let values = values(of: places, entries, times)
    return places.indices.sorted { left, right in
      for (index, key) in keys.enumerated() {
        let first = values[left * keys.count + index]
        let second = values[right * keys.count + index]
        if let isBefore = Self.isBefore(first, second, descending: key.descending) { return isBefore }
      }
      return left < right
    }.map { places[$0] }
  }

  /// The values of each place by all keys, one place after another.
  private func values(of places: [Int], _ entries: Entries, _ times: [Int64]) -> [SortValue] {
    let needKinds = keys.contains { !Self.builtInFields.contains($0.field) }
    let kinds = needKinds ? kinds(of: places, entries) : []
    let fields = keys.map(\.field)
    let types = fields.map { Self.builtInFields.contains($0) ? nil : TypedOrder($0, of: kinds) }
    let facts = EntryFacts(entries)
    return ParallelChunks(count: places.count, executor: executor).map { stretch in
      stretch.flatMap { index in
        let place = places[index]
        let key = entries.key(at: place)
        var made: Entry?
        return zip(fields, types).map { field, type -> SortValue in
          switch field {
          case "created": return .instant(key.created.millisecondsSince1970)
          case "modified": return .instant(times[index])
          case "path": return .text(entries.path(at: place))
          case "id": return key.id.map { .text($0.bytes) } ?? .absent
          case "title": return .text(Collation.key(entries.names(at: place).title))
          case "kind": return .text(Collation.key(facts.kind(at: place) ?? entries[place].kind))
          default:
            let entry = made ?? entries[place]
            made = entry
            if let meter, field == SortKey.urgency, meter.isKnown(ofKind: entry.kind) {
              return meter.urgency(of: entry).map { SortValue($0.description) } ?? .absent
            }
            return type?.value(of: entry) ?? Self.value(of: entry, field)
          }
        }
      }
    }.flatMap { $0 }
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

  /// The kinds of the entries at these places, each once; nil for undeclared ones.
  private func kinds(of places: [Int], _ entries: Entries) -> [Kind?] {
    let facts = EntryFacts(entries)
    let names = ParallelChunks(count: places.count, executor: executor).map { stretch in
      var names: [String] = []
      for index in stretch {
        let kind = facts.kind(at: places[index]) ?? entries[places[index]].kind
        if !names.contains(where: kind.hasSameBytes) { names.append(kind) }
      }
      return names
    }
    var all: [String] = []
    for name in names.joined() where !all.contains(where: name.hasSameBytes) { all.append(name) }
    return all.map { schema.kind(named: $0) }
  }

  private static func value(of entry: Entry, _ field: String) -> SortValue {
    let note = entry.note
    switch field {
    case "tag", "tags": return note.tags.first.map { .text(Collation.key($0)) } ?? .absent
    default: return note.value(of: field)?.first.map(SortValue.init) ?? .absent
    }
  }
}
