import Foreign
package import NoteIndex
package import Notes

/// Records that can be done, as tasks of todo.txt.
package struct TodoTxtLines {
  private let records: OpenRecords
  private let lookup: RecordLookup

  package init(_ snapshot: BoxSnapshot) throws(SlipboxError) {
    records = OpenRecords(snapshot)
    lookup = RecordLookup(try snapshot.catalogue(), snapshot.schema())
  }

  /// The line of a record; nil for a note of a kind that does not say which records are active.
  ///
  /// `isExact` says whether the line gives the title, the priority, the project and the tags of the record when it is read.
  package func line(of entry: Entry) -> (text: String, isExact: Bool)? {
    task(of: entry).map { ($0.line, $0.isExact) }
  }

  /// The task that a record is; nil for a note of a kind that does not say which records are active.
  ///
  /// todo.txt has no text and no blanks in values: those are left out.
  func task(of entry: Entry) -> TodoTxtTask? {
    let facts = TaskFacts(entry, modified: entry.created, records)
    guard let isOpen = facts.isOpen else { return nil }
    var task = TodoTxtTask()
    task.title = entry.note.title
    task.isDone = !isOpen
    task.priority = Self.letter(of: facts)
    task.finished = facts.endDay
    task.created = entry.created.civilDate
    let named = entry.note.value(of: TodoTxtTask.projectsField) ?? []
    let isProject = { (tag: String) in named.contains { $0.isSameName(as: tag) } }
    let projects = [group(of: facts)].compactMap { $0 } + entry.note.tags.filter(isProject)
    task.projects = projects.map(TodoTxtTask.word)
    task.contexts = entry.note.tags.filter { !isProject($0) }.map(TodoTxtTask.word)
    for (key, moment) in [
      ("due", facts.due), ("t", facts.moment("wait")), ("scheduled", facts.moment("scheduled")),
      ("until", facts.until),
    ] {
      if let moment { task.add(key, moment.day(facts.clock).description) }
    }
    if let recurrence = facts.recurrence.flatMap({ Recurrence($0) }) {
      task.add("rec", recurrence.todoTxt)
      if let day = recurrence.namedDay { task.add(Recurrence.todoTxtDay, "\(day)") }
    }
    for field in entry.note.frontMatter.fields where facts.isTimeOfDay(field.name) {
      if let time = field.value.text.flatMap(TimeReader.clockText) { task.add(field.name, time) }
    }
    for attribute in facts.ownAttributes where attribute.name != TodoTxtTask.projectsField {
      task.add(attribute.name, attribute.text)
    }
    return task
  }

  /// The priority as a letter, also one of the user's own from D on.
  private static func letter(of facts: TaskFacts) -> String? {
    switch facts.priority {
    case .high: "A"
    case .medium: "B"
    case .low: "C"
    case nil: facts.note.frontMatter["pri"]?.text.flatMap { TodoTxtTask.isPriority($0) ? $0 : nil }
    }
  }

  /// The title of the record that a task belongs to, also if there is no such record.
  private func group(of facts: TaskFacts) -> String? {
    if let own = facts.note.frontMatter["project"]?.text, !own.isEmpty { return own }
    guard let name = facts.groupField, let field = facts.kind?.field(name), let target = field.target,
      let stored = field.storedValue(in: facts.note)?.names.first
    else { return nil }
    return lookup.records(of: target, stored: stored).first?.note.title ?? stored
  }
}

/// Which records have something left to do, in the eyes of other programs.
package struct OpenRecords: Sendable {
  private let open: ActiveTest
  package let schema: Schema
  package let clock: ClockReading

  package init(_ snapshot: BoxSnapshot) {
    schema = snapshot.schema()
    clock = snapshot.clock
    open = ActiveTest(.open, schema: schema, clock: snapshot.clock)
  }

  /// Whether a record is open; notes of a kind that does not say are.
  package func isOpen(_ entry: Entry) -> Bool { open.isActive(entry) }
}
