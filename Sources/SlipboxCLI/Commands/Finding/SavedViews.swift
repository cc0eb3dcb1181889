import ArgumentParser
import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

/// The command `slip view`.
struct SavedViews: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "view", abstract: "Show, save and remove views: queries with columns, groups and a form.",
    discussion: """
      A view is a query with its columns, grouping and form: list, table, board, calendar or agenda. It is saved \
      in .slipbox/config.yaml, as view-NAME.

      A board has a column for each value of a choice, in declared order, or of another field; with --columns, \
      aggregates of each column. A calendar is a month by a date field: the current one, or that of \
      --month. Below it are the numbers of notes in other months. The page shows boards and calendars too. In a \
      pipe, a row is the column or the day, the id and the title; a board adds its aggregates.

      A query after the name narrows the view this time.

      A .base file of Obsidian is shown as a table: its first view, or that of --name. Parts that slip does not \
      support are named, a line each.

      Examples:
        slip view
        slip view save reading kind:book --by status --form board
        slip view save pages kind:book --columns 'sum(pages)' --by 'year(completed)'
        slip view reading
        slip view reading author:tolkien
        slip view reading --json
        slip view Books.base --name "To read"
        slip view rename reading books
        slip view remove pages
      """,
    subcommands: [ViewShow.self, ViewSave.self, ViewRemove.self, ViewRename.self],
    defaultSubcommand: ViewShow.self)
}

/// Shows a view, or lists all.
struct ViewShow: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show a view, or list all views.",
    discussion: "Examples:\n  slip view\n  slip view show", aliases: ["list"])

  @Argument(
    help: ArgumentHelp("The view, or a .base file; without it, all views are listed.", valueName: "view"))
  var name: Word?

  @Argument(help: ArgumentHelp("A further query that the notes match.", valueName: "query"))
  var query: [Word] = []

  @Option(
    name: .option(.name), parsing: .unconditional,
    help: ArgumentHelp("The view of a .base file; the first one by default.", valueName: "name"))
  var viewName: Word?

  @Option(
    name: .option(.month), parsing: .unconditional,
    help: ArgumentHelp("The month of a calendar: 2026-12, december, next, last.", valueName: "month"))
  var month: Word?

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @Flag(name: .option(.csv), help: "A table as comma-separated values with a header.")
  var csv = false

  @Flag(name: .option(.markdown), help: "As Markdown.")
  var markdown = false

  @OptionGroup var past: PastOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    let forms: [(OptionName, Bool)] = [(.json, json), (.csv, csv), (.markdown, markdown)]
    guard forms.filter(\.1).count <= 1 else {
      throw ValidationError("Choose one of \(Sentence.list(forms.map(\.0.typed))).")
    }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox(past)
    guard let name else { return try list(snapshot, session) }
    if name.text.hasSuffix(".base") {
      guard month == nil else { throw SlipboxError(.usage, "\(OptionName.month.typed) is for a calendar") }
      guard query.isEmpty else { throw SlipboxError(.usage, "a .base file is shown without a further query") }
      return try show(base: name, snapshot, session)
    }
    if viewName != nil { throw SlipboxError(.usage, "--name is for a .base file") }
    let view = try View(named: name.text, in: snapshot)
    let month = try shownMonth(of: view, snapshot.clock)
    let filter = query.texts.joined(separator: " ")
    session.say(try view.hints(narrowedBy: filter, in: snapshot))
    let answer = try ViewAnswer(view, filter: filter, month: month, in: snapshot)
    try show(answer, form: view.form, name.text, snapshot, session)
  }

  /// A day of the month of `--month`; nil without it.
  private func shownMonth(of view: View, _ clock: ClockReading) throws -> CivilDate? {
    guard let month else { return nil }
    let option = OptionName.month.typed
    guard view.form == .calendar else {
      throw SlipboxError(
        .usage, "\(option) is for a calendar; this view is \(view.form.rawValue.withArticle)")
    }
    let refusal = SlipboxError(
      .usage, "\(option): \(month.text) is not a month", hints: ["write 2026-12, december, next or last"])
    if let named = Self.month(named: month.text, today: clock.today) { return named }
    let text = ["next", "last", "this"].contains(month.text) ? month.text + " month" : month.text
    guard let interval = DateInterval.parse(text, clock: clock, looking: .ahead), let day = interval.firstDay,
      let last = interval.lastDay, (day.year, day.month) == (last.year, last.month)
    else { throw refusal }
    return day
  }

  /// The first day of a month of this year by its name, or three letters or more of it.
  private static func month(named text: String, today: CivilDate) -> CivilDate? {
    let name = text.lowercased()
    guard name.count > 2, let place = DateInterval.months.firstIndex(where: { $0.hasPrefix(name) }) else {
      return nil
    }
    return CivilDate(year: today.year, month: place + 1, day: 1)
  }

  /// Shows a view of an Obsidian base, and warns of its unsupported parts.
  private func show(base name: Word, _ snapshot: BoxSnapshot, _ session: Session) throws {
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try Files.read(
        BytePath.join(session.context.workingDirectory, name.bytes), limit: Self.longestBase)
    } catch {
      throw SlipboxError(error)
    }
    let base = BaseFile(bytes)
    let table = try NoteTable(base, view: viewName?.text, file: Visible.escape(name.text), in: snapshot)
    for problem in base.problems(of: viewName?.text) {
      session.say("\(Visible.escape(name.text)):\(problem.line): \(problem.message)")
    }
    try show(.table(table), form: .table, name.text, snapshot, session)
  }

  /// Longer files are not read.
  private static let longestBase = 1 << 20

  private func show(
    _ answer: ViewAnswer, form: View.Form, _ name: String, _ snapshot: BoxSnapshot, _ session: Session
  ) throws {
    let presenter = NotePresenter(snapshot)
    session.warnOfUnreadableNotes(in: snapshot)
    if json { return try session.console.print(bytes: answer.json(presenter, form: form)) }
    if case .calendar(let calendar) = answer, !session.display.isTerminal {
      session.say(calendar.otherMonths)
    }
    if markdown { return try session.console.print(answer.markdown(presenter, from: [])) }
    if csv {
      guard case .table(let table) = answer else {
        throw SlipboxError(
          .usage, "--csv: \(Visible.escape(name)) is \(form.rawValue.withArticle), not a table")
      }
      return try session.console.print(verbatim: TableRows(table).csv())
    }
    guard session.display.isTerminal else { return try session.console.print(answer.rows(presenter)) }
    LastList(in: snapshot).remember(answer.entries)
    try session.page(try answer.lines(presenter, session.display))
  }

  private func list(_ snapshot: BoxSnapshot, _ session: Session) throws {
    let views = snapshot.settings.viewLines
    if json { return try session.console.print(bytes: ViewLines.json(views)) }
    if views.isEmpty { session.say("no views yet; slip view save NAME QUERY saves one") }
    try session.console.print(ViewLines.list(views, session.display))
  }
}

struct ViewSave: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save a view under a name.",
    discussion: """
      Without --form, a view with --columns or an aggregate is a table; any other view is a list.

      Examples:
        slip view save reading kind:book --by status --form board
        slip view save week kind:task --form agenda
      """)

  @Argument(help: ArgumentHelp("The name.", valueName: "view"))
  var name: Word

  @Argument(help: ArgumentHelp("The query; all notes by default.", valueName: "query"))
  var query: [Word] = []

  @Option(
    name: .option(.form), parsing: .unconditional,
    help: ArgumentHelp("list, table, board, calendar or agenda.", valueName: "form"))
  var form: FormName?

  @Option(
    name: .option(.columns), parsing: .unconditional,
    help: ArgumentHelp("The columns of a table, as in slip table.", valueName: "columns"))
  var columns: Word?

  @Option(
    name: .option(.by), parsing: .unconditional,
    help: ArgumentHelp("Group by a field; for a calendar, the date field.", valueName: "field"))
  var by: Word?

  @Option(
    name: .option(.sort), parsing: .unconditional,
    help: ArgumentHelp("Sort by fields or columns; a dash means descending.", valueName: "fields"))
  var sort: Word?

  @Option(
    name: .option(.limit), parsing: .unconditional,
    help: ArgumentHelp("The maximum number of notes or rows.", valueName: "n"))
  var limit: Int?

  @Option(
    name: .option(.days), parsing: .unconditional,
    help: ArgumentHelp("The number of days of an agenda; 0 for overdue and today only.", valueName: "n"))
  var days: Int?

  @Flag(name: .option(.reverse), help: "Reverse the order.")
  var reverse = false

  @Flag(name: .option(.total), help: "Add a row for all notes to a table.")
  var total = false

  @OptionGroup var reason: ReasonOption
  @OptionGroup var global: GlobalOptions

  /// A form as it is typed.
  enum FormName: String, ExpressibleByArgument, CaseIterable {
    case list, table, board, calendar, agenda
  }

  func validate() throws {
    guard days == nil || form == .agenda else {
      throw ValidationError("\(OptionName.days.typed) needs \(OptionName.form.typed) agenda.")
    }
    guard (0...3_660).contains(days ?? 0) else {
      throw ValidationError("\(OptionName.days.typed) takes a number from 0 to 3660.")
    }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let usual: View.Form = columns == nil ? .list : .table
    var view = View(form.flatMap { View.Form(rawValue: $0.rawValue) } ?? usual)
    view.query = query.texts
    (view.columns, view.by, view.sort) = (columns?.text, by?.text, sort?.text)
    (view.limit, view.hasTotal, view.isReversed) = (limit, total, reverse)
    view.days = days
    let isReplaced = snapshot.settings.viewLines.contains { $0.name == name.text }
    let plan = try ChangeViews(in: snapshot).plan(saving: view, as: name.text)
    _ = try ViewAnswer(view, in: snapshot)
    session.say(try view.hints(in: snapshot))
    let recorded = try session.writer(after: snapshot).record(plan)
    if isReplaced, recorded.outcome != .unchanged, !session.console.errorsAreTerminal {
      session.say("replaced the view \(name.text)")
    }
    try Changes.report(recorded, session)
  }
}

struct ViewRemove: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "remove", abstract: "Remove a view.", discussion: "Examples:\n  slip view remove reading",
    aliases: ["rm"])

  @Argument(help: ArgumentHelp("The view.", valueName: "view"))
  var name: Word

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    try Changes.record(
      try ChangeViews(in: snapshot).plan(removing: name.text), in: snapshot, session)
  }
}

struct ViewRename: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a view another name.",
    discussion: "Examples:\n  slip view rename reading books")

  @Argument(help: ArgumentHelp("The view.", valueName: "view"))
  var name: Word

  @Argument(help: ArgumentHelp("The new name.", valueName: "name"))
  var new: Word

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    try Changes.record(
      try ChangeViews(in: snapshot).plan(renaming: name.text, to: new.text), in: snapshot, session)
  }
}

extension View {
  /// Warnings about names in the query, the columns, the groups and the order that no note has.
  fileprivate func hints(narrowedBy filter: String = "", in snapshot: BoxSnapshot) throws -> [String] {
    var asked = try snapshot.query(query(narrowedBy: filter))
    if !isTable, let sort { asked.sort = try SortKey.parse(sort) }
    let columns = try columns.map { try TableColumn.read($0) } ?? []
    let groups = try by.map { try TableColumn.read($0, option: OptionName.by.typed) } ?? []
    let hints = QueryHints(asked, in: snapshot)
    let names = Set((columns + groups).flatMap(\.expression.fields)).filter { !TableColumn.isKnown($0) }
    return hints.unknownNames() + names.sorted().flatMap { hints.unknownField($0) }
  }
}
