import Bytes
package import Notes
import Synchronization
import Text

/// A cache of the field values of stored notes in columns and of the order of their titles, if caching is on.
///
/// A command reads a field once or twice and decodes the notes that have it. A long-lived process queries with every
/// keystroke and turns caching on. Thread-safe.
package final class StoredFields: Sendable {
  /// The most columns in the cache.
  private static let most = 64

  private struct State {
    var isKept = false
    /// The columns by the bytes of their names; none for a field with too many values.
    var columns: [[UInt8]: FieldColumn?] = [:]
    var titles: TitleOrder?
  }

  private let state = Mutex(State())

  package init() {}

  /// Turns caching on for later queries.
  func keep() { state.withLock { $0.isKept = true } }

  /// Returns the order of the titles of the stored notes that own this cache; nil if caching is off.
  ///
  /// - Complexity: O(1); O(n log n) the first time.
  func titles(_ stored: StoredEntries, _ executor: ParallelExecutor?) -> TitleOrder? {
    state.withLock { state in
      guard state.isKept else { return nil }
      let order = state.titles ?? TitleOrder(stored, executor)
      state.titles = order
      return order
    }
  }

  /// Returns the values of a field of the stored notes that own this cache; nil if they are not cached.
  ///
  /// - Complexity: O(1); that of `FieldColumn` the first time.
  func column(
    of name: String, _ stored: StoredEntries, _ facts: StoredFacts, _ executor: ParallelExecutor?
  ) -> FieldColumn? {
    state.withLock { state in
      guard state.isKept else { return nil }
      let key = Array(name.utf8)
      if let known = state.columns[key] { return known }
      guard state.columns.count < Self.most else { return nil }
      let column = FieldColumn(name, of: stored, facts, executor)
      state.columns[key] = .some(column)
      return column
    }
  }
}

/// The order of the titles of stored notes by their collation keys.
struct TitleOrder: Sendable {
  /// The place of each stored note's title among all different ones.
  private let ranks: [UInt32]
  /// A note with each of them, in their order.
  private let examples: [UInt32]

  /// - Complexity: O(n log n).
  init(_ stored: StoredEntries, _ executor: ParallelExecutor?) {
    let keys = ParallelChunks(count: stored.count, executor: executor).map { stretch in
      stretch.map { Self.key(of: $0, in: stored) }
    }.flatMap { $0 }
    let order = keys.indices.sorted { keys[$0].lexicographicallyPrecedes(keys[$1]) }
    var ranks = [UInt32](repeating: 0, count: keys.count)
    var examples: [UInt32] = []
    for number in order {
      if examples.last.map({ keys[Int($0)] != keys[number] }) ?? true { examples.append(UInt32(number)) }
      ranks[number] = UInt32(examples.count - 1)
    }
    self.ranks = ranks
    self.examples = examples
  }

  /// A number by which the titles of stored notes compare.
  func rank(of number: Int) -> UInt64 { UInt64(ranks[number] + 1) << 32 }

  /// Numbers by which further titles compare with those of the stored notes and with each other.
  ///
  /// - Parameters:
  ///   - keys: their collation keys.
  ///   - stored: the notes whose order this is; it is not held, for they hold it.
  func ranks(of keys: [[UInt8]], among stored: StoredEntries) -> [UInt64] {
    let different = Set(keys).sorted { $0.lexicographicallyPrecedes($1) }
    let places = Dictionary(uniqueKeysWithValues: zip(different, 1 as UInt64..<UInt64(different.count + 1)))
    return keys.map { key in
      let (before, isKnown) = position(of: key, among: stored)
      return isKnown ? UInt64(before + 1) << 32 : UInt64(before) << 32 | places[key, default: 0]
    }
  }

  /// Returns the number of stored titles that precede a title, and whether the title is one of them.
  private func position(of key: [UInt8], among stored: StoredEntries) -> (before: Int, isKnown: Bool) {
    var (low, high) = (0, examples.count)
    while low < high {
      let middle = (low + high) / 2
      let other = Self.key(of: Int(examples[middle]), in: stored)
      if other == key { return (middle, true) }
      if other.lexicographicallyPrecedes(key) { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }

  private static func key(of number: Int, in stored: StoredEntries) -> [UInt8] {
    Collation.key(stored.names(number).title)
  }
}

/// Which value each stored note has in a field, as a number; equal values have one number.
///
/// The result of a query or an order by this field alone is computed once for each value.
struct FieldColumn: Sendable {
  /// Columns with more values than these are not cached: the work for each value would cost more than it saves.
  private static let mostValues = 4_096
  /// Marks a note without a value in the column.
  private static let unknown = UInt32.max

  /// The numbers of the values of the stored notes.
  private let numbers: [UInt32]
  /// A note with the fields of each value alone; the first one has none.
  let examples: [Note]

  /// Reads the values of a field of all stored notes; nil if they are too many.
  ///
  /// - Parameter name: the field; names that differ only in case and diacritics match as well.
  /// - Complexity: O(n); notes with long values are decoded.
  init?(
    _ name: String, of stored: StoredEntries, _ facts: StoredFacts, _ executor: ParallelExecutor?
  ) {
    let values = StoredValues(named: name, facts)
    let parts = ParallelChunks(count: stored.count, executor: executor).map { stretch in
      var part = Values()
      for number in stretch where !part.areTooMany {
        guard facts.fieldsNumber(of: number) != nil else {
          part.numbers.append(Self.unknown)
          continue
        }
        let key = values.key(of: number, in: stored) ?? values.key(of: stored.entry(number).note)
        part.numbers.append(part.number(of: key))
      }
      return part
    }
    guard !parts.contains(where: \.areTooMany) else { return nil }
    var all = Values()
    all.numbers.reserveCapacity(stored.count)
    for part in parts {
      let numbers = part.keys.map { all.number(of: $0) }
      guard !all.areTooMany else { return nil }
      all.numbers += part.numbers.map { $0 == Self.unknown ? $0 : numbers[Int($0)] }
    }
    numbers = all.numbers
    examples = all.keys.map(StoredValues.note(of:))
  }

  /// Returns the number of a stored note's value in `examples`; nil if only the note contains the value.
  func valueNumber(of number: Int) -> Int? {
    let value = numbers[number]
    return value == Self.unknown ? nil : Int(value)
  }

  /// The values of a stretch of notes.
  private struct Values: Sendable {
    var numbers: [UInt32] = []
    /// The first one is for notes without such a field.
    private(set) var keys: [[UInt8]] = [[]]
    private var known: [[UInt8]: UInt32] = [:]

    var areTooMany: Bool { keys.count > FieldColumn.mostValues }

    /// Returns the number of a value; an unknown value gets a new number.
    mutating func number(of key: [UInt8]) -> UInt32 {
      if key.isEmpty { return 0 }
      if let number = known[key] { return number }
      let number = UInt32(keys.count)
      known[key] = number
      keys.append(key)
      return number
    }
  }
}

/// The values of a field of notes at some places, each different value once for each kind of notes.
///
/// A table computes cells that depend on field and kind alone once for each value, without decoding the notes.
package struct DistinctValues: Sendable {
  package struct Example: Sendable {
    /// A note with the fields of the name alone.
    package let note: Note
    /// The kind of the notes with these values.
    package let kind: String
  }

  private struct Key: Hashable {
    let kind: Int
    let value: [UInt8]
  }

  /// More values than these are not read: they would cost more than they save.
  private static let most = 4_096
  private static let unknown = UInt32.max

  package private(set) var examples: [Example] = []
  /// For each place of the entries the number of its example.
  private var numbers: [UInt32]

  /// Reads the values; nil if no notes are stored or the values are too many.
  ///
  /// - Parameter name: the field; names that differ only in case and diacritics match as well.
  /// - Complexity: linear in the places.
  package init?(of name: String, at places: [Int], in entries: Entries) {
    guard let stored = entries.stored, let facts = entries.facts else { return nil }
    let values = StoredValues(named: name, facts)
    numbers = [UInt32](repeating: Self.unknown, count: entries.count)
    var known: [Key: UInt32] = [:]
    for place in places {
      guard let number = entries.storedNumber(at: place), let kind = entries.kindNumber(at: place, facts),
        let value = values.key(of: number, in: stored)
      else { continue }
      let key = Key(kind: kind, value: value)
      if let example = known[key] {
        numbers[place] = example
        continue
      }
      guard examples.count < Self.most else { return nil }
      known[key] = UInt32(examples.count)
      numbers[place] = UInt32(examples.count)
      examples.append(Example(note: StoredValues.note(of: value), kind: facts.kinds[kind]))
    }
  }

  /// Returns the number of the example of the note at a place; nil if only the note contains the value.
  package func number(at place: Int) -> Int? {
    numbers[place] == Self.unknown ? nil : Int(numbers[place])
  }
}

/// The fields with a name that stored notes have, read in place from the stored summaries.
struct StoredValues: Sendable {
  private let name: String
  private let facts: StoredFacts
  /// The fields that match the name in each list of field names: their places, and their packed names.
  private let lists: [[(place: Int, before: [UInt8])]]

  /// - Parameter name: fields that equal it but for case and diacritics count as well.
  init(named name: String, _ facts: StoredFacts) {
    self.name = name
    self.facts = facts
    lists = facts.fieldLists.map { names in
      names.enumerated().compactMap { place, own in
        Self.isSame(own, name) ? (place, Self.packed(own)) : nil
      }
    }
  }

  /// Returns bytes that are equal for notes with equal values of the field, and empty for notes without the field. Nil if
  /// only the note contains the value.
  func key(of number: Int, in stored: StoredEntries) -> [UInt8]? {
    guard let list = facts.fieldsNumber(of: number) else { return nil }
    let fields = lists[list]
    guard !fields.isEmpty else { return [] }
    guard let kept = stored.storedFacts(number) else { return nil }
    var key: [UInt8] = []
    key.reserveCapacity(32)
    return kept.appendValues(of: fields, to: &key) ? key : nil
  }

  /// The key of a note that was made.
  func key(of note: Note) -> [UInt8] {
    var key: [UInt8] = []
    for field in note.frontMatter.fields where Self.isSame(field.name, name) {
      var packer = BytePacker()
      field.value.pack(into: &packer)
      key += Self.packed(field.name) + packer.bytes
    }
    return key
  }

  /// A note with the fields of a key and nothing else.
  static func note(of key: [UInt8]) -> Note {
    var fields: [FrontMatterField] = []
    key.withUnsafeBytes { bytes in
      var unpacker = ByteUnpacker(bytes)
      while let name = unpacker.text(), let value = FieldValue(&unpacker) {
        fields.append(FrontMatterField(name: name, value: value))
      }
    }
    return Kind.emptyNote.presenting(fields, heading: nil)
  }

  private static func packed(_ name: String) -> [UInt8] {
    var packer = BytePacker()
    packer.append(name.utf8)
    return packer.bytes
  }

  private static func isSame(_ own: String, _ name: String) -> Bool {
    own.hasSameLetters(as: name) || own.isSameName(as: name)
  }
}
