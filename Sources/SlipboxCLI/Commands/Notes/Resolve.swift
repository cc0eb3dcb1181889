import ArgumentParser
import NoteIndex
import Notes
import Presentation
import SlipboxCore
import Text

struct Resolve: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "resolve", abstract: "Show or resolve the conflicts of merges.",
    discussion: """
      If both sides changed the same field, the note has the later value, and the other value is stored in \
      the field conflicts. If both sides changed the same lines, the text has both versions between \
      comments. Without --keep, the versions are listed with numbers. A number means the same device in every \
      part of a note, as far as the note names the devices: 1 is the first version in the text, or the value of the \
      first field in the note. Setting a field also resolves its conflict.

      Without REF, if git stopped at conflicts in a merge, rebase, cherry-pick, revert or stash pop, the notes \
      are merged and git finishes it, as in slip sync. It asks first; --yes answers yes, --dry-run lists the \
      notes. Otherwise a list of the notes in conflict opens, if fzf is installed.

      Examples:
        slip list is:conflicted
        slip resolve kqzmvtrp
        slip resolve kqzmvtrp --keep 2 status
        slip resolve kqzmvtrp --keep all body
      """)

  @Argument(
    help: ArgumentHelp("The note, and with --keep the fields to resolve; all by default.", valueName: "ref"))
  var words: [Word] = []

  @Option(
    name: .option(.keep), parsing: .unconditional,
    help: ArgumentHelp("The version to keep, or all (for lists and texts).", valueName: "n|all"))
  var keep: Word?

  @Flag(name: .option(.edit), help: "Open the note in your editor.")
  var edit = false

  @Flag(name: .option(.json), help: "The versions as JSON.")
  var json = false

  @Flag(
    name: .option(.dryRun),
    help: "With --keep, print the change as a patch; without REF, list the notes to merge. Write nothing.")
  var dryRun = false

  @Flag(
    name: .option(.yes),
    help: "Finish a merge, rebase, cherry-pick, revert or stash pop of git without asking.")
  var yes = false

  @OptionGroup var reason: ReasonOption
  @OptionGroup var global: GlobalOptions

  func validate() throws {
    guard [keep != nil, edit, json].filter({ $0 }).count <= 1 else {
      throw ValidationError("Choose one of --keep, --edit and --json.")
    }
    guard keep != nil || words.count <= 1 else {
      throw ValidationError("slip resolve takes one REF. To resolve fields: slip resolve REF --keep 1 FIELD.")
    }
    guard keep != nil || !dryRun || words.isEmpty else { throw ValidationError("--dry-run needs --keep.") }
  }

  func run(in session: Session) throws {
    if words.isEmpty, keep == nil, !edit {
      if dryRun {
        try StoppedOperation.show(json: json, session)
        return
      }
      if try StoppedOperation.finish(isAgreed: yes, json: json, session) { return }
      // Git waits for the user.
      if yes {
        let box = try session.openBox(isLenient: true).box
        try BoxWriter(box, session.context).refuseOperationUnderWay()
        if let path = box.unmergedPaths.first { throw StoppedOperation.refusal(ofConflictIn: path) }
      }
    }
    let snapshot = try session.openBox()
    let entry = try conflicting(snapshot, session)
    if edit {
      var command = try Edit.parse([entry.note.shellName])
      command.global = global
      return try command.run(in: session)
    }
    if let keep { return try settle(entry, keep.text, snapshot, session) }
    try ResolveConflicts(in: snapshot).refuseConflictOfGit(in: entry.note)
    let conflicts = try ResolveConflicts(in: snapshot).conflicts(of: entry)
    if json { return try session.console.print(bytes: NoteConflict.json(conflicts, of: entry.note)) }
    guard !conflicts.isEmpty else {
      // Git may have stopped at this very note.
      try BoxWriter(snapshot.box, session.context).refuseOperationUnderWay()
      let nothing = ResolveConflicts.nothing(in: entry.note)
      guard nothing.hints.isEmpty else { throw nothing }
      return session.say(nothing.message)
    }
    try session.page(ConflictLines(entry.note, session.display).lines(conflicts))
  }

  /// The note that is named, else the one that the user chooses of those in conflict.
  private func conflicting(_ snapshot: BoxSnapshot, _ session: Session) throws -> Entry {
    if let reference = words.first {
      return try NoteLookup(in: snapshot).entry(reference.text, fuzzy: keep == nil)
    }
    let refusal = SlipboxError(
      .usage, "which note?", hints: ["slip list is:conflicted lists the notes in conflict"])
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
        .usage, "--keep takes the number of a version or all, not \(Visible.escape(keep))",
        hints: ["slip resolve \(entry.note.shellName) shows the versions"])
    }
    let plan = try ResolveConflicts(in: snapshot).plan(
      entry, choice, fields: words.dropFirst().map(\.text), reason: reason.text)
    if dryRun { return try Changes.printPatch(plan, snapshot, session) }
    try Changes.record(plan, yes: yes, in: snapshot, session)
  }
}
