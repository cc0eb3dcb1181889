import ArgumentParser
import Notes
import SlipboxCore

struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Delete notes.",
    discussion: """
      Their text stays in history: git log --diff-filter=D finds the commit, git show COMMIT^:PATH the text. A record \
      that others refer to, such as a group with tasks, is only deleted with --detach, which takes the reference out \
      of them, or --cascade, which deletes them too.

      Examples:
        slip rm kqzmvtrp
        slip rm --where +trash --yes
        slip list +old | slip rm - --yes
      """)

  @Argument(help: ArgumentHelp("The notes.", valueName: "ref"))
  var references: [Word] = []

  @Flag(name: .long, help: "Every note of the box.")
  var all = false

  @Flag(name: .long, help: "Take references to what is deleted out of other records.")
  var detach = false

  @Flag(name: .long, help: "Delete the records that refer to it too.")
  var cascade = false

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    if all { return try removeAll(box, session) }
    let (entries, areNamed) = try targets.resolve(references.texts, in: box)
    let rule: Field.DeleteRule? = cascade ? .cascade : detach ? .detach : nil
    let deletion = try box.deleting(entries, rule: rule, reason: targets.message?.text)
    let touched = entries + deletion.cascaded + deletion.detached
    try targets.refuseUnexpected(touched.count)
    try Changes.carryOut(
      deletion.plan, on: touched, deleting: touched.count - deletion.detached.count,
      areNamed: areNamed && deletion.cascaded.isEmpty, targets, box, session)
  }

  /// Everything is only deleted by somebody who says how much that is, or who answers on a terminal.
  private func removeAll(_ box: Slipbox, _ session: Session) throws {
    guard references.isEmpty, targets.where.isEmpty else {
      throw SlipboxError(.usage, "--all takes no REFs and no --where")
    }
    let (plan, entries) = try box.deletingAll(reason: targets.message?.text)
    if targets.yes, targets.expect == nil {
      throw SlipboxError(
        .usage, "--all with --yes needs --expect N",
        hints: ["there are \(Count.notes(entries.count)) now"])
    }
    try targets.refuseUnexpected(entries.count)
    try Changes.carryOut(
      plan, on: entries, deleting: entries.count, areNamed: false, targets, box, session)
  }

  func validate() throws {
    guard !(detach && cascade) else { throw ValidationError("--detach or --cascade, not both.") }
  }
}
