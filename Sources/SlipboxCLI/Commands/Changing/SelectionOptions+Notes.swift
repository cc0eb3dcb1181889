import NoteIndex
import SlipboxCore
import Text

/// The notes of a command, by REFs or by a query.
extension SelectionOptions {
  /// The notes meant, and whether they were named one by one.
  func entries(
    _ references: [String], in snapshot: BoxSnapshot, _ session: Session, fuzzy: Bool = false
  ) throws -> (entries: [Entry], areNamed: Bool) {
    if !`where`.isEmpty {
      guard references.isEmpty else {
        throw SlipboxError(
          .usage, "REFs or --where, not both", hints: ["leave out \(Visible.escape(references[0]))"])
      }
      guard `where`.contains(where: { $0.text.contains { !$0.isWhitespace } }) else {
        throw SlipboxError(
          .usage, "--where is empty, which would mean every note", hints: ["write --where @all to mean that"])
      }
      let query = try snapshot.query(`where`.texts)
      return (try snapshot.matches(query).map(\.entry), false)
    }
    if references.isEmpty {
      throw SlipboxError(.usage, "which note?", hints: ["name it by id, path or title, or use --where QUERY"])
    }
    let names = try session.expandingInput(references, nulSeparated: input.nulSeparated)
    return (try snapshot.entries(names, fuzzy: fuzzy), !references.contains("-"))
  }
}
