import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Show: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show notes with every field, or parts of notes.",
    discussion: """
      A part of the title is enough if it matches only one note. REF#HEADING, REF#^block, REF:LINE and \
      REF:FIRST-LAST print that part unchanged.

      In JSON, each link has its target as written, its form (wiki, embed, markdown, image, reference), its \
      line, its field (in front matter), and its resolution: the id, path and title of a note; ambiguous, a \
      list of notes; the path of another file; a url; or dangling. The backlinks are the notes that link to \
      this one.

      Examples:
        slip show kqzmvtrp
        slip show fermentation
        slip show @1 --raw
        slip show "Fermentation basics#Second rise"
        slip show kqzmvtrp --json
        slip show kqzmvtrp --at 2026-11-01
        slip show kqzmvtrp --at HEAD~3 --raw

      --at shows an earlier version of a note, which is found by its id, or by its path if it has no id; it \
      may be deleted. With --as-of, the REF is also resolved at that time. \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The notes.", valueName: "ref"))
  var references: [Word] = []

  @Flag(name: .option(.raw), help: "Print the file unchanged.")
  var raw = false

  @Flag(name: .option(.json), help: "As JSON, with body, links and backlinks.")
  var json = false

  @OptionGroup var schema: SchemaOption

  @Option(
    name: .option(.at), parsing: .unconditional,
    help: ArgumentHelp("The version of a revision, or of the end of a date.", valueName: "rev"))
  var at: Word?

  @OptionGroup var past: PastOptions

  @OptionGroup var input: InputOptions

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let names = try session.expandingInput(references.texts, nulSeparated: input.nulSeparated)
    if try showParts(names, session) { return }
    let (snapshot, entries) = try chosen(names, session)
    // A text that can't be read is an error, not an empty note.
    for entry in entries { _ = try entry.note.text }
    if raw {
      for entry in entries { try session.console.print(verbatim: try entry.note.text.bytes) }
    } else if json {
      try session.console.print(bytes: try NotePresenter(snapshot, json: schema.schema).json(of: entries))
    } else {
      try session.page(try NotePresenter(snapshot).views(of: entries, session.display))
      try session.console.flush()
    }
  }

  /// Prints parts of notes as they are; false if the names are those of whole notes.
  private func showParts(_ names: [String], _ session: Session) throws -> Bool {
    guard at == nil, names.contains(where: { !NotePart.readings(of: $0).isEmpty }) else { return false }
    let snapshot = try session.openBox(past)
    var parts: [(entry: Entry, part: NotePart)] = []
    for name in names {
      guard let part = try NoteLookup(in: snapshot).part(name, fuzzy: true) else { return false }
      parts.append(part)
    }
    guard !json else {
      throw SlipboxError(
        .usage, "\(OptionName.json.typed) shows whole notes",
        hints: ["slip show REF --json has the whole body"])
    }
    for (entry, part) in parts {
      let text = try entry.note.text
      let span = try part.span(in: entry.note, text)
      try session.console.print(verbatim: Array(text.bytes[span.whole]))
    }
    return true
  }

  /// The notes, and the box at the requested time.
  private func chosen(_ names: [String], _ session: Session) throws -> (BoxSnapshot, [Entry]) {
    let snapshot = try session.openBox(past)
    var names = names
    if references.isEmpty {
      names = try NotePicker(snapshot, session).entries(refusal: NotePicker.refusal(of: "show")).references
    }
    if let at {
      let point = try snapshot.box.pastPoint(at.text, session.context)
      let notes = try PastNotes(of: snapshot, at: point, session.context)
      return (notes.snapshot, try notes.entries(names, fuzzy: true))
    }
    do throws(SlipboxError) {
      return (snapshot, try NoteLookup(in: snapshot).entries(names, fuzzy: true))
    } catch {
      guard error.kind == .notFound else { throw error }
      if let entries = renamedEntries(names, in: snapshot, session) { return (snapshot, entries) }
      guard past.asOf == nil, names.count == 1 else { throw error }
      if let hint = Self.operationHint(names[0], snapshot, session) {
        throw SlipboxError(error.kind, error.message, hints: [hint])
      }
      let hints = DeletedNotes.hints(for: names[0], snapshot, session.context)
      guard !hints.isEmpty else { throw error }
      throw SlipboxError(error.kind, error.message, hints: hints)
    }
  }

  /// The notes without ids of a time in the past, by their names of now; nil if one did not exist then.
  private func renamedEntries(_ names: [String], in snapshot: BoxSnapshot, _ session: Session) -> [Entry]? {
    guard let asOf = past.asOf, let now = try? session.openBox(),
      let point = try? now.box.pastPoint(asOf.text, session.context)
    else { return nil }
    let entries = try? PastNotes(of: now, at: point, in: snapshot).entries(
      names, fuzzy: false)
    // An id is the name of a note at all times.
    return entries.flatMap { $0.allSatisfy { $0.note.id == nil } ? $0 : nil }
  }

  /// The command that shows an operation, if the name is the id of one.
  static func operationHint(_ name: String, _ snapshot: BoxSnapshot, _ session: Session) -> Phrase? {
    let operations = PastOperations(in: snapshot, on: snapshot.box.device(session.context))
    guard OperationID.mayBegin(name), let past = try? operations.operation(named: name) else {
      return nil
    }
    return "this is an operation: slip log --op \(past.shownID) --patch"
  }

  func validate() throws {
    guard at == nil || past.asOf == nil else {
      throw ValidationError("\(OptionName.at.typed) and \(OptionName.asOf.typed) can't be combined.")
    }
  }
}
