import Platform
import SlipboxCore

/// The question after an editor saved what is not valid.
enum EditAgain {
  /// Shows what is wrong and asks whether to open the editor again; false without a terminal to ask on.
  static func isWanted(_ faults: [String], _ session: Session) -> Bool {
    guard Terminal.isControlled else { return false }
    for fault in faults { session.console.complain("  \(fault)") }
    guard let answer = Terminal.ask("Edit again? [Y/n] ") else { return false }
    return ["", "y", "yes"].contains(answer.lowercased())
  }
}
