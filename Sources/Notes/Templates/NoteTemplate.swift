/// A note with placeholders, of which new notes are made. Nothing in it is executed.
///
/// Its front-matter gives fields and tags, comments and quotes included; its text is the text of the note. All of it is
/// read and checked before anything is made of it.
package struct NoteTemplate: Sendable {
  private let fields: TemplateFields
  private let body: TemplateText
  /// The kind that the template declares; nil where it leaves that open, or asks for it.
  package let kind: String?

  /// Reads the bytes of a template.
  ///
  /// - Throws: a problem with line and column for front-matter that can't be read or written, for text that is not UTF-8,
  ///   and for a placeholder that is not known.
  package init(_ bytes: [UInt8]) throws(Problem) {
    let text = NoteText(bytes)
    fields = try TemplateFields(text)
    body = try TemplateText(bytes, in: text.body)
    let named = FrontMatter(text)["kind"]?.text.map(Note.oneLine)
    kind = named.flatMap { $0.isEmpty || $0.utf8.contains(UInt8(ascii: "{")) ? nil : $0 }
  }

  /// Reads the bytes of another program's template: placeholders that slip does not know stay as they are written.
  ///
  /// - Throws: as `init(_:)`, but for such placeholders.
  package init(foreign bytes: [UInt8]) throws(Problem) {
    try self.init(TemplateText.escapingUnknown(in: bytes))
  }

  /// Whether the text that is given with the command has a place of its own; else it follows the template's.
  package var holdsSelection: Bool { fields.holdsSelection || body.holdsSelection }

  /// Whether a field asks for the value of another one.
  package var asksFields: Bool { fields.asksFields }

  /// The template with its fields filled, and its text as it was written.
  ///
  /// - Throws: a problem with its line for a value that can't be written.
  package func head(_ values: TemplateValues) throws(Problem) -> NoteText { try fields.filled(values) }

  /// The text with its placeholders filled.
  package func body(_ values: TemplateValues) -> [UInt8] { body.filled(values) }
}

/// The values that the placeholders of a template stand for.
package struct TemplateValues: Sendable {
  package var title: String
  package var id: NoteID?
  /// The day of the note.
  package var day: CivilDate
  /// The time of the command.
  package var now: Timestamp
  /// The text that was given with the command.
  package var selection: [UInt8]
  /// The new note as far as it is made; nil where no field has a value yet.
  package var note: Note?

  package init(
    title: String = "", id: NoteID? = nil, day: CivilDate, now: Timestamp, selection: [UInt8] = [],
    note: Note? = nil
  ) {
    self.title = title
    self.id = id
    self.day = day
    self.now = now
    self.selection = selection
    self.note = note
  }

  func bytes(of placeholder: Placeholder) -> [UInt8] {
    switch placeholder {
    case .title: return Array(title.utf8)
    case .id: return id?.bytes ?? []
    case .date(let distance, let format):
      let day = distance?.day(from: day, looking: .ahead) ?? day
      return Array(format.text(of: day, at: now).utf8)
    case .field(let name):
      let texts = note?.value(named: name)?.strings ?? []
      return Array(texts.joined(separator: ", ").utf8)
    case .selection: return Self.withoutLastLineEnd(selection)
    }
  }

  /// The text goes on with what stands after its placeholder.
  private static func withoutLastLineEnd(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.last == 0x0A else { return bytes }
    return Array(bytes.dropLast(bytes.dropLast().last == 0x0D ? 2 : 1))
  }
}
