import Notes
import SlipboxCore

/// What taskwarrior asks of a record beyond its words and its state, read by the declaration of its kind.
extension TaskFacts {
  /// When the kind makes a next record of one, what it goes by.
  private var succession: Succession? {
    kind?.transitions.lazy.flatMap(\.effects).compactMap { effect -> Succession? in
      if case .next(let succession) = effect { succession } else { nil }
    }.first
  }

  /// How often it comes again, as the note says; taskwarrior has it only with a day on which it is due.
  ///
  /// That of a task which came from taskwarrior stands beside the field where slip makes no next one of it.
  var recurrence: String? {
    guard due != nil else { return nil }
    let names = [succession?.by, "recur", "taskwarrior-recur"].compactMap { $0 }
    return names.lazy.compactMap { note.frontMatter[$0]?.text }.first { !$0.isEmpty }
  }

  /// When it is due: the field `due`, else the first date that the kind moves on for the next record.
  var due: Moment? {
    if kind?.field("due") != nil { return moment("due") }
    return moment("due") ?? succession?.moves.first.flatMap { moment($0) }
  }

  /// The last day on which it comes again.
  var until: Moment? { moment("until") ?? succession?.until.flatMap { moment($0) } }

  /// Whether taskwarrior makes tasks of it: it came as such.
  var isTemplate: Bool { isOpen == true && note.frontMatter["taskwarrior-status"]?.text == "recurring" }

  /// The recurring task that it is an instance of, by its name for taskwarrior; nil where it does not come again.
  ///
  /// A record of slip's has none, for slip makes the next one. A name that nothing bears keeps taskwarrior from taking it for
  /// a recurring task itself, of which it would make more.
  var parent: String? {
    if let own = note.frontMatter["parent"]?.text, !own.isEmpty { return own }
    guard isOpen == true, recurrence != nil, !isTemplate else { return nil }
    return NoteUUID.named("series \(NoteUUID.of(note))")
  }

  /// The names of the fields by which it waits for other records.
  var blockingFields: [String] {
    guard let kind, !kind.blockingFields.isEmpty else { return ["depends"] }
    return kind.blockingFields.map(\.name)
  }

  /// The fields that taskwarrior has no attribute for, under the names that it gave them where they came from it.
  ///
  /// Those that the state of a record is made of are told by its status.
  var ownAttributes: [(name: String, text: String)] {
    var told = Set(Self.attributes + blockingFields)
    for transition in kind?.transitions ?? [] {
      told.formUnion([transition.field] + transition.effects.compactMap(\.field))
    }
    for action in kind?.actions ?? [] { told.formUnion(action.words.compactMap { Change($0)?.fieldName }) }
    told.formUnion(
      [groupField, succession?.by, succession?.until].compactMap { $0 } + (succession?.moves ?? []))
    return note.frontMatter.fields.compactMap { field in
      guard !told.contains(field.name), !isTime(field.name, told) else { return nil }
      let text = field.value.strings.joined(separator: ", ")
      guard !text.isEmpty else { return nil }
      let prefix = "taskwarrior-"
      let isRenamed = field.name.hasPrefix(prefix) && field.name.utf8.count > prefix.utf8.count
      return (isRenamed ? String(field.name.dropFirst(prefix.utf8.count)) : field.name, text)
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
    "taskwarrior-recur", "taskwarrior-status", "parent", "uuid", "status", "description", "entry", "modified",
    "annotations", "urgency",
    Recurrence.taskwarriorAttribute,
  ]
}
