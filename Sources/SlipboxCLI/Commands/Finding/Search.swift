import ArgumentParser
import NoteIndex
import Presentation
import SlipboxCore
import Text

struct Search: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "search", abstract: "Search the text of notes, best matches first.",
    discussion: """
      Notes must contain all words; case and accents are ignored. "a phrase" matches adjacent words, word* \
      matches a prefix. Query terms of slip list filter the results. Exit code: 0 if notes match, 1 if none \
      does.

      Examples:
        slip search sourdough
        slip search '"second rise"' +food
        slip search 'ferment*' created:2026 --json
        slip search dough --watch
        slip search sourdough --as-of 2026-11-01
        slip search --history '"second rise"' --limit 5

      \(ListOptions.watchHelp)

      --history searches all versions, including deleted notes. Each row has the first and the last day on \
      which a note contained the words; present notes come first, then the latest removals. Terms about \
      links aren't supported. It can be combined with --limit and --json.

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The words and query terms.", valueName: "query"))
  var query: [Word] = []

  @Flag(name: .option(.history), help: "Search all versions in history.")
  var history = false

  @OptionGroup var options: ListOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    guard query.texts.contains(where: { $0.contains { !$0.isWhitespace } }) else {
      throw SlipboxError(.usage, "the words to search for are missing", hints: ["slip search WORD"])
    }
    if history { return try searchHistory(session) }
    guard options.watch else {
      let snapshot = try session.openBox(options.past)
      if try !answer(session, snapshot, most: nil).isAny { throw EarlyExit(code: ExitCode.nothingFound) }
      return
    }
    try Watching(session, options, hasLinePerNote: false) { session, snapshot, most in
      try answer(session, snapshot, most: most).leftOut
    }.run()
  }

  /// Of fewer matches than this, it is said what longer words would find.
  private static let fewMatches = 10

  /// Writes the results, or the first of them; returns whether there are any, and the number of notes left out.
  private func answer(
    _ session: Session, _ snapshot: BoxSnapshot, most: Int?
  ) throws -> (isAny: Bool, leftOut: Int) {
    let query = try options.applied(to: try snapshot.query(query.texts))
    let matches = options.count ? try snapshot.ranked(query) : try snapshot.search(query)
    session.warnOfUnreadableNotes(in: snapshot)
    let hints = QueryHints(query, in: snapshot)
    if matches.isEmpty, !options.count {
      session.say(hints.emptyList(isQueried: true))
      session.say(MisreadChange.hints(in: self.query.texts, of: snapshot))
      session.say(MeantTerm.hints(in: self.query.texts, of: snapshot))
    } else {
      session.say(hints.unknownNames())
      if !options.count, matches.count < Self.fewMatches, matches.count < query.limit ?? .max {
        session.say(hints.beginnings(besides: matches.count))
      }
    }
    let output = ListOutput(
      options: options, session: session, snapshot: snapshot, isSearch: true, most: most)
    let leftOut = try output.write(matches, kind: query.kindName)
    return (!matches.isEmpty, leftOut)
  }

  private func searchHistory(_ session: Session) throws {
    let snapshot = try session.openBox()
    let query = try options.applied(to: try snapshot.query(query.texts))
    let search = try HistorySearch(snapshot, query)
    let hits = try session.showingProgress { try search.hits(limit: query.limit) }
    if options.json {
      try session.console.print(bytes: HistoryHit.json(hits))
    } else if session.display.isTerminal {
      try session.page(HistoryHit.table(hits, session.display))
    } else {
      try session.console.print(hits.flatMap { $0.rows(session.style) })
    }
    session.sayIfShallow(snapshot)
    guard hits.isEmpty else { return }
    session.say("nothing in history matches: \(Visible.escape(query.described()))")
    throw EarlyExit(code: ExitCode.nothingFound)
  }

  func validate() throws {
    guard history else { return }
    guard [.rows, .json].contains(options.form), !options.watch, options.past.asOf == nil else {
      throw ValidationError(
        "\(OptionName.history.typed) can be combined only with \(OptionName.limit.typed) and \(OptionName.json.typed)."
      )
    }
    guard options.sort == nil, !options.reverse, options.with == nil, !options.nulSeparated else {
      throw ValidationError(
        "\(OptionName.history.typed) can be combined only with \(OptionName.limit.typed) and \(OptionName.json.typed)."
      )
    }
  }
}
