import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Related: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "related", abstract: "Notes that have much in common with a note, each with the reason.",
    discussion: """
      What counts: notes that both link to, notes that link to both, tags that both bear, and rare words that both hold; \
      each the more, the fewer notes share it. Notes that are linked already are listed too, and marked so.

      In a pipe each row has four columns with tabs between them: the note, a score, its title and the reason. Without \
      --limit the nearest 20 are listed. Exits 1 where there are none.

      Examples:
        slip related kqzmvtrp
        slip related "Fermentation basics" --limit 5
        slip related kqzmvtrp --json

      \(PastOptions.help)
      """)

  /// So many are listed where no other number is asked for.
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
