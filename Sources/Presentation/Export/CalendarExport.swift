package import NoteIndex
import Notes
package import SlipboxCore

/// Notes with a date as a calendar: records that can be done as to-dos, others as days.
///
/// Source: RFC 5545.
package struct CalendarExport {
  private let entries: [TaskFacts]
  /// The fields with dates; the first that a note has counts.
  private let fields: [String]
  /// How many of the notes have no date in the field.
  package let leftOut: Int

  /// Reads the notes that have a date in one of some fields.
  package init(_ snapshot: BoxSnapshot, _ notes: [Match], fields: [String]) {
    let records = OpenRecords(snapshot)
    var entries: [TaskFacts] = []
    for (match, modified) in zip(notes, snapshot.modified(of: notes)) {
      let facts = TaskFacts(match.entry, modified: modified, records)
      if fields.contains(where: { facts.moment($0) != nil }) { entries.append(facts) }
    }
    self.entries = entries
    self.fields = fields
    leftOut = notes.count - entries.count
  }

  /// How many notes there are.
  package var count: Int { entries.count }

  package func write(to sink: ByteOutput) throws(SlipboxError) {
    var lines = CalendarLines()
    lines.add("BEGIN", "VCALENDAR")
    lines.add("VERSION", "2.0")
    lines.add("PRODID", "-//slip//slipbox//EN")
    lines.add("CALSCALE", "GREGORIAN")
    sink(lines.take())
    for entry in entries {
      try write(entry, &lines)
      sink(lines.take())
    }
    lines.add("END", "VCALENDAR")
    sink(lines.take())
  }

  private func write(_ entry: TaskFacts, _ lines: inout CalendarLines) throws(SlipboxError) {
    guard let field = fields.first(where: { entry.moment($0) != nil }), let moment = entry.moment(field)
    else {
      return
    }
    let isStart = entry.isOpen == nil || Self.starts.contains(field)
    let component = entry.isOpen == nil ? "VEVENT" : "VTODO"
    lines.add("BEGIN", component)
    lines.add("UID", NoteUUID.of(entry.note))
    // Without a method the stamp is the time of the last change.
    lines.add("DTSTAMP", TaskFacts.Moment.utc(entry.modified.seconds))
    lines.add("CREATED", TaskFacts.Moment.utc(entry.created.seconds))
    lines.add("LAST-MODIFIED", TaskFacts.Moment.utc(entry.modified.seconds))
    lines.add(text: "SUMMARY", [entry.note.title])
    writeDates(entry, moment, isStart: isStart, &lines)
    if let isOpen = entry.isOpen { writeState(entry, isOpen, &lines) }
    if let priority = entry.priority { lines.add("PRIORITY", Self.number(of: priority)) }
    if !entry.note.tags.isEmpty { lines.add(text: "CATEGORIES", entry.note.tags) }
    let body = try entry.note.bodyText
    if body.utf8.contains(where: { $0 > 0x20 }) { lines.add(text: "DESCRIPTION", [body]) }
    if entry.isOpen == nil { lines.add("TRANSP", "TRANSPARENT") }
    writeAlarms(entry, moment, isStart: isStart, &lines)
    lines.add("END", component)
  }

  /// Dates that are not deadlines: a record begins on them.
  private static let starts: Set = ["scheduled", "my-day", "wait", "start", "started"]

  /// Writes the deadline or the beginning, and how often an open record comes again.
  ///
  /// A beginning beside a deadline is of the same type, as RFC 5545 requires. One after the deadline is left out. A rule
  /// needs a beginning: without a scheduled date it is the deadline.
  private func writeDates(
    _ entry: TaskFacts, _ moment: TaskFacts.Moment, isStart: Bool, _ lines: inout CalendarLines
  ) {
    let recurs = entry.isOpen == true && entry.recurs
    let start = isStart ? moment : beginning(of: entry, before: moment) ?? moment
    let rule = recurs ? recurrenceRule(entry, from: start, due: moment) : nil
    if isStart || start != moment || rule != nil { lines.add("DTSTART", start) }
    if !isStart { lines.add("DUE", moment) }
    if let rule { lines.add("RRULE", rule) }
  }

  private func beginning(of entry: TaskFacts, before due: TaskFacts.Moment) -> TaskFacts.Moment? {
    guard let scheduled = entry.moment("scheduled") else { return nil }
    let start: TaskFacts.Moment =
      if case .day = due { .day(scheduled.day(entry.clock)) } else {
        .instant(scheduled.seconds(entry.clock))
      }
    return start.seconds(entry.clock) < due.seconds(entry.clock) ? start : nil
  }

  /// The rule of a recurrence; its end has the type of the dates and is as far before the last day as the beginning is
  /// before the deadline.
  private func recurrenceRule(_ entry: TaskFacts, from start: TaskFacts.Moment, due: TaskFacts.Moment)
    -> String?
  {
    let (first, last) = (start.day(entry.clock), due.day(entry.clock))
    guard
      let rule = entry.recurrence.flatMap({ Recurrence($0) })?.calendarRule(from: first, due: last)
    else { return nil }
    guard let until = entry.until?.day(entry.clock) else { return rule }
    let end = until.adding(days: first.dayNumber - last.dayNumber)
    if case .day = start { return "\(rule);UNTIL=\(end.description.filter { $0 != "-" })" }
    let instant = entry.clock.start(of: end.adding(days: 1)) - 1
    return "\(rule);UNTIL=\(TaskFacts.Moment.utc(instant))"
  }

  /// Writes an alarm at the time of day, or one for each of the field `reminder`, so long before.
  ///
  /// Reminders of a day count from 9:00. A `reminder` that can't be read gives no alarm.
  private func writeAlarms(
    _ entry: TaskFacts, _ moment: TaskFacts.Moment, isStart: Bool, _ lines: inout CalendarLines
  ) {
    let isOfDay = if case .day = moment { true } else { false }
    let reminders = Reminder.all(of: entry.note)
    guard entry.isOpen == true || entry.isOpen == nil && !reminders.isEmpty else { return }
    var durations = reminders.map { $0.duration(ofDay: isOfDay) }
    if durations.isEmpty, !isOfDay, Reminder.fault(in: entry.note) == nil { durations = ["PT0S"] }
    for duration in durations {
      lines.add("BEGIN", "VALARM")
      lines.add("ACTION", "DISPLAY")
      lines.add(text: "DESCRIPTION", [entry.note.title])
      lines.add(isStart ? "TRIGGER" : "TRIGGER;RELATED=END", duration)
      lines.add("END", "VALARM")
    }
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

/// The lines of a calendar, folded at 75 octets and ended by CRLF.
///
/// Source: RFC 5545, sections 3.1 and 3.3.11.
struct CalendarLines {
  private static let longest = 75

  private var bytes: [UInt8] = []

  /// Adds a property whose value needs no escapes.
  mutating func add(_ name: String, _ value: String) { add(line: Array("\(name):\(value)".utf8)) }

  /// Adds a property with a day or an instant.
  mutating func add(_ name: String, _ moment: TaskFacts.Moment) {
    switch moment {
    case .day(let day): add("\(name);VALUE=DATE", String(day.description.filter { $0 != "-" }))
    case .instant(let seconds): add(name, TaskFacts.Moment.utc(seconds))
    }
  }

  /// Adds a property with texts, parted by commas.
  mutating func add(text name: String, _ values: [String]) {
    add(line: Array("\(name):".utf8) + values.map(Self.escaped).joined(separator: [UInt8(ascii: ",")]))
  }

  /// The lines so far, which are forgotten.
  mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  private static func escaped(_ text: String) -> [UInt8] {
    var result: [UInt8] = []
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\"), UInt8(ascii: ";"), UInt8(ascii: ","): result += [UInt8(ascii: "\\"), byte]
      case 0x0A: result += "\\n".utf8
      case 0x09, 0x20..<0x7F, 0x80...: result.append(byte)
      default: break
      }
    }
    return result
  }

  /// Adds a line in parts of which none has more than 75 octets or half of a character.
  private mutating func add(line: [UInt8]) {
    var rest = line[...]
    var room = Self.longest
    while rest.count > room {
      var cut = rest.startIndex + room
      while rest[cut] & 0xC0 == 0x80 { cut -= 1 }
      bytes += rest[..<cut] + Array("\r\n ".utf8)
      rest = rest[cut...]
      room = Self.longest - 1
    }
    bytes += rest + Array("\r\n".utf8)
  }
}
