import ArgumentParser
import NoteIndex
import Notes
import SlipboxCore

struct Merge: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Make two notes one: the second is added to the first.",
    discussion: """
      Tags and lists are united, created is the earlier, the title of the second becomes an alias; where both have a \
      value that can't be joined, that of the first stands. Links to the second lead to the first. The second is \
      deleted; slip undo takes it all back. (To merge branches: git merge.)

      Examples:
        slip merge kqzmvtrp "A note that says the same"
        slip merge kqzm xwvt --dry-run
      """)

  @Argument(help: ArgumentHelp("The note that stays, then the one that is added to it.", valueName: "ref"))
  var references: [Word]

  @OptionGroup var change: RenameOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let names = try session.expandingInput(references.texts, nulSeparated: change.input.nulSeparated)
    guard names.count == 2 else {
      throw SlipboxError(
        .usage, "which two notes?",
        hints: [
          "slip merge FIRST SECOND adds the second note to the first", "branches are merged by git merge",
        ])
    }
    let first = try snapshot.entry(names[0], fuzzy: false, usesActive: false)
    let second = try snapshot.entry(names[1], fuzzy: false, usesActive: false)
    let plan = try session.givingWarnings {
      try JoinNotes(first, second, in: snapshot).plan(reason: change.reason.text)
    }
    try change.carryOut(plan, snapshot, session)
  }
}
