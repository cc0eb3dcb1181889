package import Notes
import Synchronization

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

/// A record of a catalogue, to tell whether references mean it.
final class ReferredRecord: Sendable {
  private let place: Int
  private let names: NameResolver
  private let rule: NameRule
  private let keys: RecordKeys
  /// The keys that the names of the record have.
  private let nameKeys: LinkKeySet
  /// The value of its kind's key field.
  private let recordKey: String?
  /// Whether names that may be those of the record mean it.
  private let known = Mutex<[[UInt8]: Bool]>([:])

  /// - Parameter rule: by which references name records.
  init(_ place: Int, of names: NameResolver, _ rule: NameRule, _ keys: RecordKeys) {
    let entry = names.entries[place]
    self.place = place
    self.names = names
    self.rule = rule
    self.keys = keys
    nameKeys = LinkKeySet(entry.note.nameKeys + LinkKey.slugKeys(ofPath: entry.note.path))
    recordKey = keys.key(of: entry)
  }

  /// Whether a name, as it is stored in a field, means the record.
  ///
  /// - Complexity: that of a look-up for the first time that a name is asked for which may be the record's.
  func isMeant(by name: String) -> Bool {
    let bytes = Array(name.utf8)
    let isKey = recordKey.map { $0.hasSameBytes(as: name) } ?? false
    guard isKey || LinkKey(bytes).map(nameKeys.contains) ?? false else { return false }
    if let known = known.withLock({ $0[bytes] }) { return known }
    let isMeant = names.places(named: bytes, rule, keys) == [place]
    known.withLock { $0[bytes] = isMeant }
    return isMeant
  }
}
