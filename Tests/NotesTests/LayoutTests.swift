import Testing

@testable import Notes

/// The conventions of other programs' folders.
@Suite struct LayoutTests {
  private let id = NoteID("kqzmvtrp")
  private let created = Timestamp(seconds: 1_795_249_800, offsetSeconds: 3_600)

  private func path(_ pattern: String, _ title: String, tags: [String] = []) throws -> String {
    let id = try #require(id)
    let path = try PathPattern(pattern).path(title: title, id: id, tags: tags, created: created)
    return String(decoding: path, as: UTF8.self)
  }

  @Test(arguments: [
    ("{title}.md", "Rye bread", "Rye bread.md"),
    ("{title}.md", "What is C/C++?", "What is C C++.md"),
    ("{title}.md", ".hidden: a \"b\" <c> | #d ^e [f] \\g*", "hidden a b c d e f g.md"),
    ("{title}.md", "???", "Untitled.md"),
    ("{title}.md", "A\u{7}B", "A B.md"),
    ("Notes/{title}.md", "../etc", "Notes/etc.md"),
    ("{date:YYYYMMDDHHmm}-{slug}.md", "Żółw", "202611210930-zolw.md"),
    ("{date:YYYYMMDD[T]HHmmss}--{slug}{tags}.md", "Rye bread", "20261121T093000--rye-bread__food_sour.md"),
    ("{year}/{month}/{slug}-{id}.md", "Rye bread", "2026/11/rye-bread-kqzmvtrp.md"),
    ("_posts/{date:YYYY-MM-DD}-{slug}.md", "Rye", "_posts/2026-11-21-rye.md"),
    ("{title}", "Rye", "Rye.md"), ("inbox{tags}.md", "Rye", "inbox__food_sour.md"),
  ]) func `fills patterns of paths`(_ pattern: String, _ title: String, _ expected: String) throws {
    #expect(try path(pattern, title, tags: ["sour", "food"]) == expected)
  }

  @Test func `cuts long titles at a word`() throws {
    let name = try path("{title}.md", String(repeating: "word ", count: 100))
    #expect(name.utf8.count <= 203 && name.hasSuffix("word.md"))
  }

  @Test(arguments: ["{titel}.md", "{date:foo}.md", "{date:}.md"])
  func `refuses unknown placeholders`(_ pattern: String) {
    #expect(throws: Problem.self) { try PathPattern(pattern) }
  }

  @Test func `numbers taken names`() throws {
    let name = Array("Rye.md".utf8)
    #expect(try PathPattern("{title}.md").numbered(name, 2) == Array("Rye 2.md".utf8))
    #expect(try PathPattern("{slug}.md").numbered(name, 2) == Array("Rye-2.md".utf8))
  }

  private func text(_ layout: Layout, _ text: String, at path: String) throws -> String {
    let written = try layout.text(NoteText(Array(text.utf8)), at: Array(path.utf8))
    return String(decoding: written.bytes, as: UTF8.self)
  }

  private let draft = "---\nid: kqzmvtrp\ntitle: A/B\ncreated: 2026-11-21T09:30:00+01:00\n---\nText.\n"

  @Test func `keeps the text of slip's own layout`() throws {
    #expect(try text(Layout(.slipbox), draft, at: "a.md") == draft)
  }

  @Test func `moves the title to a heading if slip's own layout is told to`() throws {
    var layout = Layout(.slipbox)
    layout.title = .heading
    let written = draft.replacing("title: A/B\n", with: "").replacing("Text.", with: "# A/B\n\nText.")
    #expect(try text(layout, draft, at: "a.md") == written)
  }

  @Test func `keeps a title in a heading that no file can have`() throws {
    let created = "---\ncreated: 2026-11-21T09:30:00+01:00\n---\n"
    #expect(try text(Layout(.obsidian), draft, at: "A B.md") == created + "# A/B\n\nText.\n")
    let plain = draft.replacing("A/B", with: "A")
    #expect(try text(Layout(.obsidian), plain, at: "A.md") == created + "Text.\n")
    #expect(try text(Layout(.obsidian), plain, at: "A 2.md") == created + "# A\n\nText.\n")
  }

  @Test func `puts the title before another heading`() throws {
    let other = draft.replacing("Text.", with: "# Other")
    #expect(try text(Layout(.obsidian), other, at: "A B.md").hasSuffix("# A/B\n\n# Other\n"))
  }

  @Test func `keeps the heading of a template alone if the name of the file is the title`() throws {
    let template = Array(draft.replacing("A/B", with: "Day").replacing("Text.", with: "# Saturday").utf8)
    let written = try Layout(.obsidian).text(
      NoteText(template), at: Array("Day.md".utf8), keepsHeading: true)
    #expect(String(decoding: written.bytes, as: UTF8.self).hasSuffix("---\n# Saturday\n"))
  }

  @Test(arguments: [
    ("Don't stop!", "dont-stop"), ("\"Rye\" & oats", "rye-oats"), ("Żółw_a -- b", "żółw-a-b"),
    ("?!", "untitled"),
  ]) func `writes titles as Denote does`(title: String, slug: String) throws {
    #expect(NoteFileName.denoteSlug(of: title) == slug)
    #expect(try path("{date:YYYY}--{slug}{tags}.md", title) == "2026--\(slug).md")
  }

  @Test(arguments: [
    ("One", "- One"), ("One\n\ntwo\n", "- One\n\n  two\n"), ("- One", "- One"), ("# H", "- # H"), ("", ""),
  ]) func `adds texts as blocks of Logseq`(text: String, block: String) {
    #expect(Layout(.logseq).block(Array(text.utf8)) == Array(block.utf8))
    #expect(Layout(.obsidian).block(Array(text.utf8)) == Array(text.utf8))
  }

  @Test func `names pages of Logseq in a namespace`() throws {
    let note = Note(path: Array("pages/food___bread.md".utf8), text: NoteText(Array("- Flour\n".utf8)))
    #expect(note.title == "food/bread")
    let layout = Layout(.logseq)
    #expect(layout.renamedPath(of: note, titled: "food/rye") == Array("pages/food___rye.md".utf8))
    #expect(NoteFileName.name(of: "a/b: c", layout.naming) == "a___b%3A c")
    #expect(NoteFileName.name(of: "a/b: c") == "a b c")
  }

  @Test func `writes the date and the identifier of Denote`() throws {
    let written = try text(Layout(.denote), draft, at: "20261121T093000--a-b.md")
    #expect(written.contains("identifier: 20261121T093000") && written.contains("date: 2026-11-21T09:30:00"))
    #expect(!written.contains("\nid:"))
  }

  @Test func `follows the title with the name of the file`() {
    let note = { (path: String, text: String) in
      Note(path: Array(path.utf8), text: NoteText(Array(text.utf8)))
    }
    let obsidian = Layout(.obsidian)
    let renamed = { (layout: Layout, note: Note) in
      layout.renamedPath(of: note, titled: "New: one").map { String(decoding: $0, as: UTF8.self) }
    }
    #expect(renamed(obsidian, note("a/Old.md", "text")) == "a/New one.md")
    #expect(renamed(obsidian, note("a/Old.md", "# Old\n")) == "a/New one.md")
    #expect(renamed(obsidian, note("a/Old.md", "# Other\n")) == nil)
    #expect(renamed(Layout(.hugo), note("content/old.md", "---\ntitle: Old\n---\n")) == nil)
    let denote = note("20260101T000000--old__x.md", "---\ntitle: Old\n---\n")
    #expect(renamed(Layout(.denote), denote) == "20260101T000000--new-one__x.md")
  }
}
