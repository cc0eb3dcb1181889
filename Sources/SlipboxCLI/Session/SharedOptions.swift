import ArgumentParser
import Git
import NoteIndex
import Notes
import Presentation
import SlipboxCore

/// The use of colour.
enum ColourRule: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

/// The options of every command.
struct GlobalOptions: ParsableArguments {
  /// The options without a value and those with one, which may also precede the command.
  static let flags: [OptionName] = [.noColor, .noPager, .quiet]
  static let values: [OptionName] = [.box, .color]

  @Option(
    name: .option(.box), parsing: .unconditional,
    help: ArgumentHelp("The folder of the box.", valueName: "dir"))
  var box: Word?

  @Option(
    name: .option(.color), parsing: .unconditional,
    help: ArgumentHelp("When to use colour.", valueName: "when"))
  var color: ColourRule = .auto

  @Flag(name: .option(.noColor), help: "Don't use colour.")
  var noColor = false

  @Flag(name: .option(.noPager), help: "Don't page long output.")
  var noPager = false

  @Flag(name: .option(.quiet), help: "Print only results and errors.")
  var quiet = false
}

/// The version of this build.
enum Version {
  static let number = "0.1.0"
  static let line = "slip \(number)"

  /// The line of `--version`.
  /// - Parameter revision: the commit of the build; empty if unknown.
  static func line(revision: String) -> String { revision.isEmpty ? line : "\(line) (\(revision))" }

  /// The lines of `--version --verbose`, for reports of faults.
  static func details(revision: String) -> String {
    let rows = [
      ("version", number), ("commit", revision.isEmpty ? "unknown" : revision),
      ("libgit2", LibraryVersion.libgit2), ("Swift", compiler),
      ("JSON schema", "\(JSONSchema.current.rawValue)"),
      ("catalogue format", "\(CatalogueFormat.version)"),
    ]
    return rows.map { "\($0.0): \($0.1)" }.joined(separator: "\n") + "\n"
  }

  /// The version of the compiler, as far as it can be tested for.
  private static var compiler: String {
    #if compiler(>=6.5)
      "6.5 or later"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}

/// The separator of REFs on standard input.
struct InputOptions: ParsableArguments {
  @Flag(name: .customShort("0"), help: "With - as REF: names end in NUL instead of a newline.")
  var nulSeparated = false
}

/// The notes of a command, if they are not named by REFs.
struct SelectionOptions: ParsableArguments {
  @Option(
    name: .option(.where), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Every note that matches a query, instead of REFs.", valueName: "query"))
  var `where`: [Word] = []

  @OptionGroup var input: InputOptions
}

/// The reason for a change.
struct ReasonOption: ParsableArguments {
  @Option(
    name: .option(.message), parsing: .unconditional,
    help: ArgumentHelp("The reason, for the commit message.", valueName: "reason"))
  var message: Word?

  /// The reason as it was typed.
  var text: String? { message?.text }
}

/// The notes of a change, and the question before it is made.
struct TargetOptions: ParsableArguments {
  @OptionGroup var selection: SelectionOptions

  @Option(
    name: .option(.expect), parsing: .unconditional,
    help: ArgumentHelp("Fail if the number of notes differs.", valueName: "n"))
  var expect: Int?

  @Flag(name: .option(.yes), help: "Don't ask.")
  var yes = false

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption
}

/// The options of commands that give one note another name, or make two of one or one of two.
struct RenameOptions: ParsableArguments {
  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var input: InputOptions
}

/// The order and the form of a list of notes.
struct ListOptions: ParsableArguments {
  @Option(
    name: .option(.sort), parsing: .unconditional,
    help: ArgumentHelp(
      "Sort by fields; a dash means descending: -created,title.", valueName: "fields"))
  var sort: Word?

  @Flag(
    name: .option(.reverse), help: "Reverse the order. A limit still selects the same notes."
  )
  var reverse = false

  @Option(
    name: .option(.limit), parsing: .unconditional,
    help: ArgumentHelp("The maximum number of notes.", valueName: "n"))
  var limit: Int?

  @Flag(name: .option(.json), help: "One JSON object with all notes.")
  var json = false

  @Flag(name: .option(.jsonl), help: "One JSON object a line.")
  var jsonl = false

  @OptionGroup var schema: SchemaOption

  @Flag(name: .option(.csv), help: "Comma-separated values with a header.")
  var csv = false

  @Flag(name: .option(.row), help: "Print the columns of the notes' kind, separated by tabs.")
  var row = false

  @Flag(name: .option(.paths), help: "Print the paths of the files.")
  var paths = false

  @Flag(name: .customShort("0"), help: "End rows and paths with NUL.")
  var nulSeparated = false

  @Option(
    name: .option(.format), parsing: .unconditional,
    help: ArgumentHelp(
      "The format of a line, such as '{id} {title}'; supports \\t and \\n.", valueName: "template")
  )
  var format: Word?

  @Option(
    name: .option(.with), parsing: .unconditional,
    help: ArgumentHelp("More in JSON and CSV: \(RequestedPart.names).", valueName: "parts"))
  var with: String?

  @Flag(name: .option(.count), help: "Print the number of notes.")
  var count = false

  @Flag(name: .option(.watch), help: "Print the list again when notes change, until Ctrl-C.")
  var watch = false

  @OptionGroup var past: PastOptions

  func validate() throws {
    guard !watch || past.asOf == nil else {
      throw ValidationError(
        "\(OptionName.watch.typed) and \(OptionName.asOf.typed) can't be combined: the past does not change.")
    }
    guard forms.filter(\.isChosen).count <= 1 else {
      throw ValidationError("Choose one of \(Sentence.list(forms.map(\.option.typed))).")
    }
    if let with, RequestedPart.parse(with) == nil {
      throw ValidationError("\(OptionName.with.typed) takes: \(RequestedPart.names)")
    }
    guard limit ?? 0 >= 0 else { throw ValidationError("\(OptionName.limit.typed) takes a number from 0.") }
  }

  /// The options that choose a form, each with the form; at most one may be chosen.
  private var forms: [(option: OptionName, form: ListForm, isChosen: Bool)] {
    [
      (.json, .json, json), (.jsonl, .jsonLines, jsonl), (.csv, .csv, csv), (.row, .kindRows, row),
      (.paths, .paths, paths),
      (.format, .template(format?.text ?? ""), format != nil), (.count, .count, count),
    ]
  }

  /// The form in which the list is written.
  var form: ListForm { forms.first { $0.isChosen }?.form ?? .rows }

  /// The parts that belong to JSON and CSV besides the fields.
  var parts: Set<RequestedPart> { with.flatMap(RequestedPart.parse) ?? [] }

  /// The end of a row or path.
  var lineEnd: String { nulSeparated ? "\0" : "\n" }

  /// The query with the options' order and limit in place of its own.
  func applied(to query: Query) throws -> Query {
    var query = query
    if let sort { query.sort = try SortKey.parse(sort.text) }
    if let limit { query.limit = limit }
    return query
  }
}

extension ListOptions {
  /// A paragraph on `--watch` for the help of its commands.
  static let watchHelp = """
    With --watch, the list is updated when notes, kinds, settings or the branch change, until Ctrl-C. In a \
    pipe, the whole list is printed again after each change, followed by an empty line (with -0 a NUL).
    """
}

/// The time of which a command that reads is asked.
struct PastOptions: ParsableArguments {
  @Option(
    name: .option(.asOf), parsing: .unconditional,
    help: ArgumentHelp("Use the state of a revision, or of the end of a date.", valueName: "rev"))
  var asOf: Word?
}

extension PastOptions {
  /// A paragraph on points in the past for the help of commands.
  static let help = """
    A REV is a branch, a tag, a commit or an expression of git's such as HEAD~3, an operation, or a date as \
    in queries \
    (2026-11-01, 'last friday', 3w): the last commit by the end of it on the branch's own line, along first \
    parents; merged commits count from the merge on. A name that is both a date and a branch, tag or commit \
    means the branch, tag or commit. Settings, kinds, filters and today are those of that time.
    """
}

/// The days that a question about the past is about.
struct DayOptions: ParsableArguments {
  @Option(
    name: .option(.since), parsing: .unconditional,
    help: ArgumentHelp("The first day: 2026-03, monday, 90d.", valueName: "date"))
  var since: Word?

  @Option(
    name: .option(.until), parsing: .unconditional,
    help: ArgumentHelp("The last day; today by default.", valueName: "date"))
  var until: Word?

  /// The first day; nil if none was given.
  func first(_ clock: ClockReading) throws(SlipboxError) -> CivilDate? {
    guard let since else { return nil }
    return try PastDay.first(since.text, OptionName.since.typed, clock: clock)
  }

  /// The last day; nil if none was given.
  func last(_ clock: ClockReading) throws(SlipboxError) -> CivilDate? {
    guard let until else { return nil }
    return try PastDay.last(until.text, OptionName.until.typed, clock: clock)
  }
}

/// A step of time as it is typed.
enum StepName: String, ExpressibleByArgument, CaseIterable {
  case day, week, month, quarter, year

  var step: ChartStep? { ChartStep(rawValue: rawValue) }
}

/// The schema of JSON, in commands that print the fields of notes.
struct SchemaOption: ParsableArguments {
  @Option(
    name: .option(.schema), parsing: .unconditional,
    help: ArgumentHelp(
      "The schema of JSON; with 1, fields that no kind declares are strings.", valueName: "number"))
  var schema: JSONSchema = .current
}

extension JSONSchema: ExpressibleByArgument {}
