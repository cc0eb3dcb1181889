import Notes
import Platform
import SlipboxCore
import Text

/// Opens a new note in the editor before it has a file in the box.
struct DraftEditing {
  private let snapshot: BoxSnapshot
  private let session: Session
  private let hasForm: Bool

  /// - Parameter hasForm: whether the draft has its own form, that of a template, and needs no lines for its fields.
  init(_ snapshot: BoxSnapshot, _ session: Session, hasForm: Bool = false) {
    self.snapshot = snapshot
    self.session = session
    self.hasForm = hasForm
  }

  /// Returns the draft as the editor saved it, valid by its kind.
  ///
  /// - Throws: where the editor failed, and `.badData` where the result is not valid and nobody wants to edit it
  ///   again, each naming where the draft is kept; `EarlyExit` with 130 if nothing is left of it.
  func edited(_ text: NoteText, _ id: NoteID, kind: Kind) throws -> NoteText {
    _ = try Editor.command(session)
    let form = DraftForm(kind, for: text, today: session.context.clock.now.civilDate, asksTitleAlone: hasForm)
    // A draft that is gone on with has lines of the form already.
    let bare = NoteText(form.removed(from: text.bytes))
    let file = try snapshot.box.writeDraft(form.added(to: bare), name: id.description)
    let kept = "your draft is saved at \(Visible.escape(file)); continue with: slip new --draft \(id)"
    while true {
      do throws(SlipboxError) {
        _ = try Editor.open([file], session)
      } catch {
        throw SlipboxError(error.kind, error.message, hints: [kept] + error.hints)
      }
      let edited = NoteText(form.removed(from: try snapshot.box.readDraft(file)))
      let note = Note(path: [], text: edited)
      let isUntouched = hasForm && edited == bare && !note.hasOwnTitle
      if edited.bytes.isEmpty || (note.title == "Untitled" && isBlank(edited)) || isUntouched {
        snapshot.box.removeDraft(file)
        session.say("the text is empty, no note was created")
        throw EarlyExit(code: ExitCode.interrupted)
      }
      let faults = try faults(in: note, id)
      guard let first = faults.first else {
        snapshot.box.removeDraft(file)
        return edited
      }
      guard EditAgain.isWanted(faults, otherwise: kept, session) else {
        throw SlipboxError(.badData, "the new note: \(first)", hints: faults.dropFirst() + [kept])
      }
    }
  }

  /// Why a draft can't be a note.
  private func faults(in note: Note, _ id: NoteID) throws(SlipboxError) -> [String] {
    let unreadable = note.frontMatter.problems.map {
      "line \($0.line), column \($0.column): \(Visible.escape($0.message))"
    }
    if !unreadable.isEmpty { return unreadable }
    if note.text.hasLateFrontMatter { return [NoteText.lateFrontMatterWords] }
    if note.id != id { return ["its id must stay \(id)"] }
    return try snapshot.recordProblems(in: note)
  }

  private func isBlank(_ text: NoteText) -> Bool {
    text.bytes[text.body].allSatisfy { $0 <= 0x20 }
  }
}
