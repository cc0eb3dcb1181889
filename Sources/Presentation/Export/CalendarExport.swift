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
    guard let field = fields.first(where: { entry.moment($0) != nil }), let moment = entry.moment(field)
    else {
      return
    }
    let isStart = entry.isOpen == nil || field == "scheduled"
    let component = entry.isOpen == nil ? "VEVENT" : "VTODO"
    lines.add("BEGIN", component)
    lines.add("UID", NoteUUID.of(entry.note))
    // Without a method the stamp is the time of the last change.
    lines.add("DTSTAMP", TaskFacts.Moment.utc(entry.modified.seconds))
    lines.add("CREATED", TaskFacts.Moment.utc(entry.created.seconds))
    lines.add("LAST-MODIFIED", TaskFacts.Moment.utc(entry.modified.seconds))
    lines.add(text: "SUMMARY", [entry.note.title])
    lines.add(isStart ? "DTSTART" : "DUE", moment)
    if let isOpen = entry.isOpen { writeState(entry, isOpen, &lines) }
    if let priority = entry.priority { lines.add("PRIORITY", Self.number(of: priority)) }
    if !entry.note.tags.isEmpty { lines.add(text: "CATEGORIES", entry.note.tags) }
    if entry.body.utf8.contains(where: { $0 > 0x20 }) { lines.add(text: "DESCRIPTION", [entry.body]) }
    if entry.isOpen == nil { lines.add("TRANSP", "TRANSPARENT") }
    writeAlarm(entry, moment, isStart: isStart, &lines)
    lines.add("END", component)
  }

  /// Writes an alarm at the time of day, or as long before as the field `reminder` says.
  private func writeAlarm(
    _ entry: TaskFacts, _ moment: TaskFacts.Moment, isStart: Bool, _ lines: inout CalendarLines
  ) {
    let reminder = entry.note.frontMatter["reminder"]?.text.flatMap(Reminder.init)
    if case .day = moment, reminder == nil { return }
    guard entry.isOpen == true || entry.isOpen == nil && reminder != nil else { return }
    lines.add("BEGIN", "VALARM")
    lines.add("ACTION", "DISPLAY")
    lines.add(text: "DESCRIPTION", [entry.note.title])
    lines.add(isStart ? "TRIGGER" : "TRIGGER;RELATED=END", reminder?.duration ?? "PT0S")
    lines.add("END", "VALARM")
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

/// How long before a date a calendar reminds: `30min`, `2h`, `1d` or `1w`.
struct Reminder {
  /// The duration of an alarm, such as `-PT30M`.
  let duration: String

  init?(_ text: String) {
    let text = text.lowercased().filter { $0 != " " }
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    guard digits.utf8.count <= 4, let number = Int(digits), number > 0 else { return nil }
    switch text.dropFirst(digits.count) {
    case "min", "minute", "minutes": duration = "-PT\(number)M"
    case "h", "hour", "hours": duration = "-PT\(number)H"
    case "d", "day", "days": duration = "-P\(number)D"
    case "w", "week", "weeks": duration = "-P\(number)W"
    default: return nil
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
