package import Notes

/// What a new note is made of.
package struct Draft {
  /// The text that a note begins with.
  package enum Start {
    case nothing
    /// A template, and the words for it in a message.
    case template(NoteTemplate, name: String)
    case copy(NoteCopy)
  }

  /// The kind that was asked for; nil: that of the template, else a plain note.
  package var kind: String?
  package var title: String
  package var changes: [Change]
  package var body: [UInt8]
  package var start: Start
  /// The day of the note for its template; nil: today.
  package var day: CivilDate?
  /// Whether a field may be new to the box although it almost is a declared one.
  package var allowsNewFields: Bool

  package init(
    kind: String? = nil, title: String, changes: [Change] = [], body: [UInt8] = [],
    start: Start = .nothing, day: CivilDate? = nil, allowsNewFields: Bool = false
  ) {
    self.kind = kind
    self.title = title
    self.changes = changes
    self.body = body
    self.start = start
    self.day = day
    self.allowsNewFields = allowsNewFields
  }

  /// The kind of the note.
  package var ownKind: String {
    if case .template(let template, _) = start { return kind ?? template.kind ?? "note" }
    return kind ?? "note"
  }
}
