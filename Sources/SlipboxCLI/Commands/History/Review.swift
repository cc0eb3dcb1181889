import ArgumentParser
import Notes
import Presentation
import SlipboxCore

/// The command `slip review`.
struct ReviewDays: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "review", abstract: "What happened in some days: made, closed, finished, renamed, linked.",
    discussion: """
      Tells by the commits of the days what was done: notes that were made, deleted and renamed, records whose kind \
      says that they are no longer active (closed, finished, completed), that are again, or that were started, new tags \
      and links, and the busiest notes. Changes by editors and other programs count from the moment they are committed; \
      a merge counts nothing of its own. A note stands once in each list, by its last change there, and by the title \
      that it bears now.

      Without --since it begins on Monday of this week. --markdown is a text to keep as a note.

      Examples:
        slip review
        slip review --since monday
        slip review --since 2026-10 --until 2026-10
        slip review --since 30d --json
        slip review --markdown | slip new "Week 47" -b -
      """)

  @OptionGroup var days: DayOptions

  @Flag(name: .option(.json), help: "As JSON, with all notes.")
  var json = false

  @Flag(name: .option(.markdown), help: "As Markdown, with links to the notes.")
  var markdown = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !json || !markdown else {
      throw ValidationError("Choose one of \(OptionName.json.typed) and \(OptionName.markdown.typed).")
    }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let clock = session.context.clock
    let last = min(try days.last(clock) ?? clock.today, clock.today)
    let first = try days.first(clock) ?? last.adding(days: 1 - last.weekday)
    let review = try session.showingProgress {
      try ReviewReader(snapshot, session.context, from: first, through: last).review()
    }
    if review.isCut { session.sayIfShallow(snapshot) }
    if json { return try session.console.print(bytes: review.json) }
    if markdown { return try session.console.print(ReviewMarkdown(review).text) }
    try session.page(ReviewLines(review, in: snapshot, session.display).lines())
  }
}
