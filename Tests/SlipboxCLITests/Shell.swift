import Foundation
import SlipboxTesting
import Testing

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

  /// Runs lines of sh in a folder, by default that of the shell.
  ///
  /// - Parameters:
  ///   - place: the absolute path of the folder.
  ///   - seed: the value of `FIXED_SEED`, which the ids and the clock of `slip` follow from.
  ///   - extra: variables beside those of the shell.
  @discardableResult
  func sh(
    _ lines: String, in place: String? = nil, seed: Int? = nil, with extra: [String: String] = [:]
  ) throws -> (status: Int32, output: String, errors: String) {
    var environment = environment.merging(extra) { $1 }
    if let seed { environment["FIXED_SEED"] = String(seed) }
    return try run("sh", ["-c", lines], in: place ?? folder.path, environment: environment)
  }

  /// Runs lines of sh that have to succeed, and returns their standard output.
  /// - Parameter place: a folder inside that of the shell.
  @discardableResult
  func output(_ lines: String, in place: String = "") throws -> String {
    let ran = try sh("set -e\n" + lines, in: folder.path + "/" + place)
    #expect(ran.status == 0, "\(place)$ \(lines)\n\(ran.output)\(ran.errors)")
    return ran.output
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
