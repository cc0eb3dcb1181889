import NoteIndex
import Notes

/// A record's own row for programs: the whole name and the columns of its kind, with tabs between them.
struct PlainRow: Sendable {
  private let row: RecordRow?
  private let states: RecordStates
  private let counts: CountWords

  /// - Parameter kind: the kind whose columns are shown; nil where several kinds share the row.
  init(_ entries: [Entry], _ rows: NoteRows, kind: Kind?) {
    let declared = kind.flatMap { $0.name == "note" || $0.row.isEmpty ? nil : $0 }
    let states = RecordStates(rows.schema, clock: rows.clock, rows.catalogue)
    row = declared.map {
      RecordRow(
        $0, RecordTitles(rows.catalogue.entries, rows.schema), states, unicode: rows.display.style.unicode)
    }
    self.states = states
    counts = CountWords(declared == nil ? entries : [], rows.schema) {
      RecordTitles(rows.catalogue.entries, rows.schema)
    }
  }

  /// The texts of the columns.
  func cells(of entry: Entry) -> [String] {
    if let row { return row.cells(of: entry) }
    return [
      counts.standing(of: entry, states.state(of: entry)), entry.created.civilDate.description,
      entry.note.title,
      entry.note.tags.joined(separator: ", "),
    ]
  }
}
