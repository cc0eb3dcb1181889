import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Resolve: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve", abstract: "Show or settle what merges could not decide.",
    discussion: """
      Where two sides changed one field, the later value stands in the note, and the other is kept under conflicts. Where \
      they changed the same lines, both are in the text between comments. Without --keep the versions are shown with \
      their numbers: 1 is what stands in the note, or comes first in its text. Setting a field settles it too.

      Examples:
        slip list is:conflicted
        slip resolve kqzmvtrp
        slip resolve kqzmvtrp --keep 2 status
        slip resolve kqzmvtrp --keep all body
      """)

  @Argument(
    help: ArgumentHelp("The note, and with --keep the fields to settle; all by default.", valueName: "ref"))
  var words: [Word] = []

  @Option(
    name: .option(.keep), parsing: .unconditional,
    help: ArgumentHelp("The version to keep, or all, which lists and texts can hold.", valueName: "n|all"))
  var keep: Word?

  @Flag(name: .option(.edit), help: "Open the note in your editor.")
  var edit = false

  @Flag(name: .option(.json), help: "The versions as JSON.")
  var json = false

  @Flag(name: .option(.dryRun), help: "Print the change as a patch and change nothing.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard [keep != nil, edit, json].filter({ $0 }).count <= 1 else {
      throw ValidationError("Choose one of --keep, --edit and --json.")
    }
    guard keep != nil || words.count <= 1 else {
      throw ValidationError("Fields are settled with --keep: slip resolve REF --keep 1 FIELD.")
    }
    guard keep != nil || !dryRun else { throw ValidationError("--dry-run goes with --keep.") }
  }

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let entry = try conflicting(snapshot, session)
    if edit {
      var command = try Edit.parse([entry.note.shellName])
      command.global = global
      return try command.run(in: session)
    }
    if let keep { return try settle(entry, keep.text, snapshot, session) }
    let conflicts = try snapshot.conflicts(of: entry)
    if json { return try session.console.print(bytes: NoteConflict.json(conflicts, of: entry.note)) }
    guard !conflicts.isEmpty else {
      return session.say("\(entry.note.shownName) has no conflict")
    }
    try session.page(ConflictLines(entry.note, session.display).lines(conflicts))
  }

  /// The note that is named, else the one that the user chooses of those in conflict.
  private func conflicting(_ snapshot: BoxSnapshot, _ session: Session) throws -> Entry {
    if let reference = words.first { return try snapshot.entry(reference.text, fuzzy: keep == nil) }
    let refusal = SlipboxError(
      .usage, "which note?", hints: ["slip list is:conflicted shows those in conflict"])
    let conflicted = try snapshot.matches(try snapshot.query(["is:conflicted"])).map(\.entry.note.path)
    let paths = Set(conflicted)
    return try NotePicker(snapshot, session).entries(
      isOne: true, refusal: refusal, nothing: "no note is in conflict"
    ) {
      paths.contains($0.note.path)
    }[0]
  }

  private func settle(
    _ entry: Entry, _ keep: String, _ snapshot: BoxSnapshot, _ session: Session
  ) throws {
    let choice: ConflictChoice
    if keep == "all" {
      choice = .all
    } else if let number = Int(keep), number > 0 {
      choice = .version(number)
    } else {
      throw SlipboxError(
        .usage, "--keep takes the number of a version, or all: \(Visible.escape(keep)) is neither",
        hints: ["slip resolve \(entry.note.shellName) shows the versions"])
    }
    let plan = try snapshot.resolving(
      entry, choice, fields: words.dropFirst().map(\.text), reason: reason.text)
    if dryRun { return try Changes.printPatch(plan, snapshot, session) }
    try Changes.record(plan, in: snapshot, session)
  }
}
