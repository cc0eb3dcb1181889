internal import Text

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

  /// Returns the text with changes made, and what follows from them by the kind's transitions.
  ///
  /// A new record first gets its defaults. A value given beats a transition. A title that goes is kept among the aliases.
  /// The whole is checked last; only problems that were not there before count.
  /// - Parameters:
  ///   - path: The file, where its name may be the note's title.
  ///   - kind: The kind that the note is of; by default what its text says.
  /// - Returns: The text; warnings: problems that were there before, and fields that may be mistyped; and the record that
  ///   comes next, where the changes ask for one.
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
    guard draft.problems.isEmpty else { throw .refused(draft.problems) }
    try draft.followTransitions(from: start)
    if !isNew, keepsTitles { try draft.keepTitle(of: original, changes) }
    let before = isNew ? [] : Set(problems(in: original, kind: earlier.name).map(\.identity))
    let after = problems(in: draft.note, kind: later.name)
    let made = after.filter { !before.contains($0.identity) }
    guard made.isEmpty else { throw .refused(made.map { $0.advising(beside: changes) }) }
    // A record that is made done is the note of something that is over.
    let next = isNew ? nil : try draft.succeeding(original)
    return (draft.note.text, draft.warnings + after.map(\.message), next)
  }

  /// Returns all that breaks a note's kind; nothing for an undeclared kind.
  ///
  /// - Parameter kind: The kind that the note is of; by default what its text says.
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
