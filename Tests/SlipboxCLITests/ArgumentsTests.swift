import SlipboxCore
import Testing

@testable import SlipboxCLI

@Suite struct ArgumentsTests {
  @Test(arguments: [
    (["list", "-later"], ["list", "\u{1}-later"]),
    (["list", "-l"], ["list", "-l"]),
    (["list", "-"], ["list", "-"]),
    (["list", "--json", "-0"], ["list", "--json", "-0"]),
    (["list", "--", "-later"], ["list", "--", "-later"]),
    (["--box", "d", "list", "+x"], ["list", "+x", "--box", "d"]),
    (["--box", "d", "filter", "save", "n", "q"], ["filter", "save", "n", "q", "--box", "d"]),
    (["--quiet", "new", "--", "-x"], ["new", "--quiet", "--", "-x"]),
    (["--no-color", "list"], ["list", "--no-color"]),
    (["set", "a", "-m", "-reason"], ["set", "a", "-m", "\u{1}-reason"]),
    ([], ["overview"]),
    (["close", "x"], ["do", "close", "x"]),
    (["--help"], ["--help"]),
  ])
  func areReadAsTheSpecificationSays(_ words: [String], _ expected: [String]) throws {
    #expect(try Arguments.prepare(words) == expected)
  }

  @Test(arguments: [["list", "-json"], ["lst"], ["set", "x", "-dry-run"]])
  func refusesWhatIsLikelyASlip(_ words: [String]) {
    let error = #expect(throws: SlipboxError.self) { _ = try Arguments.prepare(words) }
    #expect(error?.kind == .usage)
    #expect(error?.hints.isEmpty == false)
  }

  @Test func aWordIsWhatWasTyped() {
    #expect(Word(argument: "\u{1}-later")?.text == "-later")
    #expect(Word(argument: "plain")?.text == "plain")
  }
}
