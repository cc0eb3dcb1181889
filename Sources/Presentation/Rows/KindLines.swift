package import Notes
package import SlipboxCore
import Text

/// Kinds of records as lines for people.
package enum KindLines {
  /// A line a kind: its name and what it says of itself.
  package static func list(_ kinds: [Kind], _ display: Display) -> [String] {
    var table = Table(
      columns: [.init(paint: display.style.bold), .init(isFlexible: true)], style: display.style,
      width: display.width)
    for kind in kinds { table.add([kind.name, kind.comment ?? ""]) }
    return table.lines()
  }

  /// A kind's whole declaration, with its line ends.
  package static func declaration(of kind: Kind) -> String {
    Visible.escape(kind.declaration, keepingLines: true)
  }
}

/// The records that come next after those that were finished, as lines for people.
package enum NextRecordLines {
  /// A line for each that was made: its name, its day and its title; with tabs between them in a pipe.
  package static func lines(_ records: [NextRecord], _ display: Display) -> [String] {
    var table = Table(
      columns: [.init(paint: display.style.bold), .init(), .init(isFlexible: true)], style: display.style,
      width: display.width)
    var rows: [[String]] = []
    for case .made(let note, let day, _) in records {
      rows.append([String(decoding: note.name, as: UTF8.self), day.description, note.title])
    }
    guard display.isTerminal else { return rows.map { NoteColumns.row($0) } }
    for row in rows { table.add(row) }
    return table.lines()
  }

  /// What else is to be said of one; nil for nothing.
  package static func remark(_ record: NextRecord) -> String? {
    switch record {
    case .made(let note, let day, let skipped):
      guard skipped > 0 else { return nil }
      let dates = skipped == 1 ? "1 missed date" : "\(skipped) missed dates"
      return "\(note.mention): skipped \(dates); next due \(day)"
    case .there(let note):
      return "the next one already exists: \(note.shownName)  \(Visible.escape(note.title))"
    case .over(let note): return "\(note.mention) was the last one: the recurrence has ended"
    }
  }
}
