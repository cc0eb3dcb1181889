import ArgumentParser
import NoteIndex
import SlipboxCore
import Text

struct Restore: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore deleted notes, or earlier versions of notes.",
    discussion: """
      A deleted note is named by its id, its path or its last title. Its last version is restored at its \
      path, in one commit. --at restores an earlier version at the present path; deleted notes are restored \
      too. slip list --deleted lists the deleted notes.

      \(PastOptions.help)

      Examples:
        slip list --deleted
        slip restore kqzmvtrp
        slip restore "Fermentation basics" -m "Still needed"
        slip restore kqzmvtrp --at yesterday --dry-run
        slip restore kqzmvtrp --at HEAD~3
        slip list --deleted +food | slip restore - --yes
      """)

  @Argument(help: ArgumentHelp("The notes.", valueName: "ref"))
  var references: [Word] = []

  @Option(
    name: .option(.at), parsing: .unconditional,
    help: ArgumentHelp("Restore the versions of a revision, or of the end of a date.", valueName: "rev"))
  var at: Word?

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let restoring = RestoreNotes(snapshot, session.context, reason: targets.reason.text)
    let (plan, entries) = try chosen(restoring, snapshot, session)
    try targets.refuseUnexpected(entries.count)
    let areNamed = targets.selection.where.isEmpty && !references.texts.contains("-")
    try Changes.carryOut(
      plan, on: entries, areNamed: areNamed, BulkQuestion("restore"), targets, snapshot, session)
  }

  private func chosen(
    _ restoring: RestoreNotes, _ snapshot: BoxSnapshot, _ session: Session
  ) throws -> (plan: Plan, entries: [Entry]) {
    let query = targets.selection.where.texts
    if !query.isEmpty {
      guard references.isEmpty, at == nil else {
        throw SlipboxError(
          .usage, "--where can't be combined with REFs or --at",
          hints: ["slip list --deleted QUERY lists the matches"])
      }
      guard query.contains(where: { $0.contains { !$0.isWhitespace } }) else {
        throw SlipboxError(
          .usage, "--where is empty",
          hints: ["to select all notes: --where @all"])
      }
      return try restoring.plan(query: query)
    }
    let names =
      references.isEmpty
      ? try chosenNames(snapshot, session)
      : try session.expandingInput(references.texts, nulSeparated: targets.selection.input.nulSeparated)
    guard let at else { return try restoring.plan(names) }
    return try restoring.plan(names, at: try snapshot.box.pastPoint(at.text, session.context))
  }

  /// The notes that the user chooses: deleted ones, with --at those of now.
  private func chosenNames(_ snapshot: BoxSnapshot, _ session: Session) throws -> [String] {
    let refusal = SlipboxError(
      .usage, "which note?", hints: ["slip list --deleted lists deleted notes: slip restore REF"])
    if at != nil { return try NotePicker(snapshot, session).entries(refusal: refusal).references }
    guard let deleted = try DeletedNotes(of: snapshot, session.context) else { throw refusal }
    return try NotePicker(deleted.snapshot, session, hasPreview: false).entries(
      refusal: refusal, nothing: "no notes have been deleted"
    ).references
  }
}
