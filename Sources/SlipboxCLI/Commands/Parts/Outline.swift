import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Outline: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "outline", abstract: "Print the headings of a note.",
    discussion: """
      Each heading has its line, the number of words below it without those below its own subheadings, and \
      its check boxes, as ticked/all.

      In a pipe, each row has six columns, separated by tabs: the line, the level from 1 to 6, the text, the \
      words, the open boxes and the ticked boxes. Exit code: 0 if there are headings, 1 if there are none.

      Examples:
        slip outline kqzmvtrp
        slip outline "Fermentation basics" --json
      """)

  @Argument(help: ArgumentHelp("The note.", valueName: "ref"))
  var reference: Word

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @OptionGroup var past: PastOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox(past)
    let entry = try NoteLookup(in: snapshot).entry(try session.reference(reference), fuzzy: true)
    let rows = OutlineRows(try entry.note.text)
    if json { return try session.console.print(bytes: rows.json()) }
    let lines = session.display.isTerminal ? rows.table(session.display) : rows.rows()
    try session.page(lines)
    guard lines.isEmpty else { return }
    session.say("\(entry.note.mention) has no headings")
    throw EarlyExit(code: ExitCode.nothingFound)
  }
}
