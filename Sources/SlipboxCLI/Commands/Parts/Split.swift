import ArgumentParser
import NoteIndex
import Notes
import Platform
import SlipboxCore
import Text

struct Split: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "split", abstract: "Move a section to a new note, and leave a link.",
    discussion: """
      The section is a heading with everything below it. Its text becomes a new note, and the id of that \
      note is printed. Links to the heading are changed to the new note. The default title is the heading. \
      The new note has the flags private, draft and publish: false of the old one, and a message names them.

      Examples:
        slip split kqzmvtrp#Sources
        slip split "Fermentation basics#Salt" "How much salt"
        slip split kqzmvtrp#Sources --dry-run
      """)

  @Argument(help: ArgumentHelp("The note and the heading: REF#HEADING.", valueName: "ref"))
  var reference: Word

  @Argument(help: ArgumentHelp("The new note's title; several words are joined.", valueName: "text"))
  var words: [Word] = []

  @OptionGroup var change: RenameOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let name = try change.reference(reference, session)
    let target = try Retitling(snapshot).target(name)
    guard let heading = target.heading else {
      throw SlipboxError(
        .usage, "the heading of \(target.entry.note.mention) is missing",
        hints: ["slip split REF#HEADING"])
    }
    let title = words.isEmpty ? nil : words.texts.joined(separator: " ")
    let result = try session.givingWarnings {
      try SplitNote(target.entry, heading: heading, in: snapshot).result(
        titled: title, ids: session.context.ids, reason: change.reason.text)
    }
    if change.dryRun { return try Changes.printPatch(result.plan, snapshot, session) }
    try Changes.record(result.plan, in: snapshot, session)
    try session.console.print(verbatim: result.note.name + [UInt8(ascii: "\n")])
  }
}

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
