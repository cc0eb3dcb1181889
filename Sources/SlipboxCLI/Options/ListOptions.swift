import ArgumentParser
import NoteIndex
import SlipboxCore

/// How the notes of a list are ordered and written.
struct ListOptions: ParsableArguments {
  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp(
      "Order by fields, a dash before one for descending: -created,title.", valueName: "fields"))
  var sort: Word?

  @Flag(name: .long, help: "The other way round.")
  var reverse = false

  @Option(
    name: [.long, .customShort("n")], parsing: .unconditional,
    help: ArgumentHelp("At most this many.", valueName: "n"))
  var limit: Int?

  @Flag(name: .long, help: "One JSON object with all notes.")
  var json = false

  @Flag(name: .long, help: "One JSON object a line.")
  var jsonl = false

  @Flag(name: .long, help: "Comma-separated values with a header.")
  var csv = false

  @Flag(name: .long, help: "Only the paths of the files.")
  var paths = false

  @Flag(name: .customShort("0"), help: "End rows and paths with NUL.")
  var nulSeparated = false

  @Option(
    name: .long, parsing: .unconditional,
    help: ArgumentHelp("A line a note, such as '{id} {title}'; \\t and \\n are known.", valueName: "template")
  )
  var format: Word?

  @Option(
    name: .long, help: ArgumentHelp("More in JSON and CSV: body, links, backlinks.", valueName: "parts"))
  var with: String?

  @Flag(name: .long, help: "Only how many.")
  var count = false

  @Flag(name: .long, help: "Print anew whenever notes change, until Ctrl-C.")
  var watch = false

  func validate() throws {
    let chosen = [json, jsonl, csv, paths, count, format != nil].filter { $0 }.count
    guard chosen <= 1 else {
      throw ValidationError("Choose one of --json, --jsonl, --csv, --paths, --format and --count.")
    }
    let known = ["body"] + NoteLinks.Part.allCases.map(\.rawValue)
    guard withParts.allSatisfy(known.contains) else {
      throw ValidationError("--with takes: \(known.joined(separator: ", "))")
    }
    guard limit ?? 0 >= 0 else { throw ValidationError("--limit takes a number from 0.") }
  }

  /// What `--with` names.
  private var withParts: [String] {
    with?.split(separator: ",", omittingEmptySubsequences: false).map(String.init) ?? []
  }

  /// Whether the text belongs to JSON and CSV.
  var withBody: Bool { withParts.contains("body") }

  /// What of the links belongs to JSON and CSV.
  var linkParts: [NoteLinks.Part] { NoteLinks.Part.allCases.filter { withParts.contains($0.rawValue) } }

  /// The query with the options' order and limit in place of its own.
  func applied(to query: Query) throws -> Query {
    var query = query
    if let sort { query.sort = try SortKey.parse(sort.text) }
    if let limit { query.limit = limit }
    return query
  }
}

extension ListOptions {
  /// What `--watch` does, for the help of its commands.
  static let watchHelp = """
    With --watch the list stays on the terminal and is drawn anew whenever notes, kinds, settings or the branch change, \
    by whomever; Ctrl-C ends it. In a pipe all of it is printed again each time that it differs, and an empty line \
    follows (with -0 a NUL).
    """
}
