import ArgumentParser
import Notes
import Presentation
import SlipboxCore

struct Remove: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Delete notes.",
    discussion: """
      Their text stays in history: slip list --deleted finds them, slip restore REF brings them back. A record \
      that others refer to, such as a group with tasks, is only deleted with --detach, which takes the reference out \
      of them, or --cascade, which deletes them too.

      Examples:
        slip rm kqzmvtrp
        slip rm --where +trash --yes
        slip list +old | slip rm - --yes
      """)

  @Argument(help: ArgumentHelp("The notes.", valueName: "ref"))
  var references: [Word] = []

  @Flag(name: .option(.all), help: "Every note of the box.")
  var all = false

  @Flag(name: .option(.detach), help: "Take references to what is deleted out of other records.")
  var detach = false

  @Flag(name: .option(.cascade), help: "Delete the records that refer to it too.")
  var cascade = false

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    if all { return try removeAll(snapshot, session) }
    let (entries, areNamed) = try targets.selection.entries(
      references.texts, in: snapshot, session, usesActive: false)
    let rule: Field.DeleteRule? = cascade ? .cascade : detach ? .detach : nil
    let deletion = try snapshot.deleting(entries, rule: rule, reason: targets.reason.text)
    let touched = entries + deletion.cascaded + deletion.detached
    try targets.refuseUnexpected(touched.count)
    try Changes.carryOut(
      deletion.plan, on: touched, areNamed: areNamed && deletion.cascaded.isEmpty, BulkQuestion("delete"),
      targets,
      snapshot, session)
  }

  /// Deletes every note, with `--expect N` or after a question on the terminal.
  private func removeAll(_ snapshot: BoxSnapshot, _ session: Session) throws {
    guard references.isEmpty, targets.selection.where.isEmpty else {
      throw SlipboxError(
        .usage, "--all takes no REFs and no --where", hints: ["leave out the one or the other"])
    }
    let (plan, entries) = try snapshot.deletingAll(reason: targets.reason.text)
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
    guard !(detach && cascade) else { throw ValidationError("--detach or --cascade, not both.") }
  }
}
