import Foundation
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Surroundings that stand still, with the messages that were given.
final class Listener: @unchecked Sendable {
  var messages: [String] = []
}

/// A clock that stands at 2026-11-21T09:30:00+01:00.
let standingClock = ClockReading(
  now: Timestamp(seconds: 1_795_249_800, offsetSeconds: 3_600), offset: { _ in 3_600 })

/// The surroundings of a test.
func surroundings(in folder: String, seed: UInt64 = 1, _ listener: Listener = Listener()) -> Surroundings {
  Surroundings(
    clock: standingClock, workingDirectory: Array(folder.utf8), configurationFolder: nil, boxVariable: nil,
    device: "desk", random: SplitMix64(seed: seed), warn: { listener.messages.append($0) })
}

/// Gives a repository an identity of its own, so that no configuration of the machine is needed.
func giveIdentity(_ folder: String) throws {
  for (key, value) in [("user.name", "Ada"), ("user.email", "ada@example.org")] {
    _ = try run("git", ["config", key, value], in: folder)
  }
}

/// A new box in a temporary folder.
func makeBox(in folder: TemporaryFolder) throws -> Slipbox {
  try folder.git("init", "-q", "-b", "main")
  try giveIdentity(folder.path)
  return try Slipbox.initialise(folder.bytes, surroundings(in: folder.path), mayCommit: { _ in true }).box
}
