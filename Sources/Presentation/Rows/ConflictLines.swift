import Bytes
package import Notes
import SlipboxCore
import Text

/// What is in conflict in a note, version by version.
package struct ConflictLines {
  /// So many lines of a text are shown.
  private static let mostLines = 12

  private let note: Note
  private let display: Display

  package init(_ note: Note, _ display: Display) {
    self.note = note
    self.display = display
  }

  /// The versions with their numbers, and how one is chosen.
  package func lines(_ conflicts: [NoteConflict]) -> [String] {
    let style = display.style
    var lines = [style.bold("\(note.shownName)  \(Visible.escape(note.title))")]
    for conflict in conflicts { lines += [""] + self.lines(of: conflict) }
    let most = conflicts.map(\.versions.count).max() ?? 2
    let numbers = Sentence.list((1...max(most, 2)).map { String($0) }, "or")
    return lines + [
      "",
      "run: slip resolve \(note.shellName) --keep \(numbers) [FIELD]",
    ]
  }

  /// The versions of one conflict with their numbers.
  package func lines(of conflict: NoteConflict) -> [String] {
    let style = display.style
    var lines = [style.bold(title(of: conflict))]
    for (index, version) in conflict.versions.enumerated() {
      let author = [version.when, version.device, version.who].filter { !$0.isEmpty }.map {
        Visible.escape($0)
      }
      let origin = author.isEmpty ? "" : style.dim("  \(author.joined(separator: "  "))")
      if let text = version.text {
        lines.append("  \(index + 1)\(origin)")
        lines += shown(text)
      } else {
        let standing = index == 0 ? style.dim("  in the note") : ""
        lines.append(
          "  \(index + 1)  \(value(version, of: conflict, isStanding: index == 0))\(standing)\(origin)")
      }
    }
    return lines
  }

  private func title(of conflict: NoteConflict) -> String {
    switch conflict.name {
    case ConflictEntry.note: "one side deleted the note, the other changed it"
    case ConflictEntry.path: "the note was moved to two paths"
    default: Visible.escape(conflict.name)
    }
  }

  private func value(_ version: NoteConflict.Version, of conflict: NoteConflict, isStanding: Bool) -> String {
    if isStanding, conflict.name == ConflictEntry.note { return "keep it" }
    if isStanding, conflict.name == ConflictEntry.path { return Visible.escape(note.path) }
    switch version.value {
    case .text(let text): return Visible.escape(text)
    case .list(let elements):
      return elements.map { Visible.escape($0.text ?? $0.json) }.joined(separator: ", ")
    case .map, .empty: return Visible.escape(version.value?.json ?? "")
    case nil: return "no value"
    }
  }

  private func shown(_ text: [UInt8]) -> [String] {
    var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map {
      Visible.escape(Array($0))
    }
    if lines.last?.isEmpty ?? false { lines.removeLast() }
    if lines.isEmpty { return ["     " + display.style.dim("no lines")] }
    let more = lines.count - Self.mostLines
    return lines.prefix(Self.mostLines).map { "     \($0)" }
      + (more > 0 ? ["     " + display.style.dim("and \(more) more lines")] : [])
  }
}
