import ArgumentParser
import Glibc
import SlipboxCore
import SlipboxLSP

struct ServeLanguage: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "lsp", abstract: "Serve editors: completion, links, diagnostics, actions of records.",
    discussion: """
      A language server for notes on standard input and output, as editors start one; slip help editors has set-ups for \
      neovim, vim, emacs, helix and VS Code. It serves every box that a file of the editor is in.

      Unsaved texts count in all answers. Saving a note does not commit it, as with any editor; slip config lsp.commit \
      can have each save committed, or all of them once it has been quiet.

      Example:
        slip lsp
      """)

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    guard !session.console.inputIsTerminal else {
      throw SlipboxError(
        .usage, "slip lsp talks to an editor, not to a person",
        hints: ["slip help editors shows how editors are told to start it"])
    }
    let circumstances = Circumstances(
      input: STDIN_FILENO, output: STDOUT_FILENO, context: session.contextOfEachChange)
    throw EarlyExit(code: LanguageServer(circumstances, version: Version.number).run())
  }
}
