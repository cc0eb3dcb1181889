import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Mentions: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "mentions", abstract: "List mentions of a note without a link to it.",
    discussion: """
      Searches running text for the title and the aliases as whole words, ignoring case and accents. Links, \
      code, URLs, tags and front matter are not searched. Names of two or three letters match only in the \
      same case; names of one letter never match.

      In a pipe, each row has six columns, separated by tabs: the mentioning note, the line, the name as \
      written, the mentioned note, the title of the mentioning note, and the sentence. Notes with the most \
      mentions come first. Exit code: 0 if there are mentions, 1 if there are none.

      Examples:
        slip mentions kqzmvtrp
        slip mentions "Fermentation basics" --json
        slip mentions kqzmvtrp --paths --limit 20

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The note.", valueName: "ref"))
  var reference: Word?

  @OptionGroup var options: WebOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let asked = try WebQuestion(
      reference.map { [$0] } ?? [], of: "mentions", options, session, isOne: true)
    let (snapshot, entries, note) = (asked.snapshot, asked.web.entries, asked.notes[0])
    let mentions = try NoteMentions(of: note, in: snapshot)
    for name in mentions.tooShort {
      session.say("\(Visible.escape(name)) is too short to search for")
    }
    for (name, others) in mentions.shared {
      session.say("\(Visible.escape(name)) names \(Count.notes(others + 1)): a mention is ambiguous")
    }
    let found = options.limited(mentions.notes)
    let rows = MentionRows(entries, of: note, found)
    let presenter = NotePresenter(snapshot)
    try WebAnswer(
      json: rows.json, rows: { rows.rows(session.style) },
      table: { try rows.table(presenter, session.display) },
      paths: { found.map { entries.path(at: $0.place) } }, listed: { found.map { entries[$0.place] } }
    ).write(options, snapshot, session)
    guard mentions.notes.isEmpty else { return }
    session.say("no other note mentions \(Visible.escape(note.note.title)) without a link")
    throw EarlyExit(code: ExitCode.nothingFound)
  }
}
