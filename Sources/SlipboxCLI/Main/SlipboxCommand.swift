import ArgumentParser
import Bytes
import Platform
import Presentation
import SlipboxCore
import Text

/// The command `slip`.
struct SlipboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slip",
    abstract: "A slipbox for the shell: Markdown notes in a git repository.",
    discussion: """
      A box is a folder of Markdown files with front matter. Every change is one commit, so `git log` is the \
      history \
      and `git push` is the backup.

      Start with:
        slip init                          create a box in this folder
        slip new "First thought" +idea     create a note; its id is printed
        slip list +idea                    find it again
        slip search thought                search the text
        slip edit first                    open it in your editor
        slip new task "Call Ada" +home     a record of a kind; slip kinds lists them
        slip finish "Call Ada"             done; close an issue, start a book

      The actions \(Sentence.list(Do.shortcuts)) are commands too: slip do --help. slip sample makes a box of \
      examples.

      More: slip help COMMAND, and slip help \(Sentence.list(HelpTopic.all.map(\.name), "or"))
      """,
    version: Version.line,
    groupedSubcommands: [
      CommandGroup(
        name: "Notes",
        subcommands: [
          New.self, Daily.self, Capture.self, Show.self, Edit.self, SetFields.self, Append.self, Retitle.self,
          Move.self, Merge.self, Split.self, Remove.self, Restore.self, Resolve.self, Do.self, Tick.self,
          Untick.self, Promote.self, Bake.self,
        ]),
      CommandGroup(
        name: "Finding",
        subcommands: [
          List.self, Search.self, ShowTable.self, ShowAgenda.self, SavedViews.self, Todos.self, Outline.self,
          Tags.self, Filter.self,
          Overview.self,
        ]),
      CommandGroup(
        name: "Links",
        subcommands: [
          Links.self, Backlinks.self, Mentions.self, Related.self, Orphans.self, Broken.self, DrawGraph.self,
        ]),
      CommandGroup(
        name: "History",
        subcommands: [
          Log.self, Diff.self, Undo.self, Redo.self, ReviewDays.self, DrawChart.self, Commit.self,
          Status.self,
        ]),
      CommandGroup(
        name: "Interfaces",
        subcommands: [ServeLanguage.self, ServePage.self, Browse.self]),
      CommandGroup(
        name: "Sharing", subcommands: [Sync.self, Heal.self, Remote.self, Import.self, Export.self]),
      CommandGroup(
        name: "Box",
        subcommands: [
          Init.self, Config.self, Kinds.self, Doctor.self, Tidy.self, Sample.self, Completions.self,
          WriteManual.self,
        ]),
      CommandGroup(name: "For git", subcommands: [MergeDriver.self, FoldCatalogue.self, GuardTerminal.self]),
    ])
}

extension SlipboxCommand {
  /// All commands, in the order of the help.
  static var commands: [any ParsableCommand.Type] { configuration.groupedSubcommands.flatMap(\.subcommands) }

  /// The words that may stand first: `help`, the actions that are commands too, and the commands.
  static let names = ["help"] + Do.shortcuts + commands.compactMap { $0.configuration.commandName }

  /// The names without the commands that only programs run.
  static var namesForPeople: [String] {
    let hidden: [any ParsableCommand.Type] = [MergeDriver.self, FoldCatalogue.self, GuardTerminal.self]
    let hiddenNames = hidden.map { $0.configuration.commandName }
    return names.filter { !hiddenNames.contains($0) }
  }

  /// The commands without those that only programs run.
  static var commandsForPeople: [any ParsableCommand.Type] {
    commands.filter { namesForPeople.contains($0.configuration.commandName ?? "") }
  }

  /// The command of a name.
  static func command(named name: String) -> (any ParsableCommand.Type)? {
    commands.first { $0.configuration.commandName == name }
  }
}

/// The page of `slip help`: every command by group, on one screen.
enum HelpScreen {
  static let columns = 80
  private static let indent = 11

  /// Whether words ask for the page.
  static func isAsked(by words: [String]) -> Bool {
    words.filter { word in !GlobalOptions.flags.contains { $0.typed == word } } == ["help"]
  }

  static var text: String {
    let groups = SlipboxCommand.configuration.groupedSubcommands.map { group in
      (group.name, group.subcommands.compactMap { $0.configuration.commandName }.filter(isShown))
    }
    let lists =
      groups.filter { !$0.1.isEmpty } + [("Actions", Do.shortcuts), ("Topics", HelpTopic.all.map(\.name))]
    return """
      slip keeps notes as Markdown files in a git repository. Each change is a commit.

        slip init                          create a box in this folder
        slip new "First thought" +idea     create a note; its id is printed
        slip list +idea                    find it again
        slip search thought                search the text
        slip new task "Call Ada" due:fri   create a record; slip kinds lists the kinds
        slip finish "Call Ada"             run an action; slip undo reverses it

      \(lists.map(row).joined(separator: "\n"))

      More: slip help COMMAND and slip help TOPIC; slip --help describes the commands.
      """
  }

  private static func isShown(_ name: String) -> Bool {
    SlipboxCommand.namesForPeople.contains(name)
      && SlipboxCommand.command(named: name)?.configuration.shouldDisplay != false
  }

  /// A group's name and its commands, on as many lines as they need.
  private static func row(_ name: String, _ commands: [String]) -> String {
    var lines = [name + String(repeating: " ", count: indent - name.count)]
    for (index, command) in commands.enumerated() {
      let word = command + (index == commands.count - 1 ? "" : ",")
      let last = lines[lines.count - 1]
      if last.count + word.count >= columns {
        lines.append(String(repeating: " ", count: indent) + word)
      } else {
        lines[lines.count - 1] = last + (last.count == indent ? "" : " ") + word
      }
    }
    return lines.joined(separator: "\n")
  }
}

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
