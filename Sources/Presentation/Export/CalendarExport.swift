package import NoteIndex
import Notes
package import SlipboxCore

/// Notes with a date as a calendar: records that can be done as to-dos, others as days.
///
/// Source: RFC 5545.
package struct CalendarExport {
  private let entries: [TaskFacts]
  private let field: String
  /// How many of the notes have no date in the field.
  package let leftOut: Int

  /// Reads the notes that have a date in a field.
  package init(_ snapshot: BoxSnapshot, _ notes: [Match], field: String) {
    let records = OpenRecords(snapshot)
    var entries: [TaskFacts] = []
    for (match, modified) in zip(notes, snapshot.modified(of: notes)) {
      let facts = TaskFacts(match.entry, modified: modified, records)
      if facts.moment(field) != nil { entries.append(facts) }
    }
    self.entries = entries
    self.field = field
    leftOut = notes.count - entries.count
  }

  /// How many notes there are.
  package var count: Int { entries.count }

  package func write(to sink: ByteSink) {
    var lines = CalendarLines()
    lines.add("BEGIN", "VCALENDAR")
    lines.add("VERSION", "2.0")
    lines.add("PRODID", "-//slip//slipbox//EN")
    lines.add("CALSCALE", "GREGORIAN")
    sink(lines.take())
    for entry in entries {
      write(entry, &lines)
      sink(lines.take())
    }
    lines.add("END", "VCALENDAR")
    sink(lines.take())
  }

  private func write(_ entry: TaskFacts, _ lines: inout CalendarLines) {
    guard let moment = entry.moment(field) else { return }
    let component = entry.isOpen == nil ? "VEVENT" : "VTODO"
    lines.add("BEGIN", component)
    lines.add("UID", NoteUUID.of(entry.note))
    // Without a method the stamp is the time of the last change.
    lines.add("DTSTAMP", TaskFacts.Moment.utc(entry.modified.seconds))
    lines.add("CREATED", TaskFacts.Moment.utc(entry.created.seconds))
    lines.add("LAST-MODIFIED", TaskFacts.Moment.utc(entry.modified.seconds))
    lines.add(text: "SUMMARY", [entry.note.title])
    lines.add(entry.isOpen == nil ? "DTSTART" : "DUE", moment)
    if let isOpen = entry.isOpen { writeState(entry, isOpen, &lines) }
    if let priority = entry.priority { lines.add("PRIORITY", Self.number(of: priority)) }
    if !entry.note.tags.isEmpty { lines.add(text: "CATEGORIES", entry.note.tags) }
    if entry.body.utf8.contains(where: { $0 > 0x20 }) { lines.add(text: "DESCRIPTION", [entry.body]) }
    if entry.isOpen == nil { lines.add("TRANSP", "TRANSPARENT") }
    lines.add("END", component)
  }

  private func writeState(_ entry: TaskFacts, _ isOpen: Bool, _ lines: inout CalendarLines) {
    if isOpen {
      let isBegun = entry.moment("started") != nil || entry.moment("start") != nil
      return lines.add("STATUS", isBegun ? "IN-PROCESS" : "NEEDS-ACTION")
    }
    lines.add("STATUS", "COMPLETED")
    lines.add("PERCENT-COMPLETE", "100")
    if let end = entry.end { lines.add("COMPLETED", TaskFacts.Moment.utc(end)) }
  }

  private static func number(of priority: TaskFacts.Priority) -> String {
    switch priority {
    case .high: "1"
    case .medium: "5"
    case .low: "9"
    }
  }
}
