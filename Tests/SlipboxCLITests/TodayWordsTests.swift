import Testing

@testable import SlipboxCLI

/// `slip today` prints an agenda, or puts records in My Day.
@Suite struct TodayWordsTests {
  @Test(arguments: [
    [], ["--json"], ["kind:task"], ["+home", "-later"], ["@next"], ["-n", "3"], ["--limit=3", "+home"],
    ["(+a", "OR", "+b)"], ["--box", "b"], ["--as-of", "2026-11-01", "kind:task"], ["--help"],
  ])
  func isAgenda(_ words: [String]) { #expect(TodayWords.areOfAgenda(["today"] + words), "\(words)") }

  @Test(arguments: [
    ["Plan"], ["-"], ["--where", "kind:task"], ["-w", "+home", "--yes"], ["Plan", "priority:high"],
    ["a.md:3"],
    ["--", "+home"], ["Note: a title"],
  ])
  func isAction(_ words: [String]) { #expect(!TodayWords.areOfAgenda(["today"] + words), "\(words)") }

  @Test func theDaysCanBeNamed() {
    #expect(TodayWords.period(["today", "kind:task"]) == ["--days", "0"])
    #expect(TodayWords.period(["today", "--week"]).isEmpty)
  }
}
