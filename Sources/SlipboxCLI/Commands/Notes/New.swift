import ArgumentParser
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
      record of that kind. slip kinds lists the kinds.

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
    // What is piped in can't be typed again: it is read before anything may be refused, and kept then.
    let readsInput = body?.text == "-" || (endsInDash && !session.console.inputIsTerminal)
    let piped = readsInput ? try session.console.readInput() : nil
    let again = { (file: String) in "slip new \"A title\" -b - <\(file) makes a note of it" }
    let made = try session.withBox(keeping: piped, name: "new", again: again) { snapshot in
      try prepared(piped, snapshot, session)
    }
    var text = made.text
    if dryRun {
      let note = try made.snapshot.placed(text, id: made.id, in: made.folder)
      return try Changes.printPatch(made.snapshot.creation(of: note), made.snapshot, session)
    }
    if made.opensEditor {
      let kind = made.snapshot.schema().kindOrPlain(named: made.kind)
      text = try DraftEditing(made.snapshot, session, hasForm: made.hasForm).edited(text, made.id, kind: kind)
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
    let id = try snapshot.freeID(session.context.ids)
    let text = try snapshot.text(of: draft, id: id, isUnfinished: (edit || opens) && !dryRun)
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
      let copy = try snapshot.copy(of: try snapshot.entry(session.reference(source), fuzzy: false))
      draft.start = .copy(copy)
      draft.kind = draft.kind ?? copy.kind
      if draft.title.isEmpty { draft.title = copy.title }
    } else if let template {
      draft.start = try snapshot.template(named: template.text)
    } else if !noTemplate {
      draft.start = try snapshot.template(ofKind: draft.kind ?? "note")
    }
  }

  private func folderOfNote(_ snapshot: BoxSnapshot) throws(SlipboxError) -> [UInt8]? {
    guard let folder else { return nil }
    return try snapshot.folderOfNewNote(folder.bytes)
  }

  func save(
    _ text: NoteText, _ id: NoteID, in folder: [UInt8]?, _ snapshot: BoxSnapshot, _ session: Session
  ) throws {
    let note: Note
    let recorded: CommitResult
    do throws(SlipboxError) {
      let created = try snapshot.creating(text, id: id, in: folder, reason: reason.text)
      note = created.note
      recorded = try session.writer(after: snapshot).record(created.plan)
    } catch {
      throw snapshot.box.keeping(text.bytes, name: id.description, at: snapshot.clock.now, error)
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

/// The words of the command: the kind, the title and the changes.
extension New {
  /// Whether a word is the name of a kind, also of one whose file has a mistake.
  private static func isKind(_ word: String, _ schema: Schema) -> Bool {
    schema.kind(named: word)?.name == word || schema.fault(ofKind: word)?.kind == word
  }

  /// Refuses a first word that almost is a kind where more words follow: it may be meant as either.
  private func refuseMistypedKind(_ word: String, _ schema: Schema) throws(SlipboxError) {
    guard words.count > 1, words[1].isLiteral || Change(words[1].text) == nil else { return }
    let names = schema.kinds.map(\.name) + schema.faults.map(\.kind)
    guard let kind = Spelling.slip(of: word, among: names) else { return }
    let isTitle = { (word: Word) in word.isLiteral || Change(word.text).map { $0.isClearing } ?? true }
    let before = words.prefix(while: isTitle).map(\.text)
    let rest = words.drop(while: isTitle).map { Self.word($0.text) }
    let line = { (start: [String]) in "  " + (["slip new"] + start + rest).joined(separator: " ") }
    throw SlipboxError(
      .usage, "\(Visible.escape(word)) is not a kind, but resembles \(kind)",
      hints: [
        "for the kind \(kind):", line([kind] + before.dropFirst().map(Self.word)),
        "for a note with that title:", line([Self.titleWord(before.joined(separator: " "))]),
      ])
  }

  /// Refuses a CHANGE that precedes the title: `due:friday "Call x"`.
  private func refuseChangeAsTitle(_ words: ArraySlice<Word>, _ kind: String?) throws(SlipboxError) {
    guard let first = words.first, !first.isLiteral, let change = Change(first.text), !change.isClearing,
      let start = words.firstIndex(where: { $0.isLiteral || Change($0.text) == nil })
    else { return }
    let changes = words[..<start]
    let title = words[start...].prefix { $0.isLiteral || Change($0.text) == nil }
    let rest = words[(start + title.count)...]
    let line = { (parts: [String]) in
      "  " + (["slip new"] + [kind].compactMap { $0 } + parts).joined(separator: " ")
    }
    let text = title.map(\.text).joined(separator: " ")
    throw SlipboxError(
      .usage, "\(Visible.escape(first.text)) before the title is ambiguous",
      hints: [
        "as a CHANGE:", line([Self.word(text)] + (changes + rest).map { Self.word($0.text) }),
        "as part of the title:",
        line(
          [Self.word((changes.map(\.text) + [text]).joined(separator: " "))] + rest.map { Self.word($0.text) }
        ),
      ])
  }

  /// Whether the words before the CHANGEs end in a dash of its own, as if it read the text.
  private var endsInDash: Bool {
    let title = words.prefix { $0.isLiteral || Change($0.text) == nil }
    return title.last.map { $0.text == "-" && !$0.isLiteral } ?? false
  }

  /// Refuses a dash in the place of the title or after it: only `-b -` reads standard input.
  private func refuseDash(_ rest: ArraySlice<Word>, _ kind: String?) throws(SlipboxError) {
    guard endsInDash, !rest.isEmpty else { return }
    let title = rest.prefix { $0.isLiteral || Change($0.text) == nil }.dropLast().map(\.text)
    let shown = title.isEmpty ? "TITLE" : Self.titleWord(title.joined(separator: " "))
    let line = ["slip new"] + [kind].compactMap { $0 } + [shown, "\(OptionName.body.short) -"]
    throw SlipboxError(
      .usage, title.isEmpty ? "the title is missing" : "- after a title does not read standard input",
      hints: ["\(line.joined(separator: " ")) reads the text from standard input"])
  }

  /// Whether words are CHANGEs alone: tags, and fields that kinds declare. `Re:login` is a title.
  private static func areChanges(_ words: ArraySlice<Word>, _ fields: Set<String>) -> Bool {
    words.allSatisfy { word in
      guard !word.isLiteral, !word.text.utf8.contains(UInt8(ascii: " ")) else { return false }
      return switch Change(word.text) {
      case .addTag?: true
      case .set(let field, _)?, .add(_, let field)?: fields.contains(field.lowercased())
      case .removeTag?, .clear?, .remove?, nil: false
      }
    }
  }

  /// The refusal of CHANGEs without a title.
  private static func missingTitle(_ rest: ArraySlice<Word>, _ kind: String?) -> SlipboxError {
    let start = ["slip new"] + [kind].compactMap { $0 }
    let shown = rest.map { word($0.text) }
    return SlipboxError(
      .usage, "the title is missing",
      hints: [
        "put the title first: \((start + ["TITLE"] + shown).joined(separator: " "))",
        "as a title: \((start + ["--"] + shown).joined(separator: " "))",
      ])
  }

  /// Refuses the name of a kind after a title that is quoted, or before a field of that kind: `"Call Ada" task`.
  private func refuseKindAfterTitle(_ rest: ArraySlice<Word>, _ schema: Schema) throws(SlipboxError) {
    let title = rest.prefix { $0.isLiteral || Change($0.text) == nil }
    guard title.count > 1, let first = title.first, let last = title.last, !last.isLiteral,
      Self.isKind(last.text, schema)
    else { return }
    let changes = rest.dropFirst(title.count)
    let kind = schema.kindOrPlain(named: last.text)
    let hasItsField = changes.contains { word in
      guard !word.isLiteral, let field = Change(word.text)?.setField else { return false }
      return kind.field(field) != nil
    }
    let isQuoted = title.count == 2 && first.text.utf8.contains(UInt8(ascii: " "))
    guard isQuoted || hasItsField else { return }
    let text = title.map(\.text).joined(separator: " ")
    let line = { (parts: [String]) in
      "  " + (["slip new"] + parts + changes.map { Self.word($0.text) }).joined(separator: " ")
    }
    throw SlipboxError(
      .usage, "\(Visible.escape(last.text)) after the title is ambiguous",
      hints: [
        "for the kind \(Visible.escape(last.text)):",
        line([last.text, Self.titleWord(title.dropLast().map(\.text).joined(separator: " "))]),
        "for a note with that title:", line([Self.titleWord(text)]),
      ])
  }

  /// A text as one word of a command that is shown.
  private static func word(_ text: String) -> String {
    let shown = Visible.escape(text)
    return shown.utf8.contains(0x20) ? "\"\(shown)\"" : shown
  }

  /// A title as one word of a command that is shown; in quotes also if it could be a CHANGE.
  private static func titleWord(_ text: String) -> String {
    Change(text) == nil ? word(text) : "\"\(Visible.escape(text))\""
  }

  /// A kind's name alone opens the editor.
  private var isKindAlone: Bool { words.count == 1 && body == nil }

  /// The title and the changes that were typed, with the text.
  func draft(_ text: [UInt8], _ snapshot: BoxSnapshot) throws -> Draft {
    var rest = words[...]
    var kind: String?
    if let first = rest.first, !first.isLiteral, rest.count > 1 || isKindAlone {
      if Self.isKind(first.text, snapshot.schema()) {
        kind = first.text
        rest = rest.dropFirst()
      } else {
        try refuseMistypedKind(first.text, snapshot.schema())
      }
    }
    try refuseDash(rest, kind)
    let fields = MisreadChange.fields(of: snapshot)
    // A copy has the title of its note if none is given.
    let lacksTitle = Self.areChanges(rest, fields)
    if lacksTitle, !rest.isEmpty, source == nil, !edit { throw Self.missingTitle(rest, kind) }
    try refuseChangeAsTitle(rest, kind)
    if kind == nil { try refuseKindAfterTitle(rest, snapshot.schema()) }
    var title = lacksTitle ? "" : rest.popFirst()?.text ?? ""
    while let word = rest.first, word.isLiteral || Change(word.text) == nil {
      title += " " + word.text
      rest = rest.dropFirst()
    }
    let changeWords = rest.map(\.text)
    // Blanks alone are no title.
    if title.utf8.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }) { title = "" }
    let typed = words[..<(words.count - rest.count)].dropFirst(kind == nil ? 1 : 2)
      .filter { !$0.isLiteral }.map(\.text)
    let meant =
      MisreadChange(in: typed + changeWords, fields: fields) ?? MisreadChange(blankIn: typed, fields: fields)
    if let meant {
      throw SlipboxError(
        meant.error.kind, meant.error.message,
        hints: meant.error.hints + ["as part of the title, quote the whole title"])
    }
    let changes = try Changes.parse(changeWords)
    for case .removeTag(let tag) in changes {
      throw SlipboxError(
        .usage, "a new note has no tag to remove: -\(Visible.escape(tag))",
        hints: ["quote a title with a dash in it"])
    }
    return Draft(kind: kind, title: title, changes: changes, body: text, allowsNewFields: newField)
  }
}

extension Change {
  /// Whether it removes a value: `Idea:` is more likely the first word of a title.
  fileprivate var isClearing: Bool { if case .clear = self { true } else { false } }
}

/// Going on with a draft that was kept.
extension New {
  /// Opens a kept text in the editor and makes a note of it; a text of which nothing is left is thrown away.
  func goOn(with name: String, _ session: Session) throws {
    guard words.isEmpty, body == nil, template == nil, !noTemplate, source == nil, !dryRun else {
      throw SlipboxError(
        .usage, "--draft can't be combined with a title or changes",
        hints: ["change them in the editor"])
    }
    let snapshot = try session.openBox()
    let folder = try folderOfNote(snapshot)
    let kept = try snapshot.box.keptText(named: name)
    let (text, id) = try snapshot.noteText(of: kept, session.context.ids)
    let kind = snapshot.schema().kindOrPlain(named: Note(path: [], text: text).kind)
    let edited: NoteText
    do {
      edited = try DraftEditing(snapshot, session).edited(text, id, kind: kind)
    } catch let exit as EarlyExit {
      snapshot.box.removeDraft(kept.file)
      throw exit
    }
    try save(edited, id, in: folder, snapshot, session)
    snapshot.box.removeDraft(kept.file)
  }
}
