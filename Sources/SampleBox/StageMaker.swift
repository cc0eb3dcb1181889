import Notes

/// The change of a title that others link to.
struct SampleRetitling {
  let from: String
  let to: String
  let time: Timestamp

  init(from: String, to: String, at time: Timestamp) {
    self.from = from
    self.to = to
    self.time = time
  }
}

/// Makes the earlier states of a record.
struct StageMaker {
  private let record: SampleRecord
  private let clock: ClockReading
  private var last: Timestamp
  private var stages: [SamplePast.Stage] = []
  /// The retitling of the record or of one that it links to.
  var retitling: SampleRetitling?
  /// The records that link to this one, if it is retitled.
  var linking: [SampleRecord]?

  init(_ record: SampleRecord, _ clock: ClockReading) {
    self.record = record
    self.clock = clock
    last = record.created
  }

  /// The states in their order. The last one is the record itself.
  mutating func stages(_ random: inout SampleRandom, isContested: Bool) -> [SamplePast.Stage] {
    switch record.kind {
    case "task": task(&random)
    case "issue": issue(&random)
    case "book": book(&random, isContested: isContested)
    case "note": note(&random)
    default: add(record, "new", "New \(record.kind): \(record.title)", record.created, &random)
    }
    return stages
  }

  private mutating func task(_ random: inout SampleRandom) {
    var first = record
    first["my-day"] = nil
    if record["done"] == "true" {
      first["done"] = "false"
      first["finished"] = nil
    }
    let isReordered = random.chance(20) && record["priority"] != "none"
    if isReordered { first["priority"] = "none" }
    create(first, &random)
    if isReordered, let priority = record["priority"] {
      first["priority"] = priority
      change(first, "set", "Set priority \(priority): \(record.title)", soon(&random), &random)
    }
    if record["done"] == "true", let day = record["finished"] {
      change(record, "finish", "Finish task: \(record.title)", day, &random)
    } else if let day = record["my-day"] {
      change(record, "today", "Today task: \(record.title)", day, &random)
    }
  }

  private mutating func issue(_ random: inout SampleRandom) {
    var first = record
    if record["closed"] != nil {
      first["status"] = "open"
      first["closed"] = nil
      if first.paragraphs.count > 1 { first.paragraphs.removeLast() }
    }
    let isReordered = random.chance(20) && record["priority"] != "low"
    if isReordered { first["priority"] = "low" }
    create(first, &random)
    if isReordered, let priority = record["priority"] {
      first["priority"] = priority
      change(first, "set", "Set priority \(priority): \(record.title)", soon(&random), &random)
    }
    guard let day = record["closed"] else { return }
    if first.body != record.body {
      first.body = record.body
      change(first, "append", "Append to: \(record.title)", day, &random)
    }
    change(record, "close", "Close issue: \(record.title)", day, &random)
  }

  private mutating func book(_ random: inout SampleRandom, isContested: Bool) {
    var state = record
    for name in ["rating", "started", "completed"] { state[name] = nil }
    state["status"] = "on-shelf"
    if record["started"] != nil, let end = state.body.firstRange(of: ". ") {
      state.body = String(state.body[..<end.lowerBound]) + ".\n"
    }
    create(state, &random)
    guard let started = record["started"] else { return }
    state["status"] = "in-progress"
    state["started"] = started
    change(state, "start", "Start book: \(record.title)", started, &random)
    state.body = record.body
    change(state, "edit", "Edit: \(record.title)", record["completed"] ?? started, &random)
    guard let completed = record["completed"] else { return }
    state["status"] = "completed"
    state["completed"] = completed
    change(state, "finish", "Finish book: \(record.title)", completed, &random)
    guard let rating = record["rating"] else { return }
    if isContested {
      var other = state
      other.fields.insert(("rating", rating == "5" ? "3" : "5"), at: 1)
      rate(other, on: SamplePast.phone, &random)
      rate(record, on: SamplePast.laptop, &random)
      change(record, "resolve", "", next(completed, days: 4), &random, on: SamplePast.laptop)
    } else {
      change(record, "set", "Set rating \(rating): \(record.title)", completed, &random)
    }
  }

  /// Sets the rating on a device that does not know of the rating on the other.
  private mutating func rate(_ record: SampleRecord, on device: String, _ random: inout SampleRandom) {
    let title = record.title
    change(
      record, "rate", "Set rating \(record["rating"] ?? ""): \(title)",
      next(record["completed"] ?? "", days: 1),
      &random, on: device)
  }

  private mutating func note(_ random: inout SampleRandom) {
    var first = record
    if first.paragraphs.count > 1, random.chance(60) { first.paragraphs.removeLast() }
    let tags = record.tags
    if tags.count > 1 || random.chance(25) { first.tags = Array(tags.dropLast()) }
    create(first, &random)
    if first.body != record.body {
      first.body = record.body
      change(first, "append", "Append to: \(record.title)", soon(&random), &random)
    }
    if first.tags != tags, let tag = tags.last {
      change(record, "set", "Add tag \(tag): \(record.title)", soon(&random), &random)
    }
    guard let linking, let retitling else { return }
    let now = named(record, at: retitling.time)
    stages.append(
      SamplePast.Stage(
        command: "retitle", subject: "Retitle \(retitling.from) to \(retitling.to)", time: retitling.time,
        records: [now] + linking.filter { $0.id != record.id }))
  }
}

extension StageMaker {
  private mutating func create(_ first: SampleRecord, _ random: inout SampleRandom) {
    add(first, "new", "New \(record.kind): \(record.title)", record.created, &random)
  }

  /// Adds a state of a day, after the one before it and before now.
  private mutating func change(
    _ state: SampleRecord, _ command: String, _ subject: String, _ day: String, _ random: inout SampleRandom,
    on device: String? = nil
  ) {
    guard let date = CivilDate(day) else { return }
    let earliest = last.seconds + Int64(random.between(120, 1_800))
    // Changes of today come early, so that they are the same all day.
    let second = date == clock.today ? random.between(60, 3_600) : random.between(7 * 3_600, 22 * 3_600)
    let wanted = clock.instant(of: date, secondOfDay: second)
    let seconds = min(max(wanted, earliest), clock.now.seconds - 60)
    let time = Timestamp(seconds: max(seconds, last.seconds + 1), offsetSeconds: clock.offset(seconds))
    add(state, command, subject, time, &random, on: device)
  }

  private mutating func add(
    _ state: SampleRecord, _ command: String, _ subject: String, _ time: Timestamp,
    _ random: inout SampleRandom, on device: String? = nil
  ) {
    last = time
    let isPhone = random.chance(record.kind == "task" ? 35 : 12)
    let state = named(state, at: time)
    let title = retitling.map { linking != nil && time < $0.time ? $0.from : $0.to } ?? record.title
    let subject = linking == nil ? subject : subject.replacing(record.title, with: title)
    stages.append(
      SamplePast.Stage(
        command: command, subject: subject, time: time, records: [state],
        device: device ?? (isPhone ? SamplePast.phone : SamplePast.laptop)))
  }

  /// The record with the title and the links of a time.
  private func named(_ state: SampleRecord, at time: Timestamp) -> SampleRecord {
    guard let retitling else { return state }
    var state = state
    if linking != nil {
      (state.title, state.aliases) =
        time < retitling.time ? (retitling.from, []) : (retitling.to, [retitling.from])
    }
    if time < retitling.time {
      state.body = state.body.replacing("[[\(retitling.to)]]", with: "[[\(retitling.from)]]")
    }
    return state
  }

  /// A day within the three weeks after the last state, before today.
  private func soon(_ random: inout SampleRandom) -> String {
    let days = clock.today.dayNumber - last.civilDate.dayNumber - 1
    return last.civilDate.adding(days: days < 1 ? 0 : random.between(1, min(21, days))).description
  }

  private func next(_ day: String, days: Int) -> String {
    (CivilDate(day) ?? clock.today).adding(days: days).description
  }
}
