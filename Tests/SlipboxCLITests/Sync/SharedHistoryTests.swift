import Foundation
import Testing

/// Several devices on real repositories, with slip, an editor and plain git mixed, end with the same notes and lose no word.
///
/// `SHARED_HISTORIES` sets how many histories run, and `SHARED_FIRST` the seed of the first one, so that many can run in
/// parts. `SHARED_HISTORY` takes the one of a seed alone and prints it.
@Suite struct SharedHistoryTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let only = environment["SHARED_HISTORY"].flatMap { UInt64($0) }
  private static let histories = environment["SHARED_HISTORIES"].flatMap { UInt64($0) } ?? 100
  private static let first = environment["SHARED_FIRST"].flatMap { UInt64($0) } ?? 0

  @Test(arguments: 0..<4) func allDevicesEndEqual(_ part: Int) throws {
    let seeds =
      Self.only.map { [$0] } ?? (Self.first..<Self.first + Self.histories).filter { $0 % 4 == UInt64(part) }
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
