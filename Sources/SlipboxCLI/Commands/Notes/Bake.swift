import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

/// The command `slip bake`.
struct Bake: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "bake", abstract: "Write lists and tables into notes.",
    discussion: """
      Writes the output of a command between two lines of a note, as Markdown with links. Other programs \
      show it without slip:

        <!-- slip: table kind:book --by status -->
        <!-- /slip -->

      Each mark is on a line of its own, outside of code, quotes and lists. The command is list, table, agenda or \
      todos with a query and the options --columns, --by, --sort, --limit, --days, --total and --reverse. Anything \
      else is reported, and so are a query with an error, a mark in a quote or a list and a block without an end; \
      the block stays as it is, and the exit code is 65.

      Lines between the marks are replaced. Their tags, check boxes and links do not count as those of the \
      note. Merges never conflict in a block. Without REFs, all blocks of the box are updated, as with \
      --all. slip sync updates them after a merge. With the setting bake: commit, each change of notes by slip is \
      followed by a bake of all blocks; slip undo skips it. With bake: never, only slip bake updates them.

      A block leaves out notes that git encrypts, such as those behind git-crypt, unless its own note has the same \
      filter.

      With --check nothing is written: out-of-date blocks are listed as PATH:LINE, and the exit code is 1 if \
      there are any.

      Examples:
        slip bake
        slip bake kqzmvtrp
        slip bake --all --check
        slip bake --dry-run
      """)

  @Argument(help: ArgumentHelp("The notes; all with blocks by default.", valueName: "ref"))
  var references: [Word] = []

  @Flag(name: .option(.all), help: "All notes with blocks.")
  var all = false

  @Flag(name: .option(.check), help: "List out-of-date blocks without writing anything.")
  var check = false

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @Option(
    name: .option(.asOf), parsing: .unconditional,
    help: ArgumentHelp("Use the state of a revision, or of the end of a date.", valueName: "rev"))
  var asOf: Word?

  @OptionGroup var reason: ReasonOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard !all || references.isEmpty else {
      throw ValidationError("\(OptionName.all.typed) can't be combined with REFs.")
    }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let entries =
      references.isEmpty
      ? try BakeLists(in: snapshot).entries()
      : try NoteLookup(in: snapshot).entries(
        try session.expandingInput(references.texts, nulSeparated: false), fuzzy: false)
    var source = snapshot
    if let asOf {
      var past = PastOptions()
      past.asOf = asOf
      source = try session.openBox(past)
    }
    let baking = try session.showingProgress { try BakingAnswers.baking(entries, in: snapshot, from: source) }
    for place in baking.faulty {
      session.say("\(Visible.escape(place.path)):\(place.line): \(place.problem ?? "")")
    }
    if let remark = baking.remark { session.say(remark) }
    if baking.count == 0 { session.say("no note has a block; slip bake --help shows one") }
    if check {
      try session.console.print(baking.stale.map { "\(Visible.escape($0.path)):\($0.line)" })
      if !baking.stale.isEmpty { throw EarlyExit(code: ExitCode.nothingFound) }
    } else if dryRun {
      try Changes.printPatch(baking.plan, snapshot, session)
    } else if !baking.stale.isEmpty {
      try Changes.report(try session.writer(after: snapshot).record(baking.plan), session)
      // Words of one block may be what another block looks for.
      if asOf == nil { try BakingAnswers.bakeRest(of: entries.map(\.note.path), session) }
    } else if baking.count > 0, baking.faulty.isEmpty {
      session.say("all blocks are up to date")
    }
    if !baking.faulty.isEmpty { throw EarlyExit(code: SlipboxError.Kind.badData.exitCode) }
  }
}
