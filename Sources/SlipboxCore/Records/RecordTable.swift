package import NoteIndex
package import Notes
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
package struct RecordTable: Sendable {
  let schema: Schema
  private let entries: Entries
  private let records: RecordLookup

  init(of entries: Entries, _ schema: Schema, executor: ParallelExecutor?) {
    self.schema = schema
    self.entries = entries
    records = RecordLookup(entries, schema, executor: executor)
  }

  package init(in snapshot: BoxSnapshot) throws(SlipboxError) {
    self.init(of: try snapshot.catalogue().entries, snapshot.schema(), executor: BoxSnapshot.executor)
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
  ///   at if no kind refers to their kinds.
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

  /// The problems of a note at hand with its kind.
  ///
  /// - Complexity: that of looking up the records that it refers to.
  package static func problems(
    of note: Note, in snapshot: BoxSnapshot
  ) throws(SlipboxError) -> [RecordProblem] {
    let kind = snapshot.kind(of: note)
    guard snapshot.schema().kind(named: kind) != nil else { return [] }
    return try Self(in: snapshot).editor(clock: snapshot.clock).problems(in: note, kind: kind)
  }

  /// The records that refer to each of some records, newest first.
  ///
  /// - Complexity: that of `referrers(reachedFrom:)`.
  package func referrers(of entries: [Entry]) -> [[Entry]] {
    let records = referrers(reachedFrom: entries)
    return entries.map { entry in
      var seen: Set<[UInt8]> = []
      return (records[entry.note.path] ?? []).map(\.referrer).filter { seen.insert($0.note.path).inserted }
    }
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

/// Records that depend on others, by the fields of their kinds that block.
package struct RecordDependencies {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Which records block which.
  ///
  /// - Complexity: as that of `Dependencies`.
  func all() throws(SlipboxError) -> Dependencies {
    Dependencies(
      try snapshot.catalogue(), snapshot.schema(),
      open: ActiveTest(.open, schema: snapshot.schema(), clock: snapshot.clock),
      executor: BoxSnapshot.executor)
  }

  /// The open records that block each of some, and those that each of them blocks.
  ///
  /// - Complexity: O(1) if no record refers to others by a field that blocks, and none of these can be blocked.
  package func notes(
    of entries: [Entry]
  ) throws(SlipboxError) -> [(blockers: [Entry], blocked: [Entry])] {
    let schema = snapshot.schema()
    let mayBlock = entries.contains { entry in
      schema.kind(named: entry.kind)?.blockingFields.isEmpty == false
        || schema.references(to: entry.kind).contains { $0.field.isBlocking }
    }
    let all = mayBlock ? try all() : nil
    guard let all, !all.isEmpty else { return entries.map { _ in ([], []) } }
    let catalogue = try snapshot.catalogue()
    return entries.map { entry in
      guard let place = catalogue.place(path: entry.note.path) else { return ([], []) }
      return (
        all.blockers(of: place).map { catalogue.entries[$0] },
        all.blocked(by: place).map { catalogue.entries[$0] }
      )
    }
  }

  /// Looks at what a change does to what a record depends on: nothing depends on itself, and a record that is closed before
  /// those it depends on is said.
  ///
  /// - Parameter together: the paths of all records that the command changes, which it closes alike.
  /// - Throws: `.badData` with all records of the ring that the change would close.
  /// - Complexity: O(1) where the record depends on nothing.
  func check(_ old: Note, _ new: Note, kind: String, together: Set<[UInt8]>) throws(SlipboxError) {
    let fields = snapshot.schema().kindOrPlain(named: kind).blockingFields
    guard fields.contains(where: { $0.storedValue(in: new)?.names.isEmpty == false }),
      let place = try snapshot.catalogue().place(path: old.path)
    else { return }
    let created = new.created ?? snapshot.clock.now
    let (before, after) = (
      Entry(note: old, created: created, kind: kind), Entry(note: new, created: created, kind: kind)
    )
    let records = RecordLookup(try snapshot.catalogue(), snapshot.schema())
    let known = Dependencies.targets(of: before, records)
    let added = Dependencies.targets(of: after, records).filter { !known.contains($0) }
    if !added.isEmpty, let way = try all().way(from: added, to: place) {
      throw ring(of: [place] + way, in: try snapshot.catalogue().entries)
    }
    try warnOfBlockers(known, before, after, together)
  }

  private func ring(of places: [Int], in entries: Entries) -> SlipboxError {
    let first = entries[places[0]].note
    let titles = places.map { Phrase(entries[$0].note.title) }
    return SlipboxError(
      .badData,
      "\(first.mention) would depend on itself: \(titles.joined(separator: ", which depends on "))",
      hints: places.dropLast().map {
        "  \(entries[$0].note.shownName)  \(entries[$0].note.title)"
      })
  }

  /// Says where a record is closed while those are open that it depends on.
  private func warnOfBlockers(
    _ blockers: [Int], _ before: Entry, _ after: Entry, _ together: Set<[UInt8]>
  ) throws(SlipboxError) {
    let open = ActiveTest(.open, schema: snapshot.schema(), clock: snapshot.clock)
    guard open.isActive(before), !open.isActive(after) else { return }
    let entries = try snapshot.catalogue().entries
    let others = blockers.map { entries[$0] }.filter { !together.contains($0.note.path) }
    let titles = others.filter(open.isActive).map { Phrase($0.note.title) }
    guard !titles.isEmpty else { return }
    snapshot.reporter.warnOnce(
      "\(after.note.mention) depends on open records: \(titles.joined(separator: ", "))")
  }
}
