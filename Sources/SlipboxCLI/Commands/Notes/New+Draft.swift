import Notes
import SlipboxCore

/// Going on with a draft that was kept.
extension New {
  /// Opens a kept text in the editor and makes a note of it; a text of which nothing is left is thrown away.
  func goOn(with name: String, _ session: Session) throws {
    guard words.isEmpty, body == nil, template == nil, !noTemplate, source == nil, !dryRun else {
      throw SlipboxError(
        .usage, "--draft can't be combined with a title or changes",
        hints: ["change them in the editor"])
    }
    let snapshot = try session.openBox()
    let kept = try snapshot.box.keptText(named: name)
    let (text, id) = try snapshot.noteText(of: kept, session.context.ids)
    let kind = snapshot.schema().kindOrPlain(named: Note(path: [], text: text).kind)
    let edited: NoteText
    do {
      edited = try DraftEditing(snapshot, session).edited(text, id, kind: kind)
    } catch let exit as EarlyExit {
      snapshot.box.removeDraft(kept.file)
      throw exit
    }
    try save(edited, id, snapshot, session)
    snapshot.box.removeDraft(kept.file)
  }
}
