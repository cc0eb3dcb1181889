import ArgumentParser
import Presentation
import SlipboxCore

struct Do: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: name, abstract: "Run an action of a record's kind, such as close, finish or start.",
    discussion: """
      The actions \(Sentence.list(shortcuts)) are commands too: slip close REF. slip kinds NAME \
      shows what the actions of a kind do. CHANGEs after the REFs are made in the same commit: field:value, +tag, -tag.

      Examples:
        slip close "Crash on start"
        slip close "Crash on start" priority:low +fixed
        slip do finish "Review the paper"
        slip do close --where 'kind:issue +stale' --yes
      """)

  static let name = "do"

  /// Actions of the built-in kinds that are commands too: `slip close X` is `slip do close X`.
  static let shortcuts = ["close", "reopen", "start", "finish", "shelve", "today"]

  @Argument(help: ArgumentHelp("The action.", valueName: "action"))
  var action: Word

  @Argument(help: ArgumentHelp("The records, then CHANGEs made with it.", valueName: "ref-or-change"))
  var words: [Word] = []

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    try snapshot.refuseUnknownAction(action.text)
    let (references, changes) = try Changes.split(words.texts, targets.selection, in: snapshot)
    let (entries, areNamed) = try targets.entries(references, in: snapshot, session)
    let plan = try snapshot.acting(action.text, on: entries, with: changes, reason: targets.reason.text)
    try Changes.carryOut(plan, on: entries, areNamed: areNamed, targets, snapshot, session)
  }
}
