import ArgumentParser
import Platform
import SlipboxCore
import Text

struct Init: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Make a folder a box.",
    discussion: """
      An existing git repository is adopted, and so are the notes in the folder: no file is rewritten, notes without \
      front-matter are notes all the same. Where there was no repository, one is made and its first commit holds what \
      was found. In a clone of a box, init only tells git how notes are merged.

      Examples:
        slip init
        slip init ~/notes
      """)

  @Argument(help: ArgumentHelp("The folder; the current one by default.", valueName: "dir"))
  var folder: Word?

  @Flag(name: [.long, .customShort("y")], help: "Commit linked files above 100 MB without asking.")
  var yes = false

  @OptionGroup var global: GlobalOptions

  func run() throws {
    let session = Session(global)
    let path = folder?.bytes ?? global.box?.bytes ?? session.surroundings.workingDirectory
    let made = try ProgressLine.showing(unlessQuiet: global.quiet) {
      try Slipbox.initialise(path, session.surroundings, mayCommit: mayCommit)
    }
    let place = Visible.escape(made.box.root)
    let notes = Count.notes(made.noteCount)
    if made.wasBox {
      session.say("\(place) is a box with \(notes); git merges its notes by slip's merge driver")
      return
    }
    if let refusal = made.notCommitted {
      session.say("\(place) is a box now with \(notes), saved, not committed: \(refusal.message)")
      throw SlipboxError(refusal.kind, refusal.message, hints: refusal.hints + ["then: slip commit"])
    }
    session.say("\(place) is a box now" + (made.noteCount == 0 ? "" : ", with \(notes)"))
    if made.noteCount == 0 { session.say("next: slip new \"A first thought\"") }
  }

  private func mayCommit(_ size: Int64) -> Bool {
    if yes { return true }
    let answer = Terminal.ask("The notes link to \(size >> 20) MB of files. Commit them too? [y/N] ")
    return ["y", "yes"].contains(answer?.lowercased() ?? "")
  }
}
