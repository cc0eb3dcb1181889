import ArgumentParser
import Notes
import Presentation
import SlipboxCore
import Text

struct Capture: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "capture", abstract: "Add a line to the inbox note.",
    discussion: """
      The text is added unchanged; several words are joined. Without TEXT, it is read from standard input. \
      The setting inbox is the title or path of the note, by default "Inbox". The first capture creates the \
      note, using the template inbox.md if it exists. The id of the note is derived from its name, so two \
      devices create the same note. The setting capture is the format of a line, by default "- \
      {{selection}}"; it can use {{date}} and {{time}}, as templates can.

      Examples:
        slip capture "Ask Ada about the second rise"
        date | slip capture
        slip config capture "- {{date:YYYY-MM-DD HH:mm}} {{selection}}"
      """)

  @Argument(help: ArgumentHelp("The text; several words are joined.", valueName: "text"))
  var words: [Word] = []

  @Flag(name: .option(.json), help: "Print the note as JSON.")
  var json = false

  @OptionGroup var schema: SchemaOption

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let isFromInput = words.isEmpty || (words.count == 1 && words[0].text == "-")
    if words.isEmpty, session.console.inputIsTerminal {
      throw SlipboxError(.usage, "the text is missing", hints: ["slip capture TEXT, or pipe it in"])
    }
    let input = isFromInput ? try session.console.readInput() : Array(words.texts.joined(separator: " ").utf8)
    let again = { (file: Phrase) -> Phrase in "slip capture <\(file) adds it to the inbox" }
    // The line end of the last line is not a line of its own.
    let text = input.last == 0x0A ? Array(input.dropLast(input.dropLast().last == 0x0D ? 2 : 1)) : input
    let folder = { (snapshot: BoxSnapshot) -> [UInt8]? in
      (try? StandingNotes(in: snapshot).inbox()).flatMap { snapshot.box.folderBehindFilter(of: $0.path) }
    }
    let (snapshot, standing, lines) = try session.withBox(
      keeping: isFromInput ? input : nil, name: "capture", in: folder, again: again
    ) { snapshot in
      let notes = StandingNotes(in: snapshot)
      return (snapshot, try notes.inbox(), text.isEmpty ? [] : try notes.captured(text))
    }
    let adding = StandingNoteAddition(standing, again: again)
    let note = try adding.add(lines, dryRun: dryRun, reason: reason.text, snapshot, session)
    if let note, json { try StandingNoteAddition.printJSON(of: note, schema.schema, session) }
  }
}
