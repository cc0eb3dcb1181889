import Foundation
import SlipboxTesting
import Testing

/// Every command as people type it: `Fixtures/transcripts`.
///
/// `SLIPBOX_RECORD=1 swift test` writes them anew, `SLIPBOX_TRANSCRIPT=sync` takes those alone whose names have the word.
@Suite struct TranscriptTests {
  static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Fixtures/transcripts")

  static var names: [String] {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    let word = ProcessInfo.processInfo.environment["SLIPBOX_TRANSCRIPT"] ?? ""
    return files.filter { $0.hasSuffix(".txt") && (word.isEmpty || $0.contains(word)) }.sorted()
  }

  @Test func thereAreTranscripts() { #expect(Self.names.count > 10) }

  /// Each mistake at the prompt is refused with what, where and what to do; none is done in silence.
  @Test func everyMistakeIsExplained() throws {
    let text = try String(contentsOf: Self.folder.appendingPathComponent("mistakes.txt"), encoding: .utf8)
    let steps = Transcript(name: "mistakes", text: text).steps.dropFirst()
    #expect(steps.count > 200)
    for step in steps where step.output.last?.hasPrefix("? ") == true {
      let code = step.output.last.flatMap { Int($0.dropFirst(2)) } ?? 0
      #expect([64, 65, 66, 77].contains(code), "\(step.command)")
      #expect(step.output.contains { $0.hasPrefix("! slip: ") }, "\(step.command)")
    }
    let accepted = steps.filter { $0.output.last?.hasPrefix("? ") != true }.map(\.command)
    #expect(accepted == ["slip show Sourdoug", "slip config path"])
  }

  @Test(arguments: names) func saysWhatItSaid(_ name: String) throws {
    let file = Self.folder.appendingPathComponent(name)
    let recorded = Transcript(name: name, text: try String(contentsOf: file, encoding: .utf8))
    let shell = try Shell()
    let ran = try recorded.run(in: shell.folder, environment: shell.environment) {
      try shell.check(after: $0)
    }
    if ProcessInfo.processInfo.environment["SLIPBOX_RECORD"] != nil {
      try ran.text.write(to: file, atomically: true, encoding: .utf8)
    } else {
      for (old, new) in zip(recorded.steps, ran.steps) where old != new {
        Issue.record(
          "\(name): $ \(old.command)\nwas:\n\(old.output.joined(separator: "\n"))\nis:\n\(new.output.joined(separator: "\n"))"
        )
      }
    }
    try shell.checkRepository()
  }
}

/// A folder with a shell in which `slip` is the build under test.
final class Shell {
  let folder: TemporaryFolder
  let environment: [String: String]
  private var dirt: Set<String> = []
  /// Folders that last as long as the shell.
  var places: [TemporaryFolder] = []

  init() throws {
    folder = try TemporaryFolder()
    let tools = try TemporaryFolder()
    self.tools = tools
    try FileManager.default.createSymbolicLink(
      atPath: tools.path + "/slip", withDestinationPath: Self.program)
    var environment = testEnvironment
    environment["PATH"] = tools.path + ":" + (environment["PATH"] ?? "")
    environment["HOME"] = tools.path
    environment["XDG_CONFIG_HOME"] = tools.path
    environment["GIT_AUTHOR_DATE"] = "2026-11-21T09:30:00+01:00"
    environment["GIT_COMMITTER_DATE"] = "2026-11-21T09:30:00+01:00"
    self.environment = environment
  }

  private let tools: TemporaryFolder
  private var seed = 1_000

  /// A value of `FIXED_SEED` that no command of this shell had before: its ids are new, and its time is later.
  func nextSeed() -> Int {
    seed += 1
    return seed
  }

  /// The test build of `slip`, beside the tests themselves.
  static var program: String {
    let here = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    return here.deletingLastPathComponent().appendingPathComponent("fixed-slip").path
  }

  /// After a command of slip alone, git sees nothing changed that it did not see before.
  func check(after step: Transcript.Step) throws {
    let now = try status()
    defer { dirt = now }
    let isOurs = step.command.hasPrefix("slip ") && !step.command.contains("|") && !step.command.contains(">")
    let isMeantToLeaveSome = step.comments.contains("# leaves changes")
    if isOurs, !isMeantToLeaveSome {
      #expect(now.subtracting(dirt) == [], "after: \(step.command)")
    }
  }

  /// The repository is sound, and a clone made by plain git holds the same.
  func checkRepository() throws {
    for box in try repositories() {
      let fsck = try run("git", ["fsck", "--strict"], in: box, environment: environment)
      #expect(fsck.status == 0 && !fsck.errors.contains("error"), "\(fsck.errors)")
      guard
        try run("git", ["rev-parse", "-q", "--verify", "HEAD"], in: box, environment: environment).status == 0
      else { continue }
      let clone = try TemporaryFolder()
      let cloned = try run("git", ["clone", "-q", box, clone.path + "/c"], environment: environment)
      #expect(cloned.status == 0, "\(cloned.errors)")
      let ours = try run("git", ["ls-tree", "-r", "HEAD"], in: box, environment: environment).output
      let theirs = try run("git", ["ls-files", "-s"], in: clone.path + "/c", environment: environment).output
      #expect(try Self.entries(ours, idAt: 2) == Self.entries(theirs, idAt: 1))
      #expect(
        try run("git", ["status", "--porcelain"], in: clone.path + "/c", environment: environment).output
          == "")
    }
  }

  /// Mode, id and path of each line of `git ls-tree` or `git ls-files -s`, which place the id differently.
  private static func entries(_ listing: String, idAt place: Int) throws -> [String] {
    try listing.split(separator: "\n").map { line in
      let parts = line.split(separator: "\t", maxSplits: 1)
      let words = parts[0].split(separator: " ")
      try #require(parts.count == 2 && words.count > place)
      return "\(words[0]) \(words[place]) \(parts[1])"
    }
  }

  private func status() throws -> Set<String> {
    var lines: Set<String> = []
    for box in try repositories() {
      let status = try run("git", ["status", "--porcelain", "-uall"], in: box, environment: environment)
        .output
      for line in status.split(separator: "\n") { lines.insert("\(box): \(line)") }
    }
    return lines
  }

  private func repositories() throws -> [String] {
    let manager = FileManager.default
    return ([""] + (try manager.contentsOfDirectory(atPath: folder.path)).map { "/" + $0 })
      .map { folder.path + $0 }.filter { manager.fileExists(atPath: $0 + "/.git") }
  }
}
