import ArgumentParser
import Presentation
import SlipboxCore

struct Completions: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print the completion script of a shell.",
    discussion: """
      The script completes commands, options, notes (by id and title), tags, field names, values, kinds, \
      filters and sort orders. To install it:

        bash    echo 'eval "$(slip completions bash)"' >> ~/.bashrc
        zsh     echo 'eval "$(slip completions zsh)"' >> ~/.zshrc      after the line with compinit
        fish    slip completions fish > ~/.config/fish/completions/slip.fish

      Examples:
        slip completions bash
        slip completions fish
      """)

  /// The name of the argument in help and messages.
  static let shellName = "shell"

  @Argument(
    help: ArgumentHelp(
      "\(Sentence.list(CompletionShell.allCases.map(\.rawValue), "or")).", valueName: shellName))
  var shell: CompletionShell

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws { try session.console.print(shell.script) }
}
