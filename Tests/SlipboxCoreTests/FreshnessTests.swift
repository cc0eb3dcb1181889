import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Whatever happens to the files of a box, its answers are those of a catalogue that is made from nothing.
///
/// `FRESHNESS_STEPS` says how many steps are taken in all, `FRESHNESS_SEED` which box is taken alone.
@Suite struct FreshnessTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let stepsEach = 60

  /// The seeds of the boxes; a failure names its own.
  private static let seeds: [UInt64] = {
    if let seed = environment["FRESHNESS_SEED"].flatMap({ UInt64($0) }) { return [seed] }
    let steps = environment["FRESHNESS_STEPS"].flatMap { Int($0) } ?? 300
    let first = environment["FRESHNESS_FIRST"].flatMap { UInt64($0) } ?? 1
    return (0..<UInt64(max(1, steps / stepsEach))).map { first + $0 }
  }()

  @Test(arguments: seeds)
  func answersAreThoseOfACatalogueFromNothing(seed: UInt64) throws {
    // Some boxes are so large that times are asked for all notes at once.
    let box = try FreshnessBox(seed: seed, notes: seed % 10 == 9 ? 540 : 25, isBelow: seed % 4 == 3)
    let steps = box.fileSteps + box.gitSteps + box.commandSteps
    let all = steps.flatMap { step in repeatElement(step, count: step.weight) }
    for number in 0..<Self.stepsEach {
      let step = all[box.number(0..<all.count)]
      box.history.append("\(number) \(step.name)")
      try step.step()
      if box.chance(0.25) { usleep(UInt32(box.number(0..<90_000))) }
      let differences = try box.check()
      let said = box.history.suffix(40).joined(separator: "\n")
      #expect(differences.isEmpty, "seed \(seed)\n\(said)\n\(differences.prefix(8).joined(separator: "\n"))")
      if !differences.isEmpty { return }
    }
  }
}
