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
