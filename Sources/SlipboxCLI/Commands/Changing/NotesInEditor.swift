import Bytes
import NoteIndex
import Notes
import Platform
import SlipboxCore
import Text

/// Notes of the box in the user's editor, their own files.
struct NotesInEditor {
  private let snapshot: BoxSnapshot
  private let session: Session

  /// An editor that is back sooner than this, with nothing changed, may have left the file to another window.
  private static let suspiciousMilliseconds: Int64 = 1_000

  init(_ snapshot: BoxSnapshot, _ session: Session) {
    self.snapshot = snapshot
    self.session = session
  }

  /// Opens notes and commits what was saved, as it is.
  ///
  /// - Parameter line: where the first note is opened; nil: at its top.
  /// - Throws: where the editor failed, and as `Changes.report`; the files keep what it saved.
  func edit(_ entries: [Entry], line: Int? = nil, reason: String?) throws {
    let editing = NoteEditing(snapshot, session.writer(after: snapshot))
    let sessions = try editing.begin(entries)
    var duration: Int64 = 0
    do throws(SlipboxError) {
      repeat {
        duration = try Editor.open(
          entries.map { snapshot.box.absolutePath($0.note.path) }, line: line, session)
      } while try isAskedAgain(editing.problems(of: sessions))
    } catch {
      guard try editing.hasEdits(sessions) else { throw error }
      let names = entries.map { $0.note.shellName }.joined(separator: " ")
      throw SlipboxError(
        error.kind, error.message,
        hints: [Self.notCommitted, "slip commit \(names) commits it"] + error.hints)
    }
    let isTakenBack = try askAboutEmptied(sessions, editing)
    if entries.count == 1, try editing.hasEdits(sessions) { try refuseHidden(entries) }
    let result: EditResult
    do throws(SlipboxError) {
      result = try editing.finish(sessions, reason: reason)
    } catch {
      guard try editing.hasEdits(sessions) else { throw error }
      throw SlipboxError(error.kind, error.message, hints: [Self.notCommitted] + error.hints)
    }
    for warning in result.warnings { session.say(warning) }
    if case .unchanged = result.recorded.outcome {
      if isTakenBack { return }
      try refuseHidden(entries)
      let isSuspicious = duration < Self.suspiciousMilliseconds
      let hint =
        "; if the editor returned before you saved, use its wait option, such as: EDITOR='code --wait'"
      session.say("nothing changed" + (isSuspicious ? hint : ""))
      return
    }
    let changed = Set(result.recorded.changes.map(\.path))
    let notes = entries.map(\.note).filter { changed.contains($0.path) }
    try Changes.report(result.recorded, naming: notes, session)
  }

  private static let notCommitted = "the edited text is in the file, not committed"

  /// Refuses if a flag of git's index hides what the editor saved.
  private func refuseHidden(_ entries: [Entry]) throws {
    let paths = Set(entries.map(\.note.path))
    guard let hidden = try session.openBox().hiddenChanges().first(where: { paths.contains($0.path) }) else {
      return
    }
    let (shown, name) = (Visible.escape(hidden.path), Visible.escape(ShellWord.quoted(hidden.path)))
    throw SlipboxError(
      .configuration, "\(shown) is hidden from git (\(hidden.flag))",
      hints: [Self.notCommitted, "unhide it with: git update-index --no-\(hidden.flag) \(name)"])
  }

  /// Whether the editor is to be opened again for what it saved.
  private func isAskedAgain(_ problems: [String]) -> Bool {
    !problems.isEmpty
      && EditAgain.isWanted(problems, otherwise: "n commits the text as it is", session)
  }

  /// Restores the text of notes whose file is empty or gone, unless the user confirms that this is meant.
  /// - Returns: whether a text came back.
  private func askAboutEmptied(
    _ sessions: [EditSession], _ editing: NoteEditing
  ) throws -> Bool {
    var isTakenBack = false
    for (emptied, isGone) in try editing.emptied(sessions) {
      let name = emptied.entry.note.mention
      let question =
        isGone ? "\(name): its file was deleted. Delete the note?" : "\(name) is empty now. Commit that?"
      if ["y", "yes"].contains(session.console.ask("\(question) [y/N] ")?.lowercased()) { continue }
      try editing.takeBack(emptied)
      isTakenBack = true
      session.say(
        "\(name): the editor left \(isGone ? "no file" : "it empty"); its earlier text was restored")
    }
    return isTakenBack
  }
}
