import Bytes
import Notes
import Text

/// Sorts entries by a query's keys. The sort is stable: ties keep the catalogue's order.
struct SortOrder {
  let keys: [SortKey]
  let schema: Schema
  let executor: ParallelExecutor?
  /// Computes the urgency of records; nil if no key uses it, or no kind defines it.
  var meter: UrgencyMeter?

  /// Returns places in an array of entries in the order of the keys.
  ///
  /// Decodes no note if the values stored beside the notes suffice: dates, ids, paths, titles and kinds.
  /// - Parameters:
  ///   - places: ascending, so that ties stay newest first.
  ///   - modified: returns the time of the last change of the entry at a place; called on the calling thread, only if a
  ///     key needs it.
  /// - Complexity: O(n) if no note is decoded and no value compared.
  func sorted(_ places: [Int], of entries: Entries, modified: (Int) -> Timestamp) -> [Int] {
    guard !keys.isEmpty else { return places }
    let kinds = KindNumbers(
      places, entries, isNeeded: keys.contains { $0.field == "kind" || !Self.known.contains($0.field) },
      executor)
    let fields = keys.map { FieldReading($0.field, kinds, entries, self) }
    var read = valuesOfNotes(at: places, entries, fields)[...]
    let columns = zip(keys, fields).map { key, field -> [UInt64] in
      guard let field else { return ranks(of: places, by: key, entries, kinds, modified) }
      guard let column = field.column else {
        return SortRanks.ranks(of: read.removeFirst(), descending: key.descending)
      }
      return ranks(of: places, by: key, entries, kinds, field, column)
    }
    return RankOrder.indices(by: columns, count: places.count).map { places[$0] }
  }

  /// The keys that are known of a note without making it.
  fileprivate static let known: Set<String> = ["created", "id", "kind", "modified", "path", "title"]

  /// Numbers by which places compare by a key.
  private func ranks(
    of places: [Int], by key: SortKey, _ entries: Entries, _ kinds: KindNumbers,
    _ modified: (Int) -> Timestamp
  ) -> [UInt64] {
    switch key.field {
    case "created":
      let instants = places.lazy.map { entries.created(at: $0).millisecondsSince1970 }
      return SortRanks.ranks(of: instants, descending: key.descending)
    case "modified":
      return SortRanks.ranks(of: places.map { modified($0).seconds }, descending: key.descending)
    case "kind":
      let ranks = SortRanks.ranks(
        of: kinds.names.map { .text(Collation.key($0)) }, descending: key.descending)
      return kinds.numbers.map { ranks[$0] }
    case "title":
      guard let stored = entries.stored, let titles = entries.titleOrder(executor) else { fallthrough }
      return ranks(of: places, entries, stored, titles, descending: key.descending)
    default: return SortRanks.ranks(of: values(of: places, entries, key.field), descending: key.descending)
    }
  }

  /// Returns the sort ranks of places by their titles. The order of most titles is cached.
  private func ranks(
    of places: [Int], _ entries: Entries, _ stored: StoredEntries, _ titles: TitleOrder, descending: Bool
  ) -> [UInt64] {
    let numbers = places.map { entries.storedNumber(at: $0) }
    let others = zip(places, numbers).filter { $1 == nil }.map {
      Collation.key(entries.names(at: $0.0).title)
    }
    var further = titles.ranks(of: others, among: stored)[...]
    return numbers.map { number in
      let rank = number.map(titles.rank) ?? further.removeFirst()
      return descending ? ~rank : rank
    }
  }

  /// The values of a key that is known without the note.
  private func values(of places: [Int], _ entries: Entries, _ field: String) -> [SortValue] {
    ParallelChunks(count: places.count, executor: executor).map { stretch in
      stretch.map { index -> SortValue in
        let place = places[index]
        switch field {
        case "path": return .text(entries.path(at: place))
        case "id": return entries.key(at: place).id.map { .text($0.bytes) } ?? .absent
        default: return .text(Collation.key(entries.names(at: place).title))
        }
      }
    }.flatMap { $0 }
  }

  /// Returns the values of the fields that are not cached; each note is decoded once.
  private func valuesOfNotes(
    at places: [Int], _ entries: Entries, _ fields: [FieldReading?]
  ) -> [[SortValue]] {
    let wanted = fields.compactMap { $0 }.filter { $0.column == nil }
    guard !wanted.isEmpty else { return [] }
    let rows = ParallelChunks(count: places.count, executor: executor).map { stretch in
      stretch.map { index in
        let entry = entries[places[index]]
        return wanted.map { value(of: entry, $0) }
      }
    }.flatMap { $0 }
    return wanted.indices.map { number in rows.map { $0[number] } }
  }

  /// Returns the sort ranks of places by a field with cached values; each value is computed once for each kind.
  private func ranks(
    of places: [Int], by key: SortKey, _ entries: Entries, _ kinds: KindNumbers, _ field: FieldReading,
    _ column: FieldColumn
  ) -> [UInt64] {
    // The values that are there, and which of them each place has.
    var values: [SortValue] = []
    var known = [Int](repeating: -1, count: column.examples.count * kinds.names.count)
    let numbers = places.indices.map { index -> Int in
      guard let example = entries.storedNumber(at: places[index]).flatMap(column.valueNumber) else {
        values.append(value(of: entries[places[index]], field))
        return values.count - 1
      }
      let kind = kinds.numbers[index]
      let slot = kind * column.examples.count + example
      if known[slot] < 0 {
        known[slot] = values.count
        values.append(field.value(of: column.examples[example], kind: kinds.names[kind]))
      }
      return known[slot]
    }
    let ranks = SortRanks.ranks(of: values, descending: key.descending)
    return numbers.map { ranks[$0] }
  }

  private func value(of entry: Entry, _ reading: FieldReading) -> SortValue {
    if let meter, reading.field == SortKey.urgency, meter.isKnown(ofKind: entry.kind) {
      return meter.urgency(of: entry).map { SortValue($0.description) } ?? .absent
    }
    return reading.value(of: entry.note, kind: entry.kind)
  }
}

/// How notes are sorted by a key that must be read from the note or from the column of a field.
private struct FieldReading: Sendable {
  let field: String
  private let type: TypedOrder?
  /// The stored values of the field; nil if they are not stored.
  let column: FieldColumn?

  /// Returns nil for a key that is known without decoding notes.
  init?(_ field: String, _ kinds: KindNumbers, _ entries: Entries, _ order: SortOrder) {
    if SortOrder.known.contains(field) { return nil }
    self.field = field
    type = Self.isTags(field) ? nil : TypedOrder(field, of: kinds.names.map { order.schema.kind(named: $0) })
    let isUrgency = order.meter != nil && field == SortKey.urgency
    let isDerived = TypedTest.derived.contains { $0.hasSameLetters(as: field) } || Self.isTags(field)
    column =
      isUrgency || isDerived ? nil : entries.facts.flatMap { entries.column(of: field, $0, order.executor) }
  }

  private static func isTags(_ field: String) -> Bool { field == "tag" || field == "tags" }

  func value(of note: Note, kind: String) -> SortValue {
    if Self.isTags(field) { return note.tags.first.map { .text(Collation.key($0)) } ?? .absent }
    return type?.value(of: note, kind: kind) ?? note.value(of: field)?.first.map(SortValue.init) ?? .absent
  }
}

/// The kinds of the notes at some places, as numbers of names.
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

/// How notes are sorted by a field that all their kinds declare alike.
struct TypedOrder: Sendable {
  private let kinds: [Kind]
  private let field: String
  /// The choices of all kinds, from the lowest to the highest.
  private let choices: [String]

  /// Finds the sort order of a field.
  ///
  /// - Returns: nil if a kind does not declare the field, or kinds declare it differently. Choices may differ if those of
  ///   one kind contain all others in the same order.
  init?(_ name: String, of kinds: [Kind?]) {
    let known = kinds.compactMap { $0 }
    let fields = known.compactMap { $0.declaredField(name) }
    guard let first = fields.first, fields.count == kinds.count,
      fields.allSatisfy({ $0.type == first.type })
    else { return nil }
    let choices = fields.map(\.values).max { $0.count < $1.count } ?? []
    guard fields.allSatisfy({ Self.isPart($0.values, of: choices) }) else { return nil }
    self.kinds = known
    self.field = name
    self.choices = choices
  }

  /// Whether all names occur among others in the same order.
  private static func isPart(_ names: [String], of others: [String]) -> Bool {
    var rest = others[...]
    for name in names {
      guard let index = rest.firstIndex(where: name.hasSameLetters) else { return false }
      rest = rest[(index + 1)...]
    }
    return true
  }

  /// The sort value of a note of a kind; a missing field counts as its default.
  func value(of note: Note, kind name: String) -> SortValue {
    guard let kind = kinds.first(where: { $0.name.hasSameLetters(as: name) }) else { return .absent }
    if let value = kind.value(of: field, in: note) { return .typed(key(value, kind).sortKey) }
    let text = note.value(of: field)?.first ?? ""
    return text.utf8.allSatisfy(ASCII.isBlank) ? .absent : .wrong(Collation.key(text))
  }

  /// A choice by its place among those of all kinds.
  private func key(_ value: TypedValue, _ kind: Kind) -> TypedValue {
    guard case .choice(let place) = value, let own = kind.declaredField(field)?.values,
      own.indices.contains(place), let common = choices.firstIndex(where: own[place].hasSameLetters)
    else { return value }
    return .choice(common)
  }
}

/// Radix sort by numeric ranks: in passes over their digits, without comparing any two.
enum RankOrder {
  /// The bits of a digit: its counts fit into the L1 cache of a processor.
  private static let digitBits = 11
  private static let digitMask: UInt64 = 1 << digitBits - 1

  /// Returns the indices of items in the order of their ranks; earlier columns take precedence. The sort is stable.
  ///
  /// - Parameters:
  ///   - columns: the ranks of each item; the lowest comes first.
  ///   - count: the length of each column, below 2 to the power of 32.
  /// - Complexity: O(n) in each of the digits in which ranks differ.
  static func indices(by columns: [[UInt64]], count: Int) -> [Int] {
    var order = Array(0..<UInt32(count))
    // Stable sorts from the last column to the first give the order by all columns.
    for ranks in columns.reversed() { sort(&order, by: ranks) }
    return order.map { Int($0) }
  }

  private static func sort(_ order: inout [UInt32], by ranks: [UInt64]) {
    guard let first = ranks.first else { return }
    let differing = ranks.reduce(0) { $0 | ($1 ^ first) }
    guard differing != 0 else { return }
    var items = order.map { (rank: ranks[Int($0)], index: $0) }
    var sorted = items
    for shift in stride(from: 0, to: UInt64.bitWidth, by: digitBits)
    where (differing >> shift) & digitMask != 0 {
      // The number of items with each digit, then the place of the next item with it.
      var places = [Int](repeating: 0, count: 1 << digitBits)
      for item in items { places[Int((item.rank >> shift) & digitMask)] += 1 }
      var sum = 0
      for digit in places.indices { (places[digit], sum) = (sum, sum + places[digit]) }
      for item in items {
        let digit = Int((item.rank >> shift) & digitMask)
        sorted[places[digit]] = item
        places[digit] += 1
      }
      swap(&items, &sorted)
    }
    order = items.map(\.index)
  }
}
