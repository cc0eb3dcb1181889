import ArgumentParser
import Platform
import Presentation
import SlipboxCore
import Text

struct Init: SlipCommand {
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

  @Flag(name: .option(.yes), help: "Commit linked files above 100 MB without asking.")
  var yes = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let path = folder?.bytes ?? global.box?.bytes ?? session.context.workingDirectory
    let made = try session.showingProgress {
      try BoxInitialiser(session.context).initialise(path, mayCommit: { mayCommit($0, session) })
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

  private func mayCommit(_ size: Int64, _ session: Session) -> Bool {
    if yes { return true }
    let answer = session.console.ask("The notes link to \(size >> 20) MB of files. Commit them too? [y/N] ")
    return ["y", "yes"].contains(answer?.lowercased() ?? "")
  }
}
