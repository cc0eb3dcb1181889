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
    commandName: "import", abstract: "Bring in notes and records of other programs, in one commit.",
    discussion: """
      A folder of Markdown (Obsidian, zk, Hugo, Jekyll, Denote, Dendron) comes byte by byte, with the files that its \
      notes link to, into a folder of its name. Records come from what slip list prints with --json, --jsonl or --csv, \
      from JSON and tables of other programs (title, kind, created, tags and body mean what they do in a note, all else \
      is a field), from task export of taskwarrior, todo.txt, and the library that Goodreads exports. The format is told \
      by the name and the contents; --as names it: \(ForeignFormat.allCases.map(\.rawValue).joined(separator: ", ")).

      CHANGEs after the sources hold for everything that is imported: +imported, kind:book. Records are held against \
      their kinds; a line that can't be read is named, and the rest imported (exit code 65).

      The same may be imported again: each record is known by its id or name in its source. What changed there since \
      changes here, field by field; what was changed here stays. What was deleted here stays deleted, but with --again. \
      What is gone from the source is named and stays. A folder that is a box brings the kinds that this one does not have.

      Tasks of taskwarrior keep all attributes: slip export taskwarrior gives them back. Dates such as 31.01.2026 are read \
      where only one day can be meant; relative ones (tomorrow) are named with their line.

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
    help: ArgumentHelp("The format, where it is not to be guessed.", valueName: "format"))
  var format: Word?

  @Option(
    name: .option(.into), parsing: .unconditional,
    help: ArgumentHelp("The folder of the box for the files of a folder; . is its root.", valueName: "folder")
  )
  var place: Word?

  @Option(
    name: .option(.map), parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "The field that a column of a table, or a member of JSON, is; repeat it for others.",
      valueName: "column=field"))
  var maps: [Word] = []

  @Flag(name: .option(.dates), help: "Give notes without a date that of their file.")
  var dates = false

  @Flag(name: .option(.again), help: "Bring back what was deleted in the box.")
  var again = false

  @Flag(name: .option(.newField), help: "Write new fields although a name is almost a known one.")
  var newField = false

  @Option(
    name: .option(.expect), parsing: .unconditional,
    help: ArgumentHelp("Refuse when the sources have another number of notes.", valueName: "n"))
  var expect: Int?

  @Flag(name: .option(.yes), help: "Bring linked files of more than 100 MB without asking.")
  var yes = false

  @Flag(name: .option(.json), help: "Print what became of each note as JSON.")
  var json = false

  @Flag(name: .option(.dryRun), help: "Print the change as a patch and change nothing.")
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
    let answer = session.console.ask("The notes link to \(size >> 20) MB of files. Bring them too? [y/N] ")
    return ["y", "yes"].contains(answer?.lowercased() ?? "")
  }

  private func report(_ recorded: CommitResult, _ session: Session) throws {
    // The lines that follow say that nothing had to be changed.
    if case .unchanged = recorded.outcome { return }
    try Changes.report(recorded, session)
  }
}
