import Foundation
import SlipboxTesting
import Testing

/// Commands that write, in boxes whose repositories are in the states of `Fixtures/git-states.sh`.
///
/// `GIT_STATES=all` runs every command in every state and variant; otherwise a fixed part of them runs.
/// `GIT_STATES='staged content'` runs every command in the states whose names contain these words.
@Suite struct GitStateTests {
  @Test(arguments: GitStateCase.writing)
  func `a command changes only its own paths`(_ row: GitStateCase) throws {
    try row.expectingKnownFaults {
      let box = try GitStateBox(row.state, row.variant)
      let before = try GitView(box)
      let ran = try box.sh(row.line, in: box.box)
      let faults = try GitInvariants(box: box, before: before, after: try GitView(box), ran: ran).faults()
      #expect(faults == [], "\(row): exit \(ran.status) \(ran.errors)")
    }
  }

  @Test(arguments: GitStateCase.syncing)
  func `sync leaves a clone as pull and push leave it`(_ row: GitStateCase) throws {
    try row.expectingKnownFaults {
      let faults = try SyncComparison(row).faults()
      #expect(faults == [], "\(row)")
    }
  }

  @Test func `the fixture has states`() {
    #expect(GitState.all.count > 100)
    let names = GitStateCase.usual.flatMap { $0.states } + GitStateCase.usualSyncs
    #expect(names.filter { GitState.named($0) == nil } == [])
    let commands = GitStateCase.usual.flatMap { $0.commands }
    #expect(commands.filter { WritingCommand.named($0) == nil } == [])
  }
}
