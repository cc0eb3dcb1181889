import ArgumentParser
import Bytes
import Platform
import SlipboxCore
import Text

struct WriteManual: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Write the manual into a folder: pages for man, or notes.",
    discussion: """
      The pages are those of slip --help and slip help TOPIC: one for each command in man1, one for each chapter in man7. \
      As Markdown they are notes, of which a box can be made, and of that a site. Files of the same names are \
      replaced, others are left alone.

      Examples:
        slip manual ~/.local/share/man
        slip manual --markdown book
      """)

  @Argument(help: ArgumentHelp("The folder; it is made where it is missing.", valueName: "folder"))
  var folder: Word

  @Flag(name: .option(.markdown), help: "As Markdown with front-matter.")
  var markdown = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let folder = BytePath.join(session.context.workingDirectory, folder.bytes)
    let pages = ManualPage.all(of: SlipboxCommand.self, SlipboxCommand.commandsForPeople)
    do throws(SystemError) {
      for page in pages {
        let (name, text) = markdown ? (page.noteFile, page.markdown) : (page.file, page.roff)
        try Files.write(Array(text.utf8), to: folder / name)
      }
    } catch {
      throw SlipboxError(error)
    }
    session.say("\(pages.count) pages in \(Visible.escape(String(decoding: folder, as: UTF8.self)))")
  }
}
