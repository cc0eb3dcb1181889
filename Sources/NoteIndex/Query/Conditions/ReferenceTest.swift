import Notes

/// The test of a field that refers to records: whether it means the record of a name.
final class ReferenceTest: Sendable {
  let kind: Kind
  let field: Field
  /// The name of the record, as it was typed.
  let name: String
  /// Where the name stands in the text that was read.
  let range: Range<Int>
  /// The test of the value as text, for a name that means no record.
  let plain: QueryNode
  /// The record that the name means; nil as long as no catalogue was asked, and where it means none.
  private let record: ReferredRecord?

  init(
    _ kind: Kind, _ field: Field, name: String, range: Range<Int>, plain: QueryNode,
    record: ReferredRecord? = nil
  ) {
    self.kind = kind
    self.field = field
    self.name = name
    self.range = range
    self.plain = plain
    self.record = record
  }

  /// The same with the record that the name means.
  func naming(_ record: ReferredRecord) -> ReferenceTest {
    ReferenceTest(kind, field, name: name, range: range, plain: plain, record: record)
  }

  func holds(for entry: Entry) -> Bool {
    guard let record else { return plain.matches(entry, modified: nil) }
    let names = kind.value(of: field.name, in: entry.note)?.names ?? []
    return names.contains { record.isMeant(by: $0) }
  }
}
