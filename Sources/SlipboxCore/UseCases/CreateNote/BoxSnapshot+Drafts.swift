package import Notes

/// Kept texts on their way to a note.
extension BoxSnapshot {
  /// The text of the note that is to be made of a kept text, and its id: its own unless a note has that.
  ///
  /// - Throws: `.badData` where the id of a text has to be another one and its front-matter can't be rewritten.
  package func noteText(
    of kept: KeptText, _ ids: IDSource
  ) throws(SlipboxError) -> (text: NoteText, id: NoteID) {
    let text = NoteText(try box.readDraft(kept.file))
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
