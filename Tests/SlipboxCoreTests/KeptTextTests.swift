import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore
import Text

/// Texts that are in no note: drafts, texts that could not be saved, and changes as patches.
@Suite struct KeptTextTests {
  private func box(drafts: String...) throws -> WritingBox {
    let box = try WritingBox(["a.md": "# A\n", "b.md": "# B\n"])
    for name in drafts {
      _ = try box.snapshot().box.writeDraft(Array("# Title of \(name)\n".utf8), name: name, in: nil)
    }
    return box
  }

  @Test(arguments: ["first", "second"])
  func `finds a draft by its name and by its path`(_ name: String) throws {
    let box = try box(drafts: "first", "second")
    let path = ".git/slipbox/drafts/\(name).md"
    for typed in [name, name + ".md", path, box.folder.path + "/" + path] {
      let text = try box.snapshot().box.keptText(named: typed)
      #expect(text.name == name && text.title == "Title of \(name)", "\(typed)")
    }
  }

  @Test func `lists the drafts if none has the name`() throws {
    let full = try box(drafts: "first", "second")
    let error = #expect(throws: SlipboxError.self) { try full.snapshot().box.keptText(named: "third") }
    #expect(error?.kind == .notFound)
    #expect(
      error?.hints.map(\.description) == [
        "the drafts are:", "  first  Title of first", "  second  Title of second",
      ])
    let empty = try box()
    let other = #expect(throws: SlipboxError.self) { try empty.snapshot().box.keptText(named: "third") }
    #expect(other?.hints.map(\.description) == ["this box has no drafts"])
  }

  @Test func `keeps a text that could not be saved, unless it is empty`() throws {
    let box = try box()
    let opened = try box.snapshot().box
    let refusal = SlipboxError(.busy, "another command is at work")
    let file = ".git/slipbox/recovered/1795249800-bread.md"
    let kept = opened.keeping(
      Array("Typed\n".utf8), name: "sub/bread.md", in: nil, at: standingClock.now, refusal)
    #expect(box.text(file) == "Typed\n")
    #expect(kept.kind == .busy && kept.message == refusal.message)
    #expect(kept.hints.map(\.description) == ["your text is kept at \(box.folder.path)/\(file)"])
    #expect(opened.keeping([], name: "bread.md", in: nil, at: standingClock.now, refusal).hints.isEmpty)
  }

  @Test func `git applies the patch of a change`() throws {
    let box = try box()
    func change(_ path: String, _ before: String?, _ after: String?) -> FileChange {
      FileChange(
        path: Array(path.utf8), before: before.map { Array($0.utf8) }, after: after.map { Array($0.utf8) })
    }
    let patch = try box.snapshot().box.patch(of: [
      change("a.md", "# A\n", "# A\n\nMore\n"), change("b.md", "# B\n", nil), change("c.md", nil, "# C\n"),
    ])
    try box.folder.write("change.patch", patch)
    try box.folder.git("apply", "change.patch")
    #expect(box.text("a.md") == "# A\n\nMore\n")
    #expect(!box.exists("b.md"))
    #expect(box.text("c.md") == "# C\n")
  }
}
