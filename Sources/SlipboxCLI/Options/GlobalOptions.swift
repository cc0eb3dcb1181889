import ArgumentParser

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
