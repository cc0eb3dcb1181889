package import NoteIndex
package import Notes
import Text

extension BoxSnapshot {
  /// The plan that deletes notes and does to the records that refer to them what their kinds say.
  ///
  /// - Parameter rule: what is done instead of the rule of each field.
  /// - Returns: the plan, the records that lose a reference, and those that are deleted besides the notes named.
  /// - Throws: `.badData` where a rule denies it, naming the records that refer to the notes, and where a
  ///   reference that has to be there would be taken out.
  package func deleting(
    _ entries: [Entry], rule: Field.DeleteRule?, reason: String?
  ) throws(SlipboxError) -> (plan: Plan, detached: [Entry], cascaded: [Entry]) {
    try warnOfLeftOutNotes()
    let records = RecordTable(of: try catalogue().entries, schema(), executor: Self.executor)
    let deletion = Deletion(of: entries, rule, records)
    if !deletion.denied.isEmpty { throw Self.refusal(of: entries, deletion.denied) }
    try refuseFaultyKinds(of: entries + deletion.cascaded)
    let editor = records.editor(clock: clock)
    var edits = (entries + deletion.cascaded).map(Self.deletion)
    for (entry, references) in deletion.detached {
      try Self.refuseRequired(references, of: entry, records)
      let changes = references.map(\.removal)
      edits.append(
        .changing(entry.note) { [self] (note) throws(SlipboxError) in
          try applying(changes, to: note, kind: entry.kind, editor)
        })
    }
    var plan = Plan(command: "rm", reason: reason, edits: edits, subject: Self.deletionSubject)
    plan.links.lost = try lostLinks(to: entries + deletion.cascaded)
    return (plan, deletion.detached.map(\.entry), deletion.cascaded)
  }

  private static func deletion(of entry: Entry) -> FileEdit {
    FileEdit(path: entry.note.path) { bytes throws(SlipboxError) in
      guard bytes != nil else { throw FileEdit.gone(entry.note) }
      return nil
    }
  }

  private static func deletionSubject(_ changes: [FileChange]) -> String {
    let deleted = changes.filter { $0.after == nil }
    let detached = changes.count - deleted.count
    var what = "Delete \(deleted.count) notes"
    if deleted.count == 1, let before = deleted[0].before {
      what = "Delete \(Note(path: deleted[0].path, text: NoteText(before)).kind): \(Plan.described(deleted))"
    }
    return detached == 0 ? what : "\(what), removed from \(detached == 1 ? "1 note" : "\(detached) notes")"
  }

  /// The most records that a refusal names.
  private static let mostNamed = 5

  private static func refusal(of entries: [Entry], _ referrers: [Entry]) -> SlipboxError {
    let what = entries.count == 1 ? Phrase(entries[0].note.title) : "the deleted notes"
    let notes = referrers.count == 1 ? "1 note refers" : "\(referrers.count) notes refer"
    var hints: [Phrase] = referrers.prefix(mostNamed).map { "\($0.note.shownName)  \($0.note.title)" }
    if referrers.count > mostNamed { hints.append("and \(referrers.count - mostNamed) more") }
    return SlipboxError(
      .badData, "\(notes) to \(what)",
      hints: hints + ["--detach removes the references, --cascade deletes the records too"])
  }

  /// A field that has to be there can't lose its last reference.
  private static func refuseRequired(
    _ removed: [StoredReference], of entry: Entry, _ records: RecordTable
  ) throws(SlipboxError) {
    let all = records.references(of: entry)
    for reference in removed where reference.field.isRequired {
      let name = reference.field.name
      guard all.count(where: { $0.field.name == name }) == removed.count(where: { $0.field.name == name })
      else { continue }
      throw SlipboxError(
        .badData, "\(entry.note.mention): \(name) is required, so it can't be removed",
        hints: ["--cascade deletes the note too"])
    }
  }
}

/// What follows from deleting notes.
private struct Deletion {
  /// The records that are deleted because of others.
  private(set) var cascaded: [Entry] = []
  /// The records that lose references, with those.
  private(set) var detached: [(entry: Entry, references: [StoredReference])] = []
  /// The records for whose sake nothing can be deleted.
  private(set) var denied: [Entry] = []

  init(of entries: [Entry], _ rule: Field.DeleteRule?, _ records: RecordTable) {
    let referrers = records.referrers(reachedFrom: entries)
    var gone = Set(entries.map(\.note.path))
    var queue = entries[...]
    var kept: [StoredReference] = []
    while let target = queue.popFirst() {
      for reference in referrers[target.note.path] ?? [] {
        if (rule ?? reference.field.onDelete) != .cascade {
          kept.append(reference)
        } else if gone.insert(reference.referrer.note.path).inserted {
          cascaded.append(reference.referrer)
          queue.append(reference.referrer)
        }
      }
    }
    var places: [[UInt8]: Int] = [:]
    for reference in kept {
      let path = reference.referrer.note.path
      if gone.contains(path) { continue }
      if (rule ?? reference.field.onDelete) == .deny {
        if !denied.contains(where: { $0.note.path == path }) { denied.append(reference.referrer) }
      } else if let place = places[path] {
        detached[place].references.append(reference)
      } else {
        places[path] = detached.count
        detached.append((reference.referrer, [reference]))
      }
    }
  }
}

/// Records that depend on others, by the fields of their kinds that block.
extension BoxSnapshot {
  /// Which records block which.
  ///
  /// - Complexity: as that of `Dependencies`.
  package func dependencies() throws(SlipboxError) -> Dependencies {
    Dependencies(
      try catalogue(), schema(), open: ActiveTest(.open, schema: schema(), clock: clock),
      executor: Self.executor)
  }

  /// The open records that block each of some, and those that each of them blocks.
  ///
  /// - Complexity: O(1) where no record refers to others by a field that blocks, and none of these can be blocked.
  package func blockingNotes(
    of entries: [Entry]
  ) throws(SlipboxError) -> [(blockers: [Entry], blocked: [Entry])] {
    let schema = schema()
    let mayBlock = entries.contains { entry in
      schema.kind(named: entry.kind)?.blockingFields.isEmpty == false
        || schema.references(to: entry.kind).contains { $0.field.isBlocking }
    }
    let all = mayBlock ? try dependencies() : nil
    guard let all, !all.isEmpty else { return entries.map { _ in ([], []) } }
    let catalogue = try catalogue()
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
  func checkDependencies(of old: Note, _ new: Note, kind: String, together: Set<[UInt8]>) throws(SlipboxError)
  {
    let fields = schema().kindOrPlain(named: kind).blockingFields
    guard fields.contains(where: { $0.storedValue(in: new)?.names.isEmpty == false }),
      let place = try catalogue().place(path: old.path)
    else { return }
    let created = new.created ?? clock.now
    let (before, after) = (
      Entry(note: old, created: created, kind: kind), Entry(note: new, created: created, kind: kind)
    )
    let records = RecordLookup(try catalogue(), schema())
    let known = Dependencies.targets(of: before, records)
    let added = Dependencies.targets(of: after, records).filter { !known.contains($0) }
    if !added.isEmpty, let way = try dependencies().way(from: added, to: place) {
      throw ring(of: [place] + way, in: try catalogue().entries)
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
    let open = ActiveTest(.open, schema: schema(), clock: clock)
    guard open.isActive(before), !open.isActive(after) else { return }
    let entries = try catalogue().entries
    let others = blockers.map { entries[$0] }.filter { !together.contains($0.note.path) }
    let titles = others.filter(open.isActive).map { Phrase($0.note.title) }
    guard !titles.isEmpty else { return }
    reporter.warnOnce(
      "\(after.note.mention) depends on open records: \(titles.joined(separator: ", "))")
  }
}
