/// The record that comes next after one that was done.
package struct Successor: Sendable, Equatable {
  /// The text of the one that was done, as it was before, with later dates; its id and creation date are not its own yet.
  package let text: NoteText
  /// The day to which its first date has moved.
  package let day: CivilDate
  /// How many days went by on which it would have come.
  package let skipped: Int
}

/// What a change says of the record that comes next.
package enum Succeeding: Sendable, Equatable {
  case by(Successor)
  /// None: it was the last one before the end of all of them.
  case over
}

extension RecordDraft {
  /// The record that comes next by the transitions that were taken; nil where none makes another, and where no field says
  /// how often.
  ///
  /// It is what the record was before the command, which may still change how often it comes.
  func succeeding(_ original: Note) throws(RecordError) -> Succeeding? {
    for succession in successions {
      guard case .text(let text)? = kind.value(of: succession.by, in: note),
        let recurrence = Recurrence(text)
      else { continue }
      return try succeeding(original, succession, recurrence)
    }
    return nil
  }

  private func succeeding(
    _ original: Note, _ succession: Succession, _ recurrence: Recurrence
  ) throws(RecordError) -> Succeeding {
    let today = editor.clock.today
    let fields = succession.moves.compactMap { kind.field($0) }
    let dates = fields.compactMap { field in field.storedValue(in: original)?.day.map { (field, $0) } }
    let last = dates.first?.1 ?? today
    guard let next = recurrence.next(after: last, done: today) else { return .over }
    let end = succession.until.flatMap { kind.storedValue(of: $0, in: note)?.day }
    if let end, end < next.day { return .over }
    var draft = RecordDraft(of: original, kind: kind, editor: editor)
    if dates.isEmpty, let field = fields.first { try draft.write(.date(next.day), to: field) }
    for (field, day) in dates {
      try draft.write(.date(day.adding(days: next.day.dayNumber - last.dayNumber)), to: field)
    }
    for name in [succession.by, succession.until].compactMap({ $0 }) {
      guard let field = kind.field(name), let value = kind.value(of: name, in: note),
        value != kind.value(of: name, in: original)
      else { continue }
      try draft.write(value, to: field)
    }
    if let field = kind.field(succession.by), let text = recurrence.text(after: last, on: next.day) {
      try draft.write(.text(text), to: field)
    }
    for name in succession.clears + Self.ownFields {
      guard let key = draft.note.field(named: name)?.name else { continue }
      try draft.edit { text throws(EditError) in try text.clearing(key) }
    }
    return .by(Successor(text: draft.note.text.unticked(), day: next.day, skipped: next.skipped))
  }

  /// What belongs to one record alone; by `uuid` and the names after it taskwarrior knows its tasks and their series.
  private static let ownFields = [
    "aliases", "alias", "identifier", "start", "end", "uuid", "parent", "mask", "imask", "rtype", "template",
    "last", "taskwarrior-recur", "taskwarrior-status", Recurrence.taskwarriorSeries, ConflictEntry.fieldName,
  ]
}
