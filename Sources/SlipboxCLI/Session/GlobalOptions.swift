import ArgumentParser
import Git
import NoteIndex
import Presentation

/// The use of colour.
enum ColourRule: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

/// The options of every command.
struct GlobalOptions: ParsableArguments {
  /// The options without a value and those with one, which may also stand before the command.
  static let flags: [OptionName] = [.noColor, .noPager, .quiet]
  static let values: [OptionName] = [.box, .color]

  @Option(
    name: .option(.box), parsing: .unconditional,
    help: ArgumentHelp("The folder of the box.", valueName: "dir"))
  var box: Word?

  @Option(
    name: .option(.color), parsing: .unconditional,
    help: ArgumentHelp("When to use colour.", valueName: "when"))
  var color: ColourRule = .auto

  @Flag(name: .option(.noColor), help: "Don't use colour.")
  var noColor = false

  @Flag(name: .option(.noPager), help: "Don't page long output.")
  var noPager = false

  @Flag(name: .option(.quiet), help: "Print only results and errors.")
  var quiet = false
}

/// The version of this build.
enum Version {
  static let number = "0.1.0"
  static let line = "slip \(number)"

  /// The line of `--version`.
  /// - Parameter revision: the commit of the build; empty if unknown.
  static func line(revision: String) -> String { revision.isEmpty ? line : "\(line) (\(revision))" }

  /// The lines of `--version --verbose`, for reports of faults.
  static func details(revision: String) -> String {
    let rows = [
      ("version", number), ("commit", revision.isEmpty ? "unknown" : revision),
      ("libgit2", LibraryVersion.libgit2), ("Swift", compiler),
      ("JSON schema", "\(JSONSchema.current.rawValue)"),
      ("catalogue format", "\(CatalogueFormat.version)"),
    ]
    return rows.map { "\($0.0): \($0.1)" }.joined(separator: "\n") + "\n"
  }

  /// The version of the compiler, as far as it can be tested for.
  private static var compiler: String {
    #if compiler(>=6.5)
      "6.5 or later"
    #elseif compiler(>=6.4)
      "6.4"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}

/// The separator of REFs on standard input.
struct InputOptions: ParsableArguments {
  @Flag(name: .customShort("0"), help: "With - as REF: names end in NUL instead of a newline.")
  var nulSeparated = false
}

/// The notes of a command, where they are not named by REFs.
struct SelectionOptions: ParsableArguments {
  @Option(
    name: .option(.where), parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Every note that matches a query, instead of REFs.", valueName: "query"))
  var `where`: [Word] = []

  @OptionGroup var input: InputOptions
}

/// The reason for a change.
struct ReasonOption: ParsableArguments {
  @Option(
    name: .option(.message), parsing: .unconditional,
    help: ArgumentHelp("The reason, for the commit message.", valueName: "reason"))
  var message: Word?

  /// The reason as it was typed.
  var text: String? { message?.text }
}

/// The notes of a change, and the question before it is made.
struct TargetOptions: ParsableArguments {
  @OptionGroup var selection: SelectionOptions

  @Option(
    name: .option(.expect), parsing: .unconditional,
    help: ArgumentHelp("Fail if the number of notes differs.", valueName: "n"))
  var expect: Int?

  @Flag(name: .option(.yes), help: "Don't ask.")
  var yes = false

  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption
}

/// The options of commands that give one note another name, or make two of one or one of two.
struct RenameOptions: ParsableArguments {
  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var input: InputOptions
}
