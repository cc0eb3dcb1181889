package import NoteIndex
package import Notes

/// What programs for tasks and calendars ask of a record, read by the declaration of its kind.
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

  /// The time that a field holds; nil where it holds none.
  ///
  /// The time of the day of a field that holds the day alone stands beside it, `due-time` for `due`.
  package func moment(_ name: String) -> Moment? {
    let field = kind?.field(name).flatMap { $0.isTime ? $0 : nil } ?? Field(name, .moment)
    switch field.storedValue(in: note)?.first {
    case .date(let day): return timed(day, name)
    case .moment(let stamp, let text):
      return CivilDate(text).map { timed($0, name) } ?? .instant(stamp.seconds)
    default: return nil
    }
  }

  private func timed(_ day: CivilDate, _ name: String) -> Moment {
    let time = note.frontMatter["\(name)-time"]?.text.flatMap { DatedLine.secondOfDay($0.utf8) }
    return time.map { .instant(clock.instant(of: day, secondOfDay: $0)) } ?? .day(day)
  }

  /// When it was over, in seconds since 1970: by the first of the fields that kinds have for it, else by the last change; nil
  /// while it is open.
  package var end: Int64? {
    guard isOpen == false else { return nil }
    let days = endings
    // Where it was opened and closed again since, the end that was imported is an older one.
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

  private var endings: [Moment] { ["finished", "completed", "closed"].compactMap { moment($0) } }

  /// The priority: of a declared choice the last is high and the first low, `none` is none.
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

  /// The text without line ends around it.
  package var body: String {
    let body = String(decoding: note.text.bytes[note.text.body], as: UTF8.self)
    return String(body.drop(while: \.isNewline).reversed().drop(while: \.isNewline).reversed())
  }
}

extension TypedValue {
  /// The first element of a list, else the value.
  fileprivate var first: TypedValue? {
    if case .list(let elements) = self { return elements.first }
    return self
  }
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
