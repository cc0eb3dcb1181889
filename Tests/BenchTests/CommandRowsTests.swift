import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxBench

/// Every command of the program has a row, and every row measures a command that exists.
struct CommandRowsTests {
  /// The words of rows that no help names: the start of the process, and what a shell asks on Tab.
  private static let withoutHelp: Set<String> = ["--version", "_complete"]

  /// The commands of the program by its own account, without those that only stand for others.
  private func commands() throws -> Set<String> {
    let program = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent("fixed-slip").path
    let dump = try run(program, ["--experimental-dump-help"]).output
    let tree = try JSONDecoder().decode(HelpTree.self, from: Data(dump.utf8))
    return Set(tree.command.leaves(under: []))
  }

  @Test func everyCommandHasARow() throws {
    let measured = Set(RowPlan.all.map(\.command))
    // The guard of a screen only waits.
    let missing = try commands().subtracting(measured).subtracting(["guard-terminal"])
    #expect(missing.isEmpty, "without a row: \(missing.sorted())")
  }

  @Test func everyRowMeasuresACommand() throws {
    let unknown = Set(RowPlan.all.map(\.command)).subtracting(try commands()).subtracting(Self.withoutHelp)
    #expect(unknown.isEmpty, "no such command: \(unknown.sorted())")
  }

  @Test func keysAndTitlesAreUnique() {
    #expect(Set(RowPlan.all.map(\.key)).count == RowPlan.all.count)
    #expect(Set(RowPlan.all.map(\.title)).count == RowPlan.all.count)
  }
}

/// The commands as the program dumps them.
private struct HelpTree: Decodable {
  let command: Command

  struct Command: Decodable {
    let commandName: String
    let subcommands: [Command]?

    /// The commands without subcommands, by their words after the name of the program.
    func leaves(under parents: [String]) -> [String] {
      guard let subcommands, !subcommands.isEmpty else { return [parents.joined(separator: " ")] }
      return subcommands.flatMap { $0.leaves(under: parents + [$0.commandName]) }
    }
  }
}
