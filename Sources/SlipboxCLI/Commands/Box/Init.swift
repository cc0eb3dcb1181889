import ArgumentParser
import Notes
import Platform
import Presentation
import SlipboxCore
import Text

struct Init: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "init", abstract: "Create a box, or turn a folder into one.",
    discussion: """
      An existing git repository is adopted, with the notes in the folder. No file is rewritten, and notes \
      need no front matter. If the folder is not in a repository, init creates one and commits the files. In \
      a clone of a box, init only registers the merge driver.

      In the folder of another program (Obsidian, zk, Hugo, Jekyll, Dendron, Denote, Logseq), new notes, \
      daily notes and links follow the conventions of that program: the setting layout. See slip help config.

      Examples:
        slip init
        slip init ~/notes
      """)

  @Argument(help: ArgumentHelp("The folder; the current one by default.", valueName: "dir"))
  var folder: Word?

  @Flag(name: .option(.yes), help: "Commit more than 100 MB of linked files without asking.")
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
      session.say("\(place) is a box with \(notes); registered slip's merge driver")
      return
    }
    if let refusal = made.notCommitted {
      session.say("\(place) is a box now with \(notes), saved, not committed")
      throw SlipboxError(refusal.kind, refusal.message, hints: refusal.hints + ["then: slip commit"])
    }
    if let layout = made.layout {
      session.say("this looks like \(layout.name.folder): \(layout.summary) (slip help config)")
    }
    session.say("\(place) is a box now" + (made.noteCount == 0 ? "" : ", with \(notes)"))
    if made.undated > 0 {
      let count =
        made.undated == 1 ? "1 note has no date and counts" : "\(made.undated) notes have no date and count"
      session.say("\(count) as created now; slip set REF created:DATE sets a date")
    }
    if made.noteCount == 0 { session.say("next: slip new \"A first thought\"") }
  }

  private func mayCommit(_ size: Int64, _ session: Session) -> Bool {
    yes || session.console.agrees(to: "The notes link to \(size >> 20) MB of files. Commit them too?") == true
  }
}
