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
    if status == "completed", let end {
      record.add("finished", end.civilDate.description)
      // A day alone says it where the time is that of its beginning.
      if dates.short(end) != end.civilDate.description { record.add("end", end.rfc3339) }
    }
    try addDates(to: &record, node)
    record.group = node["project"]?.text.map(Note.titleOnOneLine).flatMap { $0.isEmpty ? nil : $0 }
    if let needed = Self.dependencies(node), !needed.isEmpty {
      record.links = [.init(field: "depends", names: needed.map { "taskwarrior \($0)" })]
    }
    let isLast = status != "completed" && !series.hasSuccessor(uuid)
    addRecurrence(to: &record, node, isLast: isLast, series.template(of: node))
    // It came as what taskwarrior makes tasks of, and goes back as that.
    if status == "recurring" { record.add("taskwarrior-status", status) }
    record.add("uuid", uuid)
    addOthers(to: &record, node)
    record.annotations = try annotations(node)
    record.body = Array(record.annotations.map(\.element).joined().utf8)
    file.records.append(record)
  }

  /// How often it comes again: in the field that makes a next one where slip can and nothing else does, else beside it.
  private mutating func addRecurrence(
    to record: inout ForeignRecord, _ node: JSONNode, isLast: Bool, _ template: JSONNode?
  ) {
    guard let text = node["recur"]?.text else { return }
    // What slip says more of it than taskwarrior can, as long as nobody has changed it there.
    let own = node[Recurrence.taskwarriorAttribute]?.text
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
          ? "1 recurring task is its next instance, which recurs"
          : "\(count) recurring tasks are their next instances, which recur")
    }
    if unread > 0 {
      let tasks = unread == 1 ? "1 task recurs" : "\(unread) tasks recur"
      file.remarks.append(
        "\(tasks) in a way that slip does not support; the rule is kept as taskwarrior-recur, and finishing the task creates no next one"
      )
    }
  }
}
