import Testing

@testable import SlipboxCLI

/// What the screen is told of commands is what they are.
struct BrowseTests {
  @Test func commandsThatShowTheirPatchHaveTheOptionsForIt() throws {
    #expect(!Browse.patching.isEmpty)
    for name in Browse.patching {
      let command = try #require(SlipboxCommand.command(named: name))
      let names = CommandShape(command).options.flatMap(\.names)
      for option in [OptionName.dryRun, .yes] { #expect(names.contains(option.typed), "\(name)") }
    }
  }
}
