import ArgumentParser
import Bytes
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Do: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "do", abstract: "Run an action of a record's kind, such as close, finish or start.",
    discussion: """
      The actions \(Sentence.list(CommandName.actions)) are commands too: slip close REF. slip kinds NAME shows the \
      actions of a kind. Run an action that is not a command with slip do: slip do not-today takes a task \
      out of My Day. slip today without REF prints the agenda of today; terms such as +home choose its \
      records. CHANGEs after the REFs are part of \
      the same commit: field:value, +tag, -tag. With --where, write them after --.

      Examples:
        slip close "Crash on start"
        slip close "Crash on start" priority:low +fixed
        slip do finish "Review the paper"
        slip do not-today "Review the paper"
        slip do close --where 'kind:issue +stale' --yes
        slip close --where kind:issue --yes -- +refactor
      """)

  @Argument(help: ArgumentHelp("The action.", valueName: "action"))
  var action: Word

  @Argument(help: ArgumentHelp("The records, then CHANGEs for the same commit.", valueName: "ref-or-change"))
  var words: [Word] = []

  @Flag(name: .option(.newField), help: "Allow a new field or kind with a name that resembles a known one.")
  var newField = false

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    try RunAction(in: snapshot).refuseUnknown(action.text)
    try refuseDoubtfulChanges()
    let (references, changes) = try Changes.split(words.texts, targets.selection, in: snapshot)
    let name = action.text
    let isLikely = RunAction(in: snapshot).likelyTargets(of: name)
    try refuseMissingAction(references, in: snapshot)
    let (entries, areNamed) =
      references.isEmpty && targets.selection.where.isEmpty
      ? (
        try NotePicker(snapshot, session).entries(
          refusal: missingReference(snapshot), nothing: "no record for the action \(name)", where: isLikely),
        true
      )
      : try targets.entries(
        references, of: SpokenCommand(String(spoken.dropFirst(5))), in: snapshot, session, first: isLikely)
    let plan = try RunAction(in: snapshot).plan(
      name, on: entries, with: changes, allowingNewFields: newField, reason: targets.reason.text)
    try Changes.carryOut(
      plan, on: entries, areNamed: areNamed, BulkQuestion(name, changes: changes), targets, snapshot, session)
  }

  /// Refuses an action that none of several notes of a title has, before the question which of them is meant.
  private func refuseMissingAction(_ references: [String], in snapshot: BoxSnapshot) throws {
    let schema = snapshot.schema()
    for reference in references where reference != "-" && !reference.contains("\"") {
      guard let query = try? snapshot.query(["title:=\"\(reference)\""]) else { continue }
      let notes = try snapshot.matches(query).map(\.entry)
      guard notes.count > 1,
        notes.allSatisfy({ schema.kindOrPlain(named: $0.kind).action(named: action.text) == nil })
      else { continue }
      _ = try RunAction(in: snapshot).plan(action.text, on: [notes[0]])
    }
  }

  /// Refuses CHANGEs beside `--where` that may be meant as terms of the query, which is one argument.
  private func refuseDoubtfulChanges() throws(SlipboxError) {
    let query = targets.selection.where.texts
    guard !query.isEmpty, let first = words.firstIndex(where: { !$0.isLiteral }),
      Change(words[first].text) != nil
    else { return }
    let changes = words.texts[first...].map { ShellWord.quoted(Array($0.utf8)) }.joined(separator: " ")
    let found = query.map { "--where \(ShellWord.quoted(Array($0.utf8)))" }.joined(separator: " ")
    let all = ShellWord.quoted(Array((query + words.texts[first...]).joined(separator: " ").utf8))
    throw SlipboxError(
      .usage, "\(Visible.escape(words[first].text)) can be part of the query or a change",
      hints: [
        "\(spoken) --where \(all) uses all of it as the query",
        "\(spoken) \(found) -- \(changes) changes the notes that match the query",
      ])
  }

  /// The command as it is typed.
  private var spoken: String {
    CommandName.actions.contains(action.text) ? "slip \(action.text)" : "slip do \(action.text)"
  }

  /// The refusal of an action without a record; if a filter lists the records that have had it, that is named too.
  private func missingReference(_ snapshot: BoxSnapshot) -> SlipboxError {
    let words = snapshot.schema().kinds.compactMap { $0.action(named: action.text) }.flatMap(\.words)
    let filter = snapshot.settings.allFilters.first { filter in
      filter.query.split(separator: " ").contains { words.contains(String($0)) }
    }
    let list = filter.map { ["to list notes: slip list @\($0.name)"] } ?? []
    return SlipboxError(
      .usage, "which note?",
      lines: ["\(spoken) REF; give an id, a path or a title, or use --where QUERY"] + list
    )
  }
}
