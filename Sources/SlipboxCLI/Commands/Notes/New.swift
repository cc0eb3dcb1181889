import ArgumentParser
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

struct New: SlipCommand {
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
        slip new "Monday's meeting" --template meeting +work
        slip new "Fermentation, part two" --from kqzmvtrp

      A template is a note .slipbox/templates/NAME.md with places such as {{title}}; a note of a kind begins with the \
      template of the kind's name, if there is one (note.md for plain notes). What is given on the command line beats \
      the template, the template beats the defaults of the kind; id, title, kind and creation date are those of the new \
      note. slip help templates has the places and the forms of dates.

      With --from the new note has the fields, the tags and the text of another one; its title too, where none is \
      given. Aliases stay behind, and the fields of a record that an action or a change of another field sets (status, \
      closed, done and the like), as do dates that begin as today: they start anew. -b takes the place of the text. \
      Relative Markdown links in the text are written so that they lead to the same files from the new folder.

      A draft that an editor left without a note is kept: slip status names it, slip new --draft NAME goes on with it.
      """)

  @Argument(help: ArgumentHelp("The title, then CHANGEs.", valueName: "title"))
  var words: [Word] = []

  @Option(
    name: .option(.body), parsing: .unconditional,
    help: ArgumentHelp("The text; - reads it from standard input.", valueName: "text"))
  var body: Word?

  @Flag(name: .option(.edit), help: "Open the new note in the editor before it is saved.")
  var edit = false

  @Option(
    name: .option(.template), parsing: .unconditional,
    help: ArgumentHelp("Begin with .slipbox/templates/NAME.md.", valueName: "name"))
  var template: Word?

  @Flag(name: .option(.noTemplate), help: "Leave out the template of the kind.")
  var noTemplate = false

  @Option(
    name: .option(.from), parsing: .unconditional,
    help: ArgumentHelp("Begin with the fields, tags and text of a note.", valueName: "ref"))
  var source: Word?

  @Option(
    name: .option(.draft), parsing: .unconditional,
    help: ArgumentHelp("Go on with a kept draft in the editor.", valueName: "name"))
  var keptDraft: Word?

  @Flag(name: .option(.newField), help: "Write a new field or kind although its name is almost a known one.")
  var newField = false

  @Flag(name: .option(.json), help: "Print the note as JSON.")
  var json = false

  @Flag(name: .option(.dryRun), help: "Print the new file as a patch and make nothing.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    if let keptDraft { return try goOn(with: keptDraft.text, session) }
    // What is piped in can't be typed again: it is read before anything may be refused, and kept then.
    let piped = body?.text == "-" ? try session.console.readInput() : nil
    let again = { (file: String) in "slip new \"A title\" -b - <\(file) makes a note of it" }
    let made = try session.withBox(keeping: piped, name: "new", again: again) { snapshot in
      try prepared(piped, snapshot, session)
    }
    var text = made.text
    if dryRun {
      let note = Note(path: made.snapshot.newPath(Note(path: [], text: text), id: made.id), text: text)
      return try Changes.printPatch(made.snapshot.creation(of: note), made.snapshot, session)
    }
    if made.opensEditor {
      let kind = made.snapshot.schema().kindOrPlain(named: made.kind)
      text = try DraftEditing(made.snapshot, session, hasForm: made.hasForm).edited(text, made.id, kind: kind)
    }
    try save(text, made.id, made.snapshot, session)
  }

  /// A note as it is to be written, or opened in the editor first.
  private struct Prepared {
    let snapshot: BoxSnapshot
    let id: NoteID
    let kind: String
    let text: NoteText
    let opensEditor: Bool
    /// Whether the text is a form already, made by a template.
    let hasForm: Bool
  }

  func validate() throws {
    let starts: [(OptionName, Bool)] = [
      (.template, template != nil), (.noTemplate, noTemplate), (.from, source != nil),
    ]
    let given = starts.filter(\.1).map(\.0.typed)
    guard given.count <= 1 else { throw ValidationError("Choose one of \(Sentence.list(given)).") }
  }

  private func prepared(_ piped: [UInt8]?, _ snapshot: BoxSnapshot, _ session: Session) throws -> Prepared {
    var draft = try draft(piped ?? body?.bytes ?? [], snapshot)
    let opens = draft.title.isEmpty && draft.body.isEmpty && source == nil
    if opens, !edit {
      guard session.console.inputIsTerminal, session.console.outputIsTerminal else {
        let kind = draft.kind.map { $0 + " " } ?? ""
        throw SlipboxError(
          .usage, "which title?", hints: ["slip new \(kind)\"A title\"; on a terminal the editor opens"])
      }
    }
    try begin(&draft, snapshot)
    let id = try snapshot.freeID(session.context.ids)
    let text = try snapshot.text(of: draft, id: id, isUnfinished: (edit || opens) && !dryRun)
    var hasForm = false
    if case .template = draft.start { hasForm = true }
    return Prepared(
      snapshot: snapshot, id: id, kind: draft.ownKind, text: text, opensEditor: edit || opens,
      hasForm: hasForm)
  }

  /// Gives a draft the text that it begins with: a note, a template that was named, else that of its kind.
  private func begin(_ draft: inout Draft, _ snapshot: BoxSnapshot) throws(SlipboxError) {
    if let source {
      let copy = try snapshot.copy(of: try snapshot.entry(source.text, fuzzy: false))
      draft.start = .copy(copy)
      draft.kind = draft.kind ?? copy.kind
      if draft.title.isEmpty { draft.title = copy.title }
    } else if let template {
      draft.start = try snapshot.template(named: template.text)
    } else if !noTemplate {
      draft.start = try snapshot.template(ofKind: draft.kind ?? "note")
    }
  }

  func save(_ text: NoteText, _ id: NoteID, _ snapshot: BoxSnapshot, _ session: Session) throws {
    let note: Note
    let recorded: CommitResult
    do throws(SlipboxError) {
      let created = try snapshot.creating(text, id: id, reason: reason.text)
      note = created.note
      recorded = try session.writer(after: snapshot).record(created.plan)
    } catch {
      throw snapshot.box.keeping(text.bytes, name: id.description, at: snapshot.clock.now, error)
    }
    if json {
      try StandingNoteAddition.printJSON(of: note, session)
    } else {
      try session.console.print("\(id)\n")
    }
    try Changes.report(recorded, session)
  }
}
