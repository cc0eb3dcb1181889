import Bytes
package import NoteIndex
package import Notes
import Text

/// Applies changes to notes.
package struct ChangeNotes {
  private let snapshot: BoxSnapshot

  package init(in snapshot: BoxSnapshot) { self.snapshot = snapshot }

  /// The plan that applies CHANGEs, and a new body if there is one, to notes; links to a note that gets another title
  /// are rewritten.
  package func plan(
    _ entries: [Entry], _ changes: [Change], body: [UInt8]? = nil, droppingInlineTags: Bool = false,
    givingIDs ids: IDSource? = nil, allowingNewFields: Bool = false, reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    try KindFiles(in: snapshot).refuseFaults(of: entries)
    if let body { try NoteText.refuseUnreadable(body) }
    let editing = ChangeRecords(
      of: entries, dropsInlineTags: droppingInlineTags, allowsNewFields: allowingNewFields, in: snapshot)
    try warnOfNearDuplicates(changes)
    try refuseComputed(changes)
    let next = NextRecords(snapshot)
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
      let change = { (note: Note) throws(SlipboxError) -> NoteText in
        let changed = try editing.changed(try note.givingID(id), by: changes, kind: entry.kind)
        succeeding?.note(changed.next)
        guard let body else { return changed.text }
        let text = try changed.text.readable(as: note)
        let replaced = text.replacingBody(body.contains(0x0D) ? body : text.withOwnLineEnds(body))
        // The new text settles a conflict of the old one.
        return (try? replaced.droppingSettledBody()) ?? replaced
      }
      let headings = changesHeadings ? NoteRename.inPlace(entry.note.path) : nil
      renames.append(NoteRename(entry, headings: headings, change: change))
      if let succeeding { following.append(succeeding.edit) }
    }
    let subject = ChangeSubject(try spoken(changes), hasBody: body != nil, except: next.paths)
    let inPlace = ids == nil ? InPlaceWords(changes, hasBody: body != nil).sentence(on: entries) : nil
    if Self.areRetitling(changes) || changesHeadings {
      return try RenameNotes(in: snapshot).plan(renames, command: "set", reason: reason, inPlace: inPlace) {
        subject.text($0)
      }
      .adding(following) { next.outcomes }
    }
    let edits = renames.map { FileEdit.changing($0.entry.note, $0.change) }
    var plan = Plan(command: "set", reason: reason, edits: edits, inPlace: inPlace) { subject.text($0) }
    if body != nil {
      for rename in renames {
        let note = rename.entry.note
        plan.links.lost += try LostLinks(in: snapshot).links(
          to: rename.entry, becoming: try rename.change(note), without: note.text.body)
      }
    }
    return plan.adding(following) { next.outcomes }
  }

  private static func areRetitling(_ changes: [Change]) -> Bool {
    changes.contains { if case .set(let field, _) = $0 { field.isSameName(as: "title") } else { false } }
  }

  /// The changes with titles in the place of ids of records, as a person would put them.
  func spoken(_ changes: [Change]) throws(SlipboxError) -> [Change] {
    let title = { (value: String) throws(SlipboxError) -> String in
      // The history is readable, and the title of an encrypted note is not.
      guard let id = NoteID(value), let entry = try snapshot.catalogue().entry(id: id),
        snapshot.box.folderBehindFilter(of: entry.note.path) == nil
      else { return value }
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

  /// Warns if a tag that is new to the box resembles an existing one, is spelled in another way, or reads as two.
  func warnOfNearDuplicates(_ changes: [Change]) throws(SlipboxError) {
    for case .addTag(let tag) in changes {
      let parts = tag.split(separator: "+")
      if parts.count > 1, !tag.hasSuffix("+"), snapshot.keptCatalogue()?.mayKnow(tag: tag) != true {
        let several = parts.map { "+\($0)" }.joined(separator: " ")
        snapshot.reporter.warnOnce("\(tag) is one tag; for several write \(several)")
        continue
      }
      if let known = try BoxTags(of: snapshot).otherSpelling(of: tag) {
        snapshot.reporter.warnOnce("\(tag) is the tag that other notes spell \(known)")
        continue
      }
      guard let near = try BoxTags(of: snapshot).nearDuplicate(of: tag) else { continue }
      snapshot.reporter.warnOnce("\(tag) is a new tag; did you mean \(near)?")
    }
  }

  /// Refuses to write a field that queries compute from the text, unless a kind declares one of that name.
  ///
  /// - Throws: `.usage` with the command that has the intended effect.
  func refuseComputed(_ changes: [Change]) throws(SlipboxError) {
    for case .set(let field, let value) in changes
    where !snapshot.schema().kinds.contains(where: { $0.field(field) != nil }) {
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

extension Note {
  /// The note with an id if it had none of slip's form.
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
