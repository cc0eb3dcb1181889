package import NoteIndex
import Notes
import Text

/// A reference as it stands in a record.
struct StoredReference {
  let referrer: Entry
  let field: Field
  /// The name as it stands there, without the brackets of a wiki link.
  let name: String

  /// Whether the field holds the name as it is, not a wiki link.
  var isPlain: Bool {
    let texts = referrer.note.frontMatter.fields.filter { $0.name.isSameName(as: field.name) }.flatMap {
      $0.value.strings
    }
    return texts.contains { Note.titleOnOneLine($0).hasSameBytes(as: name) }
  }

  /// The change that takes the reference out.
  var removal: Change {
    field.isList ? .remove(name, field: field.name) : .clear(field: field.name)
  }
}

/// The references between the records of a box, by the whole names that stand in fields.
struct RecordTable: Sendable {
  let schema: Schema
  private let entries: Entries
  private let records: RecordLookup

  init(of entries: Entries, _ schema: Schema, executor: ParallelExecutor?) {
    self.schema = schema
    self.entries = entries
    records = RecordLookup(entries, schema, executor: executor)
  }

  /// The records of a kind that a stored name means: one where the reference is sound.
  func records(of kind: String, named name: String) -> [Entry] { records.records(of: kind, stored: name) }

  /// The places of the records of a kind that a stored name means: one where the reference is sound.
  func places(of kind: String, named name: String) -> [Int] { records.places(of: kind, stored: name) }

  /// The references of a record, field by field.
  func references(of entry: Entry) -> [StoredReference] {
    guard let kind = schema.kind(named: entry.kind) else { return [] }
    return kind.fields.filter { $0.type == .reference && $0.target != nil }.flatMap { field in
      (kind.storedValue(of: field.name, in: entry.note)?.names ?? []).map { name in
        StoredReference(referrer: entry, field: field, name: name)
      }
    }
  }

  /// The references to some records, and to those that refer to them, and so on, by the path of what they refer to.
  ///
  /// - Complexity: linear in the notes whose front-matter has a name of a field that may refer to them; none are looked
  ///   at where no kind refers to their kinds.
  func referrers(reachedFrom targets: [Entry]) -> [[UInt8]: [StoredReference]] {
    let names = namesOfFields(referringTo: targets.map(\.kind))
    guard !names.isEmpty else { return [:] }
    let words = FrontMatterFilter(names)
    var referrers: [[UInt8]: [StoredReference]] = [:]
    for place in entries.indices where entries.mayHold(words, at: place) {
      for reference in references(of: entries[place]) {
        guard let target = reference.field.target else { continue }
        let found = records(of: target, named: reference.name)
        if found.count == 1 { referrers[found[0].note.path, default: []].append(reference) }
      }
    }
    return referrers
  }

  /// The fields by which records of some kinds are referred to, and the records that refer to them, and so on.
  private func namesOfFields(referringTo kinds: [String]) -> [String] {
    var reached = Set(kinds.map { $0.lowercased() })
    var names: Set<String> = []
    var isGrowing = true
    while isGrowing {
      isGrowing = false
      for kind in schema.kinds {
        for field in kind.fields where field.type == .reference {
          guard let target = field.target, reached.contains(target.lowercased()) else { continue }
          names.insert(field.name)
          isGrowing = reached.insert(kind.name.lowercased()).inserted || isGrowing
        }
      }
    }
    return names.sorted()
  }

  /// What applies changes to records and holds them against their kinds, by these names.
  func editor(clock: ClockReading, schema: Schema? = nil) -> RecordEditor {
    RecordEditor(schema: schema ?? self.schema, clock: clock) { [records] in records.answer($0, stored: $1) }
  }
}

extension BoxSnapshot {
  /// The records that refer to each of some records, newest first.
  ///
  /// - Complexity: that of `RecordTable.referrers(reachedFrom:)`.
  package func referrers(of entries: [Entry]) throws(SlipboxError) -> [[Entry]] {
    let table = RecordTable(of: try catalogue().entries, schema(), executor: Self.executor)
    let records = table.referrers(reachedFrom: entries)
    return entries.map { entry in
      var seen: Set<[UInt8]> = []
      return (records[entry.note.path] ?? []).map(\.referrer).filter { seen.insert($0.note.path).inserted }
    }
  }
}
