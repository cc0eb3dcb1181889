import Foundation
import SlipboxTesting
import Testing

/// No note, whoever wrote it, costs more than n log n. Each command runs at n and at 4n; the processor counts its
/// instructions. If it can't, a command still has to end within a minute, in which n squared does not end.
@Suite(.serialized) struct CostTests {
  /// Texts of notes of a size, with the commands that have been slow on them.
  private static let rows: [(name: String, count: Int, commands: [String], text: @Sendable (Int) -> String)] =
    [
      (
        "keys", 2_500, ["show x.md", "append x.md y", "set x.md key7:z", "list key7:value"],
        { front($0, { "key\($0): value" }) }
      ),
      (
        "anchors", 2_500, ["show x.md", "append x.md y", "list"], { front($0, { "key\($0): &a\($0) value" }) }
      ),
      ("one key again and again", 2_500, ["show x.md", "list"], { front($0, { _ in "group: Home" }) }),
      (
        "links", 4_000, ["append x.md y", "show x.md", "list is:orphan"],
        { count in lines(count) { "[[note \($0)]]" } }
      ),
      (
        "links in one line", 4_000, ["append x.md y"], { count in lines(count, " ") { "[a](note-\($0).md)" } }
      ),
      ("unfinished links", 4_000, ["append x.md y"], { count in lines(count, " ") { _ in "[a](b [[c" } }),
      (
        "linked keys", 4_000, ["append x.md y", "show x.md"],
        { front(1, { _ in "links:" }, lines($0) { "- \"[[n\($0)]]\"" }) }
      ),
      (
        "tags", 4_000, ["append x.md y", "tags", "show x.md"], { count in lines(count, " ") { "#tag\($0)" } }
      ),
      (
        "boxes", 2_500,
        ["todos --all", "outline x.md", "tick x.md:1-2400", "show x.md#h7", "append x.md#h7 y"],
        { count in lines(count) { "- [ ] box \($0) 📅 2026-12-01\n# h\($0)" } }
      ),
      ("short lines", 20_000, ["show x.md", "append x.md y"], { count in lines(count) { _ in "a" } }),
    ]

  private static func lines(_ count: Int, _ end: String = "\n", _ line: (Int) -> String) -> String {
    (0..<count).map(line).joined(separator: end) + "\n"
  }

  private static func front(_ count: Int, _ line: (Int) -> String, _ more: String = "") -> String {
    "---\n" + lines(count, "\n", line) + more + "---\nText\n"
  }

  @Test(arguments: rows.indices) func everyCommandEndsWithinAMinute(_ row: Int) throws {
    let row = Self.rows[row]
    // Each command is checked for its exit status, which `timeout` sets.
    _ = try works(row.commands) { try $0.folder.write("x.md", row.text(4 * row.count)) }
  }

  @Test(.enabled(if: Machine.countsInstructions, "needs perf_event_open"), arguments: rows.indices)
  func noNoteCostsMoreThanItsSize(_ row: Int) throws {
    let row = Self.rows[row]
    let small = try works(row.commands) { try $0.folder.write("x.md", row.text(row.count)) }
    let large = try works(row.commands) { try $0.folder.write("x.md", row.text(4 * row.count)) }
    expectGrowth(from: small, to: large, row.commands, row.name)
  }

  @Test func commandsEndWithManyKinds() throws { _ = try worksOfKinds(600) }

  @Test(.enabled(if: Machine.countsInstructions, "needs perf_event_open"))
  func manyKindsCostTheirNumber() throws {
    let (small, large) = (try worksOfKinds(150), try worksOfKinds(600))
    expectGrowth(from: small, to: large, Self.kindCommands, "kinds")
  }

  private static let kindCommands = ["list", "list kind:kind3", "kinds kind3", "show x.md"]

  private func worksOfKinds(_ count: Int) throws -> [Double?] {
    try works(Self.kindCommands) { shell in
      try shell.folder.write("x.md", "---\nkind: kind3\n---\n")
    } settings: { shell in
      for number in 0..<count {
        try shell.folder.write(
          ".slipbox/kinds/kind\(number).yaml",
          "active: f:x\nfields:\n  f:\n    type: text\n  g:\n    type: reference\n    to: kind\(number)\n"
        )
      }
    }
  }

  private func expectGrowth(from small: [Double?], to large: [Double?], _ commands: [String], _ name: String)
  {
    for (command, (small, large)) in zip(commands, zip(small, large)) {
      guard let small, let large else {
        Issue.record("\(name): slip \(command) was not counted")
        continue
      }
      #expect(large < 5.5 * small, "\(name): slip \(command): \(small), then \(large)")
    }
  }

  /// The work of commands in a box that is filled with notes before it is made, and with settings after.
  private func works(
    _ commands: [String], _ fill: (Shell) throws -> Void, settings: (Shell) throws -> Void = { _ in }
  ) throws -> [Double?] {
    let shell = try Shell()
    try fill(shell)
    // The first commit of a box holds the notes as found.
    let made = try run("slip", ["init", "-q"], in: shell.folder.path, environment: shell.environment)
    #expect(made.status == 0, "\(made.errors)")
    try settings(shell)
    return try commands.map { command in
      var status: Int32 = 0
      let work = try Work.of {
        status = try run(
          "sh", ["-c", "timeout 60 slip \(command)"], in: shell.folder.path, environment: shell.environment
        ).status
      }
      #expect(status == 0, "slip \(command)")
      return work
    }
  }
}
