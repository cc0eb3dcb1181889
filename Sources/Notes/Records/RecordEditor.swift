import Text

/// Applies changes to records as their kinds say.
package struct RecordEditor {
  package let schema: Schema
  package let clock: ClockReading
  /// Finds the record of a kind that a text names.
  package let resolve: (_ kind: String, _ typed: String) -> ReferenceAnswer
  /// Whether taking a tag out drops the `#` of an inline one; else that is refused.
  package var dropsInlineTags: Bool
  /// Whether no note has a field of a name yet: one that almost is a declared field is refused then, not warned of.
  package let isNewField: (_ name: String) -> Bool
  /// Whether no note is of a kind of a name yet.
  package let isNewKind: (_ name: String) -> Bool
  /// Whether nothing is said of new fields and kinds that almost are declared ones.
  package var allowsNewFields = false
  /// Whether a field that holds the state of records of another kind is refused on records with actions of their own.
  package var refusesForeignStates = false
  /// Finds the known field that a new field's name resembles.
  package var nearField: (_ name: String) -> String? = { _ in nil }
  /// The paths of all records that one command changes alike; none is warned of another that it closes too.
  package var together: Set<[UInt8]> = []
  /// Whether a title that goes is kept among the aliases.
  package var keepsTitles = true

  package init(
    schema: Schema, clock: ClockReading, dropsInlineTags: Bool = false,
    isNewField: @escaping (_ name: String) -> Bool = { _ in false },
    isNewKind: @escaping (_ name: String) -> Bool = { _ in false },
    resolve: @escaping (_ kind: String, _ typed: String) -> ReferenceAnswer
  ) {
    self.schema = schema
    self.clock = clock
    self.dropsInlineTags = dropsInlineTags
    self.isNewField = isNewField
    self.isNewKind = isNewKind
    self.resolve = resolve
  }

  /// Returns the text with changes applied, and with the effects of the kind's transitions.
  ///
  /// A new record first gets its defaults. A given value overrides a transition. A replaced title becomes an alias.
  /// The whole is checked last; only new problems count.
  /// - Parameters:
  ///   - path: the file, if its name may be the note's title.
  ///   - kind: the kind of the note; by default the one in its text.
  /// - Returns: the text; warnings: earlier problems, and fields that may be mistyped; and the record that
  ///   comes next, if the changes require one.
  /// - Throws: `RecordError`; nothing is changed then.
  package func apply(
    _ changes: [Change], to text: NoteText, path: [UInt8] = [], kind: String? = nil, isNew: Bool
  ) throws(RecordError) -> (text: NoteText, warnings: [String], next: Succeeding?) {
    let original = Note(path: path, text: text)
    let earlier = schema.kindOrPlain(named: kind ?? original.kind)
    let later = Self.newKind(in: changes).map { schema.kindOrPlain(named: $0) } ?? earlier
    var draft = RecordDraft(of: original, kind: later, editor: self)
    if isNew { try draft.writeDefaults(beside: changes) }
    let start = isNew ? try draft.beginning(original) : draft.note
    for change in changes { try draft.make(change) }
    try draft.flush()
    guard draft.problems.isEmpty else { throw .refused(draft.problems) }
    try draft.followTransitions(from: start)
    if !isNew, keepsTitles { try draft.keepTitle(of: original, changes) }
    let before = isNew ? [] : Set(problems(in: original, kind: earlier.name).map(\.identity))
    let after = problems(in: draft.note, kind: later.name)
    let made = after.filter { !before.contains($0.identity) }
    guard made.isEmpty else { throw .refused(made.map { $0.advising(beside: changes) }) }
    // A record that is made done is the note of something that is over.
    let next = isNew ? nil : try draft.succeeding(original)
    return (draft.note.wholeText, draft.warnings + after.map(\.message), next)
  }

  /// Returns all that breaks a note's kind; nothing for an undeclared kind.
  ///
  /// - Parameter kind: the kind of the note; by default the one in its text.
  package func problems(in note: Note, kind: String? = nil) -> [RecordProblem] {
    schema.kind(named: kind ?? note.kind).map { problems(in: note, of: $0) } ?? []
  }

  private func problems(in note: Note, of kind: Kind) -> [RecordProblem] {
    RecordCheck(kind: kind, note: note, resolve: resolve).problems()
  }

  /// The kind that changes turn a note into.
  private static func newKind(in changes: [Change]) -> String? {
    var kind: String?
    for change in changes {
      switch change {
      case .set(let field, let value) where field.isSameName(as: "kind"): kind = value.withoutBlanksAround
      case .clear(let field) where field.isSameName(as: "kind"): kind = "note"
      default: continue
      }
    }
    return kind
  }
}

/// The record that comes next after one that was done.
package struct Successor: Sendable, Equatable {
  /// The text of the one that was done, as it was before, with later dates; its id and creation date are not its own yet.
  package let text: NoteText
  /// The day to which its first date has moved.
  package let day: CivilDate
  /// The number of skipped occurrences.
  package let skipped: Int
}

/// The effect of a change on the next record.
package enum Succeeding: Sendable, Equatable {
  case by(Successor)
  /// None: it was the last one before the end of all of them.
  case over
}

extension RecordDraft {
  /// The next record by the applied transitions; nil if none creates another, and if no field gives an interval.
  ///
  /// It is a copy of the record before the command, which may still change the interval.
  func succeeding(_ original: Note) throws(RecordError) -> Succeeding? {
    for succession in successions {
      guard case .text(let text)? = kind.value(of: succession.by, in: note),
        let recurrence = Recurrence(text)
      else { continue }
      return try succeeding(original, succession, recurrence)
    }
    return nil
  }

  /// The day of completion: the one that the transitions to the same state set, else today.
  private func day(ofEnd succession: Succession) -> CivilDate {
    guard let end = kind.transitions.first(where: { $0.effects.contains(.next(succession)) }) else {
      return editor.clock.today
    }
    let transitions = kind.transitions.filter { other in
      other.field.isSameName(as: end.field)
        && (other.to.isEmpty || end.to.isEmpty || !Set(other.to).isDisjoint(with: end.to))
    }
    let fields = transitions.flatMap(\.effects).compactMap { effect -> String? in
      if case .set(let name, "today") = effect { name } else { nil }
    }
    let days = fields.lazy.compactMap { kind.storedValue(of: $0, in: note)?.day }
    return days.first ?? editor.clock.today
  }

  private func succeeding(
    _ original: Note, _ succession: Succession, _ recurrence: Recurrence
  ) throws(RecordError) -> Succeeding {
    let today = recurrence.countsFromEnd ? day(ofEnd: succession) : editor.clock.today
    let fields = succession.moves.compactMap { kind.field($0) }
    let dates = fields.compactMap { field in field.storedValue(in: original)?.day.map { (field, $0) } }
    let last = dates.first?.1 ?? today
    guard let next = recurrence.next(after: last, done: today) else { return .over }
    let end = succession.until.flatMap { kind.storedValue(of: $0, in: note)?.day }
    if let end, end < next.day { return .over }
    var draft = RecordDraft(of: original, kind: kind, editor: editor)
    if dates.isEmpty, let field = fields.first { try draft.write(.date(next.day), to: field) }
    for (field, day) in dates {
      if let (name, time) = original.timeOfDay(leaving: field.name) {
        try draft.edit { text throws(EditError) in try text.setting(name, to: .text(time)) }
      }
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
    let series = TaskwarriorSeries(of: original, recurrence, skipped: next.skipped)
    for name in succession.clears + Self.ownFields where !(series?.kept.contains(name) ?? false) {
      guard let key = draft.note.field(named: name)?.name else { continue }
      try draft.edit { text throws(EditError) in try text.clearingField(key) }
    }
    for (name, value) in series?.changes ?? [] {
      try draft.edit { text throws(EditError) in try text.settingField(name, to: .text(value)) }
    }
    return .by(Successor(text: draft.note.wholeText.unticked(), day: next.day, skipped: next.skipped))
  }

  /// Fields of one record alone; by `uuid` and the names after it taskwarrior identifies its tasks and their series.
  private static let ownFields = [
    "aliases", "alias", "identifier", "start", "end", "uuid", "parent", "mask", "imask", "rtype", "template",
    "last", "taskwarrior-recur", "taskwarrior-status", Recurrence.taskwarriorSeries, ConflictEntry.fieldName,
  ]
}

/// The series of taskwarrior that a record came from as an instance: the next record is the next instance of it.
private struct TaskwarriorSeries {
  /// The fields that the next record keeps.
  let kept: Set<String> = ["parent", "rtype", "template", "imask", Recurrence.taskwarriorSeries]
  /// The fields that change in it.
  let changes: [(name: String, value: String)]

  /// - Parameter skipped: how many instances were missed in between.
  /// - Returns: nil if the record has no series, or the next one does not follow from the day on which it was due.
  init?(of record: Note, _ recurrence: Recurrence, skipped: Int) {
    guard !recurrence.countsFromEnd, record.frontMatter["parent"]?.text != nil,
      let parts = record.frontMatter[Recurrence.taskwarriorSeries]?.text?.split(separator: " "),
      parts.count == 3,
      let number = record.frontMatter["imask"]?.text.flatMap({ Int($0) }) ?? Optional(parts[2].count - 1),
      number >= 0, number < 10_000, skipped < 10_000
    else { return nil }
    // A state for each instance: done, or still open.
    let earlier = parts[2].prefix(number) + String(repeating: "+", count: max(0, number - parts[2].count))
    let mask = earlier + String(repeating: "+", count: 1 + skipped) + "-"
    changes = [
      ("imask", String(number + 1 + skipped)),
      (Recurrence.taskwarriorSeries, "\(parts[0]) \(parts[1]) \(mask)"),
    ]
  }
}
