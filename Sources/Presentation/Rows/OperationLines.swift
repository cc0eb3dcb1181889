package import Notes
package import SlipboxCore
import Text

/// Operations that undo and redo come to, a line each.
package struct OperationLines {
  private let display: Display

  package init(_ display: Display) { self.display = display }

  /// On a terminal short id, minute, what undo makes of it, subject; elsewhere with tabs and the whole id and time.
  package func lines(_ operations: [PastOperation]) -> [String] {
    let next = operations.firstIndex { $0.stands }
    let redo = operations.firstIndex { $0.isRedoable }
    return operations.enumerated().map { place, past in
      line(past, state: place == next ? "next" : place == redo ? "redo" : past.isTakenBack ? "undone" : "")
    }
  }

  private func line(_ past: PastOperation, state: String) -> String {
    let (operation, style) = (past.operation, display.style)
    let subject = Visible.escape(operation.subject)
    guard display.isTerminal else {
      let cells = [
        operation.id?.description ?? "", operation.time.rfc3339, state,
        Visible.escape(operation.device ?? ""), subject,
      ]
      return Tabs.row(cells)
    }
    let mark = state.isEmpty ? "      " : state.padded(to: 6)
    let text = past.isTakenBack ? style.dim(subject) : subject
    return "\(style.bold(past.shownID)) \(style.dim(operation.time.minute)) \(style.magenta(mark)) \(text)"
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

extension Timestamp {
  /// The day and the minute, in its own offset.
  package var minute: String { civilDate.description + " " + String(rfc3339.dropFirst(11).prefix(5)) }
}
