import Notes
import Synchronization

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
