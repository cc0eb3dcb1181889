import ArgumentParser
import Bytes
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

struct New: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "new", abstract: "Create a note and print its id.",
    discussion: """
      The first argument is the title; plain words after it are joined to it. After the first CHANGE \
      (field:value, +tag), all arguments must be CHANGEs. The name of a kind before the title creates a \
      record of that kind. slip kinds lists the kinds. A word such as !! or !!! sets the priority of a task or \
      an issue; shells may need quotes around it.

      Examples:
        slip new "Fermentation basics" +food
        slip new Reading list for winter +books status:open
        slip new task "Review the paper" due:friday priority:high +work
        echo "A line" | slip new "From a pipe" -b -
        slip new "A longer one" --edit
        slip new "Monday's meeting" --template meeting +work
        slip new "Fermentation, part two" --from kqzmvtrp
        slip new "Pin code" -b 1234 --folder secret/

      A template is a note .slipbox/templates/NAME.md with placeholders such as {{title}}. A record uses the \
      template with the name of its kind, if there is one (note.md for plain notes). The command line \
      overrides the template, and the template overrides the defaults of the kind. The id, title, kind and \
      creation date are always those of the new note. See slip help templates.

      --from copies the fields, the tags and the text of a note, and its title if none is given. Aliases are \
      not copied. Fields that actions or transitions set (status, closed, done and the like), and dates with \
      the default today, get their defaults. -b replaces the text. Relative Markdown links are rewritten for \
      the new folder.

      --folder creates the note in another folder; the layout names the file. In a folder behind a git filter \
      (such as git-crypt) the file is named by the id, and the commit has no title.

      An unfinished draft is kept: slip status lists it, slip new --draft NAME continues it.
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
    help: ArgumentHelp("Use the template .slipbox/templates/NAME.md.", valueName: "name"))
  var template: Word?

  @Flag(name: .option(.noTemplate), help: "Don't use the template of the kind.")
  var noTemplate = false

  @Option(
    name: .option(.folder), parsing: .unconditional,
    help: ArgumentHelp("Create the note in this folder of the box.", valueName: "dir"))
  var folder: Word?

  @Option(
    name: .option(.from), parsing: .unconditional,
    help: ArgumentHelp("Copy the fields, tags and text of a note.", valueName: "ref"))
  var source: Word?

  @Option(
    name: .option(.draft), parsing: .unconditional,
    help: ArgumentHelp("Continue a draft in the editor.", valueName: "name"))
  var keptDraft: Word?

  @Flag(name: .option(.newField), help: "Allow a new field or kind with a name that resembles a known one.")
  var newField = false

  @Flag(name: .option(.json), help: "Print the note as JSON.")
  var json = false

  @OptionGroup var schema: SchemaOption

  @Flag(name: .option(.dryRun), help: "Print the new file as a patch without writing it.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    if let keptDraft { return try goOn(with: keptDraft.text, session) }
    // Piped text can't be typed again: it is read before anything can be refused, and kept in that case.
    let readsInput = body?.text == "-" || (endsInDash && !session.console.inputIsTerminal)
    let piped = readsInput ? try session.console.readInput() : nil
    let again = { (file: Phrase) -> Phrase in "slip new \"A title\" -b - <\(file) makes a note of it" }
    let made = try session.withBox(
      keeping: piped, name: "new", in: { try? folderOfNote($0) }, again: again
    ) { snapshot in
      try prepared(piped, snapshot, session)
    }
    var text = made.text
    if dryRun {
      let note = try PlaceNote(in: made.snapshot).note(text, id: made.id, in: made.folder)
      return try Changes.printPatch(CreateNote(in: made.snapshot).plan(of: note), made.snapshot, session)
    }
    if made.opensEditor {
      let kind = made.snapshot.schema().kindOrPlain(named: made.kind)
      text = try DraftEditing(made.snapshot, session, hasForm: made.hasForm).edited(
        text, made.id, kind: kind, in: made.folder)
    }
    try save(text, made.id, in: made.folder, made.snapshot, session)
  }

  /// A note as it is to be written, or opened in the editor first.
  private struct Prepared {
    let snapshot: BoxSnapshot
    let id: NoteID
    let kind: String
    let folder: [UInt8]?
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
          .usage, "the title is missing",
          hints: ["slip new \(kind)\"A title\"; on a terminal the editor opens"])
      }
    }
    draft.folder = try folderOfNote(snapshot)
    try begin(&draft, snapshot, session)
    let creation = CreateNote(in: snapshot)
    let id = try creation.freeID(session.context.ids)
    let text = try creation.text(of: draft, id: id, isUnfinished: (edit || opens) && !dryRun)
    var hasForm = false
    if case .template = draft.start { hasForm = true }
    return Prepared(
      snapshot: snapshot, id: id, kind: draft.ownKind, folder: draft.folder, text: text,
      opensEditor: edit || opens,
      hasForm: hasForm)
  }

  /// Gives a draft the text that it begins with: a note, a template that was named, else that of its kind.
  private func begin(_ draft: inout Draft, _ snapshot: BoxSnapshot, _ session: Session) throws(SlipboxError) {
    if let source {
      let copy = try NoteCopy(
        of: try NoteLookup(in: snapshot).entry(session.reference(source), fuzzy: false), in: snapshot)
      draft.start = .copy(copy)
      draft.kind = draft.kind ?? copy.kind
      if draft.title.isEmpty { draft.title = copy.title }
      try place(&draft, besideCopied: copy.entry, snapshot)
    } else if let template {
      draft.start = try Templates(in: snapshot).template(named: template.text)
    } else if !noTemplate {
      draft.start = try Templates(in: snapshot).template(ofKind: draft.kind ?? "note")
    }
  }

  /// Puts the copy of an encrypted note into its folder; another folder is warned of if its notes are readable.
  private func place(
    _ draft: inout Draft, besideCopied source: Entry, _ snapshot: BoxSnapshot
  ) throws(SlipboxError) {
    guard let own = snapshot.box.folderBehindFilter(of: source.note.path) else { return }
    guard let folder = draft.folder else {
      draft.folder = own
      return
    }
    if try snapshot.box.leavesFilter(from: source.note.path, to: BytePath.join(folder, Array("copy.md".utf8)))
    {
      snapshot.box.warnOfReadableText(of: "the copy of \(source.note.mention)", snapshot.reporter)
    }
  }

  private func folderOfNote(_ snapshot: BoxSnapshot) throws(SlipboxError) -> [UInt8]? {
    guard let folder else { return nil }
    return try PlaceNote(in: snapshot).folder(folder.bytes)
  }

  func save(
    _ text: NoteText, _ id: NoteID, in folder: [UInt8]?, _ snapshot: BoxSnapshot, _ session: Session
  ) throws {
    let note: Note
    let recorded: CommitResult
    do throws(SlipboxError) {
      let created = try CreateNote(in: snapshot).plan(text, id: id, in: folder, reason: reason.text)
      note = created.note
      recorded = try session.writer(after: snapshot).record(created.plan)
    } catch {
      throw snapshot.box.keeping(
        text.bytes, name: id.description, in: folder, at: snapshot.clock.now, error)
    }
    if json {
      try StandingNoteAddition.printJSON(of: note, schema.schema, session)
    } else {
      try session.console.print(verbatim: note.name + [UInt8(ascii: "\n")])
    }
    if !note.links.isEmpty { session.say(try Self.ambiguousLinks(of: note, snapshot)) }
    try Changes.report(recorded, session)
  }

  /// Names the notes that each link of a new note may mean if there are several.
  private static func ambiguousLinks(of note: Note, _ snapshot: BoxSnapshot) throws(SlipboxError) -> [String]
  {
    let web = try NoteWeb(snapshot)
    return web.resolvedLinks(of: note).compactMap { resolved in
      guard case .ambiguous(let places) = resolved.meaning else { return nil }
      let target = Visible.escape(resolved.link.target)
      return "the link to \(target) is ambiguous: it may be any of \(web.candidates(places))"
    }
  }
}

extension New {
  /// Opens a kept text in the editor and makes a note of it; a text of which nothing is left is thrown away.
  func goOn(with name: String, _ session: Session) throws {
    guard words.isEmpty, body == nil, template == nil, !noTemplate, source == nil, !dryRun else {
      throw SlipboxError(
        .usage, "--draft can't be combined with a title or changes",
        hints: ["change them in the editor"])
    }
    let snapshot = try session.openBox()
    let kept = try snapshot.box.keptText(named: name)
    let folder = try folderOfNote(snapshot) ?? kept.folder
    let (text, id) = try CreateNote(in: snapshot).text(of: kept, session.context.ids)
    let kind = snapshot.schema().kindOrPlain(named: Note(path: [], text: text).kind)
    let edited: NoteText
    do {
      edited = try DraftEditing(snapshot, session).edited(text, id, kind: kind, in: folder)
    } catch let exit as EarlyExit {
      snapshot.box.removeDraft(kept.file)
      throw exit
    }
    let notes = StandingNotes(in: snapshot)
    if let standing = try dailyNote(of: kept, edited, snapshot), try notes.entry(of: standing) != nil {
      // The note of the day was created after the draft.
      let again = { (file: Phrase) -> Phrase in
        "slip daily \(standing.title) --append - <\(file) adds it to the note"
      }
      // The note of the day has the text of the template already.
      let template = try notes.text(of: standing, isUnfinished: true)
      let body = edited.bytes[edited.body]
      let begun = template.bytes[template.body]
      let lines = Array(body.starts(with: begun) ? body.dropFirst(begun.count) : body)
      let note = try StandingNoteAddition(standing, again: again).add(
        lines, dryRun: false, reason: reason.text, snapshot, session)
      if let note { try session.console.print(verbatim: note.name + [UInt8(ascii: "\n")]) }
    } else {
      try save(edited, id, in: folder, snapshot, session)
    }
    snapshot.box.removeDraft(kept.file)
  }

  /// The daily note that a draft was begun for; nil if it is the draft of another note.
  private func dailyNote(
    of kept: KeptText, _ text: NoteText, _ snapshot: BoxSnapshot
  ) throws(SlipboxError) -> StandingNote? {
    guard let day = CivilDate(Note(path: [], text: text).title) else { return nil }
    let standing = try StandingNotes(in: snapshot).daily(day)
    return standing.id.description == kept.name ? standing : nil
  }
}
