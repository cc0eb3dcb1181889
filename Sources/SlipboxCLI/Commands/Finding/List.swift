import ArgumentParser
import Bytes
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
        slip list kind:issue --by status
        slip list kind:task my-day:today is:active --watch
        slip list is:active --as-of 2026-11-01
        slip list --deleted +food

      \(ListOptions.watchHelp)

      With --by, the rows of each value have a heading with the value and their count. In a pipe, each row \
      begins with the value; --by with --count prints only the counts.

      With --deleted, lists deleted notes as they last were, latest deletion first. Rows, JSON and CSV \
      include the time and the command of the deletion. slip restore restores them.

      \(PastOptions.help)
      """)

  @Argument(help: ArgumentHelp("The query; all notes by default.", valueName: "query"))
  var query: [Word] = []

  @Flag(name: .option(.deleted), help: "List deleted notes.")
  var deleted = false

  @Option(
    name: .option(.by), parsing: .unconditional,
    help: ArgumentHelp("Group the rows by a field or a part of a date.", valueName: "field"))
  var by: Word?

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
    if isEmpty {
      session.say(hints.emptyList(isQueried: !self.query.isEmpty))
      session.say(MisreadChange.hints(in: self.query.texts, of: snapshot))
      session.say(MeantTerm.hints(in: self.query.texts, of: snapshot))
    } else {
      session.say(matches.isEmpty ? hints.unfit() : hints.unknownNames())
    }
    var output = ListOutput(
      options: options, session: session, snapshot: snapshot, isSearch: false, most: most)
    output.groups = try groups
    let leftOut = try output.write(matches, kind: query.kindName)
    return leftOut
  }

  /// The column by which the rows are grouped.
  private var groups: TableColumn? {
    get throws {
      guard let by else { return nil }
      return try TableColumn.readGroup(by.text)
    }
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
  }

  func validate() throws {
    if by != nil, deleted || ![.rows, .kindRows, .count].contains(options.form) {
      throw ValidationError(
        "\(OptionName.by.typed) works only with rows or \(OptionName.count.typed); for other forms, use slip table."
      )
    }
    guard !deleted || (!options.watch && options.past.asOf == nil) else {
      let others = "\(OptionName.watch.typed) or \(OptionName.asOf.typed)"
      throw ValidationError("\(OptionName.deleted.typed) can't be combined with \(others).")
    }
  }
}

/// Prints a list of notes as its options say.
struct ListOutput {
  let options: ListOptions
  let session: Session
  let snapshot: BoxSnapshot
  /// Whether scores and snippets belong to the list.
  let isSearch: Bool
  /// The number of rows that can be seen; nil if all are written.
  var most: Int?
  /// The box in whose lists `@1` names a note; nil for that of the list.
  var remembering: BoxSnapshot?
  /// The column by which the rows are grouped.
  var groups: TableColumn?
  /// The deletion of a note, in a list of deleted ones.
  var deletion: (@Sendable (Entry) -> PastDeletion?)?

  /// Prints a list, and returns how many of its notes were left out.
  @discardableResult
  func write(_ matches: [Match], kind: String? = nil) throws -> Int {
    let ordered = options.reverse ? matches.reversed() : matches
    let form = options.form
    let shown = form.isWhole ? ordered : Array(ordered.prefix(most ?? .max))
    let presenter = NotePresenter(snapshot, json: options.schema.schema)
    if case .template(let template) = form {
      if NoteColumns.hasOpenBrace(template) {
        throw SlipboxError(
          .usage, "--format: unmatched { in \(Visible.escape(template))",
          hints: ["write a column as {title} and a brace as \\{"])
      }
      try Self.refuseUnknown(NoteColumns.names(in: template), presenter)
    }
    let kind = kind.flatMap { presenter.schema.kind(named: $0) }
    let list = NoteList(
      presenter, form, parts: options.parts, lineEnd: options.lineEnd, isSearch: isSearch,
      display: session.display, deletion: deletion)
    if let groups {
      try write(try NoteGroup.groups(shown, by: groups, in: snapshot), list, kind: kind)
    } else if form == .rows, session.display.isTerminal {
      LastList(in: remembering ?? snapshot).remember(shown.map(\.entry))
      try session.page(try list.table(shown, kind: kind))
    } else {
      try list.write(shown, kind: kind) { session.console.write($0) }
    }
    try session.console.flush()
    return ordered.count - shown.count
  }

  /// Prints the rows of each group: under a heading on a terminal, else after the value of the group.
  private func write(_ groups: [NoteGroup], _ list: NoteList, kind: Kind?) throws {
    let matches = groups.flatMap(\.matches)
    guard options.form != .rows || !session.display.isTerminal else {
      LastList(in: remembering ?? snapshot).remember(matches.map(\.entry))
      return try session.page(try list.table(groups, kind: kind))
    }
    guard options.form != .count else {
      return try session.console.print(groups.map { "\($0.heading)\t\($0.matches.count)" })
    }
    for group in groups {
      let start = Array("\(group.heading)\t".utf8)
      var bytes: [UInt8] = []
      try list.write(group.matches, kind: kind) { bytes += $0 }
      let end = Array(options.lineEnd.utf8)
      for line in bytes.split(separator: end[0]) { session.console.write(start + line + end) }
    }
  }

  /// Refuses names in a template that no note and no kind has.
  private static func refuseUnknown(_ names: [String], _ presenter: NotePresenter) throws {
    let known =
      NoteColumn.allCases.map(\.rawValue) + [NoteColumns.nameColumn, NoteColumns.bodyColumn]
      + (try presenter.fieldNames())
      // The time of day is stored beside a date.
      + presenter.schema.kinds.flatMap(\.fields).filter { $0.type == .date }.map { "\($0.name)-time" }
    guard let unknown = names.first(where: { !known.contains($0) }) else { return }
    let near =
      Spelling.nearest(to: unknown, among: known).map { ["did you mean: {\(Visible.escape($0))}"] } ?? []
    throw SlipboxError(
      .usage,
      "there is no column \(unknown.isEmpty ? "name between these braces: {}" : "{\(Visible.escape(unknown))}")",
      hints: near.map { Phrase($0) } + [
        "there are: \(Set(known).sorted().map { Visible.escape($0) }.joined(separator: ", "))"
      ])
  }
}

/// Words without a mark that name something to list: `overdue` is `@overdue`, `issues` is `@issues`, `closed` is
/// `status:closed`.
enum MeantTerm {
  /// Hints at words that found nothing, where each of them names something.
  static func hints(in words: [String], of snapshot: BoxSnapshot) -> [String] {
    if let option = option(in: words) { return ["did you mean: slip list \(option)"] }
    let filters = snapshot.settings.allFilters.map(\.name)
    var terms: [String] = []
    for word in words {
      guard let term = term(for: word, snapshot.schema(), filters: filters) else { return [] }
      terms.append(term)
    }
    let line = terms.map { Visible.escape($0) }.joined(separator: " ")
    return terms.isEmpty ? [] : ["did you mean: slip list \(line)"]
  }

  /// The words with dashes before the first, if that is the name of an option and another word follows: `sort title`.
  private static func option(in words: [String]) -> String? {
    guard words.count > 1, ["sort", "by", "limit", "columns", "format", "as-of"].contains(words[0]) else {
      return nil
    }
    return "--" + words.map { Visible.escape(ShellWord.quoted($0)) }.joined(separator: " ")
  }

  /// The term that a word means: a filter, a kind, a choice of a field, or a field that is set.
  static func term(for word: String, _ schema: Schema, filters: [String]) -> String? {
    let name = Folding.fold(word)
    if let filter = filters.first(where: { Folding.fold($0) == name }) { return "@\(filter)" }
    for kind in schema.kinds where [kind.name, kind.name + "s"].contains(name) { return "kind:\(kind.name)" }
    for field in schema.kinds.flatMap(\.fields) {
      switch field.type {
      case .choice where field.values.contains { Folding.fold($0) == name }: return "\(field.name):\(name)"
      case .boolean where Folding.fold(field.name) == name: return "\(field.name):true"
      default: continue
      }
    }
    return ["today", "tomorrow", "yesterday"].contains(name) ? "due:\(name)" : nil
  }
}
