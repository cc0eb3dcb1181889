import ArgumentParser
import NoteIndex
import Notes
import SlipboxCore
import Text

struct Merge: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Merge a note into another one.",
    discussion: """
      Tags and lists are combined, and the earlier creation date is kept. The title of the second note \
      becomes an alias of the first. If both have different values of a field, the first note's value is \
      kept. Links to the second note are changed to the first. The second note is deleted. slip undo \
      reverses the merge. (To merge branches, use git merge.)

      Examples:
        slip merge kqzmvtrp "A note that says the same"
        slip merge kqzm xwvt --dry-run
      """)

  @Argument(help: ArgumentHelp("The note to keep, then the note to merge into it.", valueName: "ref"))
  var references: [Word]

  @OptionGroup var change: RenameOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let names = try session.expandingInput(references.texts, nulSeparated: change.input.nulSeparated)
    guard names.count == 2 else {
      throw SlipboxError(
        .usage, "two notes are needed",
        hints: [
          "slip merge FIRST SECOND adds the second note to the first", "to merge branches, use git merge",
        ])
    }
    let first = try NoteLookup(in: snapshot).entry(names[0], fuzzy: false, isStrict: true)
    let second = try NoteLookup(in: snapshot).entry(names[1], fuzzy: false, isStrict: true)
    let plan = try session.givingWarnings {
      try JoinNotes(first, second, in: snapshot).plan(reason: change.reason.text)
    }
    try change.carryOut(plan, snapshot, session)
  }
}
