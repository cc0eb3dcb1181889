import SlipboxBench
import Testing

/// The words of the command line.
struct OptionsTests {
  @Test func wordsAreRead() throws {
    let options = try BenchOptions(arguments: [
      "--notes", "10000,1000,1000", "--rows", "new,search", "--runs", "3", "--json", "--dir", "/tmp/x",
    ])
    #expect(options.notes == [1_000, 10_000])
    #expect(options.runs == 3)
    #expect(options.isJSON)
    #expect(options.folder == "/tmp/x")
    #expect(try BenchOptions(arguments: []) == BenchOptions())
  }

  @Test(arguments: [
    ["--notes"], ["--notes", "12"], ["--notes", "many"], ["--runs", "0"], ["--fast"], ["--dir", ""],
  ])
  func whatIsNoOptionIsRefused(words: [String]) {
    #expect(throws: UsageError.self) { try BenchOptions(arguments: words) }
  }

  @Test func aWholeNameOfARowMeansOnlyThatRow() throws {
    let options = try BenchOptions(arguments: ["--rows", "new,search"])
    let keys = ["new", "newest", "rare"]
    #expect(options.wants("new", "new with commit", among: keys))
    #expect(!options.wants("newest", "newest 20", among: keys))
    #expect(options.wants("rare", "search, rare word", among: keys))
  }
}
