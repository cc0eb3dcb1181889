package import Notes
package import SlipboxCore
import Text

/// Why an operation can't be taken back, in the words of the command line.
package struct UndoRefusal {
  private let past: PastOperation
  private let undo: UndoPlan
  private let isNamed: Bool
  private let snapshot: BoxSnapshot

  private static let mostNamed = 5

  package init(_ past: PastOperation, _ undo: UndoPlan, isNamed: Bool, _ snapshot: BoxSnapshot) {
    self.past = past
    self.undo = undo
    self.isNamed = isNamed
    self.snapshot = snapshot
  }

  /// The refusal, with the notes and the operations in the way.
  package func error() throws(SlipboxError) -> SlipboxError {
    var hints: [Phrase] = []
    for conflict in undo.conflicts.prefix(Self.mostNamed) {
      hints.append(Phrase(line(conflict)))
      let found = try snapshot.operationsInTheWay(of: past, conflict)
      for entry in found { hints.append("  by \(Self.name(entry))") }
      if found.isEmpty { hints.append("  by an uncommitted change") }
    }
    if undo.conflicts.count > Self.mostNamed {
      hints.append("and \(undo.conflicts.count - Self.mostNamed) more")
    }
    if undo.conflicts.count < undo.count {
      hints.append("slip \(verb) --partial\(option) undoes the rest")
    } else if !isNamed, verb == "undo" {
      hints.append("slip undo --partial skips it and undoes the change before it")
    }
    if !isNamed, verb == "undo" {
      hints.append("slip undo --list lists earlier changes, slip undo --op ID undoes one of them")
    }
    return SlipboxError(
      .badData,
      "can't \(verb) \(past.shownID) (\(Visible.escape(past.operation.subject))): later changes conflict with it",
      hints: hints + ["nothing was changed"])
  }

  /// What stays as it is where the rest is taken back.
  package func left() -> [String] {
    var lines = undo.conflicts.prefix(Self.mostNamed).map { "left as it is: " + line($0) }
    if undo.conflicts.count > Self.mostNamed {
      lines.append("and \(undo.conflicts.count - Self.mostNamed) more")
    }
    return lines
  }

  /// The option that names the operation again, where it is not the one that comes by itself.
  private var option: String { isNamed ? " --op \(past.shownID)" : "" }

  private var verb: String { past.isRedoable && !isNamed ? "redo" : "undo" }

  private func line(_ conflict: UndoConflict) -> String {
    let name = conflict.id?.description ?? Visible.escape(conflict.path)
    return "\(name)  \(Visible.escape(conflict.title)): \(why(conflict.reason))"
  }

  private func why(_ reason: UndoConflict.Reason) -> String {
    switch reason {
    case .changed(let names):
      let fields = names.map { $0 == "body" ? "its text" : Visible.escape($0) }
      return "\(Sentence.list(fields)) \(fields.count == 1 ? "was" : "were") changed again"
    case .deleted: return "it was deleted later"
    case .moved: return "it was moved later"
    case .occupied: return "another file has its path"
    case .taken(let path): return "\(Visible.escape(path)) has its id now"
    case .amended: return "the commit was amended or rebased, so the changes of slip can't be identified"
    case .grown: return "it was changed later"
    case .referred(let paths):
      return paths.count == 1 ? "1 record refers to it" : "\(paths.count) records refer to it"
    }
  }

  private static func name(_ entry: HistoryEntry) -> String {
    "\(entry.shownID) \(entry.operation.time.minute) \(Visible.escape(entry.operation.subject))"
  }
}

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
