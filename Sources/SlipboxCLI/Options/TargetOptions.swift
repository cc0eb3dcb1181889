import ArgumentParser

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
