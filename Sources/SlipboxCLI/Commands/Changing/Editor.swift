import Bytes
import NoteIndex
import Notes
import Platform
import SlipboxCore
import Text

/// The user's own editor on the user's terminal.
enum Editor {
  /// Opens files and waits until the editor ends.
  ///
  /// The shell runs the command, so that it may contain options. The paths are passed as arguments and never
  /// become part of it.
  /// - Parameter line: the line at which the first file is opened, by the option of the editor; others begin at the top.
  /// - Returns: the time that it ran, in milliseconds.
  /// - Throws: `.configuration` if there is no editor, `.inputOutput` if it failed; saved files stay.
  static func open(_ paths: [[UInt8]], line: Int? = nil, _ session: Session) throws(SlipboxError) -> Int64 {
    let command = try command(session)
    let targets = targets(paths, line, of: command)
    let arguments = ["sh", "-c", command + " \"$@\"", command].map { Array($0.utf8) } + targets
    let start = Waiting.now()
    let exit: ChildProcess.Exit
    do throws(SystemError) {
      exit = try ChildProcess.run(
        arguments, environment: nil, in: nil, input: session.console.inputIsTerminal ? .inherit : .terminal)
    } catch {
      throw SlipboxError(error)
    }
    switch exit {
    case .code(0): return Waiting.now() - start
    case .code(126), .code(127):
      throw SlipboxError(
        .configuration, "the editor \(Visible.escape(command)) can't be run",
        hints: ["set $VISUAL or $EDITOR, or: slip config --user editor COMMAND"])
    case .code(let code):
      throw SlipboxError(.inputOutput, "the editor \(Visible.escape(command)) exited with code \(code)")
    case .signal(let number):
      throw SlipboxError(.inputOutput, "the editor \(Visible.escape(command)) was killed by signal \(number)")
    }
  }

  /// Editors that take the line before the file, as `+12`.
  private static let plusEditors: Set<String> = [
    "ex", "vi", "vim", "nvim", "gvim", "view", "nano", "pico", "emacs", "emacsclient", "kak", "micro", "joe",
    "jed", "mg",
    "ne", "zile", "mcedit",
  ]

  /// Editors that take the line behind the file, as `FILE:12`, with the options before it.
  private static let colonEditors: [String: [String]] = [
    "hx": [], "helix": [], "subl": [], "zed": [], "code": ["-g"], "codium": ["-g"], "code-insiders": ["-g"],
  ]

  /// The arguments for an editor: the files, the first one at a line if the editor is known to take one.
  static func targets(_ paths: [[UInt8]], _ line: Int?, of command: String) -> [[UInt8]] {
    guard let line, line > 1, let path = paths.first,
      let program = command.split(separator: " ").first?.split(separator: "/").last.map(String.init)
    else { return paths }
    if plusEditors.contains(program) { return [Array("+\(line)".utf8)] + paths }
    guard let options = colonEditors[program] else { return paths }
    return options.map { Array($0.utf8) } + [path + Array(":\(line)".utf8)] + paths.dropFirst()
  }

  /// The command that starts the editor.
  /// - Throws: `.usage` if none is set and there is no terminal for the usual one.
  static func command(_ session: Session) throws(SlipboxError) -> String {
    let variables = ["SLIP_EDITOR", "VISUAL", "EDITOR"]
    let configured = Settings.user(session.context)["editor"]
    if let own = configured ?? variables.lazy.compactMap({ environment($0) }).first(where: { !$0.isEmpty }) {
      return own
    }
    guard Terminal.isControlled else {
      throw SlipboxError(
        .usage, "there is no terminal to edit on, and no editor is set",
        hints: ["set $VISUAL or $EDITOR, or change the note with slip set and slip append"])
    }
    return "vi"
  }
}

/// The question after an editor saved an invalid text.
enum EditAgain {
  /// Shows the problems and asks whether to open the editor again; false without a terminal for the question.
  ///
  /// - Parameter otherwise: the consequence of a no, printed before the question, since Ctrl-C may answer it.
  static func isWanted(_ faults: [Phrase], otherwise: Phrase, _ session: Session) -> Bool {
    guard Terminal.isControlled else { return false }
    for fault in faults { session.console.complain("  \(fault)") }
    session.console.complain("  \(otherwise)")
    guard let answer = Terminal.ask("Edit again? [Y/n] ") else { return false }
    return ["", "y", "yes"].contains(answer.lowercased())
  }
}

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

  /// Opens notes in the editor and commits the saved files as they are.
  ///
  /// - Parameter line: the line at which the first note is opened; nil for its top.
  /// - Throws: if the editor failed, and as `Changes.report`; saved files stay.
  func edit(_ entries: [Entry], line: Int? = nil, reason: String?) throws {
    let editing = EditNotes(snapshot, session.writer(after: snapshot))
    let sessions = try editing.begin(entries)
    var duration: Int64 = 0
    do throws(SlipboxError) {
      repeat {
        duration = try Editor.open(
          entries.map { snapshot.box.absolutePath($0.note.path) }, line: line, session)
      } while try isAskedAgain(editing.problems(of: sessions))
    } catch {
      guard try editing.hasEdits(sessions) else { throw error }
      let names = entries.map { Phrase($0.note.shellName) }.joined(separator: " ")
      throw SlipboxError(
        error.kind, error.message,
        hints: [Self.notCommitted, "\(slip: "commit", .value(names)) commits it"] + error.hints)
    }
    let isTakenBack = try askAboutEmptied(sessions, editing)
    if snapshot.box.operationUnderWay != nil, try !editing.hasEdits(sessions) {
      // Git's own changes of the file are not the user's.
      return session.say("nothing changed")
    }
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
      let hint: Phrase =
        "; if the editor returned before you saved, use its wait option, such as: EDITOR='code --wait'"
      session.say("nothing changed" + (isSuspicious ? hint : ""))
      return
    }
    let changed = Set(result.recorded.changes.map(\.path))
    let notes = entries.map(\.note).filter { changed.contains($0.path) }
    try Changes.report(result.recorded, naming: notes, session)
  }

  private static let notCommitted: Phrase = "the edited text is in the file, not committed"

  /// Refuses if a flag of git's index hides the saved changes.
  private func refuseHidden(_ entries: [Entry]) throws {
    let paths = Set(entries.map(\.note.path))
    let all = try OutsideChanges(in: session.openBox()).hidden()
    guard let hidden = all.first(where: { paths.contains($0.path) }) else {
      return
    }
    throw SlipboxError(
      .configuration, "\(hidden.path) is hidden from git (\(hidden.flag))",
      hints: [
        Self.notCommitted, "unhide it with: git update-index --no-\(hidden.flag) \(typed: hidden.path)",
      ])
  }

  /// Whether the user wants to open the editor again because of problems.
  private func isAskedAgain(_ problems: [Phrase]) -> Bool {
    !problems.isEmpty
      && EditAgain.isWanted(problems, otherwise: "n commits the text as it is", session)
  }

  /// Restores the text of notes whose file is empty or gone, unless the user confirms that this is meant.
  /// - Returns: whether a text came back.
  private func askAboutEmptied(
    _ sessions: [EditSession], _ editing: EditNotes
  ) throws -> Bool {
    var isTakenBack = false
    for (emptied, isGone) in try editing.emptied(sessions) {
      let name = emptied.entry.note.mention
      let question =
        isGone ? "\(name): its file was deleted. Delete the note?" : "\(name) is empty now. Commit that?"
      if session.console.agrees(to: question) == true { continue }
      try editing.takeBack(emptied)
      isTakenBack = true
      session.say(
        "\(name): the editor left \(isGone ? "no file" : "it empty"); its earlier text was restored")
    }
    return isTakenBack
  }
}
