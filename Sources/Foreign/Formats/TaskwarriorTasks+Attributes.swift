import Notes

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

  func addDates(to record: inout ForeignRecord, _ node: JSONNode) throws(ForeignProblem) {
    for name in ["due", "wait", "until"] {
      guard let stamp = try date(name, node) else { continue }
      record.add(name, stamp.civilDate.description)
      // The field holds the day alone; a time of the day would be lost.
      if dates.short(stamp) != stamp.civilDate.description {
        record.add("\(name)-time", DatedLine.time(stamp.secondOfDay))
      }
    }
    for name in ["scheduled", "start"] {
      if let stamp = try date(name, node) { record.add(name, dates.short(stamp)) }
    }
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
  /// What taskwarrior works out. How instances follow from a template is kept: it makes them by that.
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
