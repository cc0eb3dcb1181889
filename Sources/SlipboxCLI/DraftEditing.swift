import Notes
import Platform
import SlipboxCore
import Text

/// A new note in the editor, before it has a file of its own.
struct DraftEditing {
  private let box: Slipbox
  private let session: Session

  init(_ box: Slipbox, _ session: Session) {
    self.box = box
    self.session = session
  }

  /// What the editor makes of a draft.
  /// - Throws: where the editor failed, naming where the draft is kept; `Silent` where nothing is left of it.
  func edited(_ text: NoteText, _ id: NoteID) throws -> NoteText {
    let file = try box.writeDraft(text.bytes, name: id.description)
    let shown = Visible.escape(file)
    do throws(SlipboxError) {
      _ = try Editor.open([file], session)
    } catch {
      throw SlipboxError(error.kind, error.message, hints: ["your draft is kept at \(shown)"] + error.hints)
    }
    let edited = NoteText(try box.readDraft(file))
    let note = Note(path: [], text: edited)
    if edited.bytes.isEmpty || (note.title == "Untitled" && isBlank(edited)) {
      box.removeDraft(file)
      session.say("nothing was written, so no note was made")
      throw Silent(code: 0)
    }
    guard note.id == id else {
      throw SlipboxError(
        .badData, "the draft's id has to stay \(id)", hints: ["your draft is kept at \(shown)"])
    }
    box.removeDraft(file)
    return edited
  }

  private func isBlank(_ text: NoteText) -> Bool {
    text.bytes[text.body].allSatisfy { $0 <= 0x20 }
  }
}
