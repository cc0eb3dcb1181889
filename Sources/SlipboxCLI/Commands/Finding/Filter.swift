import ArgumentParser
import NoteIndex
import Presentation
import SlipboxCore
import Text

struct Filter: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "filter", abstract: "Save, rename, remove and list named queries, which are used as @NAME.",
    discussion: """
      The built-in filters are \(Sentence.list(SmartFilters.builtIn.map(\.name))).

      Examples:
        slip filter
        slip filter save urgent "kind:issue is:active priority:high"
        slip list @overdue
        slip filter list --json
      """,
    subcommands: [FilterList.self, FilterSave.self, FilterRename.self, FilterRemove.self],
    defaultSubcommand: FilterList.self)
}

struct FilterList: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "All filters with their queries.",
    discussion: "Examples:\n  slip filter list")

  @Flag(name: .option(.json), help: "As JSON.")
  var json = false

  @OptionGroup var past: PastOptions

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox(past)
    let filters = snapshot.settings.allFilters
    if json { return try session.console.print(bytes: FilterJSON.list(filters)) }
    try session.console.print(FilterLines.list(filters, session.display))
  }
}

struct FilterSave: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "save", abstract: "Save a query under a name.",
    discussion: "Examples:\n  slip filter save urgent \"kind:issue is:active priority:high\"")

  @Argument(help: ArgumentHelp("The name, without @.", valueName: "name"))
  var name: Word

  @Argument(help: ArgumentHelp("The query.", valueName: "query"))
  var query: [Word]

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let text = query.texts.joined(separator: " ")
    let plan = try ChangeFilters(in: snapshot).plan(saving: name.text, query: text)
    try check(text, snapshot, session)
    try Changes.record(plan, in: snapshot, session)
    if let old = snapshot.settings.filters[name.text], old != text {
      session.say("@\(name.text) was: \(Visible.escape(old))")
    }
  }
}

extension FilterSave {
  /// Throws the errors and prints the warnings that a list of the query would give.
  private func check(_ text: String, _ snapshot: BoxSnapshot, _ session: Session) throws {
    let query = try snapshot.query(
      ["@\(name.text)"], filters: snapshot.settings.filters.merging([name.text: text]) { $1 })
    let hints = QueryHints(query, in: snapshot)
    guard try snapshot.count(query) == 0 else { return session.say(hints.unknownNames()) }
    let words = self.query.count == 1 ? text.split(separator: " ").map(String.init) : self.query.texts
    session.say(hints.unfit())
    session.say(MisreadChange.hints(in: words, of: snapshot))
    session.say(MeantTerm.hints(in: words, of: snapshot))
  }
}

struct FilterRename: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "rename", abstract: "Give a filter another name.",
    discussion: """
      Filters, views and lists in notes and templates that use it get the new name too.

      Examples:
        slip filter rename urgent now
      """)

  @Argument(help: ArgumentHelp("The filter.", valueName: "filter"))
  var name: Word

  @Argument(help: ArgumentHelp("The new name, without @.", valueName: "name"))
  var new: Word

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    try Changes.record(
      try ChangeFilters(in: snapshot).plan(renaming: name.text, to: new.text), in: snapshot, session)
  }
}

struct FilterRemove: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Remove a filter.", discussion: "Examples:\n  slip filter rm urgent"
  )

  @Argument(help: ArgumentHelp("The name.", valueName: "name"))
  var name: Word

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    try Changes.record(
      try ChangeFilters(in: snapshot).plan(saving: name.text, query: nil), in: snapshot, session)
  }
}
