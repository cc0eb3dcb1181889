package import NoteIndex
package import Notes
import Text

extension Slipbox {
  /// The plan that applies CHANGEs, and a new body where there is one, to notes.
  package func changing(
    _ entries: [Entry], _ changes: [Change], body: [UInt8]? = nil, droppingInlineTags: Bool = false,
    givingIDs: Bool = false, reason: String? = nil
  ) throws(SlipboxError) -> Plan {
    let editor = try recordEditor(dropsInlineTags: droppingInlineTags)
    try warnOfNearDuplicates(changes)
    let edits = entries.map { entry in
      let id = givingIDs && entry.note.id == nil ? surroundings.newID() : nil
      return FileEdit.changing(entry.note) { [self] (note) throws(SlipboxError) in
        var text = try applying(changes, to: try note.givingID(id), kind: entry.kind, editor)
        if let body { text = try Self.readable(note, text).replacingBody(body) }
        return text
      }
    }
    let what = Self.summary(changes, hasBody: body != nil)
    return Plan(command: "set", reason: reason, edits: edits) { "\(what): \(Plan.described($0))" }
  }

  /// Says where a tag that is new to the box almost equals one that is not.
  func warnOfNearDuplicates(_ changes: [Change]) throws(SlipboxError) {
    for case .addTag(let tag) in changes {
      guard let near = try nearDuplicate(of: tag) else { continue }
      warnOnce("\(Visible.escape(tag)) is a new tag; did you mean \(Visible.escape(near))?")
    }
  }

  /// The plan that adds text to the end of a note.
  package func appending(_ addition: [UInt8], to entry: Entry, reason: String? = nil) -> Plan {
    let edit = FileEdit.changing(entry.note) { (note) throws(SlipboxError) in
      try Self.readable(note, note.text).appending(addition)
    }
    return Plan(command: "append", reason: reason, edits: [edit], savesAlways: true) {
      "Append to: \(Plan.described($0))"
    }
  }

  /// A text that may be changed: what is no text is kept as it is.
  /// - Throws: `.badData` with the place of the first byte that is none.
  private static func readable(_ note: Note, _ text: NoteText) throws(SlipboxError) -> NoteText {
    guard let problem = text.unreadable else { return text }
    throw SlipboxError(
      .badData, "\(name(of: note)): line \(problem.line), column \(problem.column): \(problem.message)",
      hints: ["nothing was changed; slip edit \(name(of: note)) opens the file"])
  }

  /// What a set of changes does, for the subject of its commit.
  private static func summary(_ changes: [Change], hasBody: Bool) -> String {
    var parts = changes.map { change in
      switch change {
      case .set(let field, let value): "\(field) \(value)"
      case .clear(let field): "no \(field)"
      case .addTag(let tag): "+\(tag)"
      case .removeTag(let tag): "-\(tag)"
      case .add(let element, let field): "\(field) +\(element)"
      case .remove(let element, let field): "\(field) -\(element)"
      }
    }
    if hasBody { parts.append("body") }
    let text = parts.joined(separator: ", ")
    return text.isEmpty ? "Give an id" : "Set \(CellWidth.truncate(text, to: 50))"
  }
}

extension Note {
  /// The note with an id where it had none of slip's form.
  fileprivate func givingID(_ id: NoteID?) throws(SlipboxError) -> Note {
    guard let id, self.id == nil else { return self }
    if foreignID != nil, frontMatter["id"] != nil {
      throw SlipboxError(
        .badData, "\(Slipbox.name(of: self)) has an id of another tool, which stays",
        hints: ["name the note by it, or by its path"])
    }
    do throws(EditError) {
      return Note(path: path, text: try text.setting("id", to: .text(id.description), order: fieldOrder))
    } catch {
      throw SlipboxError(error, note: Slipbox.name(of: self))
    }
  }
}
