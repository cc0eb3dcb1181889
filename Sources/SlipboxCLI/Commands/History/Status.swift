import ArgumentParser
import Presentation
import SlipboxCore

struct Status: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "status", abstract: "Show uncommitted changes and the state of the branch.",
    discussion: """
      Also lists unfinished drafts and unsaved texts. Continue one with slip new --draft NAME.

      Examples:
        slip status
        slip status --json
      """)

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let status = try BoxStatus(of: snapshot)
    if json { return try session.console.print(bytes: status.json) }
    try session.console.print(status.lines(in: snapshot, session.style))
  }
}
