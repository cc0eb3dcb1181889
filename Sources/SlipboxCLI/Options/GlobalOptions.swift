import ArgumentParser

/// When colour is used.
enum ColourRule: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never
}

/// The options of every command.
struct GlobalOptions: ParsableArguments {
  @Option(name: .long, parsing: .unconditional, help: ArgumentHelp("The box to work on.", valueName: "dir"))
  var box: Word?

  @Option(name: .long, help: ArgumentHelp("Colour: auto, always or never.", valueName: "when"))
  var color: ColourRule = .auto

  @Flag(name: .long, help: "No colour.")
  var noColor = false

  @Flag(name: .long, help: "No pager for long output.")
  var noPager = false

  @Flag(name: [.long, .customShort("q")], help: "No messages, only results and errors.")
  var quiet = false
}
