import ArgumentParser
import Bytes
import Platform
import SlipboxCore
import Text

struct WriteManual: SlipCommand {
  static let configuration = CommandConfiguration(
    commandName: "manual", abstract: "Write the manual as man pages or Markdown.",
    discussion: """
      Writes the text of slip --help and slip help TOPIC: one page per command in man1, one page per topic \
      in man7. Markdown pages have front matter, so they can be notes of a box or pages of a site. Files \
      with the same names are replaced; other files are not changed.

      Examples:
        slip manual ~/.local/share/man
        slip manual --markdown book
      """)

  @Argument(help: ArgumentHelp("The folder; created if it does not exist.", valueName: "folder"))
  var folder: Word

  @Flag(name: .option(.markdown), help: "As Markdown with front matter.")
  var markdown = false

  @OptionGroup var global: GlobalOptions

  func run(in session: Session) throws {
    let folder = BytePath.join(session.context.workingDirectory, folder.bytes)
    try OutputPath.refuseGitFolder(BytePath.normalised(folder) ?? folder)
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
