import ArgumentParser
import NoteIndex
import Presentation
import SlipboxCore

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
        "\(OptionName.watch.typed) or \(OptionName.asOf.typed) can't be combined: the past does not change.")
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
