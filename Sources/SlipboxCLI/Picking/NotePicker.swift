import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

/// Lets the user choose notes on the terminal, where a command needs some and none was named.
///
/// The notes are shown by the program of the setting `picker`, else by `fzf`, with each note beside the list; where there
/// is no such program, as a list with numbers. The newest stand first.
struct NotePicker {
  let snapshot: BoxSnapshot
  let session: Session
  /// Whether a note is shown beside the list, by `slip show`.
  let hasPreview: Bool

  init(_ snapshot: BoxSnapshot, _ session: Session, hasPreview: Bool = true) {
    self.snapshot = snapshot
    self.session = session
    self.hasPreview = hasPreview
  }

  /// The notes that the user chose, named on standard error.
  ///
  /// - Parameters:
  ///   - isOne: whether exactly one is wanted.
  ///   - nothing: what is said where there is nothing to choose.
  ///   - refusal: the error where there is no terminal.
  ///   - isOffered: whether a note is one to choose.
  /// - Throws: `EarlyExit` with 130 where the user chose none, as where Ctrl-C ends a command.
  func entries(
    isOne: Bool = false, refusal: SlipboxError, nothing: String = "this box has no notes",
    where isOffered: (Entry) -> Bool = { _ in true }
  ) throws -> [Entry] {
    guard Terminal.isControlled else { throw refusal }
    let entries = try snapshot.matches(try snapshot.query([])).map(\.entry).filter(isOffered)
    guard !entries.isEmpty else { throw SlipboxError(.notFound, nothing, hints: refusal.hints) }
    let lines = try OfferedNote.lines(entries, snapshot)
    let program = PickerProgram(session, previewing: hasPreview ? snapshot.box.root : nil)
    let places =
      try program.places(among: lines, isOne: isOne) ?? NumberedList(lines, isOne: isOne, session).places()
    guard !places.isEmpty else {
      session.say("no note was selected")
      throw EarlyExit(code: ExitCode.interrupted)
    }
    for place in places { session.say(lines[place].echo) }
    return places.map { entries[$0] }
  }

  /// The refusal of a command without a note.
  static func refusal(of command: String) -> SlipboxError {
    SlipboxError(.usage, "which note?", hints: ["slip \(command) REF; a REF is an id, a path or a title"])
  }
}

extension [Entry] {
  /// The notes as they are named in a command: by their ids, else by their paths.
  var references: [String] { map { $0.note.id?.description ?? ByteText.text(of: $0.note.path) } }
}
