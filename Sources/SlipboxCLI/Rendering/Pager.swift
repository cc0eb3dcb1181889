import Glibc
import Platform
import Rendering
import SlipboxCore

/// Long output on a terminal goes through the user's pager.
enum Pager {
  /// Writes lines, through a pager where they are more than the terminal has.
  static func show(_ lines: [String], _ session: Session) throws {
    let text = lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    guard Console.outputIsTerminal, Console.inputIsTerminal, !session.options.noPager,
      lines.count >= Terminal.rows(STDOUT_FILENO) ?? Int.max, let command = command(session)
    else {
      Console.write(text)
      return
    }
    let script = "LESS=\"${LESS-FRX}\"; export LESS; \(command)"
    let arguments = ["sh", "-c", script].map { Array($0.utf8) }
    let exit = try ChildProcess.run(arguments, input: .bytes(Array(text.utf8)))
    if exit == .code(127) { Console.write(text) }
  }

  private static func command(_ session: Session) -> String? {
    let own = Settings.user(session.surroundings)["pager"] ?? environment("SLIP_PAGER")
    let pager = own ?? environment("PAGER") ?? "less"
    return pager.isEmpty || pager == "cat" ? nil : pager
  }
}
