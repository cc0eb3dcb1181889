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
