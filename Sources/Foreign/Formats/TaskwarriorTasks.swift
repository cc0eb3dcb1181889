package import Notes

/// Reads tasks as `task export` prints them, in a list or one a line.
///
/// Source: "Taskwarrior JSON Format" of its documentation, as of 2.6 and 3.
package struct TaskwarriorTasks {
  private let dates: LocalDates
  private var file = ForeignFile()
  private var names = SourceNames()
  private var deleted = 0

  /// - Parameter clock: tells the day on which an instant lies for the user.
  package static func read(_ bytes: [UInt8], clock: ClockReading) -> ForeignFile {
    var tasks = TaskwarriorTasks(clock)
    var nodes: [JSONNode] = []
    JSONText.read(bytes) {
      nodes.append($0)
    } fault: {
      tasks.file.problems.append($0)
    }
    let series = RecurringTasks(nodes)
    for node in nodes {
      do throws(ForeignProblem) {
        try tasks.add(node, series)
      } catch {
        tasks.file.problems.append(error)
      }
    }
    tasks.addRemarks(series)
    return tasks.file
  }

  private init(_ clock: ClockReading) { dates = LocalDates(clock: clock) }

  private mutating func add(_ node: JSONNode, _ series: RecurringTasks) throws(ForeignProblem) {
    let status = node["status"]?.text ?? "pending"
    if status == "deleted" {
      deleted += 1
      return
    }
    let uuid = node["uuid"]?.text
    if status == "recurring", series.hasInstance(uuid) { return }
    guard let title = node["description"]?.text, !Note.titleOnOneLine(title).isEmpty else {
      throw ForeignProblem(line: node.line, "the task has no description")
    }
    let name = uuid.map { "taskwarrior \($0)" } ?? "taskwarrior title \(title)"
    var record = ForeignRecord(line: node.line, sourceName: names.next(name))
    record.proof = "uuid"
    record.title = title
    record.kind = "task"
    record.created = try date("entry", node)
    record.tags = node["tags"]?.elements?.compactMap(\.text) ?? node["tags"]?.text.map(TagList.tags) ?? []
    addState(to: &record, node, isDone: status == "completed")
    let end = try date("end", node)
    if status == "completed" { record.add("finished", end?.civilDate.description) }
    try addDates(to: &record, node)
    record.group = node["project"]?.text.map(Note.titleOnOneLine).flatMap { $0.isEmpty ? nil : $0 }
    if let needed = Self.dependencies(node), !needed.isEmpty {
      record.links = [.init(field: "depends", names: needed.map { "taskwarrior \($0)" })]
    }
    if status != "completed", !series.hasSuccessor(uuid) { record.add("recur", node["recur"]?.text) }
    record.add("uuid", uuid)
    addOthers(to: &record, node)
    record.body = try annotations(node)
    file.records.append(record)
  }

  private mutating func addRemarks(_ series: RecurringTasks) {
    if deleted > 0 {
      file.remarks.append(
        deleted == 1
          ? "1 task that was deleted is left out" : "\(deleted) tasks that were deleted are left out")
    }
    let count = series.templates
    if count > 0 {
      file.remarks.append(
        count == 1
          ? "1 recurring task is its next instance, which recurs"
          : "\(count) recurring tasks are their next instances, which recur")
    }
  }
}

extension TaskwarriorTasks {
  private func date(_ name: String, _ node: JSONNode) throws(ForeignProblem) -> Timestamp? {
    guard let text = node[name]?.text, !text.isEmpty else { return nil }
    guard let stamp = dates.taskwarrior(text) ?? Timestamp.adopted(text) else {
      throw ForeignProblem(line: node.line, "\(name): \(text) is not a date")
    }
    return stamp
  }

  private func addState(to record: inout ForeignRecord, _ node: JSONNode, isDone: Bool) {
    let letters = ["H": "high", "M": "medium", "L": "low"]
    if let priority = node["priority"]?.text {
      if let word = letters[priority] { record.add("priority", word) } else { record.add("pri", priority) }
    }
    record.add("done", isDone ? "true" : "false")
  }

  private func addDates(to record: inout ForeignRecord, _ node: JSONNode) throws(ForeignProblem) {
    if let due = try date("due", node) {
      record.add("due", due.civilDate.description)
      // The day alone is what a task is due on; a time of the day would be lost.
      if dates.short(due) != due.civilDate.description {
        let minutes = due.secondOfDay / 60
        record.add(
          "due-time", "\(CivilDate.padded(minutes / 60, to: 2)):\(CivilDate.padded(minutes % 60, to: 2))")
      }
    }
    record.add("wait", try date("wait", node)?.civilDate.description)
    for name in ["scheduled", "until", "start"] {
      if let stamp = try date(name, node) { record.add(name, dates.short(stamp)) }
    }
  }

  /// The tasks that have to be done first: a list, or before 2.6 a text with commas.
  private static func dependencies(_ node: JSONNode) -> [String]? {
    guard let depends = node["depends"] else { return nil }
    return depends.elements?.compactMap(\.text)
      ?? depends.text?.split { $0 == "," || $0 == " " }.map(String.init)
  }

  private static let known: Set<String> = [
    "description", "status", "uuid", "entry", "end", "due", "wait", "scheduled", "until", "start", "priority",
    "project", "tags", "annotations", "depends", "recur",
  ]
  /// What taskwarrior works out, or keeps for itself: numbers of its lists, and how instances follow from a template.
  private static let derived: Set<String> = [
    "id", "urgency", "modified", "mask", "imask", "rtype", "template", "last",
  ]

  /// Attributes that the user defined, as fields of their names.
  private func addOthers(to record: inout ForeignRecord, _ node: JSONNode) {
    for (key, value) in node.members ?? [] where !Self.known.contains(key) && !Self.derived.contains(key) {
      let name = ReservedNames.free(key, "taskwarrior")
      guard record.text(of: name) == nil else { continue }
      if let text = value.text {
        record.add(name, dates.taskwarrior(text).map(dates.short) ?? text)
      } else if let field = value.field {
        record.fields.append((name, field))
      }
    }
  }

  /// A line for each annotation, with its day.
  private func annotations(_ node: JSONNode) throws(ForeignProblem) -> [UInt8] {
    var body = ""
    for annotation in node["annotations"]?.elements ?? [] {
      guard let text = annotation["description"]?.text else { continue }
      let day = try date("entry", annotation).map { "\($0.civilDate): " } ?? ""
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      body += "- \(day)\(lines.joined(separator: "\n  "))\n"
    }
    return Array(body.utf8)
  }
}

/// Recurring tasks and their instances, which taskwarrior keeps beside each other.
private struct RecurringTasks {
  /// Of each recurring task the open instance that is due last.
  private var latest: [String: (uuid: String, due: String)] = [:]
  private var open: Set<String> = []
  private var recurring: Set<String> = []
  private var last: Set<String> = []

  init(_ nodes: [JSONNode]) {
    for node in nodes {
      guard let uuid = node["uuid"]?.text, let status = node["status"]?.text else { continue }
      if status == "recurring" { recurring.insert(uuid) }
      guard status == "pending" || status == "waiting", let parent = node["parent"]?.text else { continue }
      open.insert(uuid)
      let due = node["due"]?.text ?? ""
      if let known = latest[parent], known.due >= due { continue }
      latest[parent] = (uuid, due)
    }
    last = Set(latest.values.map(\.uuid))
  }

  /// How many recurring tasks stand in an instance of theirs.
  var templates: Int { recurring.count { latest[$0] != nil } }

  /// Whether a recurring task has an open instance.
  func hasInstance(_ uuid: String?) -> Bool { uuid.map { latest[$0] != nil } ?? false }

  /// Whether an instance has one after it, which recurs in its place.
  func hasSuccessor(_ uuid: String?) -> Bool {
    guard let uuid, open.contains(uuid) else { return false }
    return !last.contains(uuid)
  }
}
