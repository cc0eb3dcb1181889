import Glibc
import Platform
import Presentation
import SlipboxCore

/// Long output on a terminal goes through the user's pager.
extension Session {
  /// Writes lines, through the pager where they are more than the terminal has.
  func page(_ lines: [String]) throws {
    let text = lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    guard console.outputIsTerminal, console.inputIsTerminal, !options.noPager,
      lines.count >= Terminal.rows(STDOUT_FILENO) ?? Int.max, let command = pager
    else {
      return try console.print(text)
    }
    try console.flush()
    let script = "LESS=\"${LESS-FRX}\"; export LESS; \(command)"
    let arguments = ["sh", "-c", script].map { Array($0.utf8) }
    let exit = try ChildProcess.run(arguments, input: .bytes(TerminalText.spellingOut(Array(text.utf8))))
    if exit == .code(127) { try console.print(text) }
  }

  /// The user's pager; nil where none is wanted.
  private var pager: String? {
    let own = Settings.user(context)["pager"] ?? environment("SLIP_PAGER")
    let pager = own ?? environment("PAGER") ?? "less"
    return pager.isEmpty || pager == "cat" ? nil : pager
  }
}
