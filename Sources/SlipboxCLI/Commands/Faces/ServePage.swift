import ArgumentParser
import Bytes
import Platform
import SlipboxCore
import Text

struct ServePage: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "page", abstract: "Show the box as a page in the browser.",
    discussion: """
      Serves a page on this machine alone, at 127.0.0.1, until Ctrl-C; prints its address and opens it in your browser. \
      Only who has that address gets in: it holds a secret, which is kept in a file that you alone can read. Where the \
      page of this box is served already, its address is printed and opened.

      Everything that the page changes is a commit, as with any other command. With --read-only it changes nothing.

      The page is a program of its own, slip-page, beside slip.

      Examples:
        slip page
        slip page --no-open --port 8080
        slip page --read-only
      """)

  @Option(
    name: .option(.port), parsing: .unconditional,
    help: ArgumentHelp(
      "The port to listen to; else the one of last time, or any that is free.", valueName: "n"))
  var port: Int?

  @Flag(name: .option(.readOnly), help: "Serve a page that changes nothing.")
  var readOnly = false

  @Flag(name: .option(.noOpen), help: "Open no browser.")
  var noOpen = false

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard (1...65_535).contains(port ?? 1) else {
      throw ValidationError("\(OptionName.port.typed) takes a number from 1 to 65535.")
    }
  }

  func run(in session: Session) throws {
    let box = try session.openBox(fetchesHistory: false).box.root
    let own = Files.ownProgram ?? []
    let program = BytePath.join(BytePath.folder(of: own), Array("slip-page".utf8))
    guard Files.isAccessible(program, for: .running), !Files.isFolder(program) else {
      throw SlipboxError(
        .unavailable, "slip-page is not there: \(Visible.escape(program))",
        hints: ["it is a program of its own that belongs beside slip; make install puts both there"])
    }
    var words = [program, Array("--box".utf8), box]
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
