import ArgumentParser
import NoteIndex
import Notes
import SlipboxCore

struct Append: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Add text to the end of a note.",
    discussion: """
      The text is added unchanged, as a new line. Without TEXT, it is read from standard input.

      Examples:
        slip append kqzmvtrp "One more thought"
        date | slip append kqzmvtrp
      """)

  @Argument(help: ArgumentHelp("The note.", valueName: "ref"))
  var reference: Word

  @Argument(help: ArgumentHelp("The text; several words are joined.", valueName: "text"))
  var words: [Word] = []

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let isFromInput = words.isEmpty || (words.count == 1 && words[0].text == "-")
    if isFromInput, session.console.inputIsTerminal, words.isEmpty {
      throw SlipboxError(.usage, "the text is missing", hints: ["slip append REF TEXT, or pipe it in"])
    }
    let text = isFromInput ? try session.console.readInput() : Array(words.texts.joined(separator: " ").utf8)
    let again = { (file: String) in "slip append REF <\(file) adds it to a note" }
    let (snapshot, entry, plan) = try session.withBox(
      keeping: isFromInput ? text : nil, name: reference.text, again: again
    ) { snapshot in
      let entry = try snapshot.entry(reference.text, fuzzy: false)
      return (snapshot, entry, try snapshot.appending(text, to: entry, reason: reason.text))
    }
    guard !text.isEmpty else {
      session.say("nothing to add")
      return
    }
    if dryRun { return try Changes.printPatch(plan, snapshot, session) }
    let recorded: CommitResult
    do throws(SlipboxError) {
      recorded = try session.writer(after: snapshot).record(plan)
    } catch {
      throw snapshot.box.keeping(
        text, name: entry.note.shownName, at: snapshot.clock.now, error, again: again)
    }
    try Changes.report(recorded, naming: [entry.note], session)
  }
}
