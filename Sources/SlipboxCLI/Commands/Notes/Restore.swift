import ArgumentParser
import NoteIndex
import SlipboxCore
import Text

struct Restore: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Bring deleted notes back, or earlier versions of notes.",
    discussion: """
      A deleted note is named by its id, its path or the title that it last had, and comes back as it last was, to its \
      place, in one commit. With --at the notes become what they were then, where they are now; deleted ones come back. \
      What there is to come back is listed by slip list --deleted.

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
    help: ArgumentHelp("As they were at a revision, or at the end of a date.", valueName: "rev"))
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
          .usage, "--where finds deleted notes: it goes without REFs and without --at",
          hints: ["slip list --deleted QUERY shows what it finds"])
      }
      guard query.contains(where: { $0.contains { !$0.isWhitespace } }) else {
        throw SlipboxError(
          .usage, "--where is empty, which would mean every deleted note",
          hints: ["write --where @all to mean that"])
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
      .usage, "which note?", hints: ["slip list --deleted shows what can come back: slip restore REF"])
    if at != nil { return try NotePicker(snapshot, session).entries(refusal: refusal).references }
    guard let deleted = try DeletedNotes(of: snapshot, session.context) else { throw refusal }
    return try NotePicker(deleted.snapshot, session, hasPreview: false).entries(
      refusal: refusal, nothing: "nothing was deleted"
    ).references
  }
}
