import ArgumentParser
import SlipboxCore

struct Completions: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "completions", abstract: "Print the script by which a shell completes slip with Tab.",
    discussion: """
      It offers commands, options, notes by id and by the words of their titles, tags after + and -, names of fields, \
      the values that they may have, kinds, filters and orders. To install it:

        bash    echo 'eval "$(slip completions bash)"' >> ~/.bashrc
        zsh     echo 'eval "$(slip completions zsh)"' >> ~/.zshrc      after the line with compinit
        fish    slip completions fish > ~/.config/fish/completions/slip.fish

      Examples:
        slip completions bash
        slip completions fish
      """)

  @Argument(help: ArgumentHelp("bash, zsh or fish.", valueName: "shell"))
  var shell: CompletionShell

  @OptionGroup var global: GlobalOptions

  func run() throws { try Console.print(shell.script) }
}
