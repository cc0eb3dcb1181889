import ArgumentParser
import Presentation

/// The command `slip`.
struct SlipboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slip",
    abstract: "A slipbox for the shell: Markdown notes in a git repository.",
    discussion: """
      A box is a folder of Markdown files with front-matter. Every change is one commit, so `git log` is the \
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

      More: slip help COMMAND, and slip help \(Sentence.list(HelpTopic.all.map(\.name), "or"))
      """,
    version: Version.line,
    groupedSubcommands: [
      CommandGroup(
        name: "Notes",
        subcommands: [
          New.self, Daily.self, Capture.self, Show.self, Edit.self, SetFields.self, Append.self, Retitle.self,
          Move.self, Merge.self, Split.self, Remove.self, Restore.self, Resolve.self, Do.self, Tick.self,
          Untick.self,
        ]),
      CommandGroup(
        name: "Finding",
        subcommands: [
          List.self, Search.self, Todos.self, Outline.self, Tags.self, Filter.self, Overview.self,
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
      CommandGroup(name: "Sharing", subcommands: [Sync.self, Remote.self, Import.self, Export.self]),
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
