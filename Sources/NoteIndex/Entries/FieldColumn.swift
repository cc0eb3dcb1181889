package import Notes

/// Which value each stored note has in a field, as a number; equal values have one number.
///
/// What a query or an order makes of a note by this field alone is worked out once for each value.
struct FieldColumn: Sendable {
  /// More values than these are not kept: what is worked out for each of them would cost more than it saves.
  private static let mostValues = 4_096
  /// Stands for a note of which the column does not tell.
  private static let unknown = UInt32.max

  /// The numbers of the values of the stored notes.
  private let numbers: [UInt32]
  /// A note with the fields of each value alone; the first one has none.
  let examples: [Note]

  /// Reads the values of a field of all stored notes; nil where they are too many.
  ///
  /// - Parameter name: fields that equal it but for case and diacritics count as well.
  /// - Complexity: O(n), with a note made for each whose value is long.
  init?(
    _ name: String, of stored: any StoredEntries, _ facts: StoredFacts, _ executor: ParallelExecutor?
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

  /// The number of a stored note's value in `examples`; nil where only the note tells.
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

    /// The number of a value, which is a new one where it was not there.
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

/// The values that notes at some places have in a field, each different one once for each kind of notes.
///
/// A table computes what depends on field and kind alone once for each, without making the notes.
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

  /// Reads the values; nil where nothing is stored and where they are too many.
  ///
  /// - Parameter name: fields that equal it but for case and diacritics count as well.
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

  /// The number of the example of the note at a place; nil where only the note tells.
  package func number(at place: Int) -> Int? {
    numbers[place] == Self.unknown ? nil : Int(numbers[place])
  }
}
