import ArgumentParser
import Notes
import Presentation
import SlipboxCore
import Text

struct Remove: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Delete notes, or a part of a note.",
    discussion: """
      The text is kept in history: slip list --deleted lists deleted notes, slip restore REF restores them. \
      If other records refer to a record, such as tasks to a group, it is deleted only with --detach, which \
      removes the references, or --cascade, which deletes these records too.

      REF#HEADING deletes a heading with its text and the headings below it, REF#^block a block, and \
      REF:LINE or REF:FIRST-LAST lines.

      Examples:
        slip rm kqzmvtrp
        slip rm "Fermentation basics#Old log"
        slip rm --where +trash --yes
        slip list +old | slip rm - --yes
      """)

  @Argument(help: ArgumentHelp("The notes.", valueName: "ref"))
  var references: [Word] = []

  @Flag(name: .option(.all), help: "Every note of the box.")
  var all = false

  @Flag(name: .option(.detach), help: "Remove references to the deleted notes from other records.")
  var detach = false

  @Flag(name: .option(.cascade), help: "Delete the records that refer to them too.")
  var cascade = false

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    if all { return try removeAll(snapshot, session) }
    if references.count == 1, try removePart(references[0].text, snapshot, session) { return }
    let (entries, areNamed) = try targets.selection.entries(
      references.texts, of: SpokenCommand("rm"), in: snapshot, session, isStrict: true)
    let rule: Field.DeleteRule? = cascade ? .cascade : detach ? .detach : nil
    let deletion = try DeleteNotes(in: snapshot).plan(entries, rule: rule, reason: targets.reason.text)
    let touched = entries + deletion.cascaded + deletion.detached
    try targets.refuseUnexpected(touched.count)
    try Changes.carryOut(
      deletion.plan, on: touched, areNamed: areNamed && deletion.cascaded.isEmpty, BulkQuestion("delete"),
      targets,
      snapshot, session)
  }

  /// Deletes a part of a note; false if the name is that of a whole note.
  private func removePart(_ name: String, _ snapshot: BoxSnapshot, _ session: Session) throws -> Bool {
    guard targets.selection.where.isEmpty,
      let (entry, part) = try NoteLookup(in: snapshot).part(name, fuzzy: false, isStrict: true)
    else { return false }
    let plan = try ChangePart(in: snapshot).plan(.delete, part, of: entry, reason: targets.reason.text)
    try targets.refuseUnexpected(1)
    try Changes.carryOut(
      plan, on: [entry], areNamed: true,
      BulkQuestion("delete \(Visible.escape(part.typed))", link: "of"),
      targets, snapshot, session)
    return true
  }

  /// Deletes every note, with `--expect N` or after a question on the terminal.
  private func removeAll(_ snapshot: BoxSnapshot, _ session: Session) throws {
    guard references.isEmpty, targets.selection.where.isEmpty else {
      throw SlipboxError(
        .usage, "--all can't be combined with REFs or --where", hints: ["use only one of them"])
    }
    let (plan, entries) = try DeleteNotes(in: snapshot).planForAll(reason: targets.reason.text)
    if targets.yes, targets.expect == nil {
      throw SlipboxError(
        .usage, "--all with --yes needs --expect N",
        hints: ["there are \(Count.notes(entries.count)) now"])
    }
    try targets.refuseUnexpected(entries.count)
    try Changes.carryOut(
      plan, on: entries, areNamed: false, BulkQuestion("delete"), targets, snapshot, session)
  }

  func validate() throws {
    guard !(detach && cascade) else { throw ValidationError("--detach and --cascade can't be combined.") }
  }
}
