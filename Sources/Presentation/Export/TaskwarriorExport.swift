package import NoteIndex
import Notes
package import SlipboxCore

/// Records as taskwarrior imports them.
///
/// Source: "Taskwarrior JSON Format" (taskwarrior.org/docs/design/task.html): the attributes that it declares, no others.
package struct TaskwarriorExport {
  private let clock: ClockReading
  private let tasks: [(facts: TaskFacts, connections: [Connection])]
  private let web: NoteWeb
  private let uuids: [Int: String]
  /// How many of the notes are no records that can be done.
  package let leftOut: Int

  private static let times = ["due", "wait", "scheduled", "until"]

  /// Reads the records among some notes.
  package init(_ snapshot: BoxSnapshot, _ notes: [Match]) throws(SlipboxError) {
    clock = snapshot.clock
    web = try NoteWeb(snapshot)
    let records = OpenRecords(snapshot)
    let modified = snapshot.modified(of: notes)
    var tasks: [(place: Int, facts: TaskFacts)] = []
    for (match, modified) in zip(notes, modified) {
      let facts = TaskFacts(match.entry, modified: modified, records)
      if facts.isOpen != nil { tasks.append((match.place, facts)) }
    }
    let connections = try web.connections(from: tasks.map(\.place))
    self.tasks = zip(tasks, connections).map { ($0.facts, $1) }
    uuids = Dictionary(
      tasks.map { ($0.place, NoteUUID.of($0.facts.note)) }, uniquingKeysWith: { first, _ in first })
    leftOut = notes.count - tasks.count
  }

  /// How many records there are.
  package var count: Int { tasks.count }

  /// Writes an array of objects, one a line.
  package func write(to sink: ByteSink) {
    sink(Array("[\n".utf8))
    for (number, task) in tasks.enumerated() {
      var writer = JSONWriter()
      write(task.facts, task.connections, &writer)
      let end = number == tasks.count - 1 ? "\n" : ",\n"
      sink(writer.takeBytes() + Array(end.utf8))
    }
    sink(Array("]\n".utf8))
  }

  private func write(_ task: TaskFacts, _ connections: [Connection], _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("uuid", NoteUUID.of(task.note))
      writer.member("description", task.note.title)
      writer.member("status", status(task))
      writer.member("entry", TaskFacts.Moment.utc(task.created.seconds))
      writer.member("modified", TaskFacts.Moment.utc(task.modified.seconds))
      if let end = task.end(clock) { writer.member("end", TaskFacts.Moment.utc(end)) }
      if task.isOpen == true, let start = task.moment("start") ?? task.moment("started") {
        writer.member("start", utc(start))
      }
      for name in Self.times { if let moment = task.moment(name) { writer.member(name, utc(moment)) } }
      if let recur = recurrence(of: task) { writer.member("recur", recur) }
      writer.member("priority", task.priority?.rawValue)
      writer.member("project", project(of: task, connections))
      if !task.note.tags.isEmpty {
        writer.key("tags")
        writer.strings(task.note.tags.map(Self.tag))
      }
      writeDependencies(connections, &writer)
      writeAnnotations(task, &writer)
    }
  }

  private func utc(_ moment: TaskFacts.Moment) -> String { TaskFacts.Moment.utc(moment.seconds(clock)) }

  private func status(_ task: TaskFacts) -> String {
    guard task.isOpen == true else { return "completed" }
    if recurrence(of: task) != nil { return "recurring" }
    let isWaiting = task.moment("wait").map { $0.seconds(clock) > clock.now.seconds } ?? false
    return isWaiting ? "waiting" : "pending"
  }

  /// The period of a task that comes back; taskwarrior has it only with a day on which it is due.
  private func recurrence(of task: TaskFacts) -> String? {
    guard task.isOpen == true, task.moment("due") != nil else { return nil }
    return task.note.frontMatter["recur"]?.text.flatMap(Self.period)
  }

  /// A period as taskwarrior spells it: `+2w` is `2w`, `6m` is `6mo`, and a day of the month has no place.
  private static func period(_ text: String) -> String? {
    guard let word = text.split(separator: " ").first else { return nil }
    let length = word.first == "+" ? word.dropFirst() : word
    let isOfMonths = length.last == "m" && !length.isEmpty && length.dropLast().allSatisfy(\.isNumber)
    return length.isEmpty ? nil : isOfMonths ? length + "o" : String(length)
  }

  /// The field `project`, else the title of the record that the task belongs to.
  private func project(of task: TaskFacts, _ connections: [Connection]) -> String? {
    if let own = task.note.frontMatter["project"]?.text, !own.isEmpty { return own }
    guard let field = task.groupField,
      let link = connections.first(where: { $0.form == nil && ($0.field?.isSameName(as: field) ?? false) })
    else { return nil }
    if case .note(let place) = link.target { return web.entries[place].note.title }
    return link.text
  }

  /// A tag as one word.
  private static func tag(_ name: String) -> String {
    String(
      decoding: name.utf8.map { $0 <= 0x20 || $0 == UInt8(ascii: ",") ? UInt8(ascii: "_") : $0 },
      as: UTF8.self)
  }

  /// The tasks that come first, of those that are exported too.
  private func writeDependencies(_ connections: [Connection], _ writer: inout JSONWriter) {
    let others = connections.compactMap { connection -> String? in
      guard connection.field?.isSameName(as: "depends") ?? false, case .note(let place) = connection.target
      else {
        return nil
      }
      return uuids[place]
    }
    guard !others.isEmpty else { return }
    writer.key("depends")
    writer.strings(others)
  }

  /// The lines of the text, a second apart, for taskwarrior tells annotations by their times.
  private func writeAnnotations(_ task: TaskFacts, _ writer: inout JSONWriter) {
    let lines = task.body.split(whereSeparator: \.isNewline).filter { $0.utf8.contains { $0 > 0x20 } }
    guard !lines.isEmpty else { return }
    writer.member("annotations", of: lines.enumerated()) { line, writer in
      writer.object { writer in
        writer.member("entry", TaskFacts.Moment.utc(task.created.seconds + Int64(line.offset)))
        writer.member("description", String(line.element))
      }
    }
  }
}
