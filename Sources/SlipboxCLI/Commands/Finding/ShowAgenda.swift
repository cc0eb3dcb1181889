import ArgumentParser
import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// The command `slip agenda`.
struct ShowAgenda: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "agenda", abstract: "List open records by the days on which they are due.",
    discussion: """
      Lists overdue records, then today, tomorrow and the next days, later, and without a date. An open \
      record is listed on its due date, on its scheduled date (or today, if that date is past) and in My \
      Day. A record with a wait: date is not listed before that date. Future days also list the dates on \
      which a recurring task will be due again. A time of day is stored beside the date: due:"fri 17:00" \
      writes due and due-time. In a file, a date is written 2026-11-28, with a time or without; the other forms \
      and the words of slip help dates are for commands only. A time without an offset is local. One with an offset \
      is listed on the day and at the time that are written. An open record \
      whose date can't be read is listed without a date, with the value. Of several dates in a field, the \
      earliest counts. ⊠ marks a blocked record.

      Check boxes are not listed; slip todos --by due lists them.

      Notes of kinds that are never done are listed on the days of their due and scheduled dates, but not after. \
      On a terminal, at most ten records are listed later and without a date; --all lists all. The agenda has its \
      own order: sort: and limit: are refused.

      slip today prints overdue records and today. It takes the same options, and terms such as +home and \
      kind:task: slip today +home. slip today REF puts a record in My Day, as slip do today REF.

      In a pipe, each row has six columns, separated by tabs: overdue, today, tomorrow, a date, later or none; \
      the date; the time; due, scheduled, my-day, wait or recur; the id or path; the title. If a record was put \
      off until the date, a seventh column has its due date. In place of a date that can't be read, the second \
      column has ? and the value, and the fourth the field. --ical prints the records with their dates for a \
      calendar: due dates as deadlines, other dates as beginnings, with an alarm at each time of day.

      Examples:
        slip agenda
        slip agenda kind:task +home --days 14
        slip agenda --week
        slip agenda --json
        slip agenda --ical > agenda.ics
        slip today +home

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The records; all by default.", valueName: "query"))
  var query: [Word] = []

  @Option(
    name: .option(.days), parsing: .unconditional,
    help: ArgumentHelp("The number of days, 7 by default; 0 for overdue and today only.", valueName: "n"))
  var days: Int?

  @Flag(name: .option(.week), help: "The days up to Sunday.")
  var week = false

  @Flag(name: .option(.all), help: "All records later and without a date.")
  var all = false

  @Option(
    name: .option(.limit), parsing: .unconditional,
    help: ArgumentHelp("The maximum number of records.", valueName: "n"))
  var limit: Int?

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @Flag(name: .option(.ical), help: "As a calendar (iCalendar).")
  var ical = false

  @OptionGroup var past: PastOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !json || !ical else {
      throw ValidationError("Choose one of \(OptionName.json.typed) and \(OptionName.ical.typed).")
    }
    guard days == nil || !week else {
      throw ValidationError("\(OptionName.days.typed) and \(OptionName.week.typed) can't be combined.")
    }
    guard limit ?? 0 >= 0 else { throw ValidationError("\(OptionName.limit.typed) takes a number from 0.") }
    guard (0...3_660).contains(days ?? 0) else {
      throw ValidationError("\(OptionName.days.typed) takes a number from 0 to 3660.")
    }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox(past)
    let query = try snapshot.query(query.texts)
    var request = Agenda.Request()
    request.query = self.query.texts
    request.days = week ? 8 - snapshot.clock.today.weekday : days ?? 7
    request.isOfToday = days == 0
    request.limit = limit
    if all || ical || json || limit != nil || !session.display.isTerminal { request.most = nil }
    let agenda = try Agenda(request, in: snapshot)
    session.warnOfUnreadableNotes(in: snapshot)
    session.say(QueryHints(query, in: snapshot).unknownNames())
    if agenda.count == 0 {
      let isUnmatched = try !request.query.isEmpty && snapshot.matches(query).isEmpty
      session.say(
        isUnmatched ? "no note matches: \(Visible.escape(query.described()))" : Self.nothing(request))
      if let option = Self.option(in: request.query, snapshot.clock) {
        session.say("did you mean: slip agenda \(option)")
      }
      // Empty days would read as if nothing were due.
      if isUnmatched, session.display.isTerminal, !json, !ical { return }
    }
    if !json, !ical, session.display.isTerminal || agenda.count == 0 {
      try sayDueBoxes(in: snapshot, session)
    }
    let rows = AgendaRows(agenda, NotePresenter(snapshot))
    if json { return try session.console.print(bytes: rows.json()) }
    if ical { return try printCalendar(agenda, snapshot, session) }
    guard session.display.isTerminal else { return try session.console.print(rows.rows()) }
    LastList(in: snapshot).remember(rows.entries)
    try session.page(try rows.lines(session.display))
  }

  /// Counts the check boxes that are due: they are no records, and are not listed.
  private func sayDueBoxes(in snapshot: BoxSnapshot, _ session: Session) throws {
    let notes = query.texts.isEmpty ? [] : ["("] + query.texts + [")"]
    let count = try TodoList(in: snapshot).open(snapshot.query(notes + ["todo-due:..today"])).todos.count
    guard count > 0 else { return }
    let words = (query.texts + ["todo-due:..today"]).map { Visible.escape(ShellWord.quoted($0)) }
    session.say(
      "\(count) check \(count == 1 ? "box is" : "boxes are") overdue or due today: "
        + "slip todos \(words.joined(separator: " "))")
  }

  /// Why there are no rows.
  private static func nothing(_ request: Agenda.Request) -> String {
    if request.isOfToday { return "nothing is overdue or due today" }
    return request.query.isEmpty
      ? "there is no open record" : "no matching note is an open record or has a date"
  }

  /// The option that words mean that were read as a query: `7d`, `week`, `next week`, `friday`.
  private static func option(in words: [String], _ clock: ClockReading) -> String? {
    let text = words.joined(separator: " ")
    if ["week", "this week"].contains(text) { return OptionName.week.typed }
    guard let last = DateInterval.parse(text, clock: clock, looking: .ahead)?.lastDay else { return nil }
    let count = last.dayNumber - clock.today.dayNumber
    return (0...3_660).contains(count) ? "\(OptionName.days.typed) \(count)" : nil
  }

  /// Prints the records with a date, each once.
  private func printCalendar(_ agenda: Agenda, _ snapshot: BoxSnapshot, _ session: Session) throws {
    var seen: Set<Int> = []
    let matches = agenda.sections.flatMap(\.items).filter { $0.day != nil }.map(\.note.match)
      .filter { seen.insert($0.place).inserted }
    try CalendarExport(snapshot, matches, fields: ["due", "scheduled", "my-day", "wait"]).write { bytes in
      if session.console.outputIsTerminal {
        session.console.write(Visible.escape(bytes, keepingLines: true))
      } else {
        session.console.write(bytes)
      }
    }
    try session.console.flush()
  }
}
