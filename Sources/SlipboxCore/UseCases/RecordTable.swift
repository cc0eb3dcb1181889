import NoteIndex
import Notes
import Text

/// A reference as it stands in a record.
struct StoredReference {
  let referrer: Entry
  let field: Field
  /// The name as it stands there, without the brackets of a wiki link.
  let name: String

  /// The change that takes the reference out.
  var removal: Change {
    field.isList ? .remove(name, field: field.name) : .clear(field: field.name)
  }
}

/// The records of a box by the names under which other records refer to them: a key or a title, whole.
///
/// What is typed may be the beginning of a name; what is stored may not, for it would come to mean something else
/// as soon as another record begins so.
struct RecordTable {
  let schema: Schema
  private let entries: Entries
  private var keyed: [Name: [Int]] = [:]
  private var titled: [Name: [Int]] = [:]

  private struct Name: Hashable {
    let kind: String
    let text: [UInt8]
  }

  /// - Complexity: O(n).
  init(of entries: Entries, _ schema: Schema) {
    self.schema = schema
    self.entries = entries
    let targets = Set(
      schema.kinds.flatMap(\.fields).compactMap(\.target).map { schema.kindOrPlain(named: $0).name })
    for (place, entry) in entries.enumerated() where targets.contains(entry.kind) {
      keyed[Name(kind: entry.kind, text: Array(schema.recordKey(of: entry).utf8)), default: []].append(place)
      titled[Name(kind: entry.kind, text: Self.folded(entry.note.title)), default: []].append(place)
    }
  }

  /// The records of a kind that a stored name means: one where the reference is sound.
  func records(of kind: String, named name: String) -> [Entry] {
    let kind = schema.kindOrPlain(named: kind).name
    let places =
      keyed[Name(kind: kind, text: Array(name.utf8))] ?? titled[Name(kind: kind, text: Self.folded(name))]
      ?? []
    return places.map { entries[$0] }
  }

  /// The references of a record, field by field.
  func references(of entry: Entry) -> [StoredReference] {
    guard let kind = schema.kind(named: entry.kind) else { return [] }
    return kind.fields.filter { $0.type == .reference && $0.target != nil }.flatMap { field in
      Self.names(in: kind.storedValue(of: field.name, in: entry.note)).map { name in
        StoredReference(referrer: entry, field: field, name: name)
      }
    }
  }

  /// The references to each record, by its path.
  /// - Complexity: O(n).
  func referrers() -> [[UInt8]: [StoredReference]] {
    var referrers: [[UInt8]: [StoredReference]] = [:]
    for reference in entries.flatMap(references) {
      guard let target = reference.field.target else { continue }
      let found = records(of: target, named: reference.name)
      if found.count == 1 { referrers[found[0].note.path, default: []].append(reference) }
    }
    return referrers
  }

  /// What applies changes to records and holds them against their kinds, by these names.
  func editor(clock: ClockReading, schema: Schema? = nil) -> RecordEditor {
    RecordEditor(schema: schema ?? self.schema, clock: clock) { kind, name in
      let found = records(of: kind, named: name)
      switch found.count {
      case 0: return .none
      case 1: return .found(self.schema.recordKey(of: found[0]))
      default: return .ambiguous(found.map { String(decoding: $0.note.path, as: UTF8.self) })
      }
    }
  }

  private static func folded(_ text: String) -> [UInt8] { Folding.fold(Array(text.utf8)[...]) }

  private static func names(in value: TypedValue?) -> [String] {
    switch value {
    case .reference(let name)?: [name]
    case .list(let elements)?: elements.flatMap { names(in: $0) }
    default: []
    }
  }
}
