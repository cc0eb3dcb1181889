import Foundation
import Git
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// What stands after `--as-of` and `--at`.
@Suite struct PastPointTests {
  private let folder: TemporaryFolder
  private let box: Box
  private let surroundings: CommandContext

  /// Commits named by their number, the first one is slip's: 3 at noon of the 18th, 4 at midnight of the 19th, 5 in the
  /// evening of the 20th, 6 an hour before now.
  init() throws {
    folder = try TemporaryFolder()
    let made = try makeBox(in: folder)
    (box, surroundings) = (made.box, made.context)
    let times = [
      "2026-10-31T23:59:59+01:00", "2026-11-01T00:00:00+01:00", "2026-11-18T12:00:00+01:00",
      "2026-11-19T00:00:00+01:00", "2026-11-20T21:00:00+01:00", "2026-11-21T08:30:00+01:00",
    ]
    // The first commit of the box comes before them.
    try folder.git("checkout", "-q", "--orphan", "line")
    for (number, time) in times.enumerated() {
      try folder.write("n\(number + 1).md", "\(number + 1)\n")
      try folder.git("add", "-A")
      let commit = ["commit", "-q", "-m", "\(number + 1)"]
      let made = try run(
        "git", commit, in: folder.path,
        environment: testEnvironment.merging(["GIT_COMMITTER_DATE": time, "GIT_AUTHOR_DATE": time]) { $1 })
      try #require(made.status == 0, "\(made.errors)")
    }
    try folder.git("branch", "-q", "-M", "line", "main")
  }

  private func subject(_ text: String) throws -> String {
    let point = try box.pastPoint(text, surroundings)
    return try folder.git("log", "-1", "--format=%s", point.commit.hex).split(separator: "\n").joined()
  }

  private func refusal(_ text: String) -> SlipboxError? {
    #expect(throws: SlipboxError.self) { _ = try box.pastPoint(text, surroundings) }
  }

  @Test(arguments: [
    ("today", "6"), ("now", "6"), ("yesterday", "5"), ("2026-11-20", "5"), ("2026-11-19", "4"),
    ("2026-11-18", "3"), ("20261118", "3"), ("1d", "5"), ("2d", "4"), ("-2d", "4"), ("1w", "2"),
    ("2026", "6"),
    ("2026-11", "6"), ("2026-10", "1"), ("2026-W46", "2"), ("2026-11-20T20:59", "4"),
    ("2026-11-20T21:00", "5"),
    ("2026-11-20 21:00:00", "5"), ("2026-11-20T20:00:00Z", "5"), ("2026-11-20T19:59:59Z", "4"),
    ("friday", "5"), ("wed", "3"), ("last week", "2"), ("this month", "6"), ("som", "2"), ("nov 1", "2"),
    ("31 oct", "1"),
  ]) func aDateIsTheLastCommitByItsEnd(_ text: String, _ subject: String) throws {
    #expect(try self.subject(text) == subject)
  }

  @Test func aDateIsAskedAsOfItsEnd() throws {
    let clock = { (text: String) in try box.pastPoint(text, surroundings).clock.now.rfc3339 }
    #expect(try clock("2026-11-19") == "2026-11-19T23:59:59+01:00")
    #expect(try clock("2026-10") == "2026-10-31T23:59:59+01:00")
    #expect(try clock("2026-11-20T20:59") == "2026-11-20T20:59:59+01:00")
    // Now is the end of what has not ended.
    #expect(try clock("today") == "2026-11-21T09:30:00+01:00")
    #expect(try clock("2026") == "2026-11-21T09:30:00+01:00")
    // A revision is asked as of its commit.
    #expect(try clock("HEAD~1") == "2026-11-20T21:00:00+01:00")
  }

  @Test func revisionsAreThoseOfGit() throws {
    try folder.git("tag", "-a", "-m", "x", "annotated", "HEAD~2")
    try folder.git("tag", "light", "HEAD~3")
    try folder.git("update-ref", "refs/remotes/origin/main", "HEAD~4")
    try folder.git("branch", "topic/one", "HEAD~1")
    let id = try folder.git("rev-parse", "HEAD~1").split(separator: "\n").joined()
    let names = [
      "HEAD", "@", "HEAD~1", "HEAD^", "HEAD~1~1", "@~2", "main", "refs/heads/main", "annotated",
      "annotated^{}",
      "light", "refs/tags/light", "origin/main", "topic/one", "main@{1}", id, id.uppercased(),
      String(id.prefix(7)), String(id.prefix(12)),
    ]
    for name in names {
      let gits = try folder.git(
        "rev-parse", "--verify", name.lowercased() == id ? "\(id)^{commit}" : "\(name)^{commit}")
      #expect(try box.pastPoint(name, surroundings).commit.hex + "\n" == gits, "\(name)")
    }
  }

  @Test func anExactNameGoesBeforeADate() throws {
    for name in ["2026-11-19", "today", "20261118"] { try folder.git("branch", name, "HEAD~5") }
    for name in ["2026-11-19", "today", "20261118"] { #expect(try subject(name) == "1", "\(name)") }
    #expect(try subject("2026-11-18") == "3")
    // Branches that git has packed, and one of a folder.
    try folder.git("pack-refs", "--all")
    #expect(try subject("today") == "1")
  }

  @Test func operationsAreFoundByTheirIDs() throws {
    let ids = ["bcdfghjkbcdfghjk", "bcdfghjkzzzzzzzz", "kqzmvtrpkqzmvtrp"]
    for (number, id) in ids.enumerated() {
      try folder.git(
        "commit", "-q", "--allow-empty", "-m",
        "op \(number)\n\nSlip-Operation: \(id)\nSlip-Command: set\nSlip-Device: desk")
    }
    try folder.git("commit", "-q", "--allow-empty", "-m", "It speaks of Slip-Operation: kqzmvtrpkqzmvtrp")
    for (number, id) in ids.enumerated() { #expect(try subject(id) == "op \(number)") }
    #expect(try subject("kqzmvtrp") == "op 2")
    #expect(try subject("bcdfghjkz") == "op 1")
    let several = try #require(refusal("bcdfghjk"))
    #expect(
      several.kind == .usage && several.message.description.contains("2 operations")
        && several.hints.count == 3)
    #expect(try subject("kqzm") == "op 2")
    #expect(refusal("kqz")?.kind == .notFound)
    #expect(refusal("zzzzzzzz")?.kind == .notFound)
  }

  @Test(arguments: [
    ("", SlipboxError.Kind.usage), (" \t", .usage), ("tomorrow", .usage), ("2027", .usage), ("+3d", .usage),
    ("2026-10-30", .notFound), ("2025", .notFound), ("9999y", .notFound), ("nosuch", .notFound),
    ("HEAD~99", .notFound), ("HEAD:n1.md", .notFound), ("HEAD..main", .notFound), ("2026-02-30", .notFound),
    (String(repeating: "0", count: 40), .notFound), ("-x", .notFound), ("refs/heads/../../HEAD", .notFound),
    ("\u{1B}[31m", .notFound), (String(repeating: "a", count: 10_000), .notFound),
  ]) func whatIsNoPointIsRefusedWithWhatToDo(_ text: String, _ kind: SlipboxError.Kind) throws {
    let error = try #require(refusal(text))
    #expect(error.kind == kind, "\(error)")
    #expect(!error.hints.isEmpty && !error.message.description.contains("\u{1B}"), "\(error)")
  }

  @Test func aBeginningOfSeveralCommitsIsRefused() throws {
    // As many commits as it takes for two to begin alike.
    var stream = ""
    for number in 0..<1_200 {
      stream += "commit refs/heads/many\ncommitter C <c@x> \(2_000_000 + number) +0000\ndata 2\nx\n"
    }
    _ = try run("git", ["fast-import", "--quiet"], in: folder.path, input: stream)
    let ids = try folder.git("rev-list", "many").split(separator: "\n").map { $0.prefix(4) }
    let counts = Dictionary(ids.map { ($0, 1) }, uniquingKeysWith: +)
    let double = counts.first { $0.value > 1 && $0.key.contains { $0.isLetter } }?.key
    let prefix = try #require(double)
    // Digits alone may be a date.
    if DateInterval.parse(String(prefix), clock: standingClock, looking: .back) == nil {
      #expect(refusal(String(prefix))?.kind == .usage)
    }
  }

  @Test func aShallowCloneSaysThatItIs() throws {
    try folder.git("clone", "-q", "--depth", "2", "file://\(folder.path)", "shallow")
    let shallow = try Box(at: Array("\(folder.path)/shallow".utf8))
    for text in [
      "2026-11-19", "HEAD~2", try folder.git("rev-parse", "HEAD~3").split(separator: "\n").joined(),
    ] {
      let error = #expect(throws: SlipboxError.self) { _ = try shallow.pastPoint(text, surroundings) }
      #expect(
        error?.kind == .notFound && error?.hints.first?.description.contains("--unshallow") == true, "\(text)"
      )
    }
    #expect(
      try shallow.pastPoint("yesterday", surroundings).commit == box.pastPoint("HEAD~1", surroundings).commit)
  }

  @Test func aBoxWithoutCommitsHasNoPast() throws {
    let empty = try TemporaryFolder()
    try empty.git("init", "-q")
    try empty.write(".slipbox/config.yaml", "")
    let box = try Box(at: empty.bytes)
    let error = #expect(throws: SlipboxError.self) { _ = try box.pastPoint("HEAD", surroundings) }
    #expect(error?.kind == .notFound)
  }
}
