import Foundation
import Testing

/// Several devices on real repositories, with slip, an editor and plain git mixed, end with the same notes and lose no word.
///
/// `SHARED_HISTORIES` sets how many histories run, `SHARED_HISTORY` takes the one of a seed alone and prints it.
@Suite struct SharedHistoryTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let only = environment["SHARED_HISTORY"].flatMap { UInt64($0) }
  private static let histories = environment["SHARED_HISTORIES"].flatMap { Int($0) } ?? 100

  @Test(arguments: 0..<4) func allDevicesEndEqual(_ part: Int) throws {
    let seeds = Self.only.map { [$0] } ?? (0..<UInt64(Self.histories)).filter { $0 % 4 == UInt64(part) }
    for seed in seeds {
      let history = try SharedHistory(seed: seed)
      for _ in 0..<4 + Int(seed % 8) { try history.step() }
      try history.settle()
      let problem = try history.problem()
      if Self.only != nil { print(history.said.joined(separator: "\n")) }
      #expect(problem == nil, "seed \(seed): \(problem ?? "")")
      if problem != nil { return }
    }
  }
}
