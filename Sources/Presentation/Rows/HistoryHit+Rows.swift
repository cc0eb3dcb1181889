import NoteIndex
import Notes
package import SlipboxCore
import Text

/// Times for which notes held what was looked for, as lines.
extension HistoryHit {
  /// A row for a pipe and one for each line that was found: name, first and last day, title; name, line, text. Notes that
  /// still hold it have no last day.
  package func rows(_ style: Style) -> [String] {
    let columns = NoteColumns(modified: nil)
    let name = columns.value("name", of: entry)
    let days = [began.time.civilDate.description, ended?.time.civilDate.description ?? ""]
    return [columns.row(entry, days + [entry.note.title])]
      + snippets.map { "\(name)\t\($0.line)\t\($0.shown(style))" }
  }

  /// The rows of a terminal: name, days and title, and under it the lines that were found.
  package static func table(_ hits: [HistoryHit], _ display: Display) -> [String] {
    let style = display.style
    let isAlone = hits.allSatisfy { $0.entry.note.id == nil }
    var table = Table(
      columns: [
        RowLayout.name(display.width, isAlone: isAlone) { style.bold($0) }, RowLayout.fixed(leaves: 3),
        RowLayout.title,
      ], style: style, width: display.width)
    for hit in hits {
      let last = hit.ended?.time.civilDate.description ?? "now"
      table.add([
        Table.Cell(hit.entry.name), Table.Cell("\(hit.began.time.civilDate)..\(last)"),
        Table.Cell(hit.entry.note.title),
      ])
    }
    return zip(table.lines(), hits).flatMap { row, hit in
      [row] + hit.snippets.map { $0.line(display) }
    }
  }
}
