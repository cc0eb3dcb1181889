import ArgumentParser
import Platform
import SlipboxCore
import SlipboxLSP
import Text

struct ServeLanguage: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp", abstract: "Start a language server for editors.",
    discussion: """
      Runs a language server (LSP) for notes on standard input and output. slip help editors has the \
      configuration of neovim, vim, emacs, helix and VS Code. One server handles all boxes of the open \
      files.

      Answers include unsaved text. Saving a note does not commit it. To commit each save, or all saves \
      after a pause, set slip config lsp.commit.

      Example:
        slip lsp
      """)

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    guard !session.console.inputIsTerminal else {
      throw SlipboxError(
        .usage, "slip lsp is started by an editor, not from a terminal",
        hints: ["slip help editors shows the configuration of editors"])
    }
    let circumstances = Circumstances(
      input: StandardStream.input, output: StandardStream.output, context: session.contextOfEachChange)
    throw EarlyExit(code: LanguageServer(circumstances, version: Version.number).run())
  }
}
