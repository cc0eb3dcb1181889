package import NoteIndex
package import Notes
import Text

/// Runs an action of their kinds on records.
package struct RunAction {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// Whether an action would change a record: false too if its kind has no such action.
  package func mayAct(_ name: String, on entry: Entry) -> Bool {
    let kind = snapshot.schema().kindOrPlain(named: entry.kind)
    return kind.action(named: name).map { kind.changes(entry.note, by: $0, clock: snapshot.clock) } ?? false
  }

  /// Tells of records whether an action is probably meant for them: it changes them, and of a record that is done its state.
  package func likelyTargets(of name: String) -> (Entry) -> Bool {
    let schema = snapshot.schema()
    let active = ActiveTest(schema: schema, clock: snapshot.clock)
    return { entry in
      guard mayAct(name, on: entry) else { return false }
      let kind = schema.kindOrPlain(named: entry.kind)
      let states = kind.transitions.map(\.field)
      let changes = kind.action(named: name)?.changes ?? []
      return changes.contains { states.contains($0.fieldName) } || active.isActive(entry)
    }
  }

  /// - Throws: `.usage` for an action that no kind has, `.configuration` if a kind that may have it can't be read.
  package func refuseUnknown(_ name: String) throws(SlipboxError) {
    let names = snapshot.schema().actionNames
    guard !names.contains(name) else { return }
    // A file with a mistake says nothing of its actions.
    for fault in snapshot.schema().faults where Spelling.slip(of: name, among: names) == nil {
      try KindFiles(in: snapshot).refuseFault(of: fault.kind)
    }
    let near = Spelling.nearest(to: name, among: names).map {
      ["did you mean: \(slip: "do", .value($0))" as Phrase]
    }
    throw SlipboxError(
      .usage, "no kind has an action \(name)",
      hints: near ?? ["the actions are: \(names.joined(separator: ", ")); notes follow the action"])
  }

  /// The plan that runs an action of their kinds on records, and makes CHANGEs with it.
  ///
  /// - Throws: `.badData` if a kind has no such action, naming those it has; `.usage` if no kind has it.
  package func plan(
    _ name: String, on entries: [Entry], with changes: [Change] = [], allowingNewFields: Bool = false,
    reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    let schema = snapshot.schema()
    try KindFiles(in: snapshot).refuseFaults(of: entries)
    try refuseUnknown(name)
    let editing = ChangeRecords(of: entries, allowsNewFields: allowingNewFields, in: snapshot)
    let changing = ChangeNotes(in: snapshot)
    try changing.warnOfNearDuplicates(changes)
    let next = NextRecords(snapshot)
    var edits: [FileEdit] = []
    for entry in entries {
      let kind = schema.kindOrPlain(named: entry.kind)
      guard let action = kind.action(named: name) else {
        let known = kind.actions.map(\.name)
        throw SlipboxError(
          .badData,
          "\(entry.note.mention) is of the kind \(kind.name), which has no action \(name)",
          hints: known.isEmpty ? [] : ["its actions are: \(known.joined(separator: ", "))"])
      }
      // A value that is given beats one that follows from the action.
      let changes = action.changes + changes
      let following = try next.begin(entry, changes)
      edits.append(
        .changing(entry.note) { (note) throws(SlipboxError) in
          let changed = try editing.changed(note, by: changes, kind: entry.kind)
          following?.note(changed.next)
          return changed.text
        })
      if let following { edits.append(following.edit) }
    }
    let kinds = Set(entries.map { schema.kindOrPlain(named: $0.kind).name })
    let what = Self.subject(name, of: kinds, schema)
    let inPlace = changes.isEmpty && kinds.count == 1 ? inPlaceWords(name, kinds.first ?? "", entries) : nil
    let (following, given) = (next.paths, try changing.spoken(changes))
    var plan = Plan(command: name, reason: reason, edits: edits, inPlace: inPlace) { changes in
      let files = changes.filter { !following.contains($0.path) }
      let done = files.count == 1 ? "\(what.one): \(Plan.described(files))" : what.many(files.count)
      return given.isEmpty ? done : "\(done) (\(ChangeSubject(given, hasBody: false).words(files)))"
    }
    plan.next = { next.outcomes }
    return plan
  }

  private func inPlaceWords(_ name: String, _ kind: String, _ entries: [Entry]) -> Phrase? {
    guard let kind = snapshot.schema().kind(named: kind), let action = kind.action(named: name) else {
      return nil
    }
    return InPlaceWords(action, of: kind).sentence(on: entries)
  }

  /// The beginning of a subject: `Close issue`, and `Today` for an action that leaves the record active.
  private static func subject(
    _ name: String, of kinds: Set<String>, _ schema: Schema
  ) -> (one: String, many: @Sendable (Int) -> String) {
    let words = name.split(separator: "-").joined(separator: " ")
    let verb = words.prefix(1).uppercased() + words.dropFirst()
    let kind = kinds.count == 1 ? kinds.first.flatMap { schema.kind(named: $0) } : nil
    let what = kind?.name ?? "record"
    if let kind, let active = kind.active, let action = kind.action(named: name),
      !action.words.contains(where: { word in active.contains(word.prefix { $0 != ":" } + ":") })
    {
      return (verb, { "\(verb): \($0) \(what)s" })
    }
    return ("\(verb) \(what)", { "\(verb) \($0) \(what)s" })
  }
}
