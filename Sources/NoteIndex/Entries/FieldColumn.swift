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
      stretch.map { number -> ReadValue in
        guard let list = facts.fieldsNumber(of: number) else { return .unknown }
        guard haveField[list] else { return .none }
        let note = stored.entry(number).note
        return .value(Self.key(of: name, in: note), note)
      }
    }
    var known: [[UInt8]: UInt32] = [:]
    var examples = [Kind.emptyNote]
    var numbers: [UInt32] = []
    numbers.reserveCapacity(stored.count)
    for value in parts.joined() {
      switch value {
      case .unknown: numbers.append(Self.unknown)
      case .none: numbers.append(0)
      case .value(let key, let note):
        if let number = known[key] {
          numbers.append(number)
          continue
        }
        guard examples.count < Self.mostValues else { return nil }
        known[key] = UInt32(examples.count)
        numbers.append(UInt32(examples.count))
        examples.append(note)
      }
    }
    self.numbers = numbers
    self.examples = examples
  }

  /// The number of a stored note's value in `examples`; nil where only the note tells.
  func valueNumber(of number: Int) -> Int? {
    let value = numbers[number]
    return value == Self.unknown ? nil : Int(value)
  }

  private enum ReadValue: Sendable {
    case unknown, none
    case value([UInt8], Note)
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
