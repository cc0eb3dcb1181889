import Text

extension Reminder {
  /// The reminders of a note; those that can't be read are left out.
  package static func all(of note: Note) -> [Reminder] { texts(of: note).compactMap { Reminder($0) } }

  /// The first reminder of a note that can't be read, with its line.
  package static func fault(in note: Note) -> (text: String, line: Int?)? {
    texts(of: note).first { Reminder($0) == nil }.map { ($0, note.field(named: fieldName)?.line) }
  }

  private static func texts(of note: Note) -> [String] {
    let texts = note.value(named: fieldName)?.strings ?? []
    return texts.flatMap { CommaList($0).elements }.filter { !$0.withoutBlanksAround.isEmpty }
  }
}
