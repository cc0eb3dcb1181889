import ArgumentParser
import Notes
import Presentation
import SlipboxCore

/// The command `slip review`.
struct ReviewDays: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "review", abstract: "Summarise the changes of a week or of other days.",
    discussion: """
      Lists the changes in the commits of these days: notes that were created, deleted and renamed; records \
      that were started, ended (closed, finished, completed) or reopened; new tags and links; and the notes \
      with the most commits. Changes by editors and other programs count from their commit. Merges add \
      nothing. Each note is listed once per section, with its last change and its present title.

      The default is the current week, from Monday. --markdown prints a text that you can save as a note.

      Examples:
        slip review
        slip review --since 'last week' --until 'last week'
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
