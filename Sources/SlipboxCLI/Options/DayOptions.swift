import ArgumentParser
import Notes
import SlipboxCore

/// The days that a question about the past is about.
struct DayOptions: ParsableArguments {
  @Option(
    name: .option(.since), parsing: .unconditional,
    help: ArgumentHelp("The first day: 2026-03, monday, 90d.", valueName: "date"))
  var since: Word?

  @Option(
    name: .option(.until), parsing: .unconditional,
    help: ArgumentHelp("The last day; today by default.", valueName: "date"))
  var until: Word?

  /// The first day; nil where none was given.
  func first(_ clock: ClockReading) throws(SlipboxError) -> CivilDate? {
    guard let since else { return nil }
    return try PastDay.first(since.text, OptionName.since.typed, clock: clock)
  }

  /// The last day; nil where none was given.
  func last(_ clock: ClockReading) throws(SlipboxError) -> CivilDate? {
    guard let until else { return nil }
    return try PastDay.last(until.text, OptionName.until.typed, clock: clock)
  }
}
