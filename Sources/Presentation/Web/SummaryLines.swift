package import NoteIndex
import Notes
package import SlipboxCore
import Text

/// A graph in numbers, as lines.
package struct SummaryLines {
  private let summary: WebSummary
  private let entries: Entries

  package init(_ summary: WebSummary, _ entries: Entries) {
    self.summary = summary
    self.entries = entries
  }

  /// A row a number with tabs between its columns; of notes and groups the number, the name and the title.
  package func rows() -> [String] {
    let numbers = counts.map { "\($0.name)\t\($0.count)" }
    let linked = summary.mostLinked.map { row("linked", $0) }
    return numbers + linked + summary.groups.map { row("group", $0) }
  }

  private func row(_ name: String, _ note: WebSummary.Ranked) -> String {
    let entry = entries[note.place]
    return NoteColumns.row([name, String(note.count), entry.name, entry.note.title])
  }

  private var counts: [(name: String, count: Int)] {
    [("notes", summary.notes), ("links", summary.links)] + summary.fields.map { ("\($0.name):", $0.count) }
      + [
        ("orphans", summary.orphans), ("broken", summary.broken), ("ambiguous", summary.ambiguous),
        ("components", summary.groupCount),
      ]
  }

  /// The numbers, then the most linked notes and the largest groups.
  package func lines(_ display: Display) -> [String] {
    var table = Table(
      columns: [
        Table.Column(), Table.Column(alignment: .trailing, paint: display.style.bold),
      ], style: display.style, width: display.width)
    for (name, count) in counts { table.add([name, String(count)]) }
    return table.lines() + list("most linked", summary.mostLinked, display)
      + list("largest components, by one note each", summary.groups, display)
  }

  private func list(_ title: String, _ notes: [WebSummary.Ranked], _ display: Display) -> [String] {
    guard !notes.isEmpty else { return [] }
    let inner = display.indented
    let isAlone = notes.allSatisfy { entries[$0.place].note.id == nil }
    var table = Table(
      columns: [
        Table.Column(alignment: .trailing, paint: display.style.bold),
        RowLayout.name(inner.width, isAlone: isAlone) { display.style.dim($0) }, RowLayout.title,
      ], style: inner.style, width: inner.width)
    for note in notes {
      let entry = entries[note.place]
      table.add([String(note.count), entry.name, entry.note.title])
    }
    return ["", display.style.dim(title)] + table.lines().map { "  " + $0 }
  }
}
