import ArgumentParser
import NoteIndex
import Notes
import Platform
import SlipboxCore
import Text

struct Edit: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Open notes in your editor and commit what you save.",
    discussion: """
      The editor is the one of slip config --user editor, else $VISUAL, else $EDITOR. It opens the note's own file. \
      What another program committed meanwhile is merged in. Where the result is not valid slip asks on the terminal \
      whether to edit it again; what was saved is committed as it is, with a warning.

      Examples:
        slip edit kqzmvtrp
        slip edit fermentation
      """)

  @Argument(help: ArgumentHelp("The notes.", valueName: "ref"))
  var references: [Word] = []

  @OptionGroup var selection: SelectionOptions

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  /// An editor that is back sooner than this, with nothing changed, may have left the file to another window.
  private static let suspiciousMilliseconds: Int64 = 1_000

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let entries = try selection.entries(references.texts, in: snapshot, session, fuzzy: true).entries
    if entries.isEmpty, !selection.where.isEmpty {
      throw SlipboxError(.notFound, "no note fits the query")
    }
    let editing = NoteEditing(snapshot, session.writer(after: snapshot))
    let sessions = try editing.begin(entries)
    var duration: Int64 = 0
    do throws(SlipboxError) {
      repeat {
        duration = try Editor.open(entries.map { snapshot.box.absolutePath($0.note.path) }, session)
      } while try isAskedAgain(editing.problems(of: sessions), session)
    } catch {
      guard try editing.hasEdits(sessions) else { throw error }
      let names = entries.map { $0.note.shellName }.joined(separator: " ")
      throw SlipboxError(
        error.kind, error.message,
        hints: ["what it saved is in the file, not committed", "slip commit \(names) commits it"]
          + error.hints)
    }
    let isTakenBack = try askAboutEmptied(sessions, editing, session)
    let result = try editing.finish(sessions, reason: reason.text)
    for warning in result.warnings { session.say(warning) }
    if case .unchanged = result.recorded.outcome {
      if isTakenBack { return }
      let isSuspicious = duration < Self.suspiciousMilliseconds
      let hint =
        "; did the editor return before you saved? Give it its option to wait, such as: EDITOR='code --wait'"
      session.say("nothing changed" + (isSuspicious ? hint : ""))
      return
    }
    let changed = Set(result.recorded.changes.map(\.path))
    let notes = entries.map(\.note).filter { changed.contains($0.path) }
    try Changes.report(result.recorded, naming: notes, session)
  }

  /// Whether the editor is to be opened again for what it saved.
  private func isAskedAgain(_ problems: [String], _ session: Session) -> Bool {
    !problems.isEmpty
      && EditAgain.isWanted(problems, otherwise: "without that it is committed as it is", session)
  }

  /// Restores the text of notes whose file is empty or gone, unless the user confirms that this is meant.
  /// - Returns: whether a text came back.
  private func askAboutEmptied(
    _ sessions: [EditSession], _ editing: NoteEditing, _ session: Session
  ) throws -> Bool {
    var isTakenBack = false
    for (emptied, isGone) in try editing.emptied(sessions) {
      let name = emptied.entry.note.shownName
      let question =
        isGone ? "\(name): its file is gone. Delete the note?" : "\(name) is empty now. Commit that?"
      if ["y", "yes"].contains(session.console.ask("\(question) [y/N] ")?.lowercased()) { continue }
      try editing.takeBack(emptied)
      isTakenBack = true
      session.say(
        "\(name): the editor left \(isGone ? "no file" : "it empty"), so its text is as it was before")
    }
    return isTakenBack
  }
}
