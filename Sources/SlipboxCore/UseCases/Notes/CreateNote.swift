import Git
import NoteIndex
package import Notes
import Platform
import Text

/// The order of slip's own new fields in a block.
let fieldOrder = ["id", "title", "aliases", "kind", "created", "tags"]

/// Creates a note: its text, its file, and the plan.
package struct CreateNote {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The text of a new note with an id: front-matter first, then the body.
  ///
  /// A given text is inserted at the template's placeholder, replaces a copied text, or is appended.
  /// - Parameter isUnfinished: whether the user continues in an editor: fields that the kind requires may be missing, and
  ///   are written without a value.
  /// - Throws: `.badData` if a change can't be made, `.configuration` for a template that can't be filled.
  package func text(
    of draft: Draft, id: NoteID, isUnfinished: Bool = false
  ) throws(SlipboxError) -> NoteText {
    try NoteText.refuseUnreadable(draft.body)
    switch draft.start {
    case .nothing:
      let text = try record(of: draft, on: NoteText([]), id, isUnfinished)
      return draft.body.isEmpty ? text : text.appending(draft.body)
    case .template(let template, let name):
      return try text(of: draft, by: template, name, id, isUnfinished)
    case .copy(let copy):
      let text = try record(of: draft, on: copy.text, id, isUnfinished)
      guard draft.body.isEmpty else { return text.replacingBody([]).appending(draft.body) }
      let path = try PlaceNote(in: snapshot).path(of: Note(path: [], text: text), id: id, in: draft.folder)
      return copy.links(in: text, at: path, snapshot.box)
    }
  }

  /// The text of a new note made by a template.
  ///
  /// The fields come first: if the template uses their values, the note is made twice, first without those.
  private func text(
    of draft: Draft, by template: NoteTemplate, _ file: String, _ id: NoteID, _ isUnfinished: Bool
  ) throws(SlipboxError) -> NoteText {
    var values = TemplateValues(
      title: draft.title, id: id, day: draft.day ?? snapshot.clock.today, now: snapshot.clock.now,
      selection: draft.body)
    do throws(SlipboxError) {
      if template.asksFields {
        let first = try record(of: draft, on: try Self.head(of: template, values, file), id, true)
        values.note = Note(path: [], text: first)
      }
      let head = try record(of: draft, on: try Self.head(of: template, values, file), id, isUnfinished)
      let note = Note(path: [], text: head)
      values.note = note
      if values.title.isEmpty, note.hasOwnTitle { values.title = note.title }
      let text = head.replacingBody(NoteText(head.bytes).withOwnLineEnds(template.body(values)))
      return template.holdsSelection || draft.body.isEmpty ? text : text.appending(draft.body)
    } catch {
      guard error.kind == .badData else { throw error }
      throw SlipboxError(
        error.kind, error.message, hints: error.hints + ["the note is created from the template \(file)"])
    }
  }

  private static func head(
    of template: NoteTemplate, _ values: TemplateValues, _ file: String
  ) throws(SlipboxError) -> NoteText {
    do throws(Problem) { return try template.head(values) } catch { throw Templates.refusal(error, of: file) }
  }

  /// A text with the front-matter of a new note, and all that follows from its kind.
  private func record(
    of draft: Draft, on start: NoteText, _ id: NoteID, _ isUnfinished: Bool
  ) throws(SlipboxError) -> NoteText {
    let kind = draft.ownKind
    try KindFiles(in: snapshot).refuseFault(of: kind)
    let text = try heading(start, draft, id)
    guard !draft.changes.contains(.clear(field: "created")) else {
      throw SlipboxError(
        .badData, about: "the new note", "created: a new note must have a creation date",
        hints: ["created:DATE sets another date"])
    }
    let changing = ChangeNotes(in: snapshot)
    try changing.warnOfNearDuplicates(draft.changes)
    try changing.refuseComputed(draft.changes)
    var editing = ChangeRecords(allowsNewFields: draft.allowsNewFields, in: snapshot)
    let required = snapshot.schema().kindOrPlain(named: kind).fields.filter(\.isRequired)
    if isUnfinished { editing.editor = editing.editor.requiringNothing }
    let changed = try editing.applying(
      draft.changes, to: Note(path: [], text: text), kind: kind, isNew: true)
    let note = Note(path: [], text: changed)
    if note.titleSource != .none { try warnOfTakenTitle(note.title, kind: note.kind) }
    return isUnfinished ? try Self.naming(required, in: changed) : changed
  }

  /// A text with the fields that every new note has, whatever the text says of them.
  private func heading(_ start: NoteText, _ draft: Draft, _ id: NoteID) throws(SlipboxError) -> NoteText {
    var text = start.beginning(withID: id)
    let kind = draft.ownKind
    let hasOwnTitle = text.frontMatter != nil && FrontMatter(text)["title"]?.text?.isEmpty == false
    var fields: [(String, FieldValue)] = [("id", .text(id.description))]
    if !draft.title.isEmpty || !hasOwnTitle { fields.append(("title", .text(draft.title))) }
    if kind != "note" { fields.append(("kind", .text(kind))) }
    fields.append(("created", .text(try stampOfNewNote().rfc3339)))
    do throws(EditError) {
      if kind == "note" { text = try text.clearing("kind") }
      for (name, value) in fields where value != .text("") {
        text = try text.setting(name, to: value, order: fieldOrder)
      }
    } catch {
      throw Self.refusal(error)
    }
    return text
  }

  /// Says that another note has a title, so that references or links by it are ambiguous.
  ///
  /// - Parameters:
  ///   - kind: the kind of the note that gets the title.
  ///   - path: its path, if it is in the box.
  func warnOfTakenTitle(_ title: String, kind: String, at path: [UInt8]? = nil) throws(SlipboxError) {
    let schema = snapshot.schema()
    let target = schema.kind(named: kind).flatMap { kind in
      (kind.key ?? "title") == "title" && !schema.references(to: kind.name).isEmpty ? kind : nil
    }
    let count = snapshot.keptCatalogue()?.snapshot.documentCount ?? 0
    guard target != nil || path != nil || count <= Self.mostForTitles else {
      return
    }
    let rule = target.map { NameRule.field($0) } ?? .typed(fuzzy: false)
    let others: [Entry]
    switch try snapshot.catalogue().resolve(title, rule, keys: RecordKeys(schema), suggests: false) {
    case .found(let entry): others = [entry]
    case .ambiguous(let entries): others = entries
    case .none: others = []
    }
    let folded = Folding.fold(title)
    guard
      let other = others.first(where: { $0.note.path != path && Folding.fold($0.note.title) == folded })
    else { return }
    let shown: Phrase = "\(other.kind) \(other.note.title) (\(other.note.shownName))"
    let names = target == nil ? "links" : "references"
    let article = other.kind.first.map { "aeiou".contains($0) } == true ? "an" : "a"
    snapshot.reporter.warnOnce("there is \(article) \(shown) already: \(names) by that title are ambiguous")
  }

  /// With more notes than this, the title of a new plain note is not compared with theirs, which needs a scan.
  private static let mostForTitles = 5_000

  /// A refusal of front-matter that has no file yet, so that no command can open it.
  private static func refusal(_ error: EditError) -> SlipboxError {
    let error = SlipboxError(error, note: "the new note")
    return SlipboxError(error.kind, error.message)
  }

  /// A text with missing fields added without a value.
  private static func naming(_ fields: [Field], in text: NoteText) throws(SlipboxError) -> NoteText {
    var text = text
    do throws(EditError) {
      for field in fields where FrontMatter(text).field(field.name) == nil {
        text = try text.setting(field.name, to: .empty, order: fieldOrder)
      }
    } catch {
      throw Self.refusal(error)
    }
    return text
  }

  /// The time of the command; with milliseconds, after the latest note of the same second if there is one, so that the
  /// notes of a script keep their order.
  ///
  /// - Complexity: O(log n), and O(k) in the k files that were read since the catalogue was kept.
  private func stampOfNewNote() throws(SlipboxError) -> Timestamp {
    let now = snapshot.clock.now
    let latest: Timestamp?
    if let kept = snapshot.keptCatalogue() {
      latest = kept.latest(inSecond: now.seconds)
    } else {
      let entries = try snapshot.catalogue().entries
      latest = entries.indices.lazy.map { entries.key(at: $0).created }.first { $0.seconds <= now.seconds }
    }
    guard let latest, latest.seconds == now.seconds else { return now }
    return Timestamp(
      seconds: now.seconds, offsetSeconds: now.offsetSeconds, milliseconds: latest.milliseconds + 1)
  }
}

extension NoteText {
  /// The text with an id as the first line of its front-matter, if that has none and keeps its other fields.
  fileprivate func beginning(withID id: NoteID) -> NoteText {
    let fields = FrontMatter(self)
    guard let block = frontMatter, fields["id"] == nil else { return self }
    let line = Array("id: \(id)".utf8) + lineEnd
    let text = NoteText(Array(bytes[..<block.lowerBound]) + line + bytes[block.lowerBound...])
    let after = FrontMatter(text)
    let isKept = after.isWritable && after.fields.dropFirst().map(\.name) == fields.fields.map(\.name)
    return isKept && after.fields.first?.value == .text(id.description) ? text : self
  }
}

extension RecordEditor {
  /// The same, but that every field may be missing.
  fileprivate var requiringNothing: RecordEditor {
    let kinds = schema.kinds.map { kind in
      var kind = kind
      for index in kind.fields.indices {
        kind.fields[index].isRequired = false
        kind.fields[index].isNotEmpty = false
      }
      return kind
    }
    var editor = RecordEditor(
      schema: Schema(kinds: kinds), clock: clock, isNewField: isNewField, isNewKind: isNewKind,
      resolve: resolve)
    editor.allowsNewFields = allowsNewFields
    editor.refusesForeignStates = refusesForeignStates
    editor.nearField = nearField
    return editor
  }
}

/// The file of a new note: its id, its path and the plan that makes it.
extension CreateNote {
  /// An id that no note of the box has, as far as is known without a look at every file.
  package func freeID(_ ids: IDSource) throws(SlipboxError) -> NoteID {
    while true {
      let id = ids.noteID()
      if try !isTaken(id) { return id }
    }
  }

  func isTaken(_ id: NoteID) throws(SlipboxError) -> Bool {
    guard let kept = snapshot.keptCatalogue() else { return try snapshot.catalogue().entry(id: id) != nil }
    return kept.mayHold(id)
  }

  /// The plan that makes a note from its whole text, and the note.
  ///
  /// - Parameter folder: the folder of the file; nil: that of the layout.
  /// - Throws: `.cannotCreate` if ignore rules hide the file or its name is refused.
  package func plan(
    _ text: NoteText, id: NoteID, in folder: [UInt8]? = nil, command: String = "new", reason: String? = nil
  ) throws(SlipboxError) -> (note: Note, plan: Plan) {
    try snapshot.settings.refuseBad("path", in: snapshot.box)
    let note = Note(path: [], text: text)
    // The draft of a day's note stays that.
    let day = CivilDate(note.title).flatMap { NoteID.computed(fromDay: $0) == id ? $0 : nil }
    let path =
      if folder == nil, let day {
        try StandingNotes(in: snapshot).daily(day).path
      } else {
        try PlaceNote(in: snapshot).path(of: note, id: id, in: folder)
      }
    return try plan(text, at: path, command: command, reason: reason)
  }

  /// The plan that makes a note from its whole text at a path, and the note, in the layout of the box.
  ///
  /// - Throws: as above.
  package func plan(
    _ text: NoteText, at path: [UInt8], command: String, reason: String?
  ) throws(SlipboxError) -> (note: Note, plan: Plan) {
    try refuseAsNewFile(path)
    let note = Note(path: path, text: try PlaceNote(in: snapshot).laidOut(text, at: path))
    return (note, plan(of: note, command: command, reason: reason))
  }

  /// The plan that makes a note.
  package func plan(of note: Note, command: String = "new", reason: String? = nil) -> Plan {
    let edit = FileEdit(path: note.path) { bytes throws(SlipboxError) in
      guard bytes == nil else {
        throw SlipboxError(.cannotCreate, "\(note.path) exists already")
      }
      return try note.text.bytes
    }
    return Plan(command: command, reason: reason, edits: [edit], savesAlways: true) { _ in
      "New \(note.kind): \(note.title)"
    }
  }

  /// Refuses a path that no new note can have.
  ///
  /// - Parameter setting: the setting that the path comes from.
  func refuseAsNewFile(_ path: [UInt8], from setting: String = "path") throws(SlipboxError) {
    let shown = Phrase(path)
    if let problem = FileName.problem(in: path) {
      throw SlipboxError(
        .cannotCreate, "\(shown): \(problem)",
        hints: ["\(slip: "config", .value(setting)) shows the path pattern"])
    }
    let check = PlaceCheck(in: snapshot)
    try check.refuseNestedRepository(
      path, hints: ["\(slip: "config", .value(setting)) shows the path pattern"])
    try check.refuseExcluded(
      path, hint: "change that setting, or: \(slip: "config", .value(setting), "PATTERN")")
    if try check.isIgnored(path) {
      let rule = snapshot.box.ignoreRule(path).map { " by \($0)" as Phrase } ?? ""
      throw SlipboxError(
        .cannotCreate, "\(shown) would be ignored\(rule)",
        hints: ["change that rule, or: \(slip: "config", .value(setting), "PATTERN")"])
    }
  }
}

/// Kept texts on their way to a note.
extension CreateNote {
  /// The text of the note that is to be made of a kept text, and its id: its own unless a note has that.
  ///
  /// - Throws: `.badData` if the id of a text has to be another one and its front-matter can't be rewritten.
  package func text(
    of kept: KeptText, _ ids: IDSource
  ) throws(SlipboxError) -> (text: NoteText, id: NoteID) {
    let text = NoteText(try snapshot.box.readDraft(kept.file))
    var id = Note(path: [], text: text).id ?? NoteID(kept.name)
    if let own = id, try isTaken(own) { id = nil }
    let chosen = if let id { id } else { try freeID(ids) }
    guard text.frontMatter != nil || text.hasLateFrontMatter else {
      let draft = Draft(title: "", body: text.bytes)
      return (try self.text(of: draft, id: chosen, isUnfinished: true), chosen)
    }
    if id != nil, NoteID(kept.name) == id || Note(path: [], text: text).id == id { return (text, chosen) }
    do throws(EditError) {
      return (try text.setting("id", to: .text(chosen.description), order: fieldOrder), chosen)
    } catch {
      throw SlipboxError(error, note: "the draft \(kept.name)")
    }
  }
}
