import Foundation
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// Keeps the messages that were given.
final class Listener: @unchecked Sendable {
  var messages: [String] = []
}

/// A clock that stands at 2026-11-21T09:30:00+01:00.
let standingClock = ClockReading(
  now: Timestamp(seconds: 1_795_249_800, offsetSeconds: 3_600), offset: { _ in 3_600 })

/// The circumstances of a command in a test: a clock that stands still, and ids that follow from a seed.
func context(in folder: String, seed: UInt64 = 1, _ listener: Listener = Listener()) -> CommandContext {
  CommandContext(
    clock: standingClock, workingDirectory: Array(folder.utf8), configurationFolder: nil, boxVariable: nil,
    device: "desk", ids: IDSource(SplitMix64(seed: seed)),
    reporter: Reporter(warn: { listener.messages.append($0.description) }))
}

/// Gives a repository an identity of its own, so that no configuration of the machine is needed.
func giveIdentity(_ folder: String) throws {
  for (key, value) in [("user.name", "Ada"), ("user.email", "ada@example.org")] {
    _ = try run("git", ["config", key, value], in: folder)
  }
}

/// A box as one command after the other finds it.
final class BoxInTest {
  let box: Box
  let context: CommandContext
  private var known: BoxSnapshot?

  var root: [UInt8] { box.root }

  /// Opens the box of a folder.
  init(at root: [UInt8], _ context: CommandContext) throws {
    box = try Box(at: root)
    self.context = context
  }

  /// The box as it was at the first question after the last change that was made by this.
  var now: BoxSnapshot {
    get throws {
      if let known { return known }
      let snapshot = try WorkTreeReader(box, context).snapshot()
      known = snapshot
      return snapshot
    }
  }

  private var writer: BoxWriter { BoxWriter(box, context, after: known) }

  func record(_ plan: Plan) throws(SlipboxError) -> CommitResult {
    defer { known = nil }
    return try writer.record(plan)
  }

  func commitAsFound(_ paths: [[UInt8]], reason: String? = nil) throws -> CommitResult {
    defer { known = nil }
    return try writer.commitAsFound(paths, reason: reason)
  }

  func repair(_ scope: RepairScope) throws -> (recorded: CommitResult, repaired: [Finding], left: [Finding]) {
    defer { known = nil }
    return try writer.repair(scope, in: try now)
  }

  /// Makes a note of a whole text.
  func create(_ text: NoteText, id: NoteID) throws -> (note: Note, recorded: CommitResult) {
    let (note, plan) = try CreateNote(in: now).plan(text, id: id)
    return (note, try record(plan))
  }

  func foldCatalogue() throws { try WorkTreeReader(box, context).foldCatalogue() }
}

/// Makes a folder a box.
func initialise(_ path: String, _ context: CommandContext) throws -> Initialised {
  try BoxInitialiser(context).initialise(Array(path.utf8), mayCommit: { _ in true })
}

/// A new box in a temporary folder.
func makeBox(in folder: TemporaryFolder) throws -> BoxInTest {
  try folder.git("init", "-q", "-b", "main")
  try giveIdentity(folder.path)
  let context = context(in: folder.path)
  return try BoxInTest(at: try initialise(folder.path, context).box.root, context)
}

/// A clone of a corpus as a box in the folder `box`.
func adoptedCorpus(_ name: String) throws -> (folder: TemporaryFolder, box: BoxInTest) {
  let bundle = try #require(corpus(name))
  let folder = try TemporaryFolder()
  try folder.git("clone", "-q", bundle, "box")
  let path = folder.path + "/box"
  try giveIdentity(path)
  let made = try initialise(path, context(in: path))
  return (folder, try BoxInTest(at: made.box.root, context(in: path)))
}
