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

      The actions \(Sentence.list(CommandName.actions)) are commands too: slip do --help. slip sample makes a box of \
      examples.

      More: slip help COMMAND, and slip help \(Sentence.list(HelpTopic.all.map(\.name), "or"))
      """,
    version: Version.line,
    groupedSubcommands: CommandName.Group.allCases.map { group in
      CommandGroup(name: group.rawValue, subcommands: group.commands.map(\.type))
    })

  /// All commands, in the order of the help.
  static var commands: [any ParsableCommand.Type] { CommandName.allCases.map(\.type) }

  /// The commands without those that only programs run.
  static var commandsForPeople: [any ParsableCommand.Type] {
    CommandName.allCases.filter { $0.group != .programs }.map(\.type)
  }

  /// The command of a name.
  static func command(named name: String) -> (any ParsableCommand.Type)? { CommandName(rawValue: name)?.type }
}

extension CommandName {
  /// The type of the command; the other types are not touched.
  var type: any ParsableCommand.Type {
    switch self {
    case .new: New.self
    case .daily: Daily.self
    case .capture: Capture.self
    case .show: Show.self
    case .edit: Edit.self
    case .set: SetFields.self
    case .append: Append.self
    case .retitle: Retitle.self
    case .move: Move.self
    case .merge: Merge.self
    case .split: Split.self
    case .remove: Remove.self
    case .restore: Restore.self
    case .resolve: Resolve.self
    case .do: Do.self
    case .tick: Tick.self
    case .untick: Untick.self
    case .promote: Promote.self
    case .bake: Bake.self
    case .list: List.self
    case .search: Search.self
    case .table: ShowTable.self
    case .agenda: ShowAgenda.self
    case .view: SavedViews.self
    case .todos: Todos.self
    case .outline: Outline.self
    case .tags: Tags.self
    case .filter: Filter.self
    case .overview: Overview.self
    case .links: Links.self
    case .backlinks: Backlinks.self
    case .mentions: Mentions.self
    case .related: Related.self
    case .orphans: Orphans.self
    case .broken: Broken.self
    case .graph: DrawGraph.self
    case .log: Log.self
    case .diff: Diff.self
    case .undo: Undo.self
    case .redo: Redo.self
    case .review: ReviewDays.self
    case .chart: DrawChart.self
    case .commit: CommitChanges.self
    case .status: Status.self
    case .language: ServeLanguage.self
    case .page: ServePage.self
    case .browse: Browse.self
    case .sync: Sync.self
    case .heal: Heal.self
    case .remote: ManageRemotes.self
    case .import: Import.self
    case .export: Export.self
    case .initialise: Init.self
    case .config: Config.self
    case .kinds: Kinds.self
    case .doctor: Doctor.self
    case .tidy: Tidy.self
    case .sample: Sample.self
    case .completions: Completions.self
    case .manual: WriteManual.self
    case .mergeDriver: RunMergeDriver.self
    case .foldCatalogue: FoldCatalogue.self
    case .guardTerminal: GuardTerminal.self
    }
  }
}

/// The page of `slip help`: every command by group, on one screen.
enum HelpScreen {
  static let columns = 80
  private static let indent = 11

  /// Whether words request the page.
  static func isAsked(by words: [String]) -> Bool {
    words.filter { word in !GlobalOptions.flags.contains { $0.typed == word } } == ["help"]
  }

  static var text: String {
    let groups = CommandName.Group.allCases.map { group in
      (group.rawValue, group.commands.filter(isShown).map(\.rawValue))
    }
    let lists =
      groups.filter { !$0.1.isEmpty }
      + [("Actions", CommandName.actions), ("Topics", HelpTopic.all.map(\.name))]
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

  private static func isShown(_ name: CommandName) -> Bool {
    name.group != .programs && name.type.configuration.shouldDisplay
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
