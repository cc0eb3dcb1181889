import ArgumentParser
import SlipboxCore

struct Sample: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample", abstract: "Fill an empty box with sample records.",
    discussion: """
      Issues with five tags, books, groups of tasks and linked notes, spread over the last two years, in one commit. \
      Try things on them; git revert or slip rm --all takes them away again. The same seed gives the same records on \
      the same day and time.

      Examples:
        slip sample --force
        slip sample --count 20 --seed 7 --force
      """, shouldDisplay: false)

  @Option(name: .long, help: ArgumentHelp("How many records in all.", valueName: "n"))
  var count = SampleRequest.usualCount

  @Option(name: .long, help: ArgumentHelp("A number that the records follow from.", valueName: "s"))
  var seed: UInt64?

  @Flag(name: .long, help: "Add them although the box has notes.")
  var force = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (1...SampleRequest.largestCount).contains(count) else {
      throw ValidationError("--count takes a number from 1 to \(SampleRequest.largestCount).")
    }
  }

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let request = SampleRequest(count: count, seed: seed, isForced: force)
    let recorded = try ProgressLine.showing(unlessQuiet: global.quiet) {
      try box.record(try box.sampling(request))
    }
    try Changes.report(recorded, session)
  }
}
