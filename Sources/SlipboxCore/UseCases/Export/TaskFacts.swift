import Foreign
package import NoteIndex
package import Notes

/// The facts of a record for programs for tasks and calendars, read by the declaration of its kind.
package struct TaskFacts {
  /// A day, or an instant.
  package enum Moment: Equatable {
    case day(CivilDate)
    case instant(Int64)
  }

  /// A priority, whatever the kind calls it.
  package enum Priority: String {
    case high = "H"
    case medium = "M"
    case low = "L"
  }

  package let note: Note
  package let created: Timestamp
  package let modified: Timestamp
  /// Whether there is something left to do; nil for a note of a kind that does not say.
  package let isOpen: Bool?
  package let kind: Kind?
  package let clock: ClockReading

  package init(_ entry: Entry, modified: Timestamp, _ records: OpenRecords) {
    note = entry.note
    created = entry.created
    self.modified = modified
    clock = records.clock
    kind = records.schema.kind(named: entry.kind)
    isOpen = kind?.active == nil ? nil : records.isOpen(entry)
  }

  /// The date of a field, or the earliest one of a list; nil if it has none that queries can read.
  ///
  /// A time without an offset is local. If the field has a day alone, its time of day is in the field beside it,
  /// `due-time` for `due`.
  package func moment(_ name: String) -> Moment? {
    let moments = (note.value(of: name) ?? []).compactMap { moment($0, of: name) }
    if moments.isEmpty, name.isSameName(as: "created") { return note.created.map { .instant($0.seconds) } }
    return moments.min { $0.seconds(clock) < $1.seconds(clock) }
  }

  private func moment(_ text: String, of name: String) -> Moment? {
    guard let reading = DateReading(text) else { return nil }
    switch reading {
    case .day(let day): return timed(day, name)
    case .instant(let stamp): return .instant((Timestamp.adopted(text, isLocal: true) ?? stamp).seconds)
    }
  }

  /// The day and the time of day of a date as they are written.
  package struct WrittenDate {
    package let day: CivilDate
    package let secondOfDay: Int?
  }

  /// The day of a field as it is written, without a conversion of its offset, or the earliest one of a list.
  ///
  /// Queries, tables and calendars use the written day too.
  package func written(_ name: String) -> WrittenDate? {
    let dates = (note.value(of: name) ?? []).compactMap { text -> WrittenDate? in
      switch DateReading(text) {
      case .day(let day): WrittenDate(day: day, secondOfDay: timeOfDay(name))
      case .instant(let stamp): WrittenDate(day: stamp.civilDate, secondOfDay: stamp.secondOfDay)
      case nil: nil
      }
    }
    return dates.min { ($0.day, $0.secondOfDay ?? 0) < ($1.day, $1.secondOfDay ?? 0) }
  }

  private func timeOfDay(_ name: String) -> Int? {
    note.frontMatter["\(name)-time"]?.text.flatMap { TimeReader.secondOfDay($0) }
  }

  /// The fields of some names whose values can't be read as dates, with the values.
  package func unreadableDates(_ names: [String]) -> [(field: String, value: String)] {
    names.compactMap { name in
      guard moment(name) == nil, let texts = note.value(of: name) else { return nil }
      let value = texts.filter { $0.utf8.contains { $0 > 0x20 } }.joined(separator: ", ")
      return value.isEmpty ? nil : (name, value)
    }
  }

  private func timed(_ day: CivilDate, _ name: String) -> Moment {
    timeOfDay(name).map { .instant(clock.instant(of: day, secondOfDay: $0)) } ?? .day(day)
  }

  /// When it was over, in seconds since 1970: by the first of the fields that kinds have for it, else by the last change; nil
  /// while it is open.
  package var end: Int64? {
    guard isOpen == false else { return nil }
    let days = endings
    // If it was opened and closed again since, the end that was imported is an older one.
    if let exact = moment("end"), days.first.map({ $0.isOnDay(of: exact, clock) }) ?? true {
      return exact.seconds(clock)
    }
    guard let day = days.first else { return modified.seconds }
    // The day on which it was made began before it.
    return day.isOnDay(of: .instant(created.seconds), clock)
      ? max(day.seconds(clock), created.seconds) : day.seconds(clock)
  }

  /// The day on which it was over, if a field says so.
  package var endDay: CivilDate? { isOpen == false ? endings.first?.day(clock) : nil }

  private var endings: [Moment] {
    (ownEndings + ["finished", "completed", "closed"]).compactMap { moment($0) }
  }

  /// The fields that the kind sets to the day on which a record gets the state that this one has.
  private var ownEndings: [String] {
    guard let kind else { return [] }
    let taken = kind.transitions.filter { transition in
      let state = note.frontMatter[transition.field]?.text ?? ""
      return transition.to.contains { $0.isSameName(as: state) }
    }
    return taken.flatMap(\.effects).compactMap { effect in
      if case .set(let name, "today") = effect { name } else { nil }
    }
  }

  /// The priority: of a declared choice the last is high and the first low, `none` is no priority.
  package var priority: Priority? {
    guard let field = kind?.field("priority"), field.type == .choice,
      case .choice(let index)? = kind?.value(of: field.name, in: note)
    else { return written }
    let values = field.values.filter { !$0.isSameName(as: "none") }
    guard let rank = values.firstIndex(of: field.values[index]) else { return nil }
    if rank == values.count - 1 { return .high }
    return rank == 0 ? .low : .medium
  }

  private var written: Priority? {
    switch note.frontMatter["priority"]?.text?.lowercased() {
    case "high", "h": .high
    case "medium", "m": .medium
    case "low", "l": .low
    default: nil
    }
  }

  /// The name of the first field that refers to another record, and names only one.
  package var groupField: String? { kind?.fields.first { $0.type == .reference && !$0.isList }?.name }
}

extension TaskFacts.Moment {
  /// Whether another moment lies on the same day by the user's clock.
  package func isOnDay(of other: TaskFacts.Moment, _ clock: ClockReading) -> Bool {
    day(clock) == other.day(clock)
  }

  package func day(_ clock: ClockReading) -> CivilDate {
    switch self {
    case .day(let day): day
    case .instant(let seconds): Timestamp(seconds: seconds, offsetSeconds: clock.offset(seconds)).civilDate
    }
  }

  /// The instant in seconds since 1970; of a day its first one by the user's clock.
  package func seconds(_ clock: ClockReading) -> Int64 {
    switch self {
    case .day(let day): clock.start(of: day)
    case .instant(let seconds): seconds
    }
  }

  /// An instant as `20261121T083000Z`.
  package static func utc(_ seconds: Int64) -> String {
    let stamp = Timestamp(seconds: seconds, offsetSeconds: 0).rfc3339
    return String(stamp.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
  }
}

/// The facts of a record for programs for tasks beyond its words and its state, read by the declaration of its kind.
extension TaskFacts {
  /// The rule by which the kind creates a next record of one; nil if it has none.
  private var succession: Succession? {
    kind?.transitions.lazy.flatMap(\.effects).compactMap { effect -> Succession? in
      if case .next(let succession) = effect { succession } else { nil }
    }.first
  }

  /// Whether the kind makes a next record when one is done.
  package var recurs: Bool { succession != nil }

  /// The interval of its recurrence, as the note has it.
  ///
  /// That of a task from taskwarrior is beside the field if slip creates no next record of it.
  package var recurrence: String? {
    let names = [succession?.by, "recur", "taskwarrior-recur"].compactMap { $0 }
    return names.lazy.compactMap { note.frontMatter[$0]?.text }.first { !$0.isEmpty }
  }

  /// When it is due: the field `due`, else the first date that the kind moves on for the next record.
  package var due: Moment? { dueField.flatMap { moment($0) } }
  package var writtenDue: WrittenDate? { dueField.flatMap { written($0) } }

  private var dueField: String? {
    kind?.field("due") != nil || moment("due") != nil ? "due" : succession?.moves.first
  }

  /// The last day on which it comes again.
  package var until: Moment? { moment("until") ?? succession?.until.flatMap { moment($0) } }

  /// Whether taskwarrior makes tasks of it: it came as such.
  package var isTemplate: Bool {
    isOpen == true && note.frontMatter["taskwarrior-status"]?.text == "recurring"
  }

  /// The recurring task that it is an instance of, by its name for taskwarrior; nil if it does not come again.
  ///
  /// That of a record of slip's is exported beside it, so that taskwarrior knows how often it comes again.
  package var parent: String? {
    if let own = note.frontMatter["parent"]?.text, !own.isEmpty { return own }
    guard isOpen == true, due != nil, recurrence != nil, !isTemplate else { return nil }
    return NoteUUID.named("series \(NoteUUID.of(note))")
  }

  /// The recurring task of taskwarrior that an instance belongs to.
  package struct Series {
    package let due: String
    package let entry: String
    /// The state of each instance.
    package let mask: String
  }

  /// The recurring task that an open instance belongs to: the one that it came with, else one of its own.
  ///
  /// An instance that came without it has none: its sibling instances are unknown.
  package var series: Series? {
    guard isOpen == true, !isTemplate, parent != nil, let due,
      let recurrence = recurrence.flatMap({ Recurrence($0) })
    else { return nil }
    if let kept = note.frontMatter[Recurrence.taskwarriorSeries]?.text {
      let parts = kept.split(separator: " ").map(String.init)
      return parts.count == 3 ? Series(due: parts[0], entry: parts[1], mask: parts[2]) : nil
    }
    guard note.frontMatter["parent"]?.text == nil else { return nil }
    let (first, steps) = recurrence.origin(of: due.day(clock))
    let start: Moment
    if case .instant(let seconds) = due {
      let local = Timestamp(seconds: seconds, offsetSeconds: clock.offset(seconds))
      start = .instant(clock.instant(of: first, secondOfDay: local.secondOfDay))
    } else {
      start = .day(first)
    }
    return Series(
      due: Moment.utc(start.seconds(clock)), entry: Moment.utc(created.seconds),
      mask: String(repeating: "+", count: steps) + "-")
  }

  /// The names of the fields by which it waits for other records.
  package var blockingFields: [String] {
    guard let kind, !kind.blockingFields.isEmpty else { return ["depends"] }
    return kind.blockingFields.map(\.name)
  }

  /// The fields that taskwarrior has no attribute for, under the names that it gave them if they came from it.
  ///
  /// Fields that make up the state of a record are expressed by its status.
  package var ownAttributes: [(name: String, text: String, isNumber: Bool)] {
    var told = Set(Self.attributes + blockingFields)
    for transition in kind?.transitions ?? [] {
      told.formUnion([transition.field] + transition.effects.compactMap(\.field))
    }
    for action in kind?.actions ?? [] { told.formUnion(action.words.compactMap { Change($0)?.fieldName }) }
    told.formUnion(
      [groupField, succession?.by, succession?.until].compactMap { $0 } + (succession?.moves ?? []))
    var quotes = FieldQuotes(note.head)
    return note.frontMatter.fields.enumerated().compactMap {
      place, field -> (name: String, text: String, isNumber: Bool)? in
      guard !told.contains(field.name), !isTime(field.name, told) else { return nil }
      let text = field.value.strings.joined(separator: ", ")
      guard !text.isEmpty else { return nil }
      let prefix = "taskwarrior-"
      let isRenamed = field.name.hasPrefix(prefix) && field.name.utf8.count > prefix.utf8.count
      let name = isRenamed ? String(field.name.dropFirst(prefix.utf8.count)) : field.name
      return (name, text, quotes.type(of: field.value, ofField: place) == .number)
    }
  }

  /// Whether a field holds the time of day of a date, such as `due-time`.
  func isTimeOfDay(_ name: String) -> Bool {
    isTime(name, ["due", "wait", "scheduled", "until"])
  }

  /// Whether a field is the time of day of an exported one.
  private func isTime(_ name: String, _ told: Set<String>) -> Bool {
    name.hasSuffix("-time") && told.contains(String(name.dropLast("-time".utf8.count)))
  }

  /// Fields that are exported in another way, and names that taskwarrior reserves.
  private static let attributes = [
    "id", "title", "kind", "created", "tags", "aliases", "alias", "body", "conflicts", "priority", "pri",
    "project", "group", "due", "wait", "scheduled", "until", "start", "started", "end", "recur",
    "taskwarrior-recur", "taskwarrior-status", Recurrence.taskwarriorSeries, "parent", "uuid", "status",
    "description", "entry", "modified",
    "annotations", "urgency",
    Recurrence.taskwarriorAttribute,
  ]
}

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
