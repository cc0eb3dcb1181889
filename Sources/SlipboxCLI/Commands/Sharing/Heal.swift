import ArgumentParser
import Git
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

      If several files have one id for another reason, slip heal ID merges them into the oldest and deletes \
      the others. slip heal PATH repairs the first damage of that file, and names any that remains.

      It also compares each merge that slip did not make with its own merge of all sides, and lists the \
      notes that lost the changes or the move of one side, or are gone. That may be intended: slip heal REF \
      restores the note or the changes, and slip mv repeats the move. Later edits stay. A merge that settled \
      only some lines for one side (git merge -X theirs) looks like a person's choice and is not listed. A \
      squash is examined if git's message names the commits of the other branch, and this clone still has \
      them.

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
    if snapshot.box.isShallow { session.say("this clone is shallow: merges in it are not examined") }
    let (chosen, others) = try references.isEmpty ? (healing.certain, []) : named(healing, snapshot)
    if dryRun {
      let notes = references.isEmpty ? healing.notes : chosen + others
      if notes.isEmpty { return session.say(HealLines.nothing(healing)) }
      return try session.console.print(HealLines.left(notes, session.style))
    }
    if !chosen.isEmpty {
      let plan = healing.plan(chosen, reason: reason.text)
      let recorded = try session.showingProgress { try session.writer(after: snapshot).record(plan) }
      try Changes.report(recorded, inPlace: plan.inPlace, session)
      try session.console.print(HealLines.repaired(chosen, session.style))
      session.sayConflicts(chosen.count { $0.leavesConflict })
    }
    let left =
      references.isEmpty
      ? healing.notes.filter { !$0.isCertain || !$0.canBeRepaired }
      : try remaining(others, since: start, isChanged: !chosen.isEmpty, session)
    try session.console.print(HealLines.left(left, session.style))
    if healing.notes.isEmpty { session.say(HealLines.nothing(healing)) }
  }

  /// The damage among some that is still there after a repair, which may have ended it too.
  private func remaining(
    _ notes: [Healing.DamagedNote], since start: ObjectID?, isChanged: Bool, _ session: Session
  ) throws -> [Healing.DamagedNote] {
    guard isChanged, !notes.isEmpty else { return notes }
    let now = try session.showingProgress {
      let healer = try Healer(try session.openBox(), session.context)
      return try healer.damage(of: try healer.foreignMerges(since: start))
    }
    return notes.filter { note in now.notes.contains { $0.path == note.path && $0.damage == note.damage } }
  }

  /// The damage of the named notes: one repair for each name, and the damage that remains in the same files.
  private func named(
    _ healing: Healing, _ snapshot: BoxSnapshot
  ) throws -> (chosen: [Healing.DamagedNote], others: [Healing.DamagedNote]) {
    var (chosen, others): ([Int], [Int]) = ([], [])
    for reference in references {
      let paths = try files(named: reference.text, healing, snapshot)
      let found = healing.notes.indices.filter { paths.contains(where: healing.notes[$0].isAbout) }
      let first = found.first { place in
        let note = healing.notes[place]
        return note.canBeRepaired && (paths.count == 1 || paths.count(where: note.isAbout) > 1)
      }
      guard let first else {
        let notes = found.map { healing.notes[$0] }
        if paths.count == 1, !notes.isEmpty { throw HealLines.refusal(notes, of: reference.text) }
        throw Self.refusal(reference.text, paths)
      }
      let isApart = chosen.allSatisfy { !healing.notes[$0].sharesFile(with: healing.notes[first]) }
      if isApart { chosen.append(first) }
      others += found
    }
    let left = healing.notes.indices.filter { others.contains($0) && !chosen.contains($0) }
    return (chosen.map { healing.notes[$0] }, left.map { healing.notes[$0] })
  }

  /// The paths of the files that a name means: several only for an id that several files have. The name of a deleted note
  /// is its path.
  private func files(
    named name: String, _ healing: Healing, _ snapshot: BoxSnapshot
  ) throws -> [[UInt8]] {
    let path = Array(name.utf8)
    if healing.notes.contains(where: { $0.path == path }) { return [path] }
    if let id = NoteID(name),
      let shared = try RecordsCheck(in: snapshot).sharedIDs().first(where: { $0.id == id })
    {
      return shared.paths
    }
    return [try NoteLookup(in: snapshot).entry(name, fuzzy: false, isStrict: true).note.path]
  }

  private static func refusal(_ name: String, _ paths: [[UInt8]]) -> SlipboxError {
    guard paths.count > 1 else {
      return SlipboxError(
        .notFound, "no damage to repair in \(name)",
        hints: ["\(slip: "heal", "--dry-run") lists damaged notes"])
    }
    return SlipboxError(
      .badData, "\(paths.count) files have the id \(name), and can't be merged; name one by its path",
      hints: paths.map { "  \($0)" }
        + ["\(slip: "doctor", "--fix=duplicates") gives all but one a new id"])
  }
}
