import ArgumentParser
import Bytes
import Foreign
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
      throw ValidationError("\(OptionName.json.typed) or \(OptionName.dryRun.typed), not both.")
    }
  }

  func run(in session: Session) throws {
    let request = try ImportSources(words, format, maps, session).request(adding: options)
    let snapshot = try session.openBox()
    let result = try session.givingWarnings {
      try session.showingProgress {
        try snapshot.importing(request, session.context, mayBring: { mayBring($0, session) })
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
    if yes { return true }
    let answer = session.console.ask("The notes link to \(size >> 20) MB of files. Import them too? [y/N] ")
    return ["y", "yes"].contains(answer?.lowercased() ?? "")
  }

  private func report(_ recorded: CommitResult, _ session: Session) throws {
    // The lines that follow say that nothing had to be changed.
    if case .unchanged = recorded.outcome { return }
    try Changes.report(recorded, session)
  }
}
