import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// What the user has staged is neither lost nor swept into a commit of slip's.
@Suite struct StagedContentTests {
  private static let note = "---\ntitle: Bread\nrating: 3\n---\nFlour.\n"
  private static let path = "bread.md"
  private static let staged = "---\ntitle: Bread\nrating: 1\n---\nStaged.\n"
  private static let saved = "---\ntitle: Bread\nrating: 2\n---\nSaved.\n"

  private func box() throws -> WritingBox { try WritingBox.withTwoNotes(Self.note, at: Self.path) }

  /// Stages one content and leaves another in the file.
  private func stage(_ box: WritingBox, _ staged: String, then saved: String) throws {
    try box.folder.write(Self.path, staged)
    try box.folder.git("add", Self.path)
    try box.folder.write(Self.path, saved)
  }

  private func expectRefusal(
    _ box: WritingBox, _ reason: String = "has staged content that differs from the file",
    _ body: () throws -> Void
  ) throws {
    let head = try box.head()
    let error = #expect(throws: SlipboxError.self) { try body() }
    #expect(error?.kind == .busy)
    #expect(error?.message == "\(Self.path) \(reason)")
    #expect(
      error?.hints == ["commit that with git commit, or unstage it with: git restore --staged \(Self.path)"])
    #expect(try box.head() == head)
  }

  @Test func otherStagedContentIsRefusedAndKept() throws {
    let box = try box()
    try stage(box, Self.staged, then: Self.saved)
    try expectRefusal(box) { try box.set(Self.path, "rating", "5") }
    #expect(box.text(Self.path) == Self.saved)
    #expect(try box.staged(Self.path) == Self.staged)
  }

  @Test func anEditIsNotCommittedOverItAndStaysInTheFile() throws {
    let box = try box()
    let editing = try box.beginEditing(Self.path)
    try stage(box, Self.staged, then: Self.saved)
    try expectRefusal(box) { _ = try box.finishEditing(editing) }
    #expect(box.text(Self.path) == Self.saved)
    #expect(try box.staged(Self.path) == Self.staged)
  }

  @Test func aStagedDeletionIsRefused() throws {
    let box = try box()
    try box.folder.git("rm", "-q", "--cached", Self.path)
    try expectRefusal(box, "was removed from git's index") { try box.set(Self.path, "rating", "5") }
    #expect(box.text(Self.path) == Self.note)
    #expect(try box.status() == ["D  \(Self.path)", "?? \(Self.path)"])
  }

  @Test func whatTheFileHoldsMayBeStaged() throws {
    let box = try box()
    try stage(box, Self.staged, then: Self.staged)
    try box.set(Self.path, "rating", "5")
    #expect(try box.subjects().prefix(2) == ["Set rating 5: Bread", "Outside edits: Bread"])
    #expect(try box.status() == [])
  }

  @Test func whatTheChangeWritesMayBeStaged() throws {
    let box = try box()
    try stage(box, Self.staged, then: Self.note)
    try box.write([Self.path: Self.staged])
    #expect(try box.folder.git("show", "HEAD:\(Self.path)") == Self.staged)
    #expect(try box.status() == [])
  }

  @Test func whatIsStagedElsewhereStaysStagedAndOutOfTheCommit() throws {
    let box = try box()
    try box.folder.write("other.md", "# Other\n\nStaged.\n")
    try box.folder.write("new.txt", "staged too\n")
    try box.folder.git("add", "-A")
    try box.set(Self.path, "rating", "5")
    #expect(try box.folder.git("show", "--name-only", "--format=") == "\(Self.path)\n")
    #expect(try box.status() == ["A  new.txt", "M  other.md"])
  }

  /// Above some number of files HEAD and the index are read once for all: the answer is the same.
  @Test func amongManyFilesOneIsRefused() throws {
    var files = [Self.path: Self.note]
    for number in 1...220 { files["many/\(number).md"] = "# \(number)\n" }
    let box = try WritingBox(files)
    try stage(box, Self.staged, then: Self.saved)
    let changes = files.mapValues { Optional($0 + "More.\n") }
    try expectRefusal(box) { try box.write(changes) }
    #expect(box.text("many/1.md") == "# 1\n")
    try box.folder.git("restore", "--staged", Self.path)
    #expect(try box.write(changes).paths.count == 221)
    #expect(try box.status() == [])
  }
}
