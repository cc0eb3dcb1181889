import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Mentions: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "mentions", abstract: "Where other notes name a note without a link to it.",
    discussion: """
      The title and the aliases are looked for as whole words, whatever their case and accents, in running text: not in \
      links, code, addresses, tags and front-matter. A name of two or three letters counts in its own case alone, one of a \
      single letter not at all.

      In a pipe each row has six columns with tabs between them: the note that names it, the line, the name as it stands \
      there, the note that is named, the title of the note that names it, and the sentence. Those stand first that name it \
      most often. Exits 1 where there are none.

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
    let mentions = try snapshot.mentions(of: note)
    for name in mentions.tooShort {
      session.say("\(Visible.escape(name)) is too short to look for")
    }
    for (name, others) in mentions.shared {
      session.say("\(Visible.escape(name)) names \(Count.notes(others + 1)): a mention may mean another one")
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
    session.say("no other note names \(Visible.escape(note.note.title)) without a link")
    throw EarlyExit(code: ExitCode.nothingFound)
  }
}
