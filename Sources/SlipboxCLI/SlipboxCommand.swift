import ArgumentParser
import Glibc
import Platform
import SlipboxCore
import Text

/// The command `slip`.
struct SlipboxCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "slip",
    abstract: "A slipbox for the shell: Markdown notes in a git repository.",
    discussion: """
      A box is a folder of Markdown files with front-matter. Every change is one commit, so `git log` tells the story \
      and `git push` is the backup.

      Start with:
        slip init                          make this folder a box
        slip new "First thought" +idea     make a note; its id is printed
        slip list +idea                    find it again
        slip search thought                look into the text
        slip edit first                    open it in your editor

      More: slip help COMMAND, and slip help query, refs, dates or config
      """,
    version: Version.line,
    groupedSubcommands: [
      CommandGroup(
        name: "Notes",
        subcommands: [New.self, Show.self, Edit.self, SetFields.self, Append.self, Remove.self, Do.self]),
      CommandGroup(
        name: "Finding", subcommands: [List.self, Search.self, Tags.self, Filter.self, Overview.self]),
      CommandGroup(name: "History", subcommands: [Log.self, Commit.self, Status.self]),
      CommandGroup(
        name: "The box",
        subcommands: [Init.self, Config.self, Kinds.self, Doctor.self, Sample.self, Completions.self]),
      CommandGroup(name: "For git", subcommands: [MergeDriver.self, FoldCatalogue.self]),
    ])
}

/// The same command for parsing alone, without the parser's look for a request for its own completion script: that
/// takes three quarters of a start.
private struct QuickCommand: ParsableCommand {
  static let configuration: CommandConfiguration = {
    var configuration = SlipboxCommand.configuration
    configuration._superCommandName = "slip"
    return configuration
  }()
}

/// What this build is called.
enum Version {
  static let number = "0.1.0"
  static let line = "slip \(number)"
}

/// The whole program: what `slip` does with its command line.
package enum Program {
  /// Runs the command that the process was started with, in a world of clock and chance.
  package static func main(in world: World = .real) {
    World.$current.withValue(world) { run(Array(CommandLine.arguments.dropFirst())) }
  }

  private static func run(_ arguments: [String]) {
    if arguments.first == CompletionAnswer.command {
      exit(CompletionAnswer.run(Array(arguments.dropFirst())))
    }
    do {
      if arguments == ["--version"] {
        try Console.print(Version.line + "\n")
        return
      }
      if let topic = HelpTopic.asked(by: arguments) {
        try Console.print(topic.text)
        return
      }
      var command = try parse(try Arguments.prepare(arguments))
      try command.run()
    } catch {
      Failure.end(error)
    }
  }

  private static func parse(_ arguments: [String]) throws -> any ParsableCommand {
    // Help and messages name the command itself.
    let asksHelp = arguments.first == "help" || arguments.contains { $0 == "-h" || $0.hasPrefix("--help") }
    if !asksHelp, let command = try? QuickCommand.parseAsRoot(arguments) { return command }
    do {
      return try SlipboxCommand.parseAsRoot(arguments)
    } catch {
      throw ParsingFailure(underlying: error)
    }
  }
}
