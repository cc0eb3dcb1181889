import Bytes
package import NoteIndex
package import Notes
import Text

extension BoxSnapshot {
  /// The plan that applies CHANGEs, and a new body where there is one, to notes; links to a note that gets another title
  /// are rewritten.
  package func changing(
    _ entries: [Entry], _ changes: [Change], body: [UInt8]? = nil, droppingInlineTags: Bool = false,
    givingIDs ids: IDSource? = nil, allowingNewFields: Bool = false, reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    try refuseFaultyKinds(of: entries)
    if let body { try Self.refuseUnreadable(body) }
    let editor = try recordEditor(
      of: entries, dropsInlineTags: droppingInlineTags, allowsNewFields: allowingNewFields)
    try warnOfNearDuplicates(changes)
    try refuseComputed(changes)
    let next = NextRecords(self)
    var changesHeadings = false
    if droppingInlineTags, body == nil {
      for entry in entries where !changesHeadings {
        changesHeadings = try entry.note.hasTagInHeading { _ in true }
      }
    }
    var (renames, following): ([NoteRename], [FileEdit]) = ([], [])
    for entry in entries {
      let id = entry.note.id == nil ? ids?.noteID() : nil
      let succeeding = try next.begin(entry, changes)
      let change = { [self] (note: Note) throws(SlipboxError) -> NoteText in
        let changed = try changed(try note.givingID(id), by: changes, kind: entry.kind, editor)
        succeeding?.note(changed.next)
        guard let body else { return changed.text }
        let text = try Self.readable(note, changed.text)
        return text.replacingBody(body.contains(0x0D) ? body : text.withOwnLineEnds(body))
      }
      let headings = changesHeadings ? NoteRename.inPlace(entry.note.path) : nil
      renames.append(NoteRename(entry, headings: headings, change: change))
      if let succeeding { following.append(succeeding.edit) }
    }
    let subject = ChangeSubject(try spoken(changes), hasBody: body != nil, except: next.paths)
    let inPlace = ids == nil ? InPlaceWords(changes, hasBody: body != nil).sentence(on: entries) : nil
    if Self.areRetitling(changes) || changesHeadings {
      return try renaming(renames, command: "set", reason: reason, inPlace: inPlace) { subject.text($0) }
        .adding(following) { next.outcomes }
    }
    let edits = renames.map { FileEdit.changing($0.entry.note, $0.change) }
    var plan = Plan(command: "set", reason: reason, edits: edits, inPlace: inPlace) { subject.text($0) }
    if body != nil {
      for rename in renames {
        let note = rename.entry.note
        plan.links.lost += try lostLinks(
          to: rename.entry, becoming: try rename.change(note), without: note.text.body)
      }
    }
    return plan.adding(following) { next.outcomes }
  }

  /// The changes with titles in the place of ids of records, as a person would put them.
  func spoken(_ changes: [Change]) throws(SlipboxError) -> [Change] {
    let title = { [self] (value: String) throws(SlipboxError) -> String in
      guard let id = NoteID(value), let entry = try catalogue().entry(id: id) else { return value }
      return entry.note.title
    }
    return try changes.map { (change) throws(SlipboxError) in
      switch change {
      case .set(let field, let value): .set(field: field, value: try title(value))
      case .add(let value, let field): .add(try title(value), field: field)
      case .remove(let value, let field): .remove(try title(value), field: field)
      case .clear, .addTag, .removeTag: change
      }
    }
  }

  private static func areRetitling(_ changes: [Change]) -> Bool {
    changes.contains { if case .set(let field, _) = $0 { field.isSameName(as: "title") } else { false } }
  }

  /// Says where a tag that is new to the box almost equals one that is not, is spelled in another way, or looks like two.
  func warnOfNearDuplicates(_ changes: [Change]) throws(SlipboxError) {
    for case .addTag(let tag) in changes {
      let parts = tag.split(separator: "+")
      if parts.count > 1, !tag.hasSuffix("+"), keptCatalogue()?.mayKnow(tag: tag) != true {
        let several = parts.map { "+\($0)" }.joined(separator: " ")
        reporter.warnOnce("\(tag) is one tag; for several write \(several)")
        continue
      }
      if let known = try otherSpelling(of: tag) {
        reporter.warnOnce("\(tag) is the tag that other notes spell \(known)")
        continue
      }
      guard let near = try nearDuplicate(of: tag) else { continue }
      reporter.warnOnce("\(tag) is a new tag; did you mean \(near)?")
    }
  }

  /// The plan that adds text to the end of a note.
  ///
  /// - Throws: `.configuration` where the file of the note's kind has a mistake.
  package func appending(
    _ addition: [UInt8], to entry: Entry, command: String = "append", reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    try refuseFaultyKind(entry.kind)
    try Self.refuseUnreadable(addition)
    let block = try layout().block(addition)
    let edit = FileEdit.changing(entry.note) { (note) throws(SlipboxError) in
      try Self.readable(note, note.text).appending(block)
    }
    return Plan(command: command, reason: reason, edits: [edit], savesAlways: true) {
      "Append to: \(Plan.described($0))"
    }
  }

  /// The plan that adds text to the end of a part of a note, before its next heading.
  package func appending(
    _ addition: [UInt8], to part: NotePart, of entry: Entry, reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    try Self.refuseUnreadable(addition)
    return try changing(part, of: entry, command: "append", "Append to", reason: reason) { text, span in
      text.appending(addition, to: span)
    }
  }

  /// The plan that puts another text in the place of a part of a note; a heading stays.
  package func replacing(
    _ part: NotePart, of entry: Entry, with text: [UInt8], reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    try Self.refuseUnreadable(text)
    try reportReplaced(part, of: entry)
    return try changing(part, of: entry, command: "set", "Replace the text of", reason: reason) {
      note, span in
      note.replacing(span, with: text)
    }
  }

  /// Names the headings and counts the open boxes that go with the text of a section.
  private func reportReplaced(_ part: NotePart, of entry: Entry) throws(SlipboxError) {
    let text = try entry.note.text
    guard case .heading = part, let span = try? text.span(of: part) else { return }
    let anchors = HeadingAnchors(text)
    let names = zip(anchors.headings, anchors.texts).filter { span.content.contains($0.0.lines.lowerBound) }
      .map { "#\($0.1)" as Phrase }
    guard !names.isEmpty else { return }
    let boxes = CheckBox.all(in: text).count { $0.state == .open && span.content.contains($0.mark) }
    let shown = names.count > 5 ? names.prefix(5) + ["\(names.count - 5) more"] : names[...]
    let open = boxes == 0 ? "" : ", and \(boxes) open check \(boxes == 1 ? "box" : "boxes")"
    reporter.remarkWhenDone("replaced too: \(shown.joined(separator: ", "))\(open)")
  }

  /// The plan that deletes a part of a note: a heading goes with all that is below it.
  package func deleting(_ part: NotePart, of entry: Entry, reason: String? = nil) throws(SlipboxError) -> Plan
  {
    try changing(part, of: entry, command: "rm", "Delete", reason: reason) { text, span in
      text.removing(span)
    }
  }

  private func changing(
    _ part: NotePart, of entry: Entry, command: String, _ verb: String, reason: String?,
    _ change: @escaping @Sendable (NoteText, PartSpan) -> NoteText
  ) throws(SlipboxError) -> Plan {
    try refuseFaultyKind(entry.kind)
    let edit = FileEdit.changing(entry.note) { (note) throws(SlipboxError) in
      let text = try Self.readable(note, note.text)
      return change(text, try Self.span(of: part, in: note, text)).keepingBody(of: text)
    }
    let shown = Phrase(part.typed)
    var plan = Plan(command: command, reason: reason, edits: [edit]) {
      "\(verb) \(shown): \(Plan.described($0))"
    }
    let text = try entry.note.text
    let span = try Self.span(of: part, in: entry.note, text)
    let changed = change(text, span).keepingBody(of: text)
    if command != "append" { try refuseTornLabels(span.whole, of: entry, deleting: changed) }
    plan.links.lost = try lostLinks(to: entry, becoming: changed, without: span.whole)
    return plan
  }

  /// Refuses a text that no note can hold.
  ///
  /// - Throws: `.badData` with the place of the first byte that is not UTF-8, or NUL.
  static func refuseUnreadable(_ text: [UInt8]) throws(SlipboxError) {
    guard let problem = NoteText(text).unreadable else { return }
    throw SlipboxError(
      .badData, "the new text: line \(problem.line), column \(problem.column): \(problem.message)",
      hints: ["nothing was written; notes must be UTF-8: iconv -f latin1 -t utf8 converts a file"])
  }

  /// A text that may be changed: what is no text is kept as it is.
  /// - Throws: `.badData` with the place of the first byte that is none.
  static func readable(_ note: Note, _ text: NoteText) throws(SlipboxError) -> NoteText {
    guard let problem = text.unreadable else { return text }
    throw SlipboxError(
      .badData, about: note.mention,
      "line \(problem.line), column \(problem.column): \(problem.message)",
      hints: ["nothing was changed; \(slip: "edit", .note(note)) opens the file"])
  }
}

extension Note {
  /// The note with an id where it had none of slip's form.
  fileprivate func givingID(_ id: NoteID?) throws(SlipboxError) -> Note {
    guard let id, self.id == nil else { return self }
    if foreignID != nil, field(named: "id") != nil {
      throw SlipboxError(
        .badData, "\(self.mention) has an id of another tool, which slip keeps",
        hints: ["name the note by it, or by its path"])
    }
    let text = try text
    do throws(EditError) {
      return Note(path: path, text: try text.setting("id", to: .text(id.description), order: fieldOrder))
    } catch {
      throw SlipboxError(error, note: self.mention, typed: .note(self))
    }
  }
}

extension Change {
  /// Refuses to write a field whose name is a term of queries: no query could match that field.
  /// - Throws: `.usage` with the command that takes such a term.
  package static func refuseQueryTerms(_ changes: [Change]) throws(SlipboxError) {
    for case .set(let field, let value) in changes {
      guard let hints = hints(forTerm: field.lowercased(), value) else { continue }
      throw SlipboxError(
        .usage, "\("\(field):\(value)") is a query term, not a change", hints: hints)
    }
  }

  private static func hints(forTerm name: String, _ value: String) -> [Phrase]? {
    let list: Phrase = "run: \(slip: "list", .value("\(name):\(value)"))"
    let shown = Phrase(typed: value)
    switch name {
    case "is": return ["actions change the state of a record: \(slip: "do", "ACTION", "REF")", list]
    case "has": return ["to set the field: \(typed: "\(value):VALUE")", list]
    case "sort": return ["run: \(slip: "list", "--sort", .value(shown))"]
    case "limit": return ["run: \(slip: "list", "-n", .value(shown))"]
    default: return nil
    }
  }
}

extension Change {
  /// Refuses a field that is given two values: one of them would be lost.
  ///
  /// - Throws: `.usage` with both values.
  package static func refuseRepeated(_ changes: [Change]) throws(SlipboxError) {
    var values: [String: String] = [:]
    for case .set(let field, let value) in changes {
      let known = values.updateValue(value, forKey: field.lowercased())
      guard let first = known, first != value else { continue }
      let name = Phrase(field)
      throw SlipboxError(
        .usage, "\(name) is given twice: \(first), and \(value)",
        hints: ["give it once; add elements to a list with field:+x"])
    }
  }
}

extension BoxSnapshot {
  /// Refuses to write a field that queries compute from the text, unless a kind declares one of that name.
  ///
  /// - Throws: `.usage` with the command that does what is meant.
  func refuseComputed(_ changes: [Change]) throws(SlipboxError) {
    for case .set(let field, let value) in changes
    where !schema().kinds.contains(where: { $0.field(field) != nil }) {
      let term = "\(field.lowercased()):\(value)"
      let list: Phrase = "run: \(slip: "list", .value(term))"
      let hints: [Phrase]
      switch field.lowercased() {
      case "links", "linked-by":
        hints = ["links are written in the text: \(slip: "append", "REF", "'[[TITLE]]'")", list]
      case "todo", "todo-due":
        hints = ["check boxes are lines of the text: \(slip: "append", "REF", "'- [ ] TEXT'")", list]
      default: continue
      }
      throw SlipboxError(.usage, "\(term) is a query term, not a change", hints: hints)
    }
  }
}
