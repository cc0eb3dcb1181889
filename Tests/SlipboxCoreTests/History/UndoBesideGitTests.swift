import Git
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Undo beside bakes and commits by git.
@Suite struct UndoBesideGitTests {
  private static let path = "a.md"

  private static func note(_ title: String, _ block: String) -> String {
    "---\nid: kqzmvtrp\ntitle: \(title)\n---\nText\n\n<!-- slip: list -->\n\(block)<!-- /slip -->\n"
  }

  private func bake(_ box: UndoBox, _ text: String) throws {
    try box.record { _ in
      let edit = FileEdit(path: Array(Self.path.utf8)) { _ in Array(text.utf8) }
      return Plan(command: "bake", edits: [edit]) { _ in "Bake" }
    }
  }

  @Test func undoesANoteThatWasBakedSince() throws {
    let box = try UndoBox(seed: 1)
    try box.write([(Self.path, Self.note("A", ""))])
    try bake(box, Self.note("A", "- x\n"))
    #expect(try box.undo() == .done)
    #expect(box.text(Self.path) == nil)
    #expect(try box.redo() == .done)
    #expect(box.text(Self.path) == Self.note("A", "- x\n"))
  }

  @Test func undoesAnAddedBlockThatWasBakedSince() throws {
    let box = try UndoBox(seed: 2)
    let plain = "---\nid: kqzmvtrp\ntitle: A\n---\nText\n"
    try box.write([(Self.path, plain)])
    try box.write([(Self.path, Self.note("A", ""))])
    try bake(box, Self.note("A", "- x\n"))
    #expect(try box.undo() == .done)
    #expect(box.text(Self.path) == plain)
  }

  @Test func keepsTheLinesOfABlock() throws {
    let box = try UndoBox(seed: 3)
    try box.write([(Self.path, Self.note("A", ""))])
    try box.write([(Self.path, Self.note("B", ""))])
    try bake(box, Self.note("B", "- x\n"))
    #expect(try box.undo() == .done)
    #expect(box.text(Self.path) == Self.note("A", "- x\n"))
  }

  @Test func undoesAnOperationWhoseUndoGitReverted() throws {
    let box = try UndoBox(seed: 4)
    try box.write([(Self.path, "one\n")])
    try box.write([(Self.path, "two\n")])
    #expect(try box.undo() == .done)
    try box.folder.git("revert", "--no-edit", "HEAD")
    #expect(box.text(Self.path) == "two\n")
    #expect(try box.redo() == .none)
    #expect(try box.undo() == .done)
    #expect(box.text(Self.path) == "one\n")
    #expect(try box.undo() == .done)
    #expect(box.text(Self.path) == nil)
  }

  @Test func namesCommitsByGitSinceTheLastOperation() throws {
    let box = try UndoBox(seed: 5)
    try box.write([(Self.path, "one\n")])
    let commits = {
      try PastOperations(in: box.open().snapshot, on: box.device).commitsByGit(limit: 2).map(\.subject)
    }
    #expect(try commits().isEmpty)
    for number in 1...3 {
      try box.folder.write("hand.md", "\(number)\n")
      try box.folder.git("add", "-A")
      try box.folder.git("commit", "-q", "-m", "Edit \(number)")
    }
    #expect(try commits() == ["Edit 3", "Edit 2"])
    #expect(try box.undo() == .done)
    #expect(try commits().isEmpty)
  }
}
