import ArgumentParser
import SampleBox
import SlipboxCore

struct Sample: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample", abstract: "Fill an empty box with sample records.",
    discussion: """
      Issues with five tags, books, groups of tasks and linked notes, spread over the last two years, in one commit. \
      Try things on them; slip undo or slip rm --all takes them away again. The same seed gives the same records on \
      the same day and time.

      Examples:
        slip sample --force
        slip sample --count 20 --seed 7 --force
      """, shouldDisplay: false)

  @Option(
    name: .option(.count), parsing: .unconditional,
    help: ArgumentHelp("How many records in all.", valueName: "n"))
  var count = SampleCounts.usualTotal

  @Option(
    name: .option(.seed), parsing: .unconditional,
    help: ArgumentHelp("A number that the records follow from.", valueName: "s"))
  var seed: UInt64?

  @Flag(name: .option(.force), help: "Add them although the box has notes.")
  var force = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (1...SampleCounts.largestTotal).contains(count) else {
      throw ValidationError("--count takes a number from 1 to \(SampleCounts.largestTotal).")
    }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let recorded = try session.showingProgress {
      try session.writer(after: snapshot).record(
        try snapshot.addingSamples(try records(for: snapshot, session.context)))
    }
    try Changes.report(recorded, session)
  }

  private func records(for snapshot: BoxSnapshot, _ context: CommandContext) throws -> [PreparedNote] {
    let taken = try snapshot.namesForSamples(isForced: force)
    context.reporter.report(.preparing, 0, of: count)
    var maker = SampleMaker(
      clock: context.clock, seed: seed ?? context.ids.number(), takenIDs: taken.ids, takenTitles: taken.titles
    )
    return maker.records(SampleCounts(total: count)).map { record in
      PreparedNote(
        id: record.id, title: record.title, kind: record.kind, created: record.created, text: record.text)
    }
  }
}
