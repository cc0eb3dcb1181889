import Bytes
package import Notes

/// Reads tasks as `task export` prints them, in a list or one a line.
///
/// Source: "Taskwarrior JSON Format" of its documentation, as of 2.6 and 3.
package struct TaskwarriorTasks {
  let dates: LocalDates
  private var file = ForeignFile()
  private var names = SourceNames()
  private var deleted = 0
  private var unread = 0

  /// - Parameter clock: determines the day of an instant for the user.
  package static func read(_ bytes: [UInt8], clock: ClockReading) -> ForeignFile {
    var tasks = TaskwarriorTasks(clock)
    var nodes: [JSONNode] = []
    JSONRecordStream.read(bytes) {
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
    if status == "completed", let end {
      record.add("finished", end.civilDate.description)
      // The day alone suffices if the time is its beginning.
      if dates.short(end) != end.civilDate.description { record.add("end", end.rfc3339) }
    }
    let isLast = status != "completed" && !series.hasSuccessor(uuid)
    let template = series.template(of: node)
    try addDates(to: &record, node, until: isLast ? template : nil)
    record.group = node["project"]?.text.map(Note.titleOnOneLine).flatMap { $0.isEmpty ? nil : $0 }
    if let needed = Self.dependencies(node), !needed.isEmpty {
      record.links = [.init(field: "depends", names: needed.map { "taskwarrior \($0)" })]
    }
    addRecurrence(to: &record, node, isLast: isLast, template)
    // It came as what taskwarrior makes tasks of, and goes back as that.
    if status == "recurring" { record.add("taskwarrior-status", status) }
    record.add("uuid", uuid)
    addOthers(to: &record, node)
    record.annotations = try annotations(node)
    record.body = Array(record.annotations.map(\.element).joined().utf8)
    file.records.append(record)
  }

  /// Adds the recurrence of a task. If slip can create the next occurrence and no other record does, it goes to the field
  /// that creates one, else to another field.
  private mutating func addRecurrence(
    to record: inout ForeignRecord, _ node: JSONNode, isLast: Bool, _ template: JSONNode?
  ) {
    // slip's own rule, which is more detailed than taskwarrior's; used unless the rule was changed in taskwarrior.
    let own = node[Recurrence.taskwarriorAttribute]?.text
    guard let text = node["recur"]?.text else {
      // taskwarrior has no recurrence without a due date.
      if let own, node["due"] == nil, Recurrence(own) != nil { record.add("recur", own) }
      return
    }
    var recur = own.flatMap { Recurrence.taskwarrior($0) == text ? $0 : nil } ?? text
    if isLast, let template, let first = template["due"]?.text, let day = self.day(template),
      let due = self.day(node)
    {
      recur = Recurrence.text(recur, from: day, on: due)
      let parts = [first, template["entry"]?.text ?? first, template["mask"]?.text ?? "-"]
      if parts.allSatisfy({ !$0.isEmpty && !$0.contains(" ") }) {
        record.add(Recurrence.taskwarriorSeries, parts.joined(separator: " "))
      }
    }
    let isRead = Recurrence(recur) != nil
    if isLast, !isRead { unread += 1 }
    record.add(isLast && isRead ? "recur" : "taskwarrior-recur", recur)
  }

  /// The day on which a task is due.
  private func day(_ node: JSONNode) -> CivilDate? {
    node["due"]?.text.flatMap { dates.taskwarrior($0) ?? Timestamp.adopted($0) }?.civilDate
  }

  private mutating func addRemarks(_ series: RecurringTasks) {
    if deleted > 0 {
      file.remarks.append(
        deleted == 1
          ? "skipped 1 deleted task" : "\(deleted) deleted tasks are skipped")
    }
    let count = series.templates
    if count > 0 {
      file.remarks.append(
        count == 1
          ? "1 recurring task is imported as its next instance, which recurs"
          : "\(count) recurring tasks are imported as their next instances, which recur")
    }
    if unread > 0 {
      let tasks = unread == 1 ? "1 task recurs" : "\(unread) tasks recur"
      file.remarks.append(
        "\(tasks) in a way that slip does not support; the rule is kept as taskwarrior-recur, and finishing the task creates no next one"
      )
    }
  }
}

/// The attributes of a task as the fields of a record.
extension TaskwarriorTasks {
  func date(_ name: String, _ node: JSONNode) throws(ForeignProblem) -> Timestamp? {
    guard let text = node[name]?.text, !text.isEmpty else { return nil }
    guard let stamp = dates.taskwarrior(text) ?? Timestamp.adopted(text) else {
      throw ForeignProblem(line: node.line, "\(name): \(text) is not a date")
    }
    return stamp
  }

  func addState(to record: inout ForeignRecord, _ node: JSONNode, isDone: Bool) {
    let letters = ["H": "high", "M": "medium", "L": "low"]
    if let priority = node["priority"]?.text {
      if let word = letters[priority] { record.add("priority", word) } else { record.add("pri", priority) }
    }
    record.add("done", isDone ? "true" : "false")
  }

  /// Adds the dates of a task. The last day of a recurrence is that of its recurring task, if the instance has none.
  func addDates(
    to record: inout ForeignRecord, _ node: JSONNode, until template: JSONNode?
  ) throws(ForeignProblem) {
    for name in ["due", "scheduled", "wait", "until"] {
      var stamp = try date(name, node)
      if name == "until", stamp == nil, let template { stamp = try date(name, template) }
      guard let stamp else { continue }
      record.add(name, stamp.civilDate.description)
      // The field holds the day alone; a time of the day would be lost.
      if dates.short(stamp) != stamp.civilDate.description {
        record.add("\(name)-time", DatedLine.time(stamp.secondOfDay))
      }
    }
    if let stamp = try date("start", node) { record.add("start", dates.short(stamp)) }
  }

  /// The tasks that have to be done first: a list, or before 2.6 a text with commas.
  static func dependencies(_ node: JSONNode) -> [String]? {
    guard let depends = node["depends"] else { return nil }
    return depends.elements?.compactMap(\.text)
      ?? depends.text?.split { $0 == "," || $0 == " " }.map(String.init)
  }

  private static let known: Set<String> = [
    "description", "status", "uuid", "entry", "end", "due", "wait", "scheduled", "until", "start", "priority",
    "project", "tags", "annotations", "depends", "recur",
  ]
  /// The attributes that taskwarrior computes. The attributes that connect instances with their template are kept,
  /// because taskwarrior creates instances with them.
  private static let derived: Set<String> = ["id", "urgency", "modified", Recurrence.taskwarriorAttribute]

  /// Attributes that the user defined, as fields of their names.
  func addOthers(to record: inout ForeignRecord, _ node: JSONNode) {
    for (key, value) in node.members ?? [] where !Self.known.contains(key) && !Self.derived.contains(key) {
      let name = ReservedNames.free(key, "taskwarrior")
      guard record.text(of: name) == nil else { continue }
      if case .number(let number) = value.value {
        record.add(name, Self.shortest(number))
        record.plainScalars[name] = [true]
      } else if let text = value.text {
        if ScalarType(text, isPlain: true) != .text { record.plainScalars[name] = [false] }
        record.add(name, dates.taskwarrior(text).map(dates.short) ?? text)
      } else if let field = value.field {
        record.fields.append((name, field))
        record.plainScalars[name] = value.plainScalars
      }
    }
  }

  /// A number without the zeros that taskwarrior writes behind a point: `3.500000` is `3.5`.
  private static func shortest(_ number: String) -> String {
    let bytes = number.utf8
    guard bytes.contains(UInt8(ascii: ".")), bytes.allSatisfy({ $0 | 0x20 != UInt8(ascii: "e") }) else {
      return number
    }
    var rest = Array(bytes)
    while rest.last == UInt8(ascii: "0") { rest.removeLast() }
    if rest.last == UInt8(ascii: ".") { rest.removeLast() }
    return String(decoding: rest, as: UTF8.self)
  }

  /// A line for each annotation, with the moment at which it was made.
  func annotations(_ node: JSONNode) throws(ForeignProblem) -> [DatedLine] {
    var lines: [DatedLine] = []
    for annotation in node["annotations"]?.elements ?? [] {
      guard let text = annotation["description"]?.text else { continue }
      let entry = try date("entry", annotation)
      lines.append(DatedLine(day: entry?.civilDate, secondOfDay: entry?.secondOfDay, text: text))
    }
    return lines
  }
}

/// Recurring tasks and their instances, which are separate tasks in taskwarrior.
struct RecurringTasks {
  /// Of each recurring task the open instance that is due last.
  private var latest: [String: (uuid: String, due: String)] = [:]
  private var open: Set<String> = []
  /// By their names.
  private var recurring: [String: JSONNode] = [:]
  private var last: Set<String> = []

  init(_ nodes: [JSONNode]) {
    for node in nodes {
      guard let uuid = node["uuid"]?.text, let status = node["status"]?.text else { continue }
      if status == "recurring" { recurring[uuid] = node }
      guard status == "pending" || status == "waiting", let parent = node["parent"]?.text else { continue }
      open.insert(uuid)
      let due = node["due"]?.text ?? ""
      if let known = latest[parent], known.due >= due { continue }
      latest[parent] = (uuid, due)
    }
    last = Set(latest.values.map(\.uuid))
  }

  /// The number of recurring tasks that an open instance represents.
  var templates: Int { recurring.count { latest[$0.key] != nil } }

  /// The recurring task that an instance belongs to.
  func template(of instance: JSONNode) -> JSONNode? { instance["parent"]?.text.flatMap { recurring[$0] } }

  /// Whether a recurring task has an open instance.
  func hasInstance(_ uuid: String?) -> Bool { uuid.map { latest[$0] != nil } ?? false }

  /// Whether an instance has one after it, which recurs in its place.
  func hasSuccessor(_ uuid: String?) -> Bool {
    guard let uuid, open.contains(uuid) else { return false }
    return !last.contains(uuid)
  }
}
