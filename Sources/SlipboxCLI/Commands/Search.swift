import ArgumentParser
import NoteIndex
import SlipboxCore

struct Search: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Search the text of notes, best first.",
    discussion: """
      All words must occur, whatever their case and accents; "a phrase" stands together; word* is a beginning. Terms \
      of slip list narrow it down. Exits 1 where nothing is found.

      Examples:
        slip search sourdough
        slip search '"second rise"' +food
        slip search ferment* created:2026 --json
      """)

  @Argument(help: ArgumentHelp("Words and terms.", valueName: "query"))
  var query: [Word] = []

  @OptionGroup var options: ListOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    guard !query.isEmpty else { throw SlipboxError(.usage, "search for what?", hints: ["slip search WORD"]) }
    let box = try session.openBox()
    let query = try options.applied(to: try box.query(query.texts))
    let matches = try box.search(query)
    box.tellOfUnreadableNotes()
    if matches.isEmpty, !options.count { box.explainEmptyList(query, isQueried: true, session) }
    try ListOutput(options: options, session: session, box: box, isSearch: true).write(matches)
    if matches.isEmpty { throw Silent(code: ExitCodes.nothingFound) }
  }
}
