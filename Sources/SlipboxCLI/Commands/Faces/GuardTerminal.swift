import ArgumentParser
import Platform

/// Gives the terminal back where slip browse is killed; started by it.
struct GuardTerminal: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: TerminalGuard.command, abstract: "Restore the terminal if slip browse is killed.",
    shouldDisplay: false)

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws { TerminalGuard.run() }
}
