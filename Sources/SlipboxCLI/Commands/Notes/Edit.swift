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

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let entries = try selection.entries(references.texts, in: snapshot, session, fuzzy: true).entries
    if entries.isEmpty, !selection.where.isEmpty {
      throw SlipboxError(.notFound, "no note fits the query")
    }
    try NotesInEditor(snapshot, session).edit(entries, reason: reason.text)
  }
}
