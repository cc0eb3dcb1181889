import ArgumentParser
import Presentation
import SlipboxCore

struct Tidy: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "tidy", abstract: "Pack the objects of the repository if that saves space or time.",
    discussion: """
      Runs git gc and git commit-graph write if the repository has many loose objects, many packs, or many \
      commits without a commit-graph. The output is the space that was saved. If maintenance saves nothing, \
      tidy does nothing; --force runs it anyway. Objects that a branch, a note or an interrupted change \
      needs are kept. Unreachable objects are kept for two weeks. Unused cache files are removed.

      slip doctor reports when maintenance is useful.

      Examples:
        slip tidy
        slip tidy --dry-run
        slip tidy --force
      """)

  @Flag(name: .option(.dryRun), help: "Report what would be done without doing it.")
  var dryRun = false

  @Flag(name: .option(.force), help: "Run git's maintenance even if it saves nothing.")
  var force = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let upkeep = try session.showingProgress { try Upkeep(of: snapshot) }
    if dryRun { return try session.console.print(TidyLines.plan(upkeep, force: force)) }
    let result = try session.showingProgress {
      try session.writer(after: snapshot).tidy(upkeep, force: force)
    }
    try session.console.print(TidyLines.result(result))
  }
}
