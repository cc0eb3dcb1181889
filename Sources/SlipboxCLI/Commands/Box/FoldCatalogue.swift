import ArgumentParser
import SlipboxCore
import SlipboxHost

/// Puts what is kept of a box together; started by other commands, which do not wait for it.
struct FoldCatalogue: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: Maintenance.command, abstract: "Compact the catalogue cache of a box.",
    shouldDisplay: false)

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    try WorkTreeReader(try session.openBox().box, session.context).foldCatalogue()
  }
}
