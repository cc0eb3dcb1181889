import ArgumentParser
import Bytes
import Foreign
import NoteIndex
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

struct Import: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import notes and records of other programs, in one commit.",
    discussion: """
      A folder of Markdown (Obsidian, zk, Hugo, Jekyll, Denote, Dendron) is copied byte by byte, with the \
      linked files, to a folder with the same name. Records can be imported from the output of slip list \
      --json, --jsonl or --csv, from JSON and CSV of other programs (title, kind, created, tags and body \
      have their usual meaning; other members are fields), from taskwarrior (task export), todo.txt, and \
      Goodreads. The format is detected by name and content; --as sets it: \
      \(ForeignFormat.allCases.map(\.rawValue).joined(separator: ", ")).

      CHANGEs after the sources apply to everything that is imported: +imported, kind:book. Records are \
      checked against their kinds. Invalid lines are reported, and the rest is imported (exit code 65).

      You can import the same source again: records are identified by their id or name in the source. \
      Changes in the source are merged field by field, and changes in the box are kept. Notes that were \
      deleted in the box stay deleted, unless you add --again. Notes that are missing in the source are \
      reported and kept. If the folder is a box, its missing kinds are imported too.

      Tasks of taskwarrior keep all attributes for slip export taskwarrior. Dates such as 31.01.2026 are \
      accepted if they are unambiguous; relative dates (tomorrow) are reported with their line.

      Examples:
        slip import ~/vault
        slip import ~/vault +obsidian --into archive/vault --dry-run
        slip import todo.txt done.txt
        slip import goodreads_library_export.csv +goodreads
        slip import films.csv --map Name=title --map Seen=completed kind:film
        task export | slip import - --as taskwarrior
        slip list kind:task --json --with body | slip import -
      """)

  @Argument(help: ArgumentHelp("Files and folders, - for standard input; then CHANGEs.", valueName: "source"))
  var words: [Word]

  @Option(
    name: .option(.as), parsing: .unconditional,
    help: ArgumentHelp("The format; detected by default.", valueName: "format"))
  var format: Word?

  @Option(
    name: .option(.into), parsing: .unconditional,
    help: ArgumentHelp("The folder of the box for the files of a folder; . is its root.", valueName: "folder")
  )
  var place: Word?

  @Option(
    name: .option(.map), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Import a column or JSON member as this field; can be repeated.",
      valueName: "column=field"))
  var maps: [Word] = []

  @Flag(name: .option(.dates), help: "Use the date of the file for notes without a date.")
  var dates = false

  @Flag(name: .option(.again), help: "Import notes again that were deleted in the box.")
  var again = false

  @Flag(name: .option(.newField), help: "Allow new fields with names that resemble known ones.")
  var newField = false

  @Option(
    name: .option(.expect), parsing: .unconditional,
    help: ArgumentHelp("Fail if the number of imported notes differs.", valueName: "n"))
  var expect: Int?

  @Flag(name: .option(.yes), help: "Import more than 100 MB of linked files without asking.")
  var yes = false

  @Flag(name: .option(.json), help: "Print the result for each note as JSON.")
  var json = false

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !json || !dryRun else {
      throw ValidationError("\(OptionName.json.typed) and \(OptionName.dryRun.typed) can't be combined.")
    }
  }

  func run(in session: Session) throws {
    let request = try ImportSources(words, format, maps, session).request(adding: options)
    let snapshot = try session.openBox()
    let result = try session.givingWarnings {
      try session.showingProgress {
        try ImportNotes(in: snapshot).result(request, session.context, mayBring: { mayBring($0, session) })
      }
    }
    if let expect, expect != result.count {
      throw SlipboxError(
        .usage, "\(Count.notes(result.count)), not \(expect) as expected", hints: ["nothing was changed"])
    }
    if dryRun {
      try Changes.printPatch(result.plan, snapshot, session)
    } else {
      let recorded = try session.showingProgress {
        try session.writer(after: snapshot).record(result.plan)
      }
      if json { try session.console.print(bytes: result.json) }
      try report(recorded, session)
    }
    session.say(ImportLines.lines(result, isDone: !dryRun))
    if let refusal = ImportLines.refusal(result, isDone: !dryRun) { throw refusal }
  }

  private func options(_ request: inout ImportRequest) {
    request.place = place?.bytes
    request.takesDeleted = again
    request.writesDates = dates
    request.allowsNewFields = newField
    request.reason = reason.text
    request.exported = OwnExport.records
  }

  private func mayBring(_ size: Int64, _ session: Session) -> Bool {
    yes || session.console.agrees(to: "The notes link to \(size >> 20) MB of files. Import them too?") == true
  }

  private func report(_ recorded: CommitResult, _ session: Session) throws {
    // The lines that follow say that nothing had to be changed.
    if case .unchanged = recorded.outcome { return }
    try Changes.report(recorded, session)
  }
}

/// The sources that the words of `slip import` name, and the CHANGEs behind them.
struct ImportSources {
  private let sources: [Word]
  private let changes: [Change]
  private let typedChanges: [String]
  private let format: ForeignFormat?
  private let columns: ColumnNames
  private let hasColumns: Bool
  private let session: Session

  /// - Throws: `.usage` for words that are neither, and for a format that there is none of.
  init(_ words: [Word], _ format: Word?, _ maps: [Word], _ session: Session) throws(SlipboxError) {
    var fields: [(column: String, field: String)] = []
    for map in maps {
      guard let mark = map.text.lastIndex(of: "="), mark > map.text.startIndex,
        map.text.index(after: mark) < map.text.endIndex
      else {
        throw SlipboxError(
          .usage, "\(OptionName.map.typed) takes COLUMN=FIELD, not \(Visible.escape(map.text))",
          hints: ["such as \(OptionName.map.typed) Name=title"])
      }
      fields.append((String(map.text[..<mark]), String(map.text[map.text.index(after: mark)...])))
    }
    columns = ColumnNames(fields)
    hasColumns = !fields.isEmpty
    let split = words.firstIndex { Change($0.text) != nil && !Self.isThere($0, session) } ?? words.count
    sources = Array(words[..<split])
    typedChanges = words[split...].map(\.text)
    changes = try Changes.parse(typedChanges)
    self.session = session
    self.format = try format.map { (word) throws(SlipboxError) in
      if let format = ForeignFormat(name: word.text) { return format }
      throw SlipboxError(.usage, "there is no format \(Visible.escape(word.text))", lines: [Self.formats])
    }
    guard !sources.isEmpty else {
      throw SlipboxError(
        .usage, "the source is missing", hints: ["slip import FILE, FOLDER or -, then CHANGEs"])
    }
  }

  /// The request with all that the sources hold.
  func request(adding options: (inout ImportRequest) -> Void) throws(SlipboxError) -> ImportRequest {
    var request = ImportRequest()
    request.changes = changes
    request.typedChanges = typedChanges
    options(&request)
    for source in sources { try add(source, to: &request) }
    if request.place != nil, request.folders.isEmpty {
      throw SlipboxError(
        .usage, "\(OptionName.into.typed) works only for folders of Markdown",
        hints: ["the paths of records follow slip config path"])
    }
    return request
  }

  private static let formats =
    "the formats: \(ForeignFormat.allCases.map(\.rawValue).joined(separator: ", "))"

  private static func isThere(_ word: Word, _ session: Session) -> Bool {
    let path = BytePath.join(session.context.workingDirectory, word.bytes)
    // An inaccessible file is refused when it is read.
    return (try? Files.status(path, followLinks: true)) != nil
  }

  private func add(_ word: Word, to request: inout ImportRequest) throws(SlipboxError) {
    let path = BytePath.join(session.context.workingDirectory, word.bytes)
    let shown = Visible.escape(word.bytes)
    if word.text == "-", !word.isLiteral {
      return try add(try session.console.readInput(), name: "-", shown: "standard input", to: &request)
    }
    guard Self.isThere(word, session) else {
      throw SlipboxError(.notFound, "there is no file or folder \(shown)", lines: formatHint(word))
    }
    if Files.isFolder(path) {
      try refuse(otherThan: .folder, shown)
      let name = shown.hasSuffix("/") && shown != "/" ? String(shown.dropLast()) : shown
      request.folders.append(try ImportFolder(at: path, name: name))
      return
    }
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try Files.read(path) } catch { throw SlipboxError(error) }
    let name = ByteText.text(of: BytePath.name(of: path))
    let chosen = format ?? ForeignFormat.guess(name: name, bytes)
    if chosen == .folder {
      guard FileName.isNote(BytePath.name(of: path)) else {
        throw SlipboxError(
          .usage, "\(shown) is neither a folder nor a Markdown file (.md, .markdown)",
          lines: [Self.formats])
      }
      request.folders.append(try ImportFolder(file: path, name: shown))
      return
    }
    try add(bytes, name: name, shown: shown, to: &request)
  }

  private func add(
    _ bytes: [UInt8], name: String, shown: String, to request: inout ImportRequest
  ) throws(SlipboxError) {
    guard let chosen = format ?? ForeignFormat.guess(name: name == "-" ? "" : name, bytes) else {
      throw SlipboxError(
        .usage, "\(shown): unknown format",
        lines: ["give the format with --as FORMAT", Self.formats])
    }
    guard !hasColumns || chosen.hasOwnNames else {
      throw SlipboxError(
        .usage, "\(OptionName.map.typed) works only for tables and JSON; \(shown) is \(chosen.rawValue)")
    }
    guard let contents = chosen.read(bytes, name: name, clock: session.context.clock, columns: columns) else {
      throw SlipboxError(.usage, "\(shown) is not a folder", lines: [Self.formats])
    }
    request.files.append(.init(name: shown, contents: contents, format: chosen))
  }

  /// The command with the option, if a word is the name of a format.
  private func formatHint(_ word: Word) -> [String] {
    guard format == nil, let named = ForeignFormat(name: word.text) else { return [] }
    let rest = sources.filter { $0.text != word.text }.map { ShellWord.quoted($0.bytes) }
    let files = rest.isEmpty ? "FILE" : rest.joined(separator: " ")
    return ["the format is an option: slip import \(OptionName.as.typed) \(named.rawValue) \(files)"]
  }

  private func refuse(otherThan format: ForeignFormat, _ shown: String) throws(SlipboxError) {
    guard let typed = self.format, typed != format else { return }
    throw SlipboxError(.usage, "\(shown) is a folder, not a file of \(typed.rawValue)", lines: [Self.formats])
  }
}

/// An export of a box as an import reads it: only the changes made to the file since.
enum OwnExport {
  /// The records of all notes that the format can say; none for a format whose records have ids.
  static func records(
    of snapshot: BoxSnapshot, as format: ForeignFormat
  ) throws(SlipboxError) -> [ForeignRecord] {
    guard format == .taskwarrior else { return [] }
    let entries = try snapshot.catalogue().entries
    var bytes: [UInt8] = []
    try TaskwarriorExport(snapshot, entries.indices.map { Match(entries, $0) }).write { bytes += $0 }
    return format.read(bytes, name: "", clock: snapshot.clock)?.records ?? []
  }
}
