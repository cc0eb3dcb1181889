import Testing

@testable import SlipboxCLI

/// What the screen is told of commands is what they are.
struct BrowseTests {
  @Test func commandsThatShowTheirPatchHaveTheOptionsForIt() {
    #expect(!Browse.patching.isEmpty)
    for name in Browse.patching {
      let names = CommandShape(name.type).options.flatMap(\.names)
      for option in [OptionName.dryRun, .yes] { #expect(names.contains(option.typed), "\(name)") }
    }
  }
}
