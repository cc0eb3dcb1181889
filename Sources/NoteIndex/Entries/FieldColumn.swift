import Notes

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
  /// A note with each value; the first one has no such field.
  let examples: [Note]

  /// Reads the values of a field of all stored notes; nil where they are too many.
  ///
  /// - Parameter name: fields that equal it but for case and diacritics count as well.
  /// - Complexity: O(n), with a note made for each that has the field.
  init?(
    _ name: String, of stored: any StoredEntries, _ facts: StoredFacts, _ executor: ParallelExecutor?
  ) {
    let haveField = facts.fieldLists.map { names in
      names.contains { $0.hasSameLetters(as: name) || $0.isSameName(as: name) }
    }
    let parts = ParallelChunks(count: stored.count, executor: executor).map { stretch in
      var part = Values()
      for number in stretch where !part.areTooMany {
        guard let list = facts.fieldsNumber(of: number) else {
          part.numbers.append(Self.unknown)
          continue
        }
        guard haveField[list] else {
          part.numbers.append(0)
          continue
        }
        let note = stored.entry(number).note
        part.numbers.append(part.number(of: Self.key(of: name, in: note), note))
      }
      return part
    }
    guard !parts.contains(where: \.areTooMany) else { return nil }
    var all = Values()
    all.numbers.reserveCapacity(stored.count)
    for part in parts {
      var numbers: [UInt32] = [0]
      for (key, example) in zip(part.keys, part.examples).dropFirst() {
        numbers.append(all.number(of: key, example))
      }
      guard !all.areTooMany else { return nil }
      all.numbers += part.numbers.map { $0 == Self.unknown ? $0 : numbers[Int($0)] }
    }
    numbers = all.numbers
    examples = all.examples
  }

  /// The number of a stored note's value in `examples`; nil where only the note tells.
  func valueNumber(of number: Int) -> Int? {
    let value = numbers[number]
    return value == Self.unknown ? nil : Int(value)
  }

  /// The values of a stretch of notes; a note is held for each value only.
  private struct Values: Sendable {
    var numbers: [UInt32] = []
    var keys: [[UInt8]] = [[]]
    var examples = [Kind.emptyNote]
    private var known: [[UInt8]: UInt32] = [:]

    var areTooMany: Bool { examples.count > FieldColumn.mostValues }

    /// The number of a value, which is a new one where it was not there.
    mutating func number(of key: [UInt8], _ note: Note) -> UInt32 {
      if let number = known[key] { return number }
      let number = UInt32(examples.count)
      known[key] = number
      keys.append(key)
      examples.append(note)
      return number
    }
  }

  /// Bytes that are equal for notes with the same fields of a name.
  private static func key(of name: String, in note: Note) -> [UInt8] {
    var key: [UInt8] = []
    for field in note.frontMatter.fields
    where field.name.hasSameLetters(as: name) || field.name.isSameName(as: name) {
      append(field.name, to: &key)
      append(field.value, to: &key)
    }
    return key
  }

  private static func append(_ value: FieldValue, to key: inout [UInt8]) {
    switch value {
    case .empty: key.append(0)
    case .text(let text):
      key.append(1)
      append(text, to: &key)
    case .list(let elements):
      key.append(2)
      for element in elements { append(element, to: &key) }
      key.append(4)
    case .map(let entries):
      key.append(3)
      for entry in entries {
        append(entry.key, to: &key)
        append(entry.value, to: &key)
      }
      key.append(4)
    }
  }

  /// Appends a text so that where it ends is known: each byte 0 is followed by 1, the end is 0 and 0.
  private static func append(_ text: String, to key: inout [UInt8]) {
    for byte in text.utf8 {
      key.append(byte)
      if byte == 0 { key.append(1) }
    }
    key += [0, 0]
  }
}
