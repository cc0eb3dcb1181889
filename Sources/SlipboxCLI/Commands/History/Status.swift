import ArgumentParser
import Presentation
import SlipboxCore

struct Status: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "What is not committed, and how the branch stands to its remote.",
    discussion: """
      Drafts that an editor left and texts that could not be saved are named too: slip new --draft NAME goes on with one.

      Examples:
        slip status
        slip status --json
      """)

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let status = try snapshot.status()
    if json { return try session.console.print(bytes: status.json) }
    try session.console.print(status.lines(in: snapshot, session.style))
  }
}
