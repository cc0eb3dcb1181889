import Notes
import Testing

@Suite struct FileNameTests {
  private let created = Timestamp(seconds: 1_798_758_000, offsetSeconds: 3600)  // 2027-01-01 00:00 at +01:00

  private func path(_ title: String, _ pattern: String = FileName.defaultPattern) throws -> String {
    let id = try #require(NoteID("kqzmvtrp"))
    return String(
      decoding: FileName.path(for: title, id: id, created: created, pattern: pattern), as: UTF8.self)
  }

  @Test(arguments: [
    (FileName.defaultPattern, "Two words", "2027/01/two-words-kqzmvtrp.md"),
    (FileName.defaultPattern, "", "2027/01/kqzmvtrp.md"),
    (FileName.defaultPattern, "!?", "2027/01/kqzmvtrp.md"),
    ("{id}.md", "Title", "kqzmvtrp.md"), ("{id}-{slug}.md", "Title", "kqzmvtrp-title.md"),
    ("{id}-{slug}.md", "", "kqzmvtrp.md"), ("{id} {slug}.md", "", "kqzmvtrp.md"),
    ("{slug}.md", "", "kqzmvtrp.md"), ("{slug}.md", "Title", "title.md"),
    ("notes/{slug}", "Title", "notes/title.md"),
    ("{year}-{month}-{day}-{slug}.markdown", "A", "2027-01-01-a.markdown"),
    ("{slug}/{id}.md", "", "kqzmvtrp.md"), ("{other}-{id}.md", "A", "{other}-kqzmvtrp.md"),
    ("{id.md", "A", "{id.md"), ("a-{slug}-b.md", "", "a-b.md"), ("notes/", "A", "notes.md"),
  ])
  func fillsPatterns(pattern: String, title: String, expected: String) throws {
    #expect(try path(title, pattern) == expected)
  }

  @Test(
    arguments: ["x", "字", "é", "👩‍👩‍👧 "], [FileName.defaultPattern, "{slug}{slug}-{id}.md", "{slug}/{slug}.md"])
  func cutsLongSlugsAtACharacter(unit: String, pattern: String) throws {
    let path = try path(String(repeating: unit, count: 500), pattern)
    #expect(path.utf8.split(separator: UInt8(ascii: "/")).allSatisfy { $0.count <= FileName.longestPart })
    #expect(!path.contains("\u{FFFD}"))
    #expect(FileName.isNote(Array(path.utf8)))
    #expect(FileName.problem(in: Array(path.utf8)) == nil)
  }

  @Test(arguments: [
    ("2027/01/two-words-kqzmvtrp.md", true), ("kqzmvtrp.md", true), ("kqzmvtrp-title.markdown", true),
    ("a kqzmvtrp b.md", true), ("akqzmvtrp.md", false), ("kqzmvtrp1.md", false), ("kqzmvtrpé.md", false),
    ("kqzmvtrp/title.md", false), ("title.md", false), ("", false), ("kqzmvtr.md", false),
    ("kqzmvtrpkqzmvtrp-kqzmvtrp.md", true),
  ])
  func knowsTheFilesItNamed(path: String, isNamed: Bool) throws {
    #expect(FileName.named(by: try #require(NoteID("kqzmvtrp")), path: Array(path.utf8)) == isNamed)
  }

  @Test(arguments: [
    ("a.md", true), ("a/b.markdown", true), ("a.b.md", true), ("a.MD", false), (".md", false),
    ("a/.md", false),
    (".hidden.md", false), (".#a.md", false), ("a.txt", false), ("a.md/b", false), ("", false), ("md", false),
    ("a.md~", false),
  ])
  func knowsNotes(path: String, isNote: Bool) {
    #expect(FileName.isNote(Array(path.utf8)) == isNote)
  }

  @Test(arguments: [
    "", "/a.md", "a//b.md", "a/", "../a.md", "a/../b.md", "./a.md", "a/./b.md", ".git/a.md", "a/.GIT/b.md",
    "GIT~1/a.md",
    "git~1", ".git./a", ".git /a", ".git. . /a", ".g\u{200C}it/a", "\u{FEFF}.git/a",
    ".git::$INDEX_ALLOCATION/a", "a\u{0}b",
    "a\nb.md", "a\u{7F}.md", "\u{1B}[31m.md", String(repeating: "x", count: 256) + "/a.md",
    String(repeating: "abcdefgh/", count: 500) + "a.md",
  ])
  func refusesPaths(path: String) {
    #expect(FileName.problem(in: Array(path.utf8)) != nil)
  }

  @Test(arguments: [
    "a.md", "a/b/c.md", "..a.md", "a...md", ".gitignore", "git.md", ".github/x.md", "-a.md", "Ż ó ł w.md",
    "git~10.md",
    ".git\u{301}/a", String(repeating: "x", count: 255),
  ])
  func acceptsPaths(path: String) {
    #expect(FileName.problem(in: Array(path.utf8)) == nil)
  }

  @Test func acceptsBytesThatAreNoUTF8() {
    #expect(FileName.problem(in: [0xFF, 0xFE, 0x2E, 0x6D, 0x64]) == nil)
  }
}
