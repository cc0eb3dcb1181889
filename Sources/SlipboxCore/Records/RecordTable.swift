package import NoteIndex
package import Notes
import Text

/// A reference as a record contains it.
struct StoredReference {
  let referrer: Entry
  let field: Field
  /// The name in the field, without the brackets of a wiki link.
  let name: String

  /// Whether the field contains the plain name, not a wiki link.
  var isPlain: Bool {
    let texts = referrer.note.frontMatter.fields.filter { $0.name.isSameName(as: field.name) }.flatMap {
      $0.value.strings
    }
    return texts.contains { Note.titleOnOneLine($0).hasSameBytes(as: name) }
  }

  /// The change that removes the reference.
  var removal: Change {
    field.isList ? .remove(name, field: field.name) : .clear(field: field.name)
  }
}

/// The references between the records of a box, by the whole names in fields.
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
    self.init(of: try snapshot.catalogue().entries, snapshot.schema(), executor: Processors.all)
  }

  /// Returns the records of a kind that a stored name means: exactly one if the reference is valid.
  func records(of kind: String, named name: String) -> [Entry] { records.records(of: kind, stored: name) }

  /// Returns the places of the records of a kind that a stored name means: exactly one if the reference is valid.
  func places(of kind: String, named name: String) -> [Int] { records.places(of: kind, stored: name) }

  /// Returns the references of a record, field by field.
  func references(of entry: Entry) -> [StoredReference] {
    guard let kind = schema.kind(named: entry.kind) else { return [] }
    return kind.fields.filter { $0.type == .reference && $0.target != nil }.flatMap { field in
      (kind.storedValue(of: field.name, in: entry.note)?.names ?? []).map { name in
        StoredReference(referrer: entry, field: field, name: name)
      }
    }
  }

  /// Returns the references to some records, and to those that refer to them, and so on, by the path of the record that
  /// they refer to.
  ///
  /// - Complexity: linear in the notes whose front matter has the name of a field that may refer to them; none are read
  ///   if no kind refers to their kinds.
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

  /// Returns the problems of a given note with its kind.
  ///
  /// - Complexity: one lookup for each record that it refers to.
  package static func problems(
    of note: Note, in snapshot: BoxSnapshot
  ) throws(SlipboxError) -> [RecordProblem] {
    let kind = snapshot.kind(of: note)
    guard snapshot.schema().kind(named: kind) != nil else { return [] }
    return try Self(in: snapshot).editor(clock: snapshot.clock).problems(in: note, kind: kind)
  }

  /// Returns the records that refer to each of some records, newest first.
  ///
  /// - Complexity: that of `referrers(reachedFrom:)`.
  package func referrers(of entries: [Entry]) -> [[Entry]] {
    let records = referrers(reachedFrom: entries)
    return entries.map { entry in
      var seen: Set<[UInt8]> = []
      return (records[entry.note.path] ?? []).map(\.referrer).filter { seen.insert($0.note.path).inserted }
    }
  }

  /// Returns the fields that refer to records of some kinds, and those that refer to the kinds with these fields, and so
  /// on.
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

  /// Returns the editor that applies changes to records and checks them against their kinds, with these names.
  func editor(clock: ClockReading, schema: Schema? = nil) -> RecordEditor {
    RecordEditor(schema: schema ?? self.schema, clock: clock) { [records] in records.answer($0, stored: $1) }
  }
}

/// Records that depend on others, by the blocking fields of their kinds.
package struct RecordDependencies {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Returns the records that block each other.
  ///
  /// - Complexity: as that of `Dependencies`.
  func all() throws(SlipboxError) -> Dependencies {
    Dependencies(
      try snapshot.catalogue(), snapshot.schema(),
      open: ActiveTest(.open, schema: snapshot.schema(), clock: snapshot.clock),
      executor: Processors.all)
  }

  /// Returns the open records that block each of some, and those that each of them blocks.
  ///
  /// - Complexity: O(1) if no record refers to others by a blocking field, and none of these can be blocked.
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

  /// Checks the dependencies of a record after a change: no record may depend on itself. Warns if a record is closed
  /// before those it depends on.
  ///
  /// - Parameter together: the paths of all records that the command changes, which it closes alike.
  /// - Throws: `.badData` with all records of the cycle that the change would close.
  /// - Complexity: O(1) if the record depends on nothing.
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

  /// Warns if a record is closed while records that it depends on are open.
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
