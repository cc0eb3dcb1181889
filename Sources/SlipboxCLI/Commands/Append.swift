import ArgumentParser
import NoteIndex
import SlipboxCore

struct Append: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Add text to the end of a note.",
    discussion: """
      The text is taken as it is, on a line of its own. Without TEXT it is read from standard input.

      Examples:
        slip append kqzmvtrp "One more thought"
        date | slip append kqzmvtrp
      """)

  @Argument(help: ArgumentHelp("The note.", valueName: "ref"))
  var reference: Word

  @Argument(help: ArgumentHelp("The text; several words are joined.", valueName: "text"))
  var words: [Word] = []

  @Flag(name: .long, help: "Print the change as a patch and change nothing.")
  var dryRun = false

  @Option(
    name: [.long, .customShort("m")], parsing: .unconditional,
    help: ArgumentHelp("Why, for the commit message.", valueName: "reason"))
  var message: Word?

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let entry = try box.entry(reference.text, fuzzy: false)
    let isFromInput = words.isEmpty || (words.count == 1 && words[0].text == "-")
    if isFromInput, Console.inputIsTerminal, words.isEmpty {
      throw SlipboxError(.usage, "which text?", hints: ["slip append REF TEXT, or pipe it in"])
    }
    let text = isFromInput ? try Console.readInput() : Array(words.texts.joined(separator: " ").utf8)
    guard !text.isEmpty else {
      session.say("nothing to add")
      return
    }
    let plan = box.appending(text, to: entry, reason: message?.text)
    if dryRun { return try Changes.printPatch(plan, box) }
    let recorded: Recorded
    do throws(SlipboxError) {
      recorded = try box.record(plan)
    } catch {
      throw box.keeping(text, name: Slipbox.name(of: entry.note), error)
    }
    try Changes.report(recorded, session)
  }
}
