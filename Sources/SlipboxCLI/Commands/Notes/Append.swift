import ArgumentParser
import NoteIndex
import Notes
import SlipboxCore
import Text

struct Append: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "append", abstract: "Add text to the end of a note or of a part of it.",
    discussion: """
      The text is added unchanged, as a new line. Without TEXT, it is read from standard input. With \
      REF#HEADING, it is added at the end of that section, before the next heading. With - for REF, the \
      text is added to each note that standard input names.

      Examples:
        slip append kqzmvtrp "One more thought"
        slip append "Fermentation basics#Log" "Fed the starter"
        date | slip append kqzmvtrp
        slip list +food | slip append - "Seen again"
      """)

  @Argument(help: ArgumentHelp("The note, or a part of it.", valueName: "ref"))
  var reference: Word

  @Argument(help: ArgumentHelp("The text; several words are joined.", valueName: "text"))
  var words: [Word] = []

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let readsNames = reference.text == "-"
    guard !readsNames || !(words.isEmpty || words.texts == ["-"]) else {
      throw SlipboxError(
        .usage, "standard input can't supply both the notes and the text", hints: ["slip append - TEXT"])
    }
    let names = try session.expandingInput([reference.text], nulSeparated: false)
    guard !names.isEmpty else {
      throw SlipboxError.emptyInput("slip append REF TEXT; slip list QUERY | slip append - TEXT")
    }
    let isFromInput = words.isEmpty || (words.count == 1 && words[0].text == "-")
    if isFromInput, session.console.inputIsTerminal, words.isEmpty {
      throw SlipboxError(.usage, "the text is missing", hints: ["slip append REF TEXT, or pipe it in"])
    }
    let text = isFromInput ? try session.console.readInput() : Array(words.texts.joined(separator: " ").utf8)
    let again = { (file: Phrase) -> Phrase in "slip append REF <\(file) adds it to a note" }
    let folder = { (snapshot: BoxSnapshot) -> [UInt8]? in
      let parts = try? NoteLookup(in: snapshot).namedParts(names, fuzzy: false)
      return parts.flatMap { snapshot.box.folderBehindFilter(ofOneOf: $0.map(\.entry)) }
    }
    let (snapshot, entries, plan) = try session.withBox(
      keeping: isFromInput ? text : nil, name: reference.text, in: folder, again: again
    ) { snapshot in
      let parts = try NoteLookup(in: snapshot).namedParts(names, fuzzy: false)
      let plans = try parts.map { named -> Plan in
        if let part = named.part {
          return try ChangePart(in: snapshot).plan(.append(text), part, of: named.entry, reason: reason.text)
        }
        return try AppendText(in: snapshot).plan(text, to: named.entry, reason: reason.text)
      }
      return (snapshot, parts.map(\.entry), Plan.joined(plans) { "Append to: \(Plan.described($0))" })
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
        text, name: entries[0].note.shownName.description,
        in: snapshot.box.folderBehindFilter(ofOneOf: entries),
        at: snapshot.clock.now, error, again: again)
    }
    try Changes.report(recorded, naming: entries.map(\.note), session)
  }
}
