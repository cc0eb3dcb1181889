import Notes
import Presentation
import SlipboxCore
import Text

/// Text that is added to a daily note or to the inbox.
struct StandingNoteAddition {
  private let standing: StandingNote
  /// A hint how a kept text is added.
  private let again: (_ file: Phrase) -> Phrase

  init(_ standing: StandingNote, again: @escaping (_ file: Phrase) -> Phrase) {
    self.standing = standing
    self.again = again
  }

  /// Adds lines in one commit and creates the note if it does not exist. Without lines it adds nothing and says so.
  ///
  /// - Returns: the note as it was before, or as it is created; nil if nothing was added.
  /// - Throws: as `BoxWriter.record` and `Changes.report`; the text is kept if it could not be added.
  func add(
    _ lines: [UInt8], dryRun: Bool, reason: String?, _ snapshot: BoxSnapshot, _ session: Session
  ) throws -> Note? {
    guard !lines.isEmpty else {
      session.say("nothing to add")
      return nil
    }
    let adding: (note: Note, plan: Plan)
    let recorded: CommitResult
    if dryRun {
      try Changes.printPatch(
        try StandingNotes(in: snapshot).plan(adding: lines, to: standing).plan, snapshot, session)
      return nil
    }
    do throws(SlipboxError) {
      adding = try StandingNotes(in: snapshot).plan(adding: lines, to: standing, reason: reason)
      recorded = try session.writer(after: snapshot).record(adding.plan)
    } catch {
      throw snapshot.box.keeping(
        lines, name: standing.title, in: snapshot.box.folderBehindFilter(of: standing.path),
        at: snapshot.clock.now, error, again: again)
    }
    try Changes.report(recorded, naming: [adding.note], session)
    return adding.note
  }

  /// Prints a note of the box as JSON.
  static func printJSON(of note: Note, _ schema: JSONSchema, _ session: Session) throws {
    let after = try session.openBox()
    if let json = try NotePresenter(after, json: schema).json(of: note) {
      try session.console.print(bytes: json)
    }
  }
}
