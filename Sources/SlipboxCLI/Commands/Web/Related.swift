import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Related: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "related", abstract: "List notes related to a note, each with the reason.",
    discussion: """
      The score counts notes that both link to, notes that link to both, shared tags and shared rare words; \
      the fewer notes share it, the more it counts. Notes that are already linked are marked.

      In a pipe, each row has four columns, separated by tabs: the note, its score, its title and the \
      reason. The default limit is 20. Exit code: 0 if there are related notes, 1 if there are none.

      Examples:
        slip related kqzmvtrp
        slip related "Fermentation basics" --limit 5
        slip related kqzmvtrp --json

      \(PastOptions.help)
      """)

  /// The default number of listed notes.
  private static let usual = 20

  @Argument(help: ArgumentHelp("The note.", valueName: "ref"))
  var reference: Word?

  @OptionGroup var options: WebOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let asked = try WebQuestion(
      reference.map { [$0] } ?? [], of: "related", options, session, isOne: true)
    let (snapshot, web, note) = (asked.snapshot, asked.web, asked.notes[0])
    let related = try asked.places.first.map { try web.related(to: $0) } ?? []
    let found = Array(related.prefix(options.limit ?? Self.usual))
    let rows = RelatedRows(web.entries, to: note, found)
    let presenter = NotePresenter(snapshot)
    try WebAnswer(
      json: rows.json, rows: rows.rows, table: { try rows.table(presenter, session.display) },
      paths: { found.map { web.entries.path(at: $0.place) } }, listed: { found.map { web.entries[$0.place] } }
    ).write(options, snapshot, session)
    guard related.isEmpty else { return }
    session.say(
      "no other note has links, tags or rare words in common with \(Visible.escape(note.note.title))")
    throw EarlyExit(code: ExitCode.nothingFound)
  }
}
