package import NoteIndex
package import Notes
import Text

/// Deletes notes, by the rules of the kinds that refer to them.
package struct DeleteNotes {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The plan that deletes notes and applies the rules of the kinds to the records that refer to them.
  ///
  /// - Parameter rule: replaces the rule of each field.
  /// - Returns: the plan, the records that lose a reference, and those that are deleted besides the notes named.
  /// - Throws: `.badData` if a rule denies it, naming the records that refer to the notes, and if a
  ///   required reference would be removed.
  package func plan(
    _ entries: [Entry], rule: Field.DeleteRule?, reason: String?
  ) throws(SlipboxError) -> (plan: Plan, detached: [Entry], cascaded: [Entry]) {
    try LeftOutFiles.warnOfNotes(in: snapshot)
    let records = try RecordTable(in: snapshot)
    let deletion = Deletion(of: entries, rule, records)
    if !deletion.denied.isEmpty { throw Self.refusal(of: entries, deletion.denied) }
    try KindFiles(in: snapshot).refuseFaults(of: entries + deletion.cascaded)
    let editing = ChangeRecords(by: records.editor(clock: snapshot.clock), in: snapshot)
    var edits = (entries + deletion.cascaded).map(Self.deletion)
    for (entry, references) in deletion.detached {
      try Self.refuseRequired(references, of: entry, records)
      let changes = references.map(\.removal)
      edits.append(
        .changing(entry.note) { (note) throws(SlipboxError) in
          try editing.applying(changes, to: note, kind: entry.kind)
        })
    }
    var plan = Plan(command: "rm", reason: reason, edits: edits, subject: Self.deletionSubject)
    plan.links.lost = try LostLinks(in: snapshot).links(to: entries + deletion.cascaded)
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
      hints: hints + [
        "\(option: "--detach") removes the references, \(option: "--cascade") deletes the records too"
      ], fact: .hasReferrers)
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
        hints: ["\(option: "--cascade") deletes the note too"])
    }
  }

  /// The plan that deletes every note of the box, with the notes as they are now.
  package func planForAll(reason: String? = nil) throws(SlipboxError) -> (plan: Plan, entries: [Entry]) {
    let entries = Array(try snapshot.catalogue().entries)
    return (try plan(entries, rule: .cascade, reason: reason).plan, entries)
  }
}

/// The effects of deleting notes.
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
