package import NoteIndex
import Notes
package import SlipboxCore

/// Records as taskwarrior imports them.
///
/// Fields that it has no attribute for are attributes of the user's (UDA), as those are that came from it.
///
/// Source: "Taskwarrior JSON Format" (taskwarrior.org/docs/design/task.html).
package struct TaskwarriorExport {
  private let clock: ClockReading
  private let tasks: [(facts: TaskFacts, connections: [Connection])]
  private let web: NoteWeb
  private let uuids: [Int: String]
  /// How many of the notes are no records that can be done.
  package let leftOut: Int

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
  package func write(to sink: ByteOutput) throws(SlipboxError) {
    sink(Array("[\n".utf8))
    for (number, task) in tasks.enumerated() {
      if number > 0 { sink(Array(",\n".utf8)) }
      if let series = task.facts.series, let parent = task.facts.parent {
        var writer = JSONWriter()
        write(series, named: parent, of: task.facts, task.connections, &writer)
        sink(writer.takeBytes() + Array(",\n".utf8))
      }
      var writer = JSONWriter()
      try write(task.facts, task.connections, &writer)
      sink(writer.takeBytes())
    }
    sink(Array(tasks.isEmpty ? "]\n".utf8 : "\n]\n".utf8))
  }

  private func write(
    _ task: TaskFacts, _ connections: [Connection], _ writer: inout JSONWriter
  ) throws(SlipboxError) {
    try writer.object { (writer) throws(SlipboxError) in
      writer.member("uuid", NoteUUID.of(task.note))
      writer.member("description", task.note.title)
      writer.member("status", status(task))
      writer.member("entry", TaskFacts.Moment.utc(task.created.seconds))
      writer.member("modified", TaskFacts.Moment.utc(task.modified.seconds))
      if let end = task.end { writer.member("end", TaskFacts.Moment.utc(end)) }
      if task.isOpen == true, let start = task.moment("start") ?? task.moment("started") {
        writer.member("start", utc(start))
      }
      let times = [
        ("due", task.due), ("wait", task.moment("wait")), ("scheduled", task.moment("scheduled")),
        ("until", task.until),
      ]
      for (name, moment) in times { if let moment { writer.member(name, utc(moment)) } }
      writeRecurrence(task, &writer)
      writer.member("parent", task.parent)
      if let series = task.series, task.note.frontMatter["imask"] == nil {
        writer.member("imask", series.mask.utf8.count - 1)
        writer.member("rtype", "periodic")
      }
      writeProperties(task, connections, besides: [], &writer)
      writeDependencies(task, connections, &writer)
      try writeAnnotations(task, &writer)
    }
  }

  /// Writes the recurring task that an instance belongs to: taskwarrior makes the next instances by it.
  private func write(
    _ series: TaskFacts.Series, named uuid: String, of task: TaskFacts, _ connections: [Connection],
    _ writer: inout JSONWriter
  ) {
    writer.object { writer in
      writer.member("uuid", uuid)
      writer.member("description", task.note.title)
      writer.member("status", "recurring")
      writer.member("entry", series.entry)
      writer.member("modified", TaskFacts.Moment.utc(task.modified.seconds))
      writer.member("due", series.due)
      if let until = task.until { writer.member("until", utc(until)) }
      writeRecurrence(task, &writer)
      writer.member("mask", series.mask)
      writer.member("rtype", "periodic")
      writeProperties(task, connections, besides: ["mask", "imask", "rtype", "template", "last"], &writer)
    }
  }

  /// Writes the attributes that an instance has from its recurring task.
  private func writeProperties(
    _ task: TaskFacts, _ connections: [Connection], besides told: Set<String>, _ writer: inout JSONWriter
  ) {
    writer.member("priority", task.priority?.rawValue ?? ownPriority(of: task))
    writer.member("project", project(of: task, connections))
    if !task.note.tags.isEmpty {
      writer.key("tags")
      writer.strings(task.note.tags.map(Self.tag))
    }
    for attribute in task.ownAttributes where !told.contains(attribute.name) {
      writer.key(attribute.name)
      if attribute.isNumber { writer.number(attribute.text) } else { writer.string(attribute.text) }
    }
  }

  private func utc(_ moment: TaskFacts.Moment) -> String { TaskFacts.Moment.utc(moment.seconds(clock)) }

  private func status(_ task: TaskFacts) -> String {
    guard task.isOpen == true else { return "completed" }
    if task.isTemplate, task.due != nil, task.recurrence != nil { return "recurring" }
    let isWaiting = task.moment("wait").map { $0.seconds(clock) > clock.now.seconds } ?? false
    return isWaiting ? "waiting" : "pending"
  }

  /// Writes how often it comes again, and beside it what taskwarrior can't say of that.
  private func writeRecurrence(_ task: TaskFacts, _ writer: inout JSONWriter) {
    guard let text = task.recurrence, let period = Recurrence.taskwarrior(text) else { return }
    // taskwarrior refuses a recurrence without a due date.
    if task.due == nil { return writer.member(Recurrence.taskwarriorAttribute, text) }
    // Records that slip finished and taskwarrior did not create recur as the next record.
    guard task.isTemplate || task.parent != nil else { return }
    writer.member("recur", period)
    if period != text { writer.member(Recurrence.taskwarriorAttribute, text) }
  }

  /// A priority of the user's own, of a task that came from taskwarrior.
  private func ownPriority(of task: TaskFacts) -> String? { task.note.frontMatter["pri"]?.text }

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

  /// The tasks that come first, of those that are exported too or came from taskwarrior.
  private func writeDependencies(_ task: TaskFacts, _ connections: [Connection], _ writer: inout JSONWriter) {
    let fields = task.blockingFields
    let others = connections.compactMap { connection -> String? in
      guard let field = connection.field, fields.contains(where: { $0.isSameName(as: field) }),
        case .note(let place) = connection.target
      else { return nil }
      let note = web.entries[place].note
      return uuids[place] ?? (note.frontMatter["uuid"]?.text == nil ? nil : NoteUUID.of(note))
    }
    guard !others.isEmpty else { return }
    writer.key("depends")
    writer.strings(others)
  }

  /// The lines of the text. Those without a date of their own are a second apart from the creation of the note, since
  /// taskwarrior identifies annotations by their times.
  private func writeAnnotations(
    _ task: TaskFacts, _ writer: inout JSONWriter
  ) throws(SlipboxError) {
    let text = try task.note.text
    let lines = DatedLine.read(text.bytes[text.body])
    guard !lines.isEmpty else { return }
    var taken: Set<Int64> = []
    let annotations = lines.map { line -> (entry: Int64, text: String) in
      var entry =
        line.day.map { clock.instant(of: $0, secondOfDay: line.secondOfDay ?? 0) } ?? task.created.seconds
      while !taken.insert(entry).inserted { entry += 1 }
      return (entry, line.text)
    }
    writer.member("annotations", of: annotations.sorted { $0.entry < $1.entry }) { annotation, writer in
      writer.object { writer in
        writer.member("entry", TaskFacts.Moment.utc(annotation.entry))
        writer.member("description", annotation.text)
      }
    }
  }
}

/// Records as lines of todo.txt.
package struct TodoTxtExport {
  private let lines: [String]
  /// How many of the notes are no records that can be done.
  package let leftOut: Int
  /// The titles of the records of which a line gives another title, priority, project or tag when it is read.
  package let inexact: [String]

  /// Reads the records among some notes.
  package init(_ snapshot: BoxSnapshot, _ notes: [Match]) throws(SlipboxError) {
    let tasks = try TodoTxtLines(snapshot)
    let found = notes.compactMap { match in tasks.line(of: match.entry).map { (match.entry.note.title, $0) } }
    lines = found.map(\.1.text)
    inexact = found.filter { !$0.1.isExact }.map(\.0)
    leftOut = notes.count - lines.count
  }

  /// How many records there are.
  package var count: Int { lines.count }

  /// Writes a line for each record.
  package func write(to sink: ByteOutput) throws(SlipboxError) {
    for line in lines { sink(Array("\(line)\n".utf8)) }
  }
}
