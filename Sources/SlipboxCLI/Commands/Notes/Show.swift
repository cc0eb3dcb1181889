import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Show: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show notes with every field.",
    discussion: """
      A part of the title will do where only one note has it.

      In JSON each of the links has its target as it is written, its form (wiki, embed, markdown, image, reference), its \
      line, in front-matter its field, and what it came to: the id, path and title of a note; ambiguous, a list of notes; \
      the path of another file; a url; or dangling. The backlinks are the notes that link to this one.

      Examples:
        slip show kqzmvtrp
        slip show fermentation
        slip show @1 --raw
        slip show kqzmvtrp --json
      """)

  @Argument(help: ArgumentHelp("The notes.", valueName: "ref"))
  var references: [Word]

  @Flag(name: .option(.raw), help: "The file as it is.")
  var raw = false

  @Flag(name: .option(.json), help: "As JSON, with body, links and backlinks.")
  var json = false

  @OptionGroup var input: InputOptions

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let names = try session.expandingInput(references.texts, nulSeparated: input.nulSeparated)
    let entries = try snapshot.entries(names, fuzzy: true)
    // A text that can't be read is an error, not an empty note.
    for entry in entries { _ = entry.note.text }
    try snapshot.refuseUnreadTexts()
    if raw {
      for entry in entries { try session.console.print(verbatim: entry.note.text.bytes) }
    } else if json {
      try session.console.print(bytes: try NotePresenter(snapshot).json(of: entries))
    } else {
      try session.page(try NotePresenter(snapshot).views(of: entries, session.display))
      try session.console.flush()
    }
  }
}
