import NoteIndex
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Links to what a sparse checkout leaves out are not broken.
@Suite struct LeftOutFilesTests {
  private func box(_ links: String) throws -> WritingBox {
    let box = try WritingBox([
      "in/a.md": "# A\n\n\(links)\n\n![p](p.png)\n", "in/p.png": "picture",
      "out/b.md": "---\nid: kqzmvtrp\naliases: [Loaf]\n---\n# Bread\n\n![](../in/q.png)\n", "out/c.md": "c\n",
      "out/o.png": "picture", "in/q.png": "picture",
    ])
    try box.folder.git("sparse-checkout", "set", "in", ".slipbox")
    #expect(!box.exists("out/b.md"))
    return box
  }

  @Test(
    arguments: [
      "[[Bread]]", "[[Loaf]]", "[[kqzmvtrp]]", "[[c]]", "[b](../out/b.md)", "![[o.png]]", "![](../out/o.png)",
      "[[Bread#Crumb]]",
    ])
  func `a link out of the checkout is not broken`(link: String) throws {
    let box = try box(link)
    let snapshot = try box.snapshot()
    #expect(try NoteWeb(snapshot).unresolved().isEmpty)
    #expect(try LinksCheck(in: snapshot).findings(try snapshot.catalogue().entries).isEmpty)
  }

  @Test func `a link to nothing is broken there too`() throws {
    let box = try box("[[Breat]] and [c](../out/d.md)")
    let snapshot = try box.snapshot()
    #expect(try NoteWeb(snapshot).unresolved().map(\.text) == ["Breat", "../out/d.md"])
  }

  @Test func `a file that notes outside may link to is not called unused`() throws {
    let box = try box("")
    #expect(try FilesCheck(in: try box.snapshot()).attachmentFindings(besides: []).isEmpty)
    try box.folder.git("sparse-checkout", "disable")
    let findings = try FilesCheck(in: try box.snapshot()).attachmentFindings(besides: [])
    #expect(findings.map { String(decoding: $0.path, as: UTF8.self) } == ["out/o.png"])
  }
}
