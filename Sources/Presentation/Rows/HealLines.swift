import Bytes
import Git
import Notes
package import SlipboxCore
import Text

/// Damage of notes and its repair, as lines for people.
package enum HealLines {
  /// A line for each repaired note.
  package static func repaired(_ notes: [Healing.DamagedNote], _ style: Style) -> [String] {
    notes.map { line("repaired", style.green, $0, style) }
  }

  /// A line for each note that is damaged, and what to do.
  package static func left(_ notes: [Healing.DamagedNote], _ style: Style) -> [String] {
    notes.flatMap { note in
      [line("damaged", style.red, note, style), "  \(remedy(note))"]
    }
  }

  private static func line(
    _ word: String, _ paint: (String) -> String, _ note: Healing.DamagedNote, _ style: Style
  ) -> String {
    let path = style.dim(Visible.escape(note.path))
    return
      "\(paint(CellWidth.pad(word, to: 9))) \(Visible.escape(note.title))  \(path): \(damage(note.damage))"
  }

  /// The damage in words.
  private static func damage(_ damage: Healing.DamagedNote.Damage) -> String {
    switch damage {
    case .markers: "git's conflict markers"
    case .sameID(let path): "\(Visible.escape(path)) has the same id"
    case .duplicate(let path): "\(Visible.escape(path)) has the same id, from a merge"
    case .copies(let paths):
      "\(paths.count == 1 ? "copy" : "copies") of a sync program: \(Sentence.list(paths.map { Visible.escape($0) }))"
    case .dropped(let commit): "the merge \(commit.hex.prefix(8)) dropped changes of one side"
    case .deleted(let commit): "the merge \(commit.hex.prefix(8)) dropped the note"
    }
  }

  private static func remedy(_ note: Healing.DamagedNote) -> String {
    let path = ShellWord.quoted(note.path)
    guard note.canBeRepaired else { return "the versions can't be merged; edit the note: slip edit \(path)" }
    if note.isCertain { return "slip heal repairs it" }
    if case .sameID = note.damage {
      return "slip heal \(path) merges them; slip doctor --fix=duplicates gives the later one a new id"
    }
    if case .deleted = note.damage { return "if that was not intended: slip heal \(path) restores it" }
    return "if that was not intended: slip heal \(path) restores them"
  }

  /// The notes that a sync repaired, and the number of those that it left; no lines if the notes were sound.
  package static func summary(repaired: [Healing.DamagedNote], left: [Healing.DamagedNote]) -> [String] {
    var lines: [String] = []
    if !repaired.isEmpty {
      let titles = Set(repaired.map { Visible.escape($0.title) }).sorted()
      lines.append("repaired damage by another program: \(Sentence.list(titles))")
    }
    let alike = left.filter { if case .sameID = $0.damage { true } else { false } }
    let dropped = left.filter { if case .sameID = $0.damage { false } else { true } }
    if !dropped.isEmpty {
      let count = Count.notes(Set(dropped.map(\.path)).count)
      lines.append("merges of another program dropped changes of \(count): slip heal lists them")
    }
    if !alike.isEmpty {
      let files = alike.count == 1 ? "1 file has" : "\(alike.count) files have"
      lines.append("\(files) the id of another note: slip heal lists them")
    }
    return lines
  }
}
