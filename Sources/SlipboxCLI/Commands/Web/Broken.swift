import ArgumentParser
import NoteIndex
import Presentation
import SlipboxCore
import Text

struct Broken: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "broken", abstract: "List broken and ambiguous links.",
    discussion: """
      A link is broken if no note, file or folder of the box has its name, and ambiguous if several notes \
      have it. References of records are checked too. Similar titles, aliases and file names are suggested. \
      Absolute URL paths and template placeholders are not checked. Each argument is a query term that \
      selects the notes with the links.

      In a pipe, each row has six columns, separated by tabs: the linking note, the line, broken or \
      ambiguous, the form of the link (wiki, embed, markdown, image, reference, or the field with a colon), \
      the target, and the matching notes or the nearest name. Exit code: 0 if a link is broken, 1 if \
      none is. With --check, it is that of slip doctor: 0 if no link is broken, 65 if one is.

      Examples:
        slip broken
        slip broken +food --json
        slip broken created:2026 --limit 10
        slip broken --paths
        slip broken --as-of 2026-11-01

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The notes with the links; all by default.", valueName: "query"))
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
