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
      Uses the editor of slip config --user editor, else $VISUAL, else $EDITOR. The editor opens the file of \
      the note. If another program commits a change during editing, both changes are merged. If the result \
      is invalid, slip offers to edit it again; otherwise the text is committed with a warning. REF#HEADING, \
      REF#^block and REF:LINE open the file at that line if the editor supports it.

      Examples:
        slip edit kqzmvtrp
        slip edit "Fermentation basics#Sources"
        slip edit fermentation
      """)

  @Argument(help: ArgumentHelp("The notes.", valueName: "ref"))
  var references: [Word] = []

  @OptionGroup var selection: SelectionOptions

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    if let (entry, part) = try part(in: snapshot) {
      let text = try entry.note.text
      let span = try part.span(in: entry.note, text)
      let line = text.position(of: span.whole.lowerBound).line
      return try NotesInEditor(snapshot, session).edit([entry], line: line, reason: reason.text)
    }
    let entries = try selection.entries(
      references.texts, of: SpokenCommand("edit"), in: snapshot, session, fuzzy: true
    ).entries
    if entries.isEmpty, !selection.where.isEmpty {
      throw SlipboxError(.notFound, "no note matches the query")
    }
    try NotesInEditor(snapshot, session).edit(entries, reason: reason.text)
  }

  /// The part of a note that the only REF names; nil for whole notes.
  private func part(in snapshot: BoxSnapshot) throws -> (Entry, NotePart)? {
    guard references.count == 1, selection.where.isEmpty else { return nil }
    return try NoteLookup(in: snapshot).part(references[0].text, fuzzy: true)
  }
}
