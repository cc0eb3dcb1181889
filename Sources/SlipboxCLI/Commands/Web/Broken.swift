import ArgumentParser
import NoteIndex
import Presentation
import SlipboxCore

struct Broken: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "broken", abstract: "List the links that lead to nothing, or to several notes.",
    discussion: """
      A link is broken where no note, no file and no folder of the box has its name, and ambiguous where several notes have; \
      the values of fields that refer to records are held against the records. Where a title, an alias or a file name is \
      near, it is named. Paths that begin at the root of a web site, and what a template fills in, are left out. Each \
      argument is a term of a query: the links of which notes are looked at.

      In a pipe each row has six columns with tabs between them: the note that holds the link, the line, broken or \
      ambiguous, how it is written (wiki, embed, markdown, image, reference, or the field with a colon), the target, and \
      the notes that fit, or the nearest name. Exit code: 0 if a link is broken, 1 if \
      none is. With --check it is the other way round, as that of slip doctor: 0 if none is, 65 if one is.

      Examples:
        slip broken
        slip broken +food --json
        slip broken created:2026 --limit 10
        slip broken --paths
        slip broken --as-of 2026-11-01

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The links of which notes; of all by default.", valueName: "query"))
  var query: [Word] = []

  @Flag(name: .option(.check), help: "Exit with 0 if no link is broken, with 65 if one is.")
  var check = false

  @OptionGroup var options: WebOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox(options.past)
    let query = try snapshot.query(query.texts)
    let asked = self.query.isEmpty ? nil : Set(try snapshot.matches(query).map(\.place))
    let web = try NoteWeb(snapshot)
    let unresolved = try web.unresolved(of: asked)
    session.warnOfUnreadableNotes(in: snapshot)
    let hints = QueryHints(query, in: snapshot)
    session.say(asked?.isEmpty == true ? hints.emptyList(isQueried: true) : hints.unknownNames())
    let rows = BrokenRows(web.entries, web.nearNames(of: options.limited(unresolved)))
    let presenter = NotePresenter(snapshot)
    try WebAnswer(
      json: rows.json, rows: rows.rows, table: { try rows.table(presenter, session.display) },
      paths: { rows.sources().map { web.entries.path(at: $0) } },
      listed: { rows.sources().map { web.entries[$0] } }
    ).write(options, snapshot, session)
    guard unresolved.isEmpty else {
      if check { throw EarlyExit(code: SlipboxError.Kind.badData.exitCode) }
      return
    }
    if asked?.isEmpty != true { session.say("no broken links") }
    if !check { throw EarlyExit(code: ExitCode.nothingFound) }
  }
}
