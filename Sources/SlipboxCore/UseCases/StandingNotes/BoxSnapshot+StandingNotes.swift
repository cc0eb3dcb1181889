package import NoteIndex
package import Notes
import Text

/// Standing notes found, made and added to.
extension BoxSnapshot {
  /// The note of the box that a standing note is: by its id, at its path, else the one that a link by its title leads to.
  ///
  /// - Throws: `.badData` where its title means several notes.
  /// - Complexity: that of one file by its id, else of a look at each.
  package func entry(of standing: StandingNote) throws(SlipboxError) -> Entry? {
    if let entry = try knownEntry(standing.id.description) { return entry }
    let catalogue = try catalogue()
    if let entry = catalogue.entry(id: standing.id) ?? catalogue.entry(path: standing.path) { return entry }
    let isFitting = { (entry: Entry) in standing.mayBeAnyKind || entry.kind == "note" }
    switch catalogue.resolve(standing.title, .link) {
    case .found(let entry): return isFitting(entry) ? entry : nil
    case .none: return nil
    case .ambiguous(let entries):
      let fitting = entries.filter(isFitting)
      if fitting.count > 1 { throw Self.ambiguity(of: standing.title, fitting) }
      return fitting.first
    }
  }

  /// The text of a standing note that is to be made, by its template where the box has one.
  ///
  /// - Throws: as `text(of:id:isUnfinished:)`.
  package func text(of standing: StandingNote, isUnfinished: Bool = false) throws(SlipboxError) -> NoteText {
    try refuseAsNewFile(standing.path, from: standing.setting)
    let draft = Draft(
      title: standing.title, start: try template(ofKind: standing.template), day: standing.day)
    return try text(of: draft, id: standing.id, isUnfinished: isUnfinished)
  }

  /// The plan that makes a standing note, and does nothing where it was made meanwhile.
  package func making(
    _ standing: StandingNote, _ text: NoteText, reason: String? = nil
  ) -> (note: Note, plan: Plan) {
    let note = Note(path: standing.path, text: text)
    let edit = FileEdit(path: standing.path) { bytes throws(SlipboxError) in bytes ?? text.bytes }
    let plan = Plan(command: standing.command, reason: reason, edits: [edit], savesAlways: true) { _ in
      "New \(note.kind): \(note.title)"
    }
    return (note, plan)
  }

  /// The plan that adds lines to a standing note, and makes it first where there is none.
  ///
  /// - Returns: the plan, and the note as it is now or is to be made.
  /// - Throws: as `entry(of:)` and `text(of:)`; `.configuration` where the file of the note's kind has a mistake.
  package func adding(
    _ lines: [UInt8], to standing: StandingNote, reason: String? = nil
  ) throws(SlipboxError) -> (note: Note, plan: Plan) {
    if let entry = try entry(of: standing) {
      return (entry.note, try appending(lines, to: entry, command: standing.command, reason: reason))
    }
    try Self.refuseUnreadable(lines)
    let text = try text(of: standing)
    let note = Note(path: standing.path, text: text)
    let edit = FileEdit(path: standing.path) { bytes throws(SlipboxError) in
      // Another command may have made it since.
      let now = bytes.map { NoteText($0) } ?? text
      return try Self.readable(note, now).appending(lines).bytes
    }
    let plan = Plan(command: standing.command, reason: reason, edits: [edit], savesAlways: true) { changes in
      let isNew = changes.contains { $0.before == nil }
      return isNew ? "New \(note.kind): \(note.title)" : "Append to: \(Plan.described(changes))"
    }
    return (note, plan)
  }
}
