/// A form in which a list of notes is written.
package enum ListForm: Sendable, Equatable {
  /// A table on a terminal, rows with tabs between the columns elsewhere.
  case rows
  /// The rows of the notes' kind with tabs between the columns, on a terminal too.
  case kindRows
  /// One JSON object with all notes.
  case json
  /// A JSON object a line.
  case jsonLines
  /// Comma-separated values with a header.
  case csv
  /// The paths of the files.
  case paths
  /// A line a note by a template such as `{id} {title}`.
  case template(String)
  /// The number of notes.
  case count

  /// Whether the result is one whole, of which the first lines alone mean nothing.
  package var isWhole: Bool { [.json, .csv, .count].contains(self) }
}
