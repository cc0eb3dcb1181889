import ArgumentParser
import NoteIndex
import Presentation
import SlipboxCore
import Text

/// The command `slip table`.
struct ShowTable: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "table", abstract: "Show fields, counts and sums of notes as a table.",
    discussion: """
      Without --columns, a table of a kind has the title and the fields that slip list shows. \
      A column is a field, title, tags, path, kind, created, modified or urgency, an aggregate, or arithmetic of \
      these. With --by or an aggregate, a row is a group of notes; otherwise it is a note.

      Columns
        count                         the number of notes
        sum(f) avg(f) median(f)       of numbers
        min(f) max(f) range(f)        of numbers, dates or texts
        distinct(f)                   the number of different values
        filled(f) empty(f)            the notes with and without a value
        percent(QUERY)                the share of notes that match: percent(active)
        year(f) quarter(f) month(f) week(f) day(f)
                                      a date, truncated
        days(from, to)                the days between two dates
        + - * /                       arithmetic: pages / days(started, completed)
        today, 2026-01-31             dates: days(due, today)
        "f"                           a field with blanks, or named like a word above

      A note with several values of a field, such as tags, counts in each of their groups. Values that differ in \
      case or accents alone are one group, as queries don't distinguish them. Notes without a value \
      are a group of their own. The total is that of all notes, also with --limit; its name is then "Total of 12". With --every, the table is that of the last day of each week, month, quarter or \
      year, as it was committed; each row begins with the date. Values are printed as they are in the file. Computed numbers are rounded \
      to two decimals; CSV and JSON have 15 digits. --queries names the groups that no query finds. In a pipe, cells are separated by tabs, without headings.

      Examples:
        slip table kind:issue --by status
        slip table kind:book --by 'year(completed)' --columns 'sum(pages)' --total
        slip table kind:task is:active --columns title,due,urgency --sort -urgency
        slip table kind:book --columns 'title,pages / days(started, completed)'
        slip table --by tags --sort -count --limit 10
        slip table kind:issue --by status,priority --csv
        slip table kind:issue --by status --every month --since 2026-01

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The notes; all by default.", valueName: "query"))
  var query: [Word] = []

  @Option(
    name: .option(.columns), parsing: .unconditional,
    help: ArgumentHelp("The columns, separated by commas.", valueName: "columns"))
  var columns: Word?

  @Option(
    name: .option(.by), parsing: .unconditional,
    help: ArgumentHelp("Group the notes by the values of fields or parts of dates.", valueName: "fields"))
  var by: Word?

  @Flag(name: .option(.total), help: "Add a row for all notes, also for those beyond --limit.")
  var total = false

  @Option(
    name: .option(.sort), parsing: .unconditional,
    help: ArgumentHelp("Sort by columns; a dash means descending: -count,status.", valueName: "columns"))
  var sort: Word?

  @Flag(name: .option(.reverse), help: "Reverse the order.")
  var reverse = false

  @Option(
    name: .option(.limit), parsing: .unconditional,
    help: ArgumentHelp("The maximum number of rows.", valueName: "n"))
  var limit: Int?

  @Option(
    name: .option(.every), parsing: .unconditional,
    help: ArgumentHelp("The table of each day, week, month, quarter or year.", valueName: "step"))
  var every: StepName?

  @OptionGroup var days: DayOptions

  @Flag(name: .option(.csv), help: "Comma-separated values with a header.")
  var csv = false

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @Flag(name: .option(.markdown), help: "A table of Markdown.")
  var markdown = false

  @Flag(name: .option(.queries), help: "Print the query of each group.")
  var queries = false

  @OptionGroup var past: PastOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let forms: [(OptionName, Bool)] = [
      (.csv, csv), (.json, json), (.markdown, markdown), (.queries, queries),
    ]
    guard forms.filter(\.1).count <= 1 else {
      throw ValidationError("Choose one of \(Sentence.list(forms.map(\.0.typed))).")
    }
    if every == nil, days.since != nil || days.until != nil {
      throw ValidationError(
        "\(OptionName.since.typed) and \(OptionName.until.typed) need \(OptionName.every.typed).")
    }
    if every != nil, past.asOf != nil || queries {
      let others = [OptionName.asOf.typed, OptionName.queries.typed]
      throw ValidationError(
        "\(OptionName.every.typed) can't be combined with \(Sentence.list(others, "or")).")
    }
    guard limit ?? 0 >= 0 else { throw ValidationError("\(OptionName.limit.typed) takes a number from 0.") }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox(past)
    var request = TableRequest()
    request.columns = try columns.map { try TableColumn.read($0.text) } ?? []
    request.groups = try by.map { try TableColumn.read($0.text, option: OptionName.by.typed) } ?? []
    request.hasTotal = total
    request.sort = sort.map { TableSort.read($0.text) } ?? []
    request.isReversed = reverse
    request.limit = limit
    if let every {
      request.kind = (try? snapshot.query(query.texts))?.kindName
      return try print(request, every, snapshot, session)
    }
    let query = try snapshot.query(query.texts)
    request.kind = query.kindName
    let matches = try snapshot.matches(request.ordering(query))
    session.warnOfUnreadableNotes(in: snapshot)
    let hints = QueryHints(query, in: snapshot)
    session.say(matches.isEmpty ? hints.emptyList(isQueried: !self.query.isEmpty) : hints.unknownNames())
    let names = (request.columns + request.groups).flatMap(\.expression.fields)
    for name in Set(names).sorted() where !TableColumn.isKnown(name) { session.say(hints.unknownField(name)) }
    let table = try NoteTable(matches, request, in: snapshot)
    try print(TableRows(table), snapshot, session)
  }

  private func printQueries(of rows: TableRows, _ snapshot: BoxSnapshot, _ session: Session) throws {
    let queries = try rows.queries(after: query.texts, in: snapshot)
    if !queries.missing.isEmpty {
      let names = queries.missing.prefix(5).map { Visible.escape($0) }
      let more = queries.missing.count - names.count
      session.say(
        "no query finds \(queries.missing.count == 1 ? "the group" : "the groups") "
          + names.joined(separator: ", ") + (more > 0 ? " and \(more) more" : ""))
    }
    try session.console.print(queries.lines)
  }

  /// Prints the table of each day, week, month, quarter or year.
  private func print(
    _ table: TableRequest, _ every: StepName, _ snapshot: BoxSnapshot, _ session: Session
  ) throws {
    let clock = session.context.clock
    let request = ChartRequest(
      query: query.texts, table: table, first: try days.first(clock), last: try days.last(clock),
      step: every.step)
    let (tables, isCut) = try session.showingProgress {
      try ChartReader(snapshot.box, session.context).tables(request)
    }
    if isCut { session.sayIfShallow(snapshot) }
    try session.sayIfUncommitted(snapshot, lastDay: try days.last(clock))
    if tables.allSatisfy({ $0.table.rows.isEmpty }) {
      session.say("no committed note matched the query at any of these times")
    }
    try print(TableRows(tables), snapshot, session)
  }

  private func print(_ rows: TableRows, _ snapshot: BoxSnapshot, _ session: Session) throws {
    if json { return try session.console.print(bytes: rows.json()) }
    if csv { return try session.console.print(verbatim: rows.csv()) }
    if markdown { return try session.console.print(rows.markdown()) }
    if queries { return try printQueries(of: rows, snapshot, session) }
    guard session.display.isTerminal else { return try session.console.print(rows.rows()) }
    try session.page(rows.lines(session.display))
  }
}
