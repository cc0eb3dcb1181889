package import NoteIndex
import Notes
import Text

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
