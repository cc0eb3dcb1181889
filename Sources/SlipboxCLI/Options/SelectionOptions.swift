import ArgumentParser

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
