import Foundation
import SlipboxTesting
import Testing

/// Random commands in random states of a repository.
///
/// `GIT_STATES_CASES` is the number of cases, `GIT_STATES_SEED` the first seed.
@Suite struct RandomGitStateTests {
  private static func number(_ name: String, else standard: Int) -> Int {
    ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
  }

  static let seeds: [Int] = {
    let first = number("GIT_STATES_SEED", else: 1)
    return Array(first..<(first + number("GIT_STATES_CASES", else: 30)))
  }()

  @Test(arguments: seeds) func `a random command changes only its own paths`(seed: Int) throws {
    var generator = RandomGitState(seed: UInt64(seed))
    let state = generator.state(named: "seed \(seed)")
    let command = generator.command()
    let check = {
      let box = try GitStateBox(state, .clone)
      let before = try GitView(box)
      let ran = try box.sh(command.line, in: box.box)
      let faults = try GitInvariants(box: box, before: before, after: try GitView(box), ran: ran).faults()
      #expect(
        faults == [], "seed \(seed): \(command.line): exit \(ran.status) \(ran.errors)\n\(state.script)")
    }
    guard let fault = KnownGitFaults.seeds[seed] else { return try check() }
    withKnownIssue("\(fault)", check)
  }
}
