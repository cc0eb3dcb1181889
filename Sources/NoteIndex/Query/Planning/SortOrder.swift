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
    let kinds = KindNumbers(
      places, entries, isNeeded: keys.contains { !Self.isTimeOrPath($0.field) }, executor)
    let columns = keys.map { ranks(of: places, by: $0, entries, kinds, modified) }
    return Self.ordered(places, columns[0]) { left, right in
      for ranks in columns.dropFirst() where ranks[left] != ranks[right] { return ranks[left] < ranks[right] }
      return nil
    }
  }

  /// Puts places into the order of their ranks, which have the same indices; what ties stays as it is.
  ///
  /// - Parameter isBefore: tells of two indices of one rank.
  private static func ordered(
    _ places: [Int], _ ranks: [UInt64], _ isBefore: (Int, Int) -> Bool? = { _, _ in nil }
  ) -> [Int] {
    places.indices.sorted { left, right in
      ranks[left] == ranks[right] ? isBefore(left, right) ?? (left < right) : ranks[left] < ranks[right]
    }.map { places[$0] }
  }

  private static func isTimeOrPath(_ field: String) -> Bool {
    ["created", "id", "modified", "path", "title"].contains(field)
  }

  /// Numbers by which places compare by a key.
  private func ranks(
    of places: [Int], by key: SortKey, _ entries: Entries, _ kinds: KindNumbers,
    _ modified: (Int) -> Timestamp
  ) -> [UInt64] {
    switch key.field {
    case "created":
      let instants = places.lazy.map { entries.key(at: $0).created.millisecondsSince1970 }
      return SortRanks.ranks(of: instants, descending: key.descending)
    case "modified":
      return SortRanks.ranks(of: places.map { modified($0).seconds }, descending: key.descending)
    case "kind":
      let ranks = SortRanks.ranks(
        of: kinds.names.map { .text(Collation.key($0)) }, descending: key.descending)
      return kinds.numbers.map { ranks[$0] }
    case "title":
      guard let titles = entries.titleOrder(executor) else { fallthrough }
      return ranks(of: places, entries, among: titles, descending: key.descending)
    case "id", "path", "tag", "tags":
      return SortRanks.ranks(of: values(of: places, entries, key.field), descending: key.descending)
    default: return ranks(of: places, byField: key, entries, kinds)
    }
  }

  /// Numbers by which places compare by their titles, most of whose order is kept.
  private func ranks(
    of places: [Int], _ entries: Entries, among titles: TitleOrder, descending: Bool
  ) -> [UInt64] {
    let numbers = places.map { entries.storedNumber(at: $0) }
    let others = zip(places, numbers).filter { $1 == nil }.map {
      Collation.key(entries.names(at: $0.0).title)
    }
    var further = titles.ranks(of: others)[...]
    return numbers.map { number in
      let rank = number.map(titles.rank) ?? further.removeFirst()
      return descending ? ~rank : rank
    }
  }

  /// The values of a key that means the same for every kind.
  private func values(of places: [Int], _ entries: Entries, _ field: String) -> [SortValue] {
    ParallelChunks(count: places.count, executor: executor).map { stretch in
      stretch.map { index -> SortValue in
        let place = places[index]
        switch field {
        case "path": return .text(entries.path(at: place))
        case "id": return entries.key(at: place).id.map { .text($0.bytes) } ?? .absent
        case "title": return .text(Collation.key(entries.names(at: place).title))
        default: return entries[place].note.tags.first.map { .text(Collation.key($0)) } ?? .absent
        }
      }
    }.flatMap { $0 }
  }

  /// Numbers by which places compare by a field of the front-matter.
  ///
  /// Where its values are kept, each is looked at once for each kind, else the note at each place.
  private func ranks(
    of places: [Int], byField key: SortKey, _ entries: Entries, _ kinds: KindNumbers
  ) -> [UInt64] {
    let type = TypedOrder(key.field, of: kinds.names.map { schema.kind(named: $0) })
    let isUrgency = meter != nil && key.field == SortKey.urgency
    guard !isUrgency, let facts = entries.facts,
      let column = entries.column(of: key.field, facts, executor)
    else {
      let values = ParallelChunks(count: places.count, executor: executor).map { stretch in
        stretch.map { value(of: entries[places[$0]], key.field, type) }
      }.flatMap { $0 }
      return SortRanks.ranks(of: values, descending: key.descending)
    }
    // The values that are there, and which of them each place has.
    var values: [SortValue] = []
    var known = [Int](repeating: -1, count: column.examples.count * kinds.names.count)
    let numbers = places.indices.map { index -> Int in
      guard let example = entries.storedNumber(at: places[index]).flatMap(column.valueNumber) else {
        values.append(value(of: entries[places[index]], key.field, type))
        return values.count - 1
      }
      let kind = kinds.numbers[index]
      let slot = kind * column.examples.count + example
      if known[slot] < 0 {
        known[slot] = values.count
        values.append(Self.value(of: column.examples[example], kinds.names[kind], key.field, type))
      }
      return known[slot]
    }
    let ranks = SortRanks.ranks(of: values, descending: key.descending)
    return numbers.map { ranks[$0] }
  }

  private func value(of entry: Entry, _ field: String, _ type: TypedOrder?) -> SortValue {
    if let meter, field == SortKey.urgency, meter.isKnown(ofKind: entry.kind) {
      return meter.urgency(of: entry).map { SortValue($0.description) } ?? .absent
    }
    return Self.value(of: entry.note, entry.kind, field, type)
  }

  private static func value(of note: Note, _ kind: String, _ field: String, _ type: TypedOrder?) -> SortValue
  {
    type?.value(of: note, kind: kind) ?? note.value(of: field)?.first.map(SortValue.init) ?? .absent
  }
}

/// What the notes at some places count as, as numbers of names.
private struct KindNumbers {
  /// The names of the kinds, each once by its bytes.
  private(set) var names: [String] = []
  /// The number of each place's kind, by the index of the place.
  private(set) var numbers: [Int] = []

  init(_ places: [Int], _ entries: Entries, isNeeded: Bool, _ executor: ParallelExecutor?) {
    guard isNeeded else { return }
    let facts = entries.facts
    // Numbers of stored kinds, else the names themselves.
    let found = ParallelChunks(count: places.count, executor: executor).map { stretch in
      stretch.map { index -> FoundKind in
        let known = facts.flatMap { entries.kindNumber(at: places[index], $0) }
        return known.map(FoundKind.stored) ?? .named(entries[places[index]].kind)
      }
    }
    var known = [Int?](repeating: nil, count: facts?.kinds.count ?? 0)
    numbers.reserveCapacity(places.count)
    for kind in found.joined() {
      switch kind {
      case .named(let name): numbers.append(number(of: name))
      case .stored(let stored):
        let number = known[stored] ?? number(of: facts?.kinds[stored] ?? "")
        known[stored] = number
        numbers.append(number)
      }
    }
  }

  private enum FoundKind: Sendable {
    case stored(Int)
    case named(String)
  }

  private mutating func number(of name: String) -> Int {
    if let known = names.firstIndex(where: name.hasSameBytes) { return known }
    names.append(name)
    return names.count - 1
  }
}
