import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// Files whose changes a flag of git's index hides are as git sees them: never committed, never changed, named by status.
@Suite struct HiddenFilesTests {
  private static let flags = ["skip-worktree", "assume-unchanged"]

  private func box(_ flag: String) throws -> WritingBox {
    let box = try WritingBox(["a.md": "---\nid: kqzmvtrp\n---\na\n", "b.md": "b\n"])
    try box.folder.git("update-index", "--\(flag)", "a.md")
    try box.folder.write("a.md", "---\nid: kqzmvtrp\n---\na\ntoken\n")
    return box
  }

  @Test(arguments: flags) func `a hidden edit is not committed with others`(flag: String) throws {
    let box = try box(flag)
    try box.folder.write("b.md", "b\nmore\n")
    let paths = try OutsideChanges(in: box.snapshot()).paths { _ in true }
    #expect(paths.map { String(decoding: $0, as: UTF8.self) } == ["b.md"])
    #expect(
      try BoxStatus(of: box.snapshot()).hiddenChanges == [HiddenChange(path: Array("a.md".utf8), flag: flag)])
    #expect(try box.commit("a.md", "b.md").paths == ["b.md"])
    #expect(try box.folder.git("show", "HEAD:a.md").contains("token") == false)
    #expect(try box.folder.git("ls-files", "-v", "a.md").first == (flag == "skip-worktree" ? "S" : "h"))
  }

  @Test(arguments: flags) func `a hidden note is not changed`(flag: String) throws {
    let box = try box(flag)
    let (head, text) = (try box.head(), box.text("a.md"))
    let error = #expect(throws: SlipboxError.self) { try box.set("a.md", "status", "open") }
    #expect(error?.message.description.contains("hidden from git (\(flag))") == true)
    #expect(throws: SlipboxError.self) { try box.write(["a.md": nil]) }
    #expect(try box.head() == head)
    #expect(box.text("a.md") == text)
    #expect(!box.exists(WritingBox.record))
  }

  @Test(arguments: flags) func `a hidden file that is gone is not deleted from history`(flag: String) throws {
    let box = try box(flag)
    try FileManager.default.removeItem(atPath: box.folder.path + "/a.md")
    try box.set("b.md", "status", "open")
    #expect(try OutsideChanges(in: box.snapshot()).paths { _ in true } == [])
    #expect(try box.folder.git("ls-tree", "--name-only", "HEAD").contains("a.md"))
  }

  @Test func `flags of other files survive a change`() throws {
    let box = try box("skip-worktree")
    try box.folder.git("update-index", "--assume-unchanged", ".slipbox/config.yaml")
    let before = try box.folder.git("ls-files", "-v")
    try box.set("b.md", "status", "open")
    #expect(try box.folder.git("ls-files", "-v") == before)
  }
}
