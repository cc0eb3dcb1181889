import ArgumentParser

/// The options of commands that give one note another name, or make two of one or one of two.
struct RenameOptions: ParsableArguments {
  @Flag(name: .option(.dryRun), help: "Print the change as a patch without writing anything.")
  var dryRun = false

  @OptionGroup var reason: ReasonOption

  @OptionGroup var input: InputOptions
}
