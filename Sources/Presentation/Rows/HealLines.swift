import Bytes
import Git
import Notes
package import SlipboxCore
import Text

/// Damage of notes and its repair, as lines for people.
package enum HealLines {
  /// A line for each repaired note.
  package static func repaired(_ notes: [Healing.DamagedNote], _ style: Style) -> [String] {
    notes.flatMap { note in
      guard case .dropped(let commit, let move?) = note.damage else {
        return [line("repaired", style.green, note, damage(note.damage), style)]
          + (note.leavesComments ? ["  \(commented)"] : [])
      }
      let moving = "slip mv \(ShellWord.quoted(note.path)) \(ShellWord.quoted(move))"
      return [
        line("repaired", style.green, note, damage(.dropped(by: commit)), style),
        "  the merge dropped a move too: \(moving) repeats it",
      ]
    }
  }

  private static let commented =
    "both sides set a key: comments '# slip: not taken' have the other value; edit the file to take it"

  /// A line for each note that is damaged, and what to do.
  package static func left(_ notes: [Healing.DamagedNote], _ style: Style) -> [String] {
    notes.flatMap { note in
      [line("damaged", style.red, note, damage(note.damage), style), "  \(remedy(note))"]
    }
  }

  /// The line if nothing is damaged. A merge that settled single lines for one side looks like a person's choice.
  package static func nothing(_ healing: Healing) -> String {
    switch healing.mergeCount {
    case 0: "no damage found"
    case 1: "no damage found in 1 merge by another program"
    default: "no damage found in \(healing.mergeCount) merges by other programs"
    }
  }

  private static func line(
    _ word: String, _ paint: (String) -> String, _ note: Healing.DamagedNote, _ damage: String, _ style: Style
  ) -> String {
    let path = style.dim(Visible.escape(note.path))
    return "\(paint(CellWidth.pad(word, to: 9))) \(Visible.escape(note.title))  \(path): \(damage)"
  }

  /// The damage in words.
  private static func damage(_ damage: Healing.DamagedNote.Damage) -> String {
    switch damage {
    case .markers: "git's conflict markers"
    case .sameID(let paths):
      "\(Sentence.list(paths.map { Visible.escape($0) })) \(paths.count == 1 ? "has" : "have") the same id"
    case .duplicate(let path): "\(Visible.escape(path)) has the same id, from a merge"
    case .copies(let paths):
      "\(paths.count == 1 ? "copy" : "copies") of a sync program: \(Sentence.list(paths.map { Visible.escape($0) }))"
    case .dropped(let commit, nil): "the merge \(commit.hex.prefix(8)) dropped changes of one side"
    case .dropped(let commit, let move?):
      "the merge \(commit.hex.prefix(8)) dropped changes of one side and the move to \(Visible.escape(move))"
    case .moveDropped(let commit, let move):
      "the merge \(commit.hex.prefix(8)) dropped the move to \(Visible.escape(move))"
    case .deleted(let commit): "the merge \(commit.hex.prefix(8)) dropped the note"
    case .droppedBeforeDeletion(let commit):
      "the merge \(commit.hex.prefix(8)) dropped changes of the note, which another side then deleted"
    }
  }

  /// The refusal to repair damage that has to be repaired by hand.
  package static func refusal(_ notes: [Healing.DamagedNote], of name: String) -> SlipboxError {
    SlipboxError(
      .badData, "slip heal can't repair \(name)",
      hints: notes.map { "\(damage($0.damage)); \(remedy($0))" })
  }

  private static func remedy(_ note: Healing.DamagedNote) -> String {
    let path = ShellWord.quoted(note.path)
    if case .moveDropped(_, let move) = note.damage {
      return "if that was not intended: slip mv \(path) \(ShellWord.quoted(move))"
    }
    guard note.canBeRepaired else {
      if case .sameID = note.damage {
        return "the versions can't be merged; slip doctor --fix=duplicates gives all but one a new id"
      }
      if case .copies(let copies) = note.damage {
        let files = copies.map { ShellWord.quoted($0) }.joined(separator: " ")
        return "the versions can't be merged; compare them, then delete the copy: rm \(files)"
      }
      if note.path.starts(with: ".slipbox/".utf8) {
        return "the versions can't be merged; correct the file in an editor: \(path)"
      }
      return "the versions can't be merged; edit the note: slip edit \(path)"
    }
    if note.isCertain { return "slip heal repairs it" }
    if case .sameID(let paths) = note.damage {
      let other = paths.count == 1 ? "gives the later one a new id" : "gives the later ones new ids"
      return "slip heal \(path) merges them; slip doctor --fix=duplicates \(other)"
    }
    switch note.damage {
    case .deleted, .droppedBeforeDeletion: return "if that was not intended: slip heal \(path) restores it"
    default: break
    }
    if case .dropped(_, let move?) = note.damage {
      let moving = "slip mv \(path) \(ShellWord.quoted(move))"
      return "if that was not intended: slip heal \(path) restores them; \(moving) moves the note"
    }
    return "if that was not intended: slip heal \(path) restores them"
  }

  /// The notes that a sync repaired, and the number of those that it left; no lines if the notes were sound.
  package static func summary(repaired: [Healing.DamagedNote], left: [Healing.DamagedNote]) -> [String] {
    var lines: [String] = []
    if !repaired.isEmpty {
      let titles = Set(repaired.map { Visible.escape($0.title) }).sorted()
      lines.append("repaired damage by another program: \(Sentence.list(titles))")
      let count = repaired.count { $0.leavesConflict }
      if count > 0 {
        lines.append(Count.conflicts(count))
      }
      for note in repaired where note.leavesComments {
        lines.append("\(Visible.escape(note.path)): \(commented)")
      }
    }
    let alike = left.flatMap { if case .sameID(let paths) = $0.damage { paths } else { [] as [[UInt8]] } }
    let dropped = left.filter { if case .sameID = $0.damage { false } else { true } }
    if !dropped.isEmpty {
      let count = Count.notes(Set(dropped.map(\.path)).count)
      lines.append("merges dropped changes of \(count): slip heal lists them")
    }
    if !alike.isEmpty {
      let files = alike.count == 1 ? "1 file has" : "\(alike.count) files have"
      lines.append("\(files) the id of another note: slip heal lists them")
    }
    return lines
  }
}

/// The report on a merge, rebase, cherry-pick or revert that git stopped and slip finishes.
package enum StoppedLines {
  private static let mostFiles = 10

  /// The files that slip would merge, and those that it would leave.
  package static func plan(_ notes: StoppedNotes, under prefix: [UInt8]) -> [String] {
    var lines = ["a \(notes.operation.name) is in progress"]
    lines += named("merged by slip", notes.paths)
    lines += named("kept as they are", notes.editedPaths)
    lines += named("removed by you", notes.removedPaths)
    lines += conflicts(notes, under: prefix)
    lines += named("not merged by slip; edit them and run git add FILE", notes.left)
    lines += stashed(notes)
    if notes.operation == .revert, notes.stopsForUser {
      lines.append("slip does not commit the revert: \(Box.unknownOption)")
    }
    return lines
  }

  package static func question(_ notes: StoppedNotes) -> String {
    notes.left.isEmpty && !notes.stopsForUser
      ? "Merge the notes and finish the \(notes.operation.name)?" : "Merge the notes?"
  }

  /// The files that slip merged, and the end of the operation if it is finished.
  package static func done(_ done: FinishedStops, under prefix: [UInt8]) -> [String] {
    guard let last = done.stops.last else { return [] }
    let paths = Set(done.stops.flatMap(\.paths)).sorted { $0.lexicographicallyPrecedes($1) }
    var lines = named("merged", paths)
    lines += named("kept as they are", done.stops.flatMap(\.editedPaths))
    lines += named("removed by you", done.stops.flatMap(\.removedPaths))
    lines += done.stops.flatMap { conflicts($0, under: prefix) }
    if last.left.isEmpty, done.pause == nil, !done.isCommitLeft {
      lines.append("the \(last.operation.name) is finished")
      if let stash = last.stash, last.stashedFiles.isEmpty {
        lines.append("the stash is kept; drop it with: git stash drop \(stash)")
      }
    }
    if !last.left.isEmpty, let stash = last.stash, last.stashedFiles.isEmpty {
      lines.append("the stash is kept; after the other conflicts are resolved: git stash drop \(stash)")
    }
    return lines + stashed(last)
  }

  /// The untracked files that are in the stash alone.
  private static func stashed(_ notes: StoppedNotes) -> [String] {
    guard let stash = notes.stash, let first = notes.stashedFiles.first else { return [] }
    let name = ShellWord.quoted(Array("\(stash)^3:".utf8) + first)
    return named("only in the stash, because git did not restore the untracked files", notes.stashedFiles)
      + ["the stash is kept; git show \(name) prints one of them"]
  }

  /// The refusal to go on beside a stash whose changes are in conflict; nil for operations that git notes itself.
  package static func refusal(beside notes: StoppedNotes, in box: Box) -> SlipboxError? {
    guard notes.operation == .stash else { return nil }
    return SlipboxError(.busy, "a git stash pop stopped at conflicts", hints: box.wayOut(of: .stash))
  }

  /// The refusal of an operation that is not finished; nil if it is.
  package static func refusal(_ done: FinishedStops) -> SlipboxError? {
    guard let last = done.stops.last else { return nil }
    if !last.left.isEmpty { return refusal(last.operation, last.left) }
    if done.isCommitLeft {
      return SlipboxError(
        .busy, "the revert is not committed: \(Box.unknownOption)", hints: Box.wayOutOfRevert)
    }
    guard let pause = done.pause else { return nil }
    let step = Phrase(pause.step)
    let (message, hint): (Phrase, Phrase) =
      switch pause.step.prefix(while: { $0 != " " }) {
      case "edit", "e":
        (
          "the rebase stopped, as you asked, at: \(step)",
          "edit the files, then run: git add -u && git rebase --continue"
        )
      case "reword", "r":
        ("the rebase stopped, as you asked, at: \(step)", "go on with: git rebase --continue")
      case "before":
        (
          "the rebase stopped \(step): git opens your editor for its message",
          "go on with: git rebase --continue"
        )
      case "break", "b": ("the rebase stopped, as you asked, at: break", "go on with: git rebase --continue")
      case "exec", "x":
        ("the rebase stopped: \(step) failed", "correct that, then run: git rebase --continue")
      default: ("the rebase stopped at: \(step)", "look at git status, then run: git rebase --continue")
      }
    return SlipboxError(.busy, message, hints: pause.words.map { Phrase($0) } + [hint])
  }

  /// - Parameter left: the files that are left to the user, from the root of the repository.
  private static func refusal(_ operation: Repository.Operation, _ left: [[UInt8]]) -> SlipboxError {
    SlipboxError(
      .busy, "the \(operation.name) is not finished: conflicts remain in these files",
      hints: left.prefix(mostFiles).map { "  \(Visible.escape($0))" }
        + (left.count > mostFiles ? ["  and \(left.count - mostFiles) more"] : [])
        + [
          // Git notes no stash: without a conflict in the index, nothing is in progress.
          "edit them and run git add :/FILE for each, then: slip \(operation == .stash ? "commit" : "resolve --yes")"
        ])
  }

  private static func named(_ what: String, _ paths: [[UInt8]]) -> [String] {
    guard !paths.isEmpty else { return [] }
    return ["\(what):"] + paths.prefix(mostFiles).map { "  \(Visible.escape($0))" }
      + (paths.count > mostFiles ? ["  and \(paths.count - mostFiles) more"] : [])
  }

  private static func conflicts(_ notes: StoppedNotes, under prefix: [UInt8]) -> [String] {
    guard !notes.conflicts.isEmpty else { return [] }
    return ["both versions are kept:"]
      + notes.conflicts.prefix(mostFiles).map { conflict in
        let path = Array(conflict.path.dropFirst(prefix.count))
        return "  \(Visible.escape(path)): \(SyncLines.words(conflict, under: prefix))"
      }
  }
}
