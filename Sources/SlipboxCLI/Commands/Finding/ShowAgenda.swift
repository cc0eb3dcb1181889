import ArgumentParser
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
      writes due and due-time.

      Notes of kinds that are never done are listed on the days of their due and scheduled dates, but not after. \
      Later and without a date, at most ten records are listed; --all lists all. slip today prints overdue records \
      and today.

      In a pipe, each row has six columns, separated by tabs: overdue, today, tomorrow, a date, later or none; \
      the date; the time; due, scheduled, my-day, wait or recur; the id or path; the title. --ical prints the \
      records with their dates for a calendar, with an alarm at each time of day.

      Examples:
        slip agenda
        slip agenda kind:task +home --days 14
        slip agenda --week
        slip agenda --json
        slip agenda --ical > agenda.ics
        slip today

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
    if all || ical { request.most = nil }
    let agenda = try Agenda(request, in: snapshot)
    session.warnOfUnreadableNotes(in: snapshot)
    session.say(QueryHints(query, in: snapshot).unknownNames())
    if agenda.count == 0 {
      let nothing = request.query.isEmpty ? "no open record has a date" : "no matching open record has a date"
      session.say(request.isOfToday ? "nothing is overdue or due today" : nothing)
    }
    let rows = AgendaRows(agenda, NotePresenter(snapshot))
    if json { return try session.console.print(bytes: rows.json()) }
    if ical { return try printCalendar(agenda, snapshot, session) }
    guard session.display.isTerminal else { return try session.console.print(rows.rows()) }
    snapshot.rememberList(rows.entries)
    try session.page(try rows.lines(session.display))
  }

  /// Prints the records with a date, each once.
  private func printCalendar(_ agenda: Agenda, _ snapshot: BoxSnapshot, _ session: Session) throws {
    var seen: Set<Int> = []
    let matches = agenda.sections.flatMap(\.items).filter { $0.day != nil }.map(\.match)
      .filter { seen.insert($0.place).inserted }
    CalendarExport(snapshot, matches, fields: ["due", "scheduled", "my-day", "wait"]).write { bytes in
      if session.console.outputIsTerminal {
        session.console.write(Visible.escape(bytes, keepingLines: true))
      } else {
        session.console.write(bytes)
      }
    }
    try session.console.flush()
  }
}
