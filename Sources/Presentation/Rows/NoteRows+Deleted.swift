import NoteIndex
import Notes
import SlipboxCore
import Text

extension PastDeletion {
  /// The program that deleted the note: the command of slip, or git for all others.
  var maker: String { command ?? "git" }
}

/// Deleted notes as rows on a terminal.
extension NoteRows {
  /// A row a note: its name, when and by which command it was deleted, its title and its tags.
  func deleted(_ entries: [Entry], _ deletion: (Entry) -> PastDeletion?) -> [String] {
    let style = display.style
    var (command, tags) = (RowLayout.fixed(leaves: 2), RowLayout.text(leaves: 1))
    (command.paint, tags.paint) = (style.dim, style.dim)
    var table = Table(
      columns: [nameColumn(of: entries), RowLayout.fixed(leaves: 3), command, RowLayout.title, tags],
      style: style, width: display.width)
    for entry in entries {
      let deletion = deletion(entry)
      table.add([
        Table.Cell(name(of: entry)),
        Table.Cell(deletion?.time.civilDate.description ?? ""),
        Table.Cell(deletion?.maker ?? ""),
        Table.Cell(entry.note.title),
        Table.Cell(entry.note.tags.map { "#" + $0 }.joined(separator: " ")),
      ])
    }
    return table.lines()
  }
}
