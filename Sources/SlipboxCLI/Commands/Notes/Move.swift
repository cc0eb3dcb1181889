import ArgumentParser
import NoteIndex
import Notes
import SlipboxCore

struct Move: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "mv", abstract: "Move notes to another path or folder, with every link to them.",
    discussion: """
      A folder ends with a slash or is there already; folders are made, and those that are left empty go. Links to the \
      notes are rewritten, and those in them that begin at their folder; attachments stay where they are.

      Examples:
        slip mv kqzmvtrp projects/garden.md
        slip mv kqzm xwvt projects/
        slip mv --where +garden projects/ --yes
        slip mv kqzm projects/ --dry-run
      """)

  @Argument(help: ArgumentHelp("The notes, then the path or the FOLDER/.", valueName: "ref-or-path"))
  var words: [Word]

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    guard let place = words.last, words.count > 1 || !targets.selection.where.isEmpty else {
      throw SlipboxError(.usage, "where to?", hints: ["slip mv REF PATH, or slip mv REF... FOLDER/"])
    }
    let references = words.dropLast().map(\.text)
    let (entries, areNamed) = try targets.entries(references, in: snapshot, session)
    guard !entries.isEmpty else {
      session.say("no note fits, nothing to do")
      return
    }
    let plan = try session.givingWarnings {
      try snapshot.moving(entries, to: place.bytes, reason: targets.reason.text)
    }
    try Changes.carryOut(plan, on: entries, areNamed: areNamed, targets, snapshot, session)
  }
}
