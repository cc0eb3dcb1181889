import ArgumentParser
import SlipboxCore

struct Do: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "do", abstract: "Run an action of a record's kind, such as close, finish or start.",
    discussion: """
      The actions close, reopen, start, finish, shelve and today are commands too: slip close REF. slip kinds NAME \
      shows what the actions of a kind do.

      Examples:
        slip close "Crash on start"
        slip do finish "Review the paper"
        slip do close --where 'kind:issue +stale' --yes
      """)

  @Argument(help: ArgumentHelp("The action.", valueName: "action"))
  var action: Word

  @Argument(help: ArgumentHelp("The records.", valueName: "ref"))
  var references: [Word] = []

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let (entries, areNamed) = try targets.entries(references.texts, in: box)
    let plan = try box.acting(action.text, on: entries, reason: targets.message?.text)
    try Changes.carryOut(plan, on: entries, areNamed: areNamed, targets, box, session)
  }
}
