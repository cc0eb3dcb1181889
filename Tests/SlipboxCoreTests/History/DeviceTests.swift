import Foundation
import Git
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// A clone keeps the name of its device, for `slip undo` finds operations by it.
@Suite struct DeviceTests {
  private func onHost(_ folder: TemporaryFolder, _ host: String, seed: UInt64 = 1) -> CommandContext {
    var context = context(in: folder.path, seed: seed).named(host)
    context.isHostName = true
    return context
  }

  /// Writes a file as one operation.
  private func write(_ path: String, in folder: TemporaryFolder, _ context: CommandContext) throws {
    let snapshot = try BoxOpening.snapshot(named: folder.bytes, context)
    let edit = FileEdit(path: Array(path.utf8)) { _ in Array("# Note\n".utf8) }
    _ = try BoxWriter(snapshot.box, context, after: snapshot).record(
      Plan(command: "set", edits: [edit]) { _ in "Write \(path)" })
  }

  /// The subject of the operation that undo would revert.
  private func next(in folder: TemporaryFolder, _ context: CommandContext) throws -> String? {
    let snapshot = try BoxOpening.snapshot(named: folder.bytes, context)
    return try PastOperations(in: snapshot, on: snapshot.box.device(context)).nextUndo()?.operation.subject
  }

  private func device(_ folder: TemporaryFolder) throws -> String {
    try folder.git("config", "--local", "slipbox.device").trimmingCharacters(in: .newlines)
  }

  private func clone(_ folder: TemporaryFolder) throws -> TemporaryFolder {
    let clone = try TemporaryFolder()
    try clone.git("clone", "-q", folder.path, ".")
    try giveIdentity(clone.path)
    return clone
  }

  private func box() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.git("init", "-q", "-b", "main")
    try giveIdentity(folder.path)
    try folder.write(".slipbox/config.yaml", "")
    try folder.git("add", "-A")
    try folder.git("commit", "-q", "-m", "Begin")
    return folder
  }

  @Test func `undo finds the operations of this clone after the host got another name`() throws {
    let folder = try box()
    try write("a.md", in: folder, onHost(folder, "desk"))
    #expect(try device(folder) == "desk")
    try write("b.md", in: folder, onHost(folder, "dhcp-17", seed: 2))
    #expect(try device(folder) == "desk")
    #expect(try folder.git("log", "-2", "--format=%(trailers:key=Slip-Device)").contains("dhcp") == false)
    #expect(try next(in: folder, onHost(folder, "dhcp-18", seed: 3)) == "Write b.md")
  }

  @Test func `clones of one host have different devices`() throws {
    let hub = try box()
    try write("a.md", in: hub, onHost(hub, "desk"))
    let (one, other) = (try clone(hub), try clone(hub))
    #expect(try next(in: one, onHost(one, "desk", seed: 9)) == nil)
    try write("one.md", in: one, onHost(one, "desk", seed: 2))
    try write("other.md", in: other, onHost(other, "desk", seed: 3))
    let names = [try device(hub), try device(one), try device(other)]
    #expect(Set(names).count == 3 && names.allSatisfy { $0.hasPrefix("desk") }, "\(names)")
    try one.git("pull", "-q", "--no-rebase", "--no-edit", other.path, "main")
    #expect(try next(in: one, onHost(one, "desk", seed: 4)) == "Write one.md")
  }

  @Test func `worktrees of one clone have the same device`() throws {
    let folder = try box()
    try write("a.md", in: folder, onHost(folder, "desk"))
    let second = try TemporaryFolder()
    try folder.git("worktree", "add", "-q", "-b", "side", second.path + "/tree")
    let tree = second.path + "/tree"
    var context = context(in: tree, seed: 2).named("laptop")
    context.isHostName = true
    #expect(try Box(at: Array(tree.utf8)).device(context) == "desk")
  }

  @Test func `a clone that slip wrote before keeps the name of its host`() throws {
    let folder = try box()
    try write("a.md", in: folder, onHost(folder, "desk"))
    try folder.git("config", "--unset", "slipbox.device")
    try folder.git("remote", "add", "origin", "https://example.org/box.git")
    try write("b.md", in: folder, onHost(folder, "desk", seed: 2))
    #expect(try device(folder) == "desk")
  }

  @Test func `a name that the user sets comes before the one of the clone`() throws {
    let folder = try box()
    try write("a.md", in: folder, onHost(folder, "desk"))
    try write("b.md", in: folder, context(in: folder.path, seed: 2).named("mine"))
    #expect(try folder.git("log", "-1", "--format=%(trailers:key=Slip-Device,valueonly)").hasPrefix("mine"))
    #expect(try device(folder) == "desk")
  }
}
