import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// A note that another program moved is committed as a move, not as a second note.
@Suite struct MovedByHandTests {
  private static let note = "---\nid: kqzmvtrp\ntitle: Bread\n---\nflour\nwater\nsalt\nyeast\n"

  private func moved(_ text: String, edited: Bool = false) throws -> WritingBox {
    let box = try WritingBox(["a.md": text, "b.md": "b\n"])
    try box.folder.write("ren/note.md", edited ? text + "more\n" : text)
    try FileManager.default.removeItem(atPath: box.folder.path + "/a.md")
    return box
  }

  @Test(arguments: [note, "no id\n"], [false, true])
  func `a change after a move by hand commits the move first`(text: String, staged: Bool) throws {
    let box = try moved(text)
    if staged { try box.folder.git("add", "-A") }
    try box.set("ren/note.md", "status", "open")
    #expect(try box.folder.git("ls-tree", "-r", "--name-only", "HEAD").contains("a.md") == false)
    #expect(try box.subjects().prefix(2).last?.hasPrefix("Outside edits") == true)
    #expect(
      try box.folder.git("show", "-M", "--name-status", "--format=", "HEAD~1") == "R100\ta.md\tren/note.md\n")
    #expect(try box.status() == [])
  }

  @Test func `a moved and edited note is known by its id`() throws {
    let box = try moved(Self.note, edited: true)
    try box.set("ren/note.md", "status", "open")
    #expect(try box.folder.git("ls-tree", "-r", "--name-only", "HEAD").contains("a.md") == false)
    #expect(try box.status() == [])
  }

  @Test func `a moved and edited note without an id is known by half of its text`() throws {
    let text = (1...10).map { "line \($0) of the text\n" }.joined()
    let box = try moved(text, edited: true)
    try box.set("ren/note.md", "status", "open")
    #expect(try box.folder.git("ls-tree", "-r", "--name-only", "HEAD").contains("a.md") == false)
    let move = try box.folder.git("show", "-M", "--name-status", "--format=", "HEAD~1")
    #expect(move.hasPrefix("R0") && move.hasSuffix("\ta.md\tren/note.md\n"))
    #expect(try box.status() == [])
  }

  @Test func `a note of which two others have half of the text has not moved`() throws {
    let text = (1...10).map { "line \($0) of the text\n" }.joined()
    let box = try moved(text, edited: true)
    try box.folder.write("ren/other.md", text + "other\n")
    try box.set("ren/note.md", "status", "open")
    #expect(try box.folder.git("ls-tree", "-r", "--name-only", "HEAD").contains("a.md"))
  }

  @Test func `a note with little of the text of a deleted one is a new one`() throws {
    let box = try moved("one line of some length\n")
    try box.folder.write("ren/note.md", "one line\n" + String(repeating: "another text\n", count: 20))
    try box.set("ren/note.md", "status", "open")
    #expect(try box.folder.git("ls-tree", "-r", "--name-only", "HEAD").contains("a.md"))
  }

  @Test func `a commit of the new path alone takes the old one away`() throws {
    let box = try moved(Self.note)
    try box.commit("ren/note.md")
    #expect(
      try box.folder.git("show", "-M", "--name-status", "--format=", "HEAD") == "R100\ta.md\tren/note.md\n")
    #expect(try box.status() == [])
  }

  @Test func `a copy is a note of its own`() throws {
    let box = try WritingBox(["a.md": "no id\n"])
    try box.folder.write("copy.md", "no id\n")
    try box.set("copy.md", "status", "open")
    #expect(try box.folder.git("ls-tree", "--name-only", "HEAD").contains("a.md"))
  }
}
