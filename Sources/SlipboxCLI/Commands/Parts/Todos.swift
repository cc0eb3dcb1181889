import ArgumentParser
import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Todos: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "todos", abstract: "List the open check boxes of notes.",
    discussion: """
      A check box is a list item such as - [ ] Call Ada; with /, !, ? or * between the brackets it is open too. \
      Each argument is a query term that selects the notes; todo:word, todo:#tag, todo-due:..today and todo-due: \
      (no date) select the boxes too. A due date is read from the text: 📅 2026-12-01, [due:: 2026-12-01], \
      due:2026-12-01, @due(2026-12-01), @{2026-12-01} or @2026-12-01.

      Boxes of finished records are left out, and boxes that are only a link to one; --all lists them.

      After a list on a terminal, slip tick @1 ticks its first box, and slip promote @1 makes a record of it. \
      todo:"call ada" searches the text of the boxes; +home selects notes with that tag.

      In a pipe, each row has seven columns, separated by tabs: the note, the line, open, done or other, \
      the due date, the text, the title of the note, and the tags in the text. --by tag orders by the first \
      tag; on a terminal, it lists a box under each of its tags. Exit code: 0 if there are boxes, 1 if there are none.

      Examples:
        slip todos
        slip todos +garden --by due
        slip todos todo-due:..today
        slip todos --by tag
        slip todos kind:note --ticked
        slip todos --json
      """)

  @Argument(help: ArgumentHelp("The notes with the boxes; all by default.", valueName: "query"))
  var query: [Word] = []

  @Flag(name: .option(.all), help: "Also ticked boxes, those of finished records, and links to closed ones.")
  var all = false

  @Flag(name: .option(.ticked), help: "Only ticked boxes.")
  var done = false

  @Option(name: .option(.by), help: ArgumentHelp("Order: note (default), due or tag.", valueName: "order"))
  var by: TodoOrder?

  @OptionGroup var options: WebOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox(options.past)
    let query = try snapshot.query(query.texts)
    let (found, matched, finished) = try boxes(query, in: snapshot)
    var hasNotes = matched > 0
    let todos = (by ?? .note).sorted(found)
    if !hasNotes {
      var first = query
      first.limit = 1
      hasNotes = try !snapshot.matches(first).isEmpty
    }
    session.warnOfUnreadableNotes(in: snapshot)
    let hints = QueryHints(query, in: snapshot)
    session.say(!hasNotes ? hints.emptyList(isQueried: true) : hints.unknownNames())
    if todos.isEmpty { sayMeantNotes(in: snapshot, session) }
    if todos.isEmpty, self.query.contains(where: { $0.text.hasPrefix("due") }) {
      session.say("due: tests the date of a note; for check boxes, use todo-due:..today")
    }
    let shown = options.limited(todos)
    let rows = TodoRows(shown)
    let presenter = NotePresenter(snapshot)
    try WebAnswer(
      json: rows.json, rows: rows.rows,
      table: {
        switch by {
        case .due: rows.flatTable(session.display)
        case .tag: TodoRows(Self.inOrder(shown, of: found)).tagTable(session.display)
        case .note, nil: try rows.table(presenter, session.display)
        }
      },
      paths: { rows.notes().map(\.names.path) }, listed: { rows.notes().map(\.entry) },
      boxes: by == .tag ? nil : { shown }
    ).write(options, snapshot, session)
    if finished > 0, session.display.isTerminal || todos.isEmpty {
      session.say(
        "left out: \(finished) open check \(finished == 1 ? "box" : "boxes") of finished records; \(OptionName.all.typed) lists them"
      )
    }
    guard todos.isEmpty else { return }
    if hasNotes { session.say(done ? "no ticked boxes" : all ? "no check boxes" : "no open boxes") }
    throw EarlyExit(code: ExitCode.nothingFound)
  }

  /// The boxes that are listed, how many notes have such boxes, and how many open boxes of finished records are left out.
  private func boxes(
    _ query: Query, in snapshot: BoxSnapshot
  ) throws -> (todos: [Todo], notes: Int, finished: Int) {
    guard done || all else { return try TodoList(in: snapshot).open(query) }
    let matches = try snapshot.matches(query.withBoxes)
    return (
      try TodoList(in: snapshot).todos(in: matches, done ? [.done] : [.open, .done, .other], query: query),
      matches.count, 0
    )
  }

  /// Names the query for a word that is a note: words are searched for in the notes.
  private func sayMeantNotes(in snapshot: BoxSnapshot, _ session: Session) {
    for word in query.texts where FileName.isNote(ByteText.bytes(of: word)) {
      guard let entry = try? NoteLookup(in: snapshot).entry(word, fuzzy: false, suggests: false) else {
        continue
      }
      let term = "path:\(ByteText.text(of: entry.note.path))"
      session.say("the check boxes of that note: slip todos \(Visible.escape(ShellWord.quoted(term)))")
    }
  }

  /// The boxes that are shown, in the order of the notes.
  private static func inOrder(_ shown: [Todo], of all: [Todo]) -> [Todo] {
    let wanted = Set(shown.map(ObjectIdentifier.init))
    return all.filter { wanted.contains(ObjectIdentifier($0)) }
  }

  func validate() throws {
    guard !(all && done) else { throw ValidationError("--all and --ticked can't be combined.") }
  }
}

extension TodoOrder: ExpressibleByArgument {}
