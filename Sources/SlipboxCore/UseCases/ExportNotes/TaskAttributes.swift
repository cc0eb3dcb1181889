import Notes

/// What programs for tasks ask of a record beyond its words and its state, read by the declaration of its kind.
extension TaskFacts {
  /// When the kind makes a next record of one, what it goes by.
  private var succession: Succession? {
    kind?.transitions.lazy.flatMap(\.effects).compactMap { effect -> Succession? in
      if case .next(let succession) = effect { succession } else { nil }
    }.first
  }

  /// How often it comes again, as the note says.
  ///
  /// That of a task which came from taskwarrior stands beside the field where slip makes no next one of it.
  package var recurrence: String? {
    let names = [succession?.by, "recur", "taskwarrior-recur"].compactMap { $0 }
    return names.lazy.compactMap { note.frontMatter[$0]?.text }.first { !$0.isEmpty }
  }

  /// When it is due: the field `due`, else the first date that the kind moves on for the next record.
  package var due: Moment? {
    if kind?.field("due") != nil { return moment("due") }
    return moment("due") ?? succession?.moves.first.flatMap { moment($0) }
  }

  /// The last day on which it comes again.
  package var until: Moment? { moment("until") ?? succession?.until.flatMap { moment($0) } }

  /// Whether taskwarrior makes tasks of it: it came as such.
  package var isTemplate: Bool {
    isOpen == true && note.frontMatter["taskwarrior-status"]?.text == "recurring"
  }

  /// The recurring task that it is an instance of, by its name for taskwarrior; nil where it does not come again.
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
  /// An instance that came without it has none: what the others of it are is not known.
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

  /// The fields that taskwarrior has no attribute for, under the names that it gave them where they came from it.
  ///
  /// Those that the state of a record is made of are told by its status.
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

  /// Whether a field is the time of day of one that is told.
  private func isTime(_ name: String, _ told: Set<String>) -> Bool {
    name.hasSuffix("-time") && told.contains(String(name.dropLast("-time".utf8.count)))
  }

  /// Fields that are told in another way, and names that taskwarrior keeps for itself.
  private static let attributes = [
    "id", "title", "kind", "created", "tags", "aliases", "alias", "body", "conflicts", "priority", "pri",
    "project", "group", "due", "wait", "scheduled", "until", "start", "started", "end", "recur",
    "taskwarrior-recur", "taskwarrior-status", Recurrence.taskwarriorSeries, "parent", "uuid", "status",
    "description", "entry", "modified",
    "annotations", "urgency",
    Recurrence.taskwarriorAttribute,
  ]
}
