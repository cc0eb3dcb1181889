import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Log: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "Show the history of notes or of the box, newest first.",
    discussion: """
      Each line is an operation of slip, named by its operation id, or a commit of another program, named by \
      its commit id. REFs can name deleted notes. Other arguments are a query: the history of the notes that \
      match now. Renames are followed by the id of the note. For notes without an id, a file that was \
      deleted in the same commit is the source of a rename if at least half of its text is the same. Merges \
      are simplified as in git log: if the merged note is identical to one parent's version, only that \
      parent is followed; all other merges are listed.

      --field lists the changes of one field, with old and new values. The field body is the text, path is \
      the path of the file.

      Examples:
        slip log
        slip log kqzmvtrp
        slip log kind:book --field status
        slip log --since monday --author ada
        slip log --op kqzmvtrp --patch
        slip list +food | slip log -
      """)

  @Argument(help: ArgumentHelp("Only changes of these notes: REFs, or a query.", valueName: "ref"))
  var references: [Word] = []

  @Option(
    name: .option(.field), parsing: .unconditional,
    help: ArgumentHelp("Only changes of this field, with old and new value.", valueName: "name"))
  var field: String?

  @Option(
    name: .option(.op), parsing: .unconditional,
    help: ArgumentHelp("Only this operation, with its changes.", valueName: "id"))
  var operation: String?

  @Option(
    name: .option(.limit), parsing: .unconditional,
    help: ArgumentHelp("The maximum number of operations.", valueName: "n"))
  var limit: Int?

  @Option(
    name: .option(.since), parsing: .unconditional,
    help: ArgumentHelp("Only operations from this day on, such as monday or 2w.", valueName: "date"))
  var since: String?

  @Option(
    name: .option(.until), parsing: .unconditional,
    help: ArgumentHelp("Only operations up to the end of this day.", valueName: "date"))
  var until: String?

  @Option(
    name: .option(.author), parsing: .unconditional,
    help: ArgumentHelp("Only operations by authors whose name or address contains this.", valueName: "name"))
  var author: String?

  @Flag(name: .option(.patch), help: "Show the changed lines.")
  var patch = false

  @Flag(name: .option(.json), help: "As JSON, one operation per line.")
  var json = false

  @OptionGroup var schema: SchemaOption

  @Flag(name: .option(.csv), help: "Print CSV with a header: one row per change.")
  var csv = false

  @OptionGroup var selection: SelectionOptions
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard limit ?? 0 >= 0 else { throw ValidationError("--limit takes a number from 0.") }
    guard [json, csv, patch].filter({ $0 }).count <= 1 else {
      throw ValidationError("Choose one of --json, --csv and --patch.")
    }
    if operation != nil,
      !references.isEmpty || !selection.where.isEmpty || since != nil || until != nil
        || author != nil
    {
      throw ValidationError("--op can't be combined with other filters.")
    }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let filter = HistoryFilter(
      interval: try interval(snapshot), clock: snapshot.clock, author: author, field: field,
      wantsChanges: json || csv || operation != nil)
    let output = LogOutput(form: form, schema.schema, session: session, snapshot: snapshot)
    if let operation {
      let operations = PastOperations(in: snapshot, on: snapshot.box.device(session.context))
      let past = try operations.operation(named: operation)
      let entry = try BoxHistory(of: snapshot).entry(of: past.commit, filter)
      guard let entry else {
        return session.say("the operation changed no field \(Visible.escape(field ?? ""))")
      }
      return try output.write(details: entry)
    }
    let notes = try notes(snapshot, session)
    if notes?.isEmpty == true { return }
    try output.begin()
    var count = 0
    let visit = { (entry: HistoryEntry) throws(SlipboxError) -> Bool in
      count += 1
      try output.add(entry)
      return true
    }
    try session.showingProgress {
      if let notes {
        try BoxHistory(of: snapshot).visit(of: notes, filter, limit: limit, visit)
      } else {
        try BoxHistory(of: snapshot).visit(filter, limit: limit, visit)
      }
    }
    if count == 0, limit != 0 { session.say(emptyMessage) }
    session.sayIfShallow(snapshot)
    try output.end()
  }

  private var emptyMessage: String {
    if let field { return "no change of \(Visible.escape(field)) in this history" }
    return since == nil && until == nil && author == nil
      ? "no history yet: no commit has changed these notes" : "no operation matches"
  }

  private var form: LogOutput.Form {
    if json { return .json }
    if csv { return .csv }
    if patch { return .patch }
    return field == nil ? .lines : .fields
  }

  private func interval(_ snapshot: BoxSnapshot) throws(SlipboxError) -> DateInterval {
    for (name, date) in [("--since", since), ("--until", until)] {
      guard let date, DateInterval.parse(date, clock: snapshot.clock, looking: .back) == nil else { continue }
      throw SlipboxError(
        .usage, "\(name): \(Visible.escape(date)) is not a date",
        hints: ["such as 2026-11-21, monday, yesterday, 2w; slip help dates"])
    }
    return DateInterval.range(since, until, clock: snapshot.clock, looking: .back) ?? .all
  }

  /// The notes whose history is requested; nil for the whole box.
  private func notes(_ snapshot: BoxSnapshot, _ session: Session) throws -> [PastNote]? {
    if references.isEmpty, selection.where.isEmpty { return nil }
    if selection.where.isEmpty, isQuery(snapshot) {
      let entries = try snapshot.matches(try snapshot.query(references.texts)).map(\.entry)
      if entries.isEmpty { session.say("no note matches the query now") }
      return entries.map(PastNote.init)
    }
    if !selection.where.isEmpty {
      return try selection.entries(references.texts, of: SpokenCommand("log"), in: snapshot, session).entries
        .map(PastNote.init)
    }
    // Without names on standard input nothing is shown, not the whole box.
    let names = try session.expandingInput(references.texts, nulSeparated: selection.input.nulSeparated)
    var deleted: DeletedNotes?
    var notes: [PastNote] = []
    for name in names {
      do throws(SlipboxError) {
        notes.append(PastNote(try NoteLookup(in: snapshot).entry(name, fuzzy: true)))
      } catch {
        guard error.kind == .notFound else { throw error }
        deleted = try deleted ?? DeletedNotes(of: snapshot, session.context)
        guard let entry = try deleted?.entry(named: name) else {
          let hint = Show.operationHint(name, snapshot, session)
          throw hint.map { SlipboxError(error.kind, error.message, hints: [$0]) } ?? error
        }
        notes.append(PastNote(entry))
      }
    }
    return notes
  }

  /// Whether the words are a query: one of them reads as a term of it and names no note.
  private func isQuery(_ snapshot: BoxSnapshot) -> Bool {
    references.texts.contains { word in
      let first = word.utf8.first.map { Unicode.Scalar($0) }
      let isList = word.dropFirst().allSatisfy(\.isNumber) && first == "@"
      let mayBeTerm =
        word.utf8.contains(UInt8(ascii: ":")) || ["+", "(", "@"].contains(first)
        || (first == "-" && word.utf8.count > 1) || ["AND", "OR", "NOT"].contains(word)
      return mayBeTerm && !isList && (try? NoteLookup(in: snapshot).entries([word], fuzzy: true)) == nil
    }
  }
}

extension PastNote {
  fileprivate init(_ entry: Entry) { self.init(path: entry.note.path, id: entry.note.id) }
}

/// Writes the entries of a history in one of its forms.
final class LogOutput {
  enum Form { case lines, fields, patch, json, csv }

  private let form: Form
  private let session: Session
  private let snapshot: BoxSnapshot
  private let types: ChangeTypes
  private let rows: FieldHistoryRows
  private var lines: [String] = []
  private var table: HistoryTable

  init(form: Form, _ schema: JSONSchema, session: Session, snapshot: BoxSnapshot) {
    types = ChangeTypes(snapshot, schema)
    self.form = form
    self.session = session
    self.snapshot = snapshot
    table = HistoryTable(session.display)
    rows = FieldHistoryRows(session.display) { $0.title(in: snapshot) }
  }

  func begin() throws {
    if form == .csv { session.console.write(CSVWriter.row(FieldHistoryRows.columns)) }
  }

  func add(_ entry: HistoryEntry) throws(SlipboxError) {
    switch form {
    case .lines: table.add(entry)
    case .fields: lines += rows.lines(entry)
    case .json: session.console.write(entry.json(types))
    case .csv: for cells in rows.cells(entry) { session.console.write(CSVWriter.row(cells)) }
    case .patch:
      lines.append(entry.line(session.display))
      lines += try patch(of: entry)
      lines.append("")
    }
  }

  func end() throws {
    switch form {
    case .json, .csv: try session.console.flush()
    case .lines: try session.page(table.lines())
    case .fields, .patch: try session.page(lines)
    }
  }

  /// Writes one entry with its changes.
  func write(details entry: HistoryEntry) throws {
    guard form == .lines else {
      try begin()
      try add(entry)
      return try end()
    }
    lines.append(entry.line(session.display))
    if let reason = entry.operation.reason {
      lines += reason.split(separator: "\n", omittingEmptySubsequences: false).map {
        "    " + Visible.escape(String($0))
      }
    }
    lines += rows.lines(entry)
    try session.page(lines)
  }

  private func patch(of entry: HistoryEntry) throws(SlipboxError) -> [String] {
    let style = session.style
    let bytes = try BoxHistory(of: snapshot).patch(of: entry)
    return bytes.split(separator: 10, omittingEmptySubsequences: false).dropLast().map { line in
      let text = Visible.escape(String(decoding: line, as: UTF8.self))
      switch line.first {
      case UInt8(ascii: "+"): return style.green(text)
      case UInt8(ascii: "-"): return style.red(text)
      default: return text
      }
    }
  }
}
