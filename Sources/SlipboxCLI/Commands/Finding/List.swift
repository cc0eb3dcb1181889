import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore

struct List: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List notes, newest first.",
    discussion: """
      Each argument is a term of the query; all must fit. slip help query explains them.

      Examples:
        slip list
        slip list +food -done created:2026-03..2026-05
        slip list kind:book rating:4.. --sort -rating,title
        slip list author:tolkien --json
        slip list +food --format '{id} {title}'
        slip list kind:task my-day:today is:active --watch

      \(ListOptions.watchHelp)
      """)

  @Argument(help: ArgumentHelp("What to list; everything by default.", valueName: "query"))
  var query: [Word] = []

  @OptionGroup var options: ListOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    guard options.watch else {
      _ = try answer(session, try session.openBox(), most: nil)
      return
    }
    try Watching(session, options, hasLinePerNote: true, answer: answer).run()
  }

  /// Writes the list, or the first rows of it, and returns how many notes it leaves out.
  private func answer(_ session: Session, _ snapshot: BoxSnapshot, most: Int?) throws -> Int {
    let query = try options.applied(to: try snapshot.query(query.texts))
    let matches = try snapshot.matches(query)
    session.warnOfUnreadableNotes(in: snapshot)
    let hints = QueryHints(query, in: snapshot)
    let isEmpty = matches.isEmpty && !options.count
    session.say(isEmpty ? hints.emptyList(isQueried: !self.query.isEmpty) : hints.unknownNames())
    if isEmpty {
      session.say(MisreadChange.hints(in: self.query.texts, of: snapshot))
      session.say(MeantTerm.hints(in: self.query.texts, of: snapshot))
    }
    let output = ListOutput(
      options: options, session: session, snapshot: snapshot, isSearch: false, most: most)
    let leftOut = try output.write(matches, kind: query.kindName)
    try snapshot.refuseUnreadTexts()
    return leftOut
  }
}
