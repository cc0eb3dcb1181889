import Git
package import Notes
package import SlipboxCore
package import Text

/// The reasons why an operation can't be undone, in the words of the command line.
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

  /// The refusal, with the notes and the operations in the way: notes with the same reason together.
  package func error() throws(SlipboxError) -> SlipboxError {
    var hints: [Phrase] = []
    let groups = groups
    for group in groups.prefix(Self.mostNamed) {
      hints += lines(group)
      hints += try inTheWay(of: group)
    }
    hints += Self.more(than: groups)
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
      "can't \(verb) \(past.shownID) (\(past.operation.subject)): later changes conflict with it",
      hints: hints + ["nothing was changed"])
  }

  /// The refusal in sentences that name notes and operations by their titles, for a window without a command line.
  package func told() throws(SlipboxError) -> SlipboxError {
    let groups = groups
    var hints: [Phrase] = []
    for group in groups.prefix(Self.mostNamed) {
      let titles = Sentence.list(group.prefix(Self.mostNamed).map { Self.quoted($0.title) })
      let more = group.count - Self.mostNamed
      let names: Phrase = more > 0 ? "\(titles) and \(Count.notes(more)) more" : "\(titles)"
      let later = try operations(of: group)
      let subjects =
        later.entries.map { Self.quoted($0.operation.subject) }
        + (later.isUncommitted ? ["an uncommitted change"] : [])
      let why = why(group[0].reason, of: group.count)
      hints.append(subjects.isEmpty ? "\(names): \(why)" : "\(names): \(why), by \(Sentence.list(subjects))")
    }
    return SlipboxError(
      .badData, "\(Self.quoted(past.operation.subject)) can't be \(verb == "redo" ? "redone" : "undone")",
      hints: hints + Self.more(than: groups) + ["nothing was changed"])
  }

  private static func quoted(_ text: String) -> String { "“\(text.isEmpty ? "Untitled" : text)”" }

  /// The notes that stay as they are if the rest is undone.
  package func left() -> [Phrase] {
    let groups = groups
    return groups.prefix(Self.mostNamed).flatMap { group in
      let lines = lines(group)
      return [(group.count == 1 ? "left as it is: " : "left as they are: ") + lines[0]] + lines.dropFirst()
    } + Self.more(than: groups)
  }

  /// The notes that conflict, those with the same reason together, in the order of the first of each.
  private var groups: [[UndoConflict]] {
    var groups: [[UndoConflict]] = []
    for conflict in undo.conflicts {
      if let place = groups.firstIndex(where: { $0[0].reason == conflict.reason }) {
        groups[place].append(conflict)
      } else {
        groups.append([conflict])
      }
    }
    return groups
  }

  /// The line for the notes of the reasons that are not shown.
  private static func more(than groups: [[UndoConflict]]) -> [Phrase] {
    let count = groups.dropFirst(mostNamed).joined().count
    return count > 0 ? ["and \(count) more"] : []
  }

  /// The later operations that changed the notes of a group, a line each.
  private func inTheWay(of group: [UndoConflict]) throws(SlipboxError) -> [Phrase] {
    let later = try operations(of: group)
    return later.entries.map { "  by \(Self.name($0))" }
      + (later.isUncommitted ? ["  by an uncommitted change"] : [])
  }

  /// The later operations that changed the notes of a group, each once, and whether a change is not committed.
  private func operations(
    of group: [UndoConflict]
  ) throws(SlipboxError) -> (entries: [HistoryEntry], isUncommitted: Bool) {
    var entries: [HistoryEntry] = []
    var isUncommitted = false
    for conflict in group.prefix(Self.mostNamed) {
      let found = try conflict.operationsInTheWay(of: past, in: snapshot)
      if found.isEmpty { isUncommitted = true }
      for entry in found where !entries.contains(where: { $0.commit.id == entry.commit.id }) {
        entries.append(entry)
      }
    }
    return (entries, isUncommitted)
  }

  /// The option that names the operation again; empty if the command finds it by itself.
  private var option: String { isNamed ? " --op \(past.shownID)" : "" }

  private var verb: String { past.isRedoable && !isNamed ? "redo" : "undo" }

  /// The notes of a group: one in a line with its reason, several in a line each below the reason.
  private func lines(_ group: [UndoConflict]) -> [Phrase] {
    guard group.count > 1 else { return ["\(name(group[0])): \(why(group[0].reason, of: 1))"] }
    let named = group.prefix(Self.mostNamed).map { "  \(name($0))" as Phrase }
    let more = group.count - named.count
    return ["\(Count.notes(group.count)): \(why(group[0].reason, of: group.count))"] + named
      + (more > 0 ? ["  and \(more) more"] : [])
  }

  private func name(_ conflict: UndoConflict) -> Phrase {
    let name = conflict.id.map { "\($0)" as Phrase } ?? "\(conflict.path)"
    return "\(name)  \(conflict.title)"
  }

  /// The reason of so many notes.
  private func why(_ reason: UndoConflict.Reason, of count: Int) -> Phrase {
    let isOne = count == 1
    let was: Phrase = isOne ? "it was" : "they were"
    switch reason {
    case .changed(let names):
      let fields = names.map { $0 == MergePart.body.name ? (isOne ? "its text" : "their text") : $0 }
      return "\(Sentence.list(fields)) \(fields.count == 1 ? "was" : "were") changed again"
    case .deleted: return "\(was) deleted later"
    case .moved: return "\(was) moved later"
    case .occupied: return isOne ? "another file has its path" : "other files have their paths"
    case .taken(let path): return "\(path) has \(isOne ? "its" : "their") id now"
    case .amended: return "the commit was amended or rebased, so the changes of slip can't be identified"
    case .grown: return "\(was) changed later"
    case .referred(let paths):
      let records = paths.count == 1 ? "1 record refers" : "\(paths.count) records refer"
      return "\(records) to \(isOne ? "it" : "them")"
    }
  }

  private static func name(_ entry: HistoryEntry) -> Phrase {
    "\(entry.shownID) \(entry.operation.time.minute) \(entry.operation.subject)"
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
