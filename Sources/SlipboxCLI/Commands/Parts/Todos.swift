import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore

struct Todos: SlipCommand {
  /// In which order boxes are listed.
  enum Order: String, CaseIterable, ExpressibleByArgument {
    case note, due
  }

  static let configuration = CommandConfiguration(
    commandName: "todos", abstract: "List the open check boxes of notes.",
    discussion: """
      A check box is a list item such as - [ ] Call Ada. Each argument is a query term that selects the \
      notes. A due date is read from the text: 📅 2026-12-01, [due:: 2026-12-01], due:2026-12-01, \
      @due(2026-12-01) or @2026-12-01.

      In a pipe, each row has six columns, separated by tabs: the note, the line, open, done or other, the \
      due date, the text, and the title of the note. Exit code: 0 if there are boxes, 1 if there are none.

      Examples:
        slip todos
        slip todos +garden --by due
        slip todos kind:note --ticked
        slip todos --json
      """)

  @Argument(help: ArgumentHelp("The notes with the boxes; all by default.", valueName: "query"))
  var query: [Word] = []

  @Flag(name: .option(.all), help: "Ticked boxes too.")
  var all = false

  @Flag(name: .option(.ticked), help: "Only ticked boxes.")
  var ticked = false

  @Option(name: .option(.by), help: ArgumentHelp("Order: note (default) or due.", valueName: "order"))
  var by: Order?

  @OptionGroup var options: WebOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox(options.past)
    let query = try snapshot.query(query.texts)
    let entries = try snapshot.matches(query).map(\.entry)
    session.warnOfUnreadableNotes(in: snapshot)
    let hints = QueryHints(query, in: snapshot)
    session.say(entries.isEmpty ? hints.emptyList(isQueried: true) : hints.unknownNames())
    var todos = snapshot.todos(in: entries, ticked ? [.done] : all ? [.open, .done, .other] : [.open])
    if by == .due {
      todos = todos.enumerated().sorted { left, right in
        let days = [left, right].map { $0.element.due?.dayNumber ?? .max }
        return (days[0], left.offset) < (days[1], right.offset)
      }.map(\.element)
    }
    let rows = TodoRows(options.limited(todos))
    let isFlat = by == .due
    let presenter = NotePresenter(snapshot)
    try WebAnswer(
      json: rows.json, rows: rows.rows,
      table: { isFlat ? rows.flatTable(session.display) : try rows.table(presenter, session.display) },
      paths: { rows.notes().map(\.note.path) }, listed: rows.notes
    ).write(options, snapshot, session)
    guard todos.isEmpty else { return }
    if !entries.isEmpty { session.say(ticked ? "no ticked boxes" : all ? "no check boxes" : "no open boxes") }
    throw EarlyExit(code: ExitCode.nothingFound)
  }

  func validate() throws {
    guard !(all && ticked) else { throw ValidationError("--all and --ticked can't be combined.") }
  }
}
