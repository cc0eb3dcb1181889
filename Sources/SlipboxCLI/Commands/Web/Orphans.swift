import ArgumentParser
import NoteIndex
import Presentation
import SlipboxCore
import Text

struct Orphans: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "orphans", abstract: "List notes that no other note links or refers to.",
    discussion: """
      Counts links in text and front matter, and references of records; is:orphan in a query counts only \
      links. Each argument is a query term that selects notes. Sorting and output options are those of slip \
      list. Exit code: 0 if there are orphans, 1 if there are none.

      Examples:
        slip orphans
        slip orphans kind:note created:2026
        slip orphans --json --limit 20
        slip orphans +inbox --paths
        slip orphans --as-of 2026-11-01

      \(ListOptions.watchHelp)

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The notes; all by default.", valueName: "query"))
  var query: [Word] = []

  @OptionGroup var options: ListOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    guard options.watch else {
      let snapshot = try session.openBox(options.past)
      if try !answer(session, snapshot, most: nil).isAny { throw EarlyExit(code: ExitCode.nothingFound) }
      return
    }
    try Watching(session, options, hasLinePerNote: true) { session, snapshot, most in
      try answer(session, snapshot, most: most).leftOut
    }.run()
  }

  /// Writes the list, or the first rows of it; returns whether there is any, and how many notes are left out.
  private func answer(
    _ session: Session, _ snapshot: BoxSnapshot, most: Int?
  ) throws -> (isAny: Bool, leftOut: Int) {
    var query = try options.applied(to: try snapshot.query(query.texts))
    let limit = query.limit
    query.limit = nil
    let areLinked = try NoteWeb(snapshot).areLinked()
    let found = try snapshot.matches(query)
    let orphans = found.filter { !areLinked[$0.place] }
    session.warnOfUnreadableNotes(in: snapshot)
    let hints = QueryHints(query, in: snapshot)
    if !options.count {
      if found.isEmpty {
        session.say(hints.emptyList(isQueried: !self.query.isEmpty))
      } else {
        session.say(hints.unknownNames())
        if orphans.isEmpty { session.say("no orphans: another note links to \(Self.each(found.count))") }
      }
    }
    let output = ListOutput(
      options: options, session: session, snapshot: snapshot, isSearch: false, most: most)
    let leftOut = try output.write(Array(orphans.prefix(limit ?? .max)), kind: query.kindName)
    return (!orphans.isEmpty, leftOut)
  }

  private static func each(_ count: Int) -> String { count == 1 ? "it" : "each of \(Count.notes(count))" }
}
