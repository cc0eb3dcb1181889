import Bytes
package import NoteIndex
package import Notes
import Platform
package import Text

/// Applies changes to records of a box, and compares them with their kinds.
package struct ChangeRecords {
  private let snapshot: BoxSnapshot
  var editor: RecordEditor

  init(by editor: RecordEditor, in snapshot: BoxSnapshot) {
    self.snapshot = snapshot
    self.editor = editor
  }

  /// - Parameters:
  ///   - entries: all records that the command changes.
  ///   - allowsNewFields: whether a field may be new although its name almost equals a declared one.
  package init(
    of entries: [Entry] = [], dropsInlineTags: Bool = false, allowsNewFields: Bool = false,
    in snapshot: BoxSnapshot
  ) {
    let schema = snapshot.schema()
    let lookup = NoteLookup(in: snapshot)
    var known: RecordLookup?
    let isNewField = { (name: String) in
      // If the notes can't be read, the change is refused in the end.
      guard let names = (try? snapshot.catalogue())?.fieldNames else { return false }
      return !names.contains { $0.isSameName(as: name) }
    }
    let isNewKind = { (name: String) in
      // As above.
      guard let entries = (try? snapshot.catalogue())?.entries else { return false }
      return !entries.contains { $0.kind.isSameName(as: name) }
    }
    var editor = RecordEditor(
      schema: schema, clock: snapshot.clock, dropsInlineTags: dropsInlineTags, isNewField: isNewField,
      isNewKind: isNewKind
    ) {
      kind, typed in
      // As above.
      let records = known ?? RecordLookup((try? snapshot.catalogue()) ?? Catalogue([]), schema)
      known = records
      let answer = records.answer(kind, typed: typed)
      guard case .ambiguous(let names) = answer,
        let active = lookup.onlyActive(of: records.records(of: kind, typed: typed))
      else { return answer }
      lookup.reportActive(active, among: names.count)
      return .found(schema.recordKey(of: active))
    }
    editor.allowsNewFields = allowsNewFields
    editor.keepsTitles = (try? snapshot.layout())?.keepsFormerTitles ?? true
    editor.refusesForeignStates = true
    editor.nearField = { name in
      // As above.
      guard name.unicodeScalars.count > 2, let stored = (try? snapshot.catalogue())?.fieldNames else {
        return nil
      }
      let declared = schema.kinds.flatMap { $0.fields.map(\.name) }
      guard !declared.contains(where: { $0.isSameName(as: name) }) else { return nil }
      return Spelling.slip(of: name, among: Set(declared).sorted() + Set(stored).sorted())
    }
    editor.together = Set(entries.map(\.note.path))
    self.init(by: editor, in: snapshot)
  }

  /// Returns the problems of a note that was written in an editor, as warnings.
  package func problems(in note: Note, kind: String? = nil) -> [Phrase] {
    editor.problems(in: note, kind: kind).map { Phrase($0.message) }
  }

  /// Returns a note's text with changes applied, and all their consequences by its kind in the note itself.
  /// - Throws: as `changed(_:by:kind:isNew:)`.
  func applying(
    _ changes: [Change], to note: Note, kind: String, isNew: Bool = false
  ) throws(SlipboxError) -> NoteText {
    try changed(note, by: changes, kind: kind, isNew: isNew).text
  }

  /// Returns a note's text with changes applied, and all their consequences by its kind, including the next record.
  /// - Throws: `.badData` if the record would violate its kind, or the front matter can't be rewritten.
  func changed(
    _ note: Note, by changes: [Change], kind: String, isNew: Bool = false
  ) throws(SlipboxError) -> (text: NoteText, next: Succeeding?) {
    guard !changes.isEmpty || isNew else { return (try note.text, nil) }
    let ownKind = !note.hasKindField ? kind : note.kind
    try KindFiles(in: snapshot).refuseFault(of: ownKind)
    for case .set(let field, let value) in changes where field.isSameName(as: "kind") {
      try KindFiles(in: snapshot).refuseFault(of: value)
    }
    let result = try edited(note, changes, kind: ownKind, isNew: isNew)
    try refuseTakenKey(of: note, Note(path: note.path, text: result.text), kind: ownKind)
    for warning in result.warnings { snapshot.reporter.warnOnce("\(note.mention): \(warning)") }
    let text = try settled(result.text, by: changes, note)
    if !isNew {
      let new = Note(path: note.path, text: text)
      try RecordDependencies(in: snapshot).check(note, new, kind: ownKind, together: editor.together)
      warnOfNextRecord(of: note, new, kind: ownKind)
    }
    return (text, result.next)
  }

  /// Returns the text without the conflict entries of the fields that were set, which settles them.
  private func settled(_ text: NoteText, by changes: [Change], _ note: Note) throws(SlipboxError) -> NoteText
  {
    guard !text.conflictEntries.isEmpty else { return text }
    let (before, after) = (note.frontMatter, FrontMatter(text))
    var names = after.fields.map(\.name).filter { before[$0] != after[$0] }
    names += before.fields.map(\.name).filter { after[$0] == nil }
    for case .set(let field, _) in changes { names.append(field) }
    do throws(EditError) {
      return try text.droppingConflicts(of: names)
    } catch {
      throw SlipboxError(error, note: note.mention, typed: .note(note))
    }
  }

  private func edited(
    _ note: Note, _ changes: [Change], kind: String, isNew: Bool
  ) throws(SlipboxError) -> (text: NoteText, warnings: [String], next: Succeeding?) {
    let result: (text: NoteText, warnings: [String], next: Succeeding?)
    let (text, unread) = (try note.text, snapshot.unreadCount)
    do throws(RecordError) {
      result = try editor.apply(changes, to: text, path: note.path, kind: kind, isNew: isNew)
    } catch {
      try snapshot.refuseUnreadNotes(since: unread)
      throw Self.refusal(error, of: note)
    }
    try snapshot.refuseUnreadNotes(since: unread)
    return result
  }

  private static func refusal(_ error: RecordError, of note: Note) -> SlipboxError {
    switch error {
    case .edit(let error): return SlipboxError(error, note: note.mention, typed: .note(note))
    case .refused(let problems):
      let messages = problems.map { Phrase($0.message) }
      let hints =
        messages.dropFirst()
        + problems.compactMap { problem in
          let missing: Phrase? = problem.isMissing ? "add \(typed: problem.field):VALUE" : nil
          return problem.hint ?? missing
        }
      let field = problems.first.flatMap { $0.isMissing ? nil : $0.field }
      return SlipboxError(
        .badData, about: note.mention, messages.first ?? "refused", hints: Array(hints),
        fact: field.map { .badValue(field: $0) })
    }
  }

  /// Warns if a finished record is open again and its successor, which was created then, still exists.
  private func warnOfNextRecord(of old: Note, _ new: Note, kind name: String) {
    guard let kind = snapshot.schema().kind(named: name),
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
      let next = try? snapshot.catalogue().entry(
        id: NoteID.next(after: Entry(note: old, created: snapshot.clock.now).name))?
        .note
    else { return }
    snapshot.reporter.warnOnce(
      "\(old.mention): the next one, \(next.mention), stays; \(slip: "rm", .note(next)) deletes it")
  }

  /// Refuses a change that gives a record the key of another one: references could not distinguish them.
  private func refuseTakenKey(of old: Note, _ new: Note, kind: String) throws(SlipboxError) {
    let keys = RecordKeys(snapshot.schema())
    guard !keys.isEmpty else { return }
    let created = new.created ?? snapshot.clock.now
    var kind = !new.hasKindField ? kind : new.kind
    if kind == "note" { kind = snapshot.kindMatcher().kind(of: new, created: created) }
    guard let key = keys.field(of: kind), let value = new.frontMatter[key]?.text, !value.isEmpty,
      value != old.frontMatter[key]?.text || old.path.isEmpty
    else { return }
    let records = RecordLookup(try snapshot.catalogue(), snapshot.schema())
    let others = records.records(withKey: value).filter { $0.kind == kind && $0.note.path != old.path }
    guard let other = others.first else { return }
    throw SlipboxError(
      .badData,
      "\(new.mention): \(key): \(value) is already the \(key) of \(other.note.mention)",
      hints: [
        "  \(other.note.shownName)  \(other.note.title)",
        "references to it would be ambiguous; give it another \(key)",
      ])
  }
}
