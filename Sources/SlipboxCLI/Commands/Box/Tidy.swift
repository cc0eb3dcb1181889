import ArgumentParser
import Presentation
import SlipboxCore

struct Tidy: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "tidy", abstract: "Pack the repository's objects where that pays.",
    discussion: """
      Runs git's own maintenance, git gc and git commit-graph write, where the repository has many objects in files of \
      their own, many packs, or many commits and no commit-graph, and says what it saved. Where it does not pay, it says \
      so and does nothing; --force runs it all the same. Nothing is taken away that a branch, a note or an interrupted \
      change needs: what no commit refers to stays for two weeks. Files of slip's own cache that nothing reads any more \
      are removed.

      When it pays, slip doctor says so too.

      Examples:
        slip tidy
        slip tidy --dry-run
        slip tidy --force
      """)

  @Flag(name: .option(.dryRun), help: "Say what would be done, and do nothing.")
  var dryRun = false

  @Flag(name: .option(.force), help: "Run git's maintenance although it does not pay.")
  var force = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let upkeep = try session.showingProgress { try snapshot.upkeep() }
    if dryRun { return try session.console.print(TidyLines.plan(upkeep, force: force)) }
    let result = try session.showingProgress {
      try session.writer(after: snapshot).tidy(upkeep, force: force)
    }
    try session.console.print(TidyLines.result(result))
  }
}
