import ArgumentParser
import NoteIndex
import Notes
import SlipboxCore
import Text

struct Retitle: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "retitle", abstract: "Change the title of a note or heading, with every link to it.",
    discussion: """
      The old title becomes an alias. The file is renamed only if its name was the title. REF#HEADING \
      changes a heading; REF#HEADING:LINE identifies one of several. Links by id, path or alias are not \
      changed.

      Examples:
        slip retitle kqzmvtrp "A better title"
        slip retitle "Fermentation basics" Fermenting --no-alias
        slip retitle kqzmvtrp#Notes "What I saw"
        slip retitle kqzm Fermenting --dry-run
      """)

  @Argument(help: ArgumentHelp("The note, or the note and a heading: REF#HEADING.", valueName: "ref"))
  var reference: Word

  @Argument(help: ArgumentHelp("The new title; several words are joined.", valueName: "text"))
  var words: [Word] = []

  @Flag(name: .option(.noAlias), help: "Don't add the old title to the aliases.")
  var noAlias = false

  @OptionGroup var change: RenameOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    guard !words.isEmpty else {
      throw SlipboxError(.usage, "the new title is missing", hints: ["slip retitle REF TITLE"])
    }
    let name = try change.reference(reference, session)
    let retitling = Retitling(snapshot, keepsAlias: !noAlias, reason: change.reason.text)
    let target = try retitling.target(name)
    let plan = try session.givingWarnings {
      try retitling.plan(target, to: words.texts.joined(separator: " "))
    }
    try change.carryOut(plan, snapshot, session)
  }
}
