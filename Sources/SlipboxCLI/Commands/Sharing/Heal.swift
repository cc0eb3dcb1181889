import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Heal: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "heal", abstract: "Repair notes that merges of other programs damaged.",
    discussion: """
      Without REF, damage that needs no decision is repaired, in one commit:

        conflict markers of git that were committed: both versions are kept, as after slip sync
        two files with one id, because both sides of a merge moved the note
        copies of Syncthing, Dropbox and iCloud, such as note.sync-conflict-20261125-101500-ABCDEFG.md: the \
      copy is merged with the note and deleted

      It also compares each merge that slip did not make with its own merge of the two sides. Notes that the \
      merge took whole from one side are listed. That may be intended, so they are restored only if you name \
      them: slip heal REF. Later edits stay. A merge that settled only some lines for one side (git merge -X \
      theirs) looks like a person's choice and is not listed. A squash is examined if git's message names \
      the commits of the other branch, and this clone still has them.

      slip sync does the same with the commits that it fetches. slip undo reverses the repairs.

      Examples:
        slip heal --dry-run
        slip heal --since 2026-11-21
        slip heal
      """)

  @Argument(
    help: ArgumentHelp(
      "The notes to restore from a merge that dropped them or their changes.", valueName: "ref"))
  var references: [Word] = []

  @Option(
    name: .option(.since), parsing: .unconditional,
    help: ArgumentHelp(
      "Examine merges after a revision or date; by default all since the folder became a box.",
      valueName: "rev"))
  var since: Word?

  @Flag(name: .option(.dryRun), help: "List the damage without repairing it.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let start = try since.map { try snapshot.box.pastPoint($0.text, session.context).commit }
    let healing = try session.showingProgress {
      let healer = try Healer(snapshot, session.context)
      return try healer.damage(of: try healer.foreignMerges(since: start))
    }
    let chosen = try references.isEmpty ? healing.certain : named(healing, snapshot)
    if dryRun {
      let notes = references.isEmpty ? healing.notes : chosen
      if notes.isEmpty { return session.say(HealLines.nothing(healing)) }
      return try session.console.print(HealLines.left(notes, session.style))
    }
    if !chosen.isEmpty {
      let plan = healing.plan(chosen, reason: reason.text)
      let recorded = try session.showingProgress { try session.writer(after: snapshot).record(plan) }
      try Changes.report(recorded, session)
      try session.console.print(HealLines.repaired(chosen, session.style))
    }
    guard references.isEmpty else { return }
    let left = healing.notes.filter { !$0.isCertain || !$0.canBeRepaired }
    try session.console.print(HealLines.left(left, session.style))
    if healing.notes.isEmpty { session.say(HealLines.nothing(healing)) }
  }

  /// The damage of the notes that are named; a note that was deleted goes by its path.
  private func named(_ healing: Healing, _ snapshot: BoxSnapshot) throws -> [Healing.DamagedNote] {
    var chosen: [Healing.DamagedNote] = []
    for reference in references {
      let name = Array(reference.text.utf8)
      let path =
        healing.notes.contains { $0.path == name }
        ? name : try snapshot.entry(reference.text, fuzzy: false).note.path
      let found = healing.notes.filter { $0.isAbout(path) && $0.canBeRepaired }
      guard let first = found.first else {
        throw SlipboxError(
          .notFound, "no damage to repair in \(Visible.escape(reference.text))",
          hints: ["slip heal --dry-run lists damaged notes"])
      }
      if !chosen.contains(where: { $0.path == first.path }) { chosen.append(first) }
    }
    return chosen
  }
}
