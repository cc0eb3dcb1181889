import ArgumentParser
import SlipboxCore

struct Remove: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "rm", abstract: "Delete notes.",
    discussion: """
      Their text stays in history: git log --diff-filter=D finds the commit, git show COMMIT^:PATH the text.

      Examples:
        slip rm kqzmvtrp
        slip rm --where +trash --yes
        slip list +old | slip rm - --yes
      """)

  @Argument(help: ArgumentHelp("The notes.", valueName: "ref"))
  var references: [Word] = []

  @OptionGroup var targets: TargetOptions
  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let box = try session.openBox()
    let (entries, areNamed) = try targets.entries(references.texts, in: box)
    let plan = box.deleting(entries, reason: targets.message?.text)
    try Changes.carryOut(plan, on: entries, areNamed: areNamed, targets, box, session)
  }
}
