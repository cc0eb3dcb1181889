import ArgumentParser
import Bytes
import Platform
import SlipboxCore
import SlipboxLSP
import Text

struct ServePage: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "page", abstract: "Show the box in the browser.",
    discussion: """
      Serves a web page at 127.0.0.1 until Ctrl-C, prints its address and opens it in your browser. The \
      address has an access token, which is stored in a file that only you can read. If the page of this box \
      is already served, its address is printed and opened.

      Every change on the page is a commit. With --read-only, the page can't change notes.

      The server is a separate program, slip-page, in the folder of slip.

      Examples:
        slip page
        slip page --no-open --port 8080
        slip page --read-only
      """)

  @Option(
    name: .option(.port), parsing: .unconditional,
    help: ArgumentHelp(
      "The port; by default the last one used, or any free port.", valueName: "n"))
  var port: Int?

  @Flag(name: .option(.readOnly), help: "Serve a read-only page.")
  var readOnly = false

  @Flag(name: .option(.noOpen), help: "Don't open a browser.")
  var noOpen = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (1...65_535).contains(port ?? 1) else {
      throw ValidationError("\(OptionName.port.typed) takes a number from 1 to 65535.")
    }
  }

  /// The path of the server.
  static func server() throws(SlipboxError) -> [UInt8] {
    let own = Files.ownProgram ?? []
    let program = BytePath.join(BytePath.folder(of: own), Array("slip-page".utf8))
    guard Files.isAccessible(program, for: .running), !Files.isFolder(program) else {
      throw SlipboxError(
        .unavailable, "slip-page is not installed: there is no program \(Visible.escape(program))",
        hints: ["it is a separate program in the folder of slip; make install installs both"])
    }
    return program
  }

  func run(in session: Session) throws {
    let box = try session.openBox(fetchesHistory: false).box.root
    var words = [try Self.server(), Array("--box".utf8), box]
    if let port { words += ["--port", String(port)].map { Array($0.utf8) } }
    if readOnly { words.append(Array("--read-only".utf8)) }
    if noOpen { words.append(Array("--no-open".utf8)) }
    do throws(SystemError) {
      try ChildProcess.become(words)
    } catch {
      throw SlipboxError(error)
    }
  }
}

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
