import Platform
import SlipboxCore

/// The question after an editor saved what is not valid.
enum EditAgain {
  /// Shows what is wrong and asks whether to open the editor again; false without a terminal to ask on.
  ///
  /// - Parameter otherwise: what happens where it is not, said before the question: it may be left by Ctrl-C.
  static func isWanted(_ faults: [String], otherwise: String, _ session: Session) -> Bool {
    guard Terminal.isControlled else { return false }
    for fault in faults { session.console.complain("  \(fault)") }
    session.console.complain("  \(otherwise)")
    guard let answer = Terminal.ask("Edit again? [Y/n] ") else { return false }
    return ["", "y", "yes"].contains(answer.lowercased())
  }
}
