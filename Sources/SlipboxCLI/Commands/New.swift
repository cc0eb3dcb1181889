import ArgumentParser
import NoteIndex
import Notes
import Platform
import Rendering
import SlipboxCore
import Text

struct New: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Make a note and print its id.",
    discussion: """
      The first argument is the title, as it is; plain words after it join it. From the first CHANGE on, all must be \
      CHANGEs: field:value, +tag. Where a kind's name comes before the title, the note is a record of that kind; \
      slip kinds lists them.

      Examples:
        slip new "Fermentation basics" +food
        slip new Reading list for winter +books status:open
        slip new task "Review the paper" due:friday priority:high +work
        echo "A line" | slip new "From a pipe" -b -
        slip new "A longer one" --edit
      """)

  @Argument(help: ArgumentHelp("The title, then CHANGEs.", valueName: "title"))
  var words: [Word] = []

  @Option(
    name: [.long, .customShort("b")], parsing: .unconditional,
    help: ArgumentHelp("The text; - reads it from standard input.", valueName: "text"))
  var body: Word?

  @Flag(name: [.long, .customShort("e")], help: "Open the new note in the editor before it is saved.")
  var edit = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("Begin with .slipbox/templates/NAME.md.", valueName: "name"))
  var template: Word?

  @Flag(name: .long, help: "Print the note as JSON.")
  var json = false

  @Flag(name: .long, help: "Print the new file as a patch and make nothing.")
  var dryRun = false

  @Option(
    name: [.long, .customShort("m")], parsing: .unconditional,
    help: ArgumentHelp("Why, for the commit message.", valueName: "reason"))
  var message: Word?

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    var draft = try draft(box)
    if draft.title.isEmpty, !edit, draft.body.isEmpty {
      guard Console.inputIsTerminal, Console.outputIsTerminal else {
        throw SlipboxError(
          .usage, "which title?",
          hints: ["slip new \"A title\", or on a terminal slip new alone opens the editor"])
      }
    }
    draft.template = try template.map { try box.template($0.text, title: draft.title) }
    let id = try box.freeID()
    let opensEditor = edit || (draft.title.isEmpty && draft.body.isEmpty)
    var text = try box.text(of: draft, id: id, isUnfinished: opensEditor && !dryRun)
    if dryRun {
      let note = Note(path: box.newPath(Note(path: [], text: text), id: id), text: text)
      try Changes.printPatch(box.creation(of: note), box)
      return
    }
    if opensEditor {
      text = try DraftEditing(box, session).edited(text, id)
      for problem in try box.recordProblems(in: Note(path: [], text: text)) {
        session.say("\(id): \(problem)")
      }
    }
    try save(text, id, box, session)
  }

  private func save(_ text: NoteText, _ id: NoteID, _ box: Slipbox, _ session: Session) throws {
    let made: (note: Note, recorded: Recorded)
    do throws(SlipboxError) {
      made = try box.create(text, id: id, reason: message?.text)
    } catch {
      throw box.keeping(text.bytes, name: id.description, error)
    }
    if json {
      try box.printJSON(of: made.note)
    } else {
      try Console.print("\(id)\n")
    }
    try Changes.report(made.recorded, session)
  }

  /// A kind's name alone opens the editor.
  private var isKindAlone: Bool { words.count == 1 && body == nil }

  /// What was typed, taken apart: title, changes, body.
  private func draft(_ box: Slipbox) throws -> Draft {
    var rest = words.texts[...]
    var kind = "note"
    if let first = rest.first, box.schema().kind(named: first)?.name == first, rest.count > 1 || isKindAlone {
      kind = first
      rest = rest.dropFirst()
    }
    var title = rest.popFirst() ?? ""
    while let word = rest.first, Change(word) == nil {
      title += " " + word
      rest = rest.dropFirst()
    }
    // Blanks alone are no title.
    if title.utf8.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { title = "" }
    let changes = try Changes.parse(Array(rest))
    var text: [UInt8] = []
    if let body { text = body.text == "-" ? try Console.readInput() : body.bytes }
    return Draft(kind: kind, title: title, changes: changes, body: text)
  }
}
