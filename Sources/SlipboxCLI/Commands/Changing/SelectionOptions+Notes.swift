import NoteIndex
import Presentation
import SlipboxCore
import Text

/// The notes of a command, by REFs or by a query.
extension SelectionOptions {
  /// The notes meant, and whether they were named one by one. Where none is named the user chooses on the terminal.
  ///
  /// - Parameter first: which candidates are named first where a REF does not name one note, and which are offered.
  func entries(
    _ references: [String], in snapshot: BoxSnapshot, _ session: Session, fuzzy: Bool = false,
    first: (Entry) -> Bool = { _ in true }, isStrict: Bool = false
  ) throws -> (entries: [Entry], areNamed: Bool) {
    if !`where`.isEmpty {
      guard references.isEmpty else {
        throw SlipboxError(
          .usage, "REFs and --where can't be combined", hints: ["leave out \(Visible.escape(references[0]))"])
      }
      guard `where`.contains(where: { $0.text.contains { !$0.isWhitespace } }) else {
        throw SlipboxError(
          .usage, "--where is empty", hints: ["to select all notes: --where @all"])
      }
      let query = try snapshot.query(`where`.texts)
      let found = try snapshot.matches(query).map(\.entry)
      // What is most likely no name is said as slip list says it.
      let hints = QueryHints(query, in: snapshot)
      session.say(found.isEmpty ? hints.unfit() : hints.unknownNames())
      return (found, false)
    }
    if references.isEmpty {
      let refusal = SlipboxError(
        .usage, "which note?", hints: ["give an id, a path or a title, or use --where QUERY"])
      return (try NotePicker(snapshot, session).entries(refusal: refusal, where: first), true)
    }
    let names = try session.expandingInput(references, nulSeparated: input.nulSeparated)
    let entries = try snapshot.entries(names, fuzzy: fuzzy, first: first, isStrict: isStrict)
    return (entries, !references.contains("-"))
  }
}
