import ArgumentParser
import Git
import NoteIndex
import Presentation
import SlipboxCore

struct Log: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "log", abstract: "The commits of a note, or of the whole box, newest first.",
    discussion: """
      Examples:
        slip log
        slip log kqzmvtrp
        slip log --limit 5 --json
        slip list +food | slip log -
      """)

  @Argument(help: ArgumentHelp("Only commits that changed these notes' files.", valueName: "ref"))
  var references: [Word] = []

  @Option(
    name: .option(.limit), parsing: .unconditional, help: ArgumentHelp("At most this many.", valueName: "n"))
  var limit: Int?

  @Flag(name: .option(.json), help: "As JSON, a line a commit.")
  var json = false

  @OptionGroup var input: InputOptions

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let snapshot = try session.openBox()
    let names = try session.expandingInput(references.texts, nulSeparated: input.nulSeparated)
    // Without names on standard input nothing is shown, not the whole box.
    if names.isEmpty, !references.isEmpty { return }
    let entries = try snapshot.entries(names, fuzzy: true)
    if json {
      try snapshot.visitHistory(of: entries, limit: limit) { entry in
        session.console.write(entry.json)
        return true
      }
      return try session.console.flush()
    }
    var lines: [String] = []
    let display = session.display
    try snapshot.visitHistory(of: entries, limit: limit) { entry in
      lines.append(entry.line(display))
      return true
    }
    if snapshot.isShallow { session.say("this clone is shallow: history is cut where it begins here") }
    try session.page(lines)
  }
}
