package import Notes

/// The fields whose values name the records of some kinds: the `key:` of each kind that declares one.
///
/// `key: id` counts: it also names records by ids that slip did not make.
package struct RecordKeys: Sendable, Hashable {
  private let fields: [String: String]

  package init(_ schema: Schema) {
    var fields: [String: String] = [:]
    for kind in schema.kinds {
      if let key = kind.key { fields[kind.name.lowercased()] = key }
    }
    self.fields = fields
  }

  /// No kind has a key of its own.
  package static let none = RecordKeys(Schema(kinds: []))

  package var isEmpty: Bool { fields.isEmpty }

  /// The field that names the records of a kind, compared without case; nil where it is the id.
  package func field(of kind: String) -> String? { fields[kind] ?? fields[kind.lowercased()] }

  /// The key of a record as it stands in its field; nil where the kind has no such field or the record no value.
  package func key(of entry: Entry) -> String? {
    guard !isEmpty, let field = field(of: entry.kind), let key = entry.note.frontMatter[field]?.text,
      !key.isEmpty
    else { return nil }
    return key
  }
}

extension Schema {
  /// The name by which references call a record: the value of its kind's key field, else its id, else its path.
  package func recordKey(of entry: Entry) -> String {
    if let field = kind(named: entry.kind)?.key, let key = entry.note.frontMatter[field]?.text { return key }
    return entry.name
  }
}
