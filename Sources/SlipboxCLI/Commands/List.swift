import ArgumentParser
import NoteIndex
import Notes
import SlipboxCore
import Text

struct List: ParsableCommand {
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

  func run() throws {
    guard options.watch else {
      let session = Session(global)
      _ = try answer(session, try session.openBox(), most: nil)
      return
    }
    try Watching(global, options, hasLinePerNote: true, answer: answer).run()
  }

  /// Writes the list, or the first rows of it, and returns how many notes it leaves out.
  private func answer(_ session: Session, _ box: Slipbox, most: Int?) throws -> Int {
    let query = try options.applied(to: try box.query(query.texts))
    let matches = try box.matches(query)
    box.tellOfUnreadableNotes()
    if matches.isEmpty, !options.count {
      box.explainEmptyList(query, isQueried: !self.query.isEmpty, session)
    } else {
      box.hintAtUnknownNames(query, session)
    }
    let output = ListOutput(options: options, session: session, box: box, isSearch: false, most: most)
    return try output.write(matches, kind: query.kindName)
  }
}

extension Slipbox {
  /// Why nothing was listed: an empty box, or how the query was read.
  func explainEmptyList(_ query: Query, isQueried: Bool, _ session: Session) {
    if query.limit == 0 { return }
    if isQueried { session.say("nothing fits: \(Visible.escape(query.described()))") }
    hintAtUnknownNames(query, session)
    hintAtUnfitValues(query, session)
    if let kind = query.kindName.flatMap({ schema().kind(named: $0) }), !hasRecords(of: kind.name) {
      session.say("no \(kind.name) yet; make the first with: \(kind.firstCommand)")
    } else if !isQueried || !hasRecords(of: nil) {
      session.say("no notes yet; make the first with: slip new \"A first thought\"")
    }
  }

  func hasRecords(of kind: String?) -> Bool {
    guard let entries = try? catalogue().entries else { return true }
    return entries.contains { kind == nil || $0.kind == kind }
  }

  /// Names the files that are notes by name but could not be read.
  func tellOfUnreadableNotes() {
    guard let unreadable = try? unreadableNotes() else { return }
    for (path, reason) in unreadable.prefix(5) {
      surroundings.warn("\(Visible.escape(path)) can't be read: \(Visible.escape(reason))")
    }
    if unreadable.count > 5 { surroundings.warn("and \(unreadable.count - 5) more files can't be read") }
  }
}

extension Kind {
  /// The command that makes a first record, with what it can't do without.
  fileprivate var firstCommand: String {
    let required = fields.filter { $0.isRequired && $0.name != "title" && $0.defaultValue == nil }
    return (["slip new \(name) \"A title\""] + required.map { "\($0.name):VALUE" }).joined(separator: " ")
  }
}
