import Bytes
package import NoteIndex
package import Notes
import Text

extension BoxSnapshot {
  /// The plan that runs an action of their kinds on records, and makes CHANGEs with it.
  ///
  /// - Throws: `.badData` where a kind has no such action, naming those it has; `.usage` where no kind has it.
  package func acting(
    _ name: String, on entries: [Entry], with changes: [Change] = [], allowingNewFields: Bool = false,
    reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    let schema = schema()
    try refuseFaultyKinds(of: entries)
    try refuseUnknownAction(name)
    let editor = try recordEditor(of: entries, allowsNewFields: allowingNewFields)
    try warnOfNearDuplicates(changes)
    let next = NextRecords(self)
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
        .changing(entry.note) { [self] (note) throws(SlipboxError) in
          let changed = try changed(note, by: changes, kind: entry.kind, editor)
          following?.note(changed.next)
          return changed.text
        })
      if let following { edits.append(following.edit) }
    }
    let kinds = Set(entries.map { schema.kindOrPlain(named: $0.kind).name })
    let what = Self.subject(name, of: kinds, schema)
    let inPlace = changes.isEmpty && kinds.count == 1 ? inPlaceWords(name, kinds.first ?? "", entries) : nil
    let (following, given) = (next.paths, try spoken(changes))
    var plan = Plan(command: name, reason: reason, edits: edits, inPlace: inPlace) { changes in
      let files = changes.filter { !following.contains($0.path) }
      let done = files.count == 1 ? "\(what.one): \(Plan.described(files))" : what.many(files.count)
      return given.isEmpty ? done : "\(done) (\(ChangeSubject(given, hasBody: false).words(files)))"
    }
    plan.next = { next.outcomes }
    return plan
  }

  /// Warns if a record that was done is open again and the next one, which was made then, is still there.
  func warnOfNextRecord(of old: Note, _ new: Note, kind name: String) {
    guard let kind = schema().kind(named: name),
      let end = kind.transitions.first(where: { transition in
        transition.effects.contains { if case .next = $0 { true } else { false } }
      }),
      let field = kind.field(end.field)
    else { return }
    let isDone = { (note: Note) in
      let value = kind.value(of: field.name, in: note).map(field.written) ?? ""
      return end.to.contains { $0.isSameName(as: value) }
    }
    guard isDone(old), !isDone(new),
      let next = try? catalogue().entry(id: NoteID.next(after: Entry(note: old, created: clock.now).name))?
        .note
    else { return }
    reporter.warnOnce(
      "\(old.mention): the next one, \(next.mention), stays; \(slip: "rm", .note(next)) deletes it")
  }

  private func inPlaceWords(_ name: String, _ kind: String, _ entries: [Entry]) -> Phrase? {
    guard let kind = schema().kind(named: kind), let action = kind.action(named: name) else { return nil }
    return InPlaceWords(action, of: kind).sentence(on: entries)
  }

  /// Whether an action would change a record: false too where its kind has no such action.
  package func mayAct(_ name: String, on entry: Entry) -> Bool {
    let kind = schema().kindOrPlain(named: entry.kind)
    return kind.action(named: name).map { kind.changes(entry.note, by: $0, clock: clock) } ?? false
  }

  /// Tells of records whether an action is probably meant for them: it changes them, and of a record that is done its state.
  package func likelyTargets(ofAction name: String) -> (Entry) -> Bool {
    let schema = schema()
    let active = ActiveTest(schema: schema, clock: clock)
    return { [self] entry in
      guard mayAct(name, on: entry) else { return false }
      let kind = schema.kindOrPlain(named: entry.kind)
      let states = kind.transitions.map(\.field)
      let changes = kind.action(named: name)?.changes ?? []
      return changes.contains { states.contains($0.fieldName) } || active.isActive(entry)
    }
  }

  /// - Throws: `.usage` for an action that no kind has, `.configuration` where a kind that may have it can't be read.
  package func refuseUnknownAction(_ name: String) throws(SlipboxError) {
    let names = schema().actionNames
    guard !names.contains(name) else { return }
    // A file with a mistake says nothing of its actions.
    for fault in schema().faults where Spelling.slip(of: name, among: names) == nil {
      try refuseFaultyKind(fault.kind)
    }
    let near = Spelling.nearest(to: name, among: names).map {
      ["did you mean: \(slip: "do", .value($0))" as Phrase]
    }
    throw SlipboxError(
      .usage, "no kind has an action \(name)",
      hints: near ?? ["the actions are: \(names.joined(separator: ", ")); notes follow the action"])
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

/// The records that come next after those that a plan finishes, in files of their own and the same commit.
///
/// The id of one follows from the record before it alone: two devices that finish that one in the same month make the same
/// file, which a merge puts together, and one that was made already is not made again.
final class NextRecords {
  private struct Place {
    let record: Note
    let path: [UInt8]
    var answer: Succeeding?
    /// The note at the path, and whether it was made.
    var note: Note?
    var isMade = false
  }

  private let snapshot: BoxSnapshot
  private var places: [Place] = []

  init(_ snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The results, once the plan was carried out.
  var outcomes: [NextRecord] {
    places.compactMap { place in
      switch place.answer {
      case nil: return nil
      case .over?: return .over(place.record)
      case .by(let successor)?:
        return place.note.map { note in
          place.isMade ? .made(note, day: successor.day, skipped: successor.skipped) : .there(note)
        }
      }
    }
  }

  /// The paths of the files that may be made.
  var paths: Set<[UInt8]> { Set(places.map(\.path)) }
}

extension NextRecords {
  /// Takes a record that changes may finish.
  ///
  /// - Returns: what takes note of what the changes ask for, and the edit of the file of the next record; nil for a record
  ///   whose kind makes none.
  /// - Throws: `.cannotCreate` where the file of the next record can't be.
  func begin(
    _ entry: Entry, _ changes: [Change]
  ) throws(SlipboxError) -> (note: (Succeeding?) -> Void, edit: FileEdit)? {
    guard makesNext(entry, changes) else { return nil }
    let id = NoteID.next(after: entry.name)
    let known = try snapshot.isTaken(id) ? try snapshot.catalogue().entry(id: id)?.note : nil
    let path = if let known { known.path } else { try path(of: entry, id) }
    if known == nil { try snapshot.refuseAsNewFile(path) }
    let number = places.count
    places.append(Place(record: entry.note, path: path))
    let edit = FileEdit(path: path) { [self] bytes throws(SlipboxError) in
      guard case .by(let successor)? = places[number].answer else { return bytes }
      let text = if let bytes { NoteText(bytes) } else { try text(of: successor, id) }
      places[number].note = Note(path: path, text: text)
      places[number].isMade = bytes == nil
      return text.bytes
    }
    return ({ [self] in places[number].answer = $0 }, edit)
  }

  /// Whether another record is made of one: the record says how often, or is about to.
  private func makesNext(_ entry: Entry, _ changes: [Change]) -> Bool {
    let kind = snapshot.schema().kindOrPlain(named: entry.kind)
    let successions = kind.transitions.flatMap(\.effects).compactMap { effect -> Succession? in
      if case .next(let succession) = effect { succession } else { nil }
    }
    return successions.contains { succession in
      changes.contains { $0.fieldName.isSameName(as: succession.by) }
        || kind.value(of: succession.by, in: entry.note) != nil
    }
  }

  /// The path of the next record, as for every new note that takes text of another one.
  private func path(of entry: Entry, _ id: NoteID) throws(SlipboxError) -> [UInt8] {
    let head = NoteText(fields: [("title", .text(entry.note.title))], body: [])
    return try snapshot.newPath(Note(path: [], text: head), id: id, from: entry.note)
  }

  private func text(of successor: Successor, _ id: NoteID) throws(SlipboxError) -> NoteText {
    do throws(EditError) {
      return try successor.text.setting("id", to: .text(id.description), order: fieldOrder)
        .setting("created", to: .text(snapshot.clock.now.rfc3339), order: fieldOrder)
    } catch {
      throw SlipboxError(error, note: "the next record")
    }
  }
}
