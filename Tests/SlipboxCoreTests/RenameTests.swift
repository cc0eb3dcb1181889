import NoteIndex
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxCore

/// Notes moved and retitled in small boxes, as commands do it.
@Suite struct RenameTests {
  private func move(_ box: WritingBox, _ path: String, to target: String) throws {
    let (snapshot, writer) = try open(box)
    let entry = try NoteLookup(in: snapshot).entry(path, fuzzy: false)
    _ = try writer.record(try MoveNotes(in: snapshot).plan([entry], to: Array(target.utf8)))
  }

  private func retitle(_ box: WritingBox, _ path: String, to title: String) throws {
    let (snapshot, writer) = try open(box)
    let retitling = Retitling(snapshot)
    _ = try writer.record(try retitling.plan(try retitling.target(path), to: title))
  }

  private func open(_ box: WritingBox) throws -> (BoxSnapshot, BoxWriter) {
    let context = context(in: box.folder.path, seed: 5, box.listener)
    let snapshot = try BoxOpening.snapshot(named: box.folder.bytes, context)
    return (snapshot, BoxWriter(snapshot.box, context, after: snapshot))
  }

  private func text(_ box: WritingBox, _ path: String) -> String? {
    box.folder.read(path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// However little of a note stays, history says that it moved.
  @Test func aShortNoteThatChangesAsItMovesIsOneNote() throws {
    let box = try WritingBox(["a/x.md": "[y](y.md)\n", "a/y.md": "y\n", "z.md": "[[x]]\n"])
    try retitle(box, "a/x.md", to: "A much longer title")
    #expect(
      try box.log(limit: 1).first?.changes.first
        == "\"a/A much longer title.md\" path \"a/x.md\" \"a/A much longer title.md\"")
    #expect(text(box, "z.md") == "[[A much longer title]]\n")
    try move(box, "a/A much longer title.md", to: "b/c/z.md")
    #expect(text(box, "b/c/z.md") == "---\naliases: [x]\n---\n[y](../../a/y.md)\n")
    #expect(text(box, "a/A much longer title.md") == nil)
  }

  /// Bytes that are no text, line ends and a missing last one stay.
  @Test func whatIsNoLinkKeepsItsBytes() throws {
    let box = try WritingBox(["old.md": "---\r\ntitle: Old\r\n---\r\nx"])
    let bytes: [UInt8] =
      [0xEF, 0xBB, 0xBF] + Array("[[Old]]\r\n".utf8) + [0xFF, 0] + Array("[o](old.md)".utf8)
    try box.folder.write("s.md", bytes)
    try box.folder.git("add", "-A")
    try box.folder.git("commit", "-q", "-m", "more")
    try retitle(box, "old.md", to: "New")
    #expect(text(box, "old.md") == "---\r\ntitle: New\r\naliases: [Old]\r\n---\r\nx")
    #expect(
      box.folder.read("s.md") == [0xEF, 0xBB, 0xBF] + Array("[[New]]\r\n".utf8) + [0xFF, 0]
        + Array("[o](old.md)".utf8))
  }

  /// A heading that repeats the title of the front-matter follows, with the links to it; another one stays.
  @Test func theHeadingThatRepeatsTheTitleFollows() throws {
    let box = try WritingBox([
      "a.md": "---\ntitle: Old\n---\n# Old\n\n## Old\n", "b.md": "---\ntitle: Other\n---\n# Heading\n",
      "s.md": "[[Old]] [x](a.md#old) [[Other#Heading]]\n",
    ])
    try retitle(box, "a.md", to: "New")
    try retitle(box, "b.md", to: "Else")
    #expect(text(box, "a.md") == "---\ntitle: New\naliases: [Old]\n---\n# New\n\n## Old\n")
    #expect(text(box, "b.md") == "---\ntitle: Else\naliases: [Other]\n---\n# Heading\n")
    #expect(text(box, "s.md") == "[[New]] [x](a.md#new) [[Else#Heading]]\n")
  }

  /// Names of files that only bytes tell apart, and such with blanks and percent signs.
  @Test func oddNamesAreKeptApart() throws {
    let (nfc, nfd) = ("caf\u{E9}.md", "cafe\u{301}.md")
    let links = "[a](caf%C3%A9.md) [b](cafe%CC%81.md) [c](50%25%20x.md)\n"
    let box = try WritingBox([nfc: "1\n", "s.md": links, "50% x.md": "3\n"])
    // To a dictionary of texts the two names are one.
    try box.folder.write(nfd, "2\n")
    try box.folder.git("add", "-A")
    try box.folder.git("commit", "-q", "-m", "more")
    try move(box, nfc, to: "d/")
    #expect(text(box, "s.md") == "[a](d/caf%C3%A9.md) [b](cafe%CC%81.md) [c](50%25%20x.md)\n")
    try move(box, "50% x.md", to: "100% (y).md")
    #expect(text(box, "s.md") == "[a](d/caf%C3%A9.md) [b](cafe%CC%81.md) [c](100%25%20(y).md)\n")
  }

  @Test func aNoteThatIsTakenMeanwhileIsNotOverwritten() throws {
    let box = try WritingBox(["a.md": "1\n"])
    let (snapshot, writer) = try open(box)
    let plan = try MoveNotes(in: snapshot).plan(
      [try NoteLookup(in: snapshot).entry("a.md", fuzzy: false)], to: Array("b.md".utf8))
    try box.folder.write("b.md", "by another program\n")
    let error = #expect(throws: SlipboxError.self) { _ = try writer.record(plan) }
    #expect(error?.kind == .cannotCreate)
    #expect(text(box, "b.md") == "by another program\n" && text(box, "a.md") == "1\n")
  }

  /// What another program writes between the look at the box and the lock is kept.
  @Test func anEditMeanwhileIsTakenAlong() throws {
    let box = try WritingBox(["a.md": "---\ntitle: Old\n---\n", "b.md": "[[Old]]\n"])
    let (snapshot, writer) = try open(box)
    let retitling = Retitling(snapshot)
    let plan = try retitling.plan(try retitling.target("a.md"), to: "New")
    try box.folder.write("b.md", "[[Old]] and [[Old|again]]\n")
    try box.folder.write("a.md", "---\ntitle: Old\n---\nmore\n")
    _ = try writer.record(plan)
    #expect(text(box, "b.md") == "[[New]] and [[New|again]]\n")
    #expect(text(box, "a.md") == "---\ntitle: New\naliases: [Old]\n---\nmore\n")
  }
}
