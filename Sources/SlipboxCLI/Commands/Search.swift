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
        slip search dough --watch

      \(ListOptions.watchHelp)
      """)

  @Argument(help: ArgumentHelp("Words and terms.", valueName: "query"))
  var query: [Word] = []

  @OptionGroup var options: ListOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    guard !query.isEmpty else { throw SlipboxError(.usage, "search for what?", hints: ["slip search WORD"]) }
    guard options.watch else {
      let session = Session(global)
      let box = try session.openBox()
      if try !answer(session, box, most: nil).isAny { throw Silent(code: ExitCodes.nothingFound) }
      return
    }
    try Watching(global, options, hasLinePerNote: false) { session, box, most in
      try answer(session, box, most: most).leftOut
    }.run()
  }

  /// Writes what is found, or the first of it; returns whether there is any, and how many notes are left out.
  private func answer(_ session: Session, _ box: Slipbox, most: Int?) throws -> (isAny: Bool, leftOut: Int) {
    let query = try options.applied(to: try box.query(query.texts))
    let matches = try box.search(query)
    box.tellOfUnreadableNotes()
    if matches.isEmpty, !options.count { box.explainEmptyList(query, isQueried: true, session) }
    let output = ListOutput(options: options, session: session, box: box, isSearch: true, most: most)
    return (!matches.isEmpty, try output.write(matches))
  }
}
