import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct List: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List notes, newest first.",
    discussion: """
      Each argument is a query term; notes must match all terms. See slip help query.

      Examples:
        slip list
        slip list +food -done created:2026-03..2026-05
        slip list kind:book rating:4.. --sort -rating,title
        slip list author:tolkien --json
        slip list +food --format '{id} {title}'
        slip list kind:task my-day:today is:active --watch
        slip list is:active --as-of 2026-11-01
        slip list --deleted +food

      \(ListOptions.watchHelp)

      With --deleted, lists deleted notes as they last were, latest deletion first. Rows, JSON and CSV \
      include the time and the command of the deletion. slip restore restores them.

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The query; all notes by default.", valueName: "query"))
  var query: [Word] = []

  @Flag(name: .option(.deleted), help: "List deleted notes.")
  var deleted = false

  @OptionGroup var options: ListOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    if deleted { return try listDeleted(session) }
    guard options.watch else {
      _ = try answer(session, try session.openBox(options.past), most: nil)
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

  private func listDeleted(_ session: Session) throws {
    let now = try session.openBox()
    let deleted = try DeletedNotes(of: now, session.context)
    let snapshot = deleted?.snapshot ?? now
    let query = try options.applied(to: try snapshot.query(query.texts))
    let matches = try deleted?.matches(query) ?? []
    session.warnOfUnreadableNotes(in: snapshot)
    if matches.isEmpty, !options.count, query.limit != 0 {
      session.say(
        self.query.isEmpty
          ? "no notes have been deleted" : "no deleted note matches: \(Visible.escape(query.described()))")
    }
    var output = ListOutput(options: options, session: session, snapshot: snapshot, isSearch: false)
    output.remembering = now
    output.deletion = { deleted?.deletion(of: $0.note) }
    try output.write(matches, kind: query.kindName)
    session.sayIfShallow(now)
    try snapshot.refuseUnreadTexts()
  }

  func validate() throws {
    guard !deleted || (!options.watch && options.past.asOf == nil) else {
      let others = "\(OptionName.watch.typed) and without \(OptionName.asOf.typed)"
      throw ValidationError("\(OptionName.deleted.typed) can't be combined with \(others).")
    }
  }
}
