import Notes
import Testing

private func aNote(_ text: String, path: String = "notes/File name.md") -> Note {
  Note(path: Array(path.utf8), text: NoteText(Array(text.utf8)))
}

/// A note with these lines of front-matter.
private func fields(_ lines: String, body: String = "", path: String = "notes/File name.md") -> Note {
  aNote("---\n\(lines)\n---\n\(body)", path: path)
}

@Suite struct NoteTests {
  @Test func readsANoteOfSlip() {
    let note = fields(
      """
      id: kqzmvtrp
      title: Fix the VoiceOver bug
      kind: issue
      created: 2026-11-21T09:30:00+01:00
      tags: [accessibility, ios]
      status: open
      """, body: "# Other\nSee [[a]] and #iOS, #new.\n", path: "2026/11/fix-kqzmvtrp.md")
    #expect(note.id == NoteID("kqzmvtrp"))
    #expect(note.foreignID == nil)
    #expect(note.title == "Fix the VoiceOver bug")
    #expect(note.hasOwnTitle)
    #expect(note.kind == "issue")
    #expect(note.created?.rfc3339 == "2026-11-21T09:30:00+01:00")
    #expect(note.tags == ["accessibility", "ios", "new"])
    #expect(note.frontMatterTags == ["accessibility", "ios"])
    #expect(note.tagsField == "tags")
    #expect(note.inlineTags.map(\.name) == ["iOS", "new"])
    #expect(note.links.map(\.target) == ["a"])
    #expect(note.aliases.isEmpty)
  }

  @Test func readsAnEmptyFile() {
    let note = aNote("")
    #expect(note.title == "File name")
    #expect(!note.hasOwnTitle)
    #expect(note.kind == "note")
    #expect(note.id == nil && note.foreignID == nil && note.created == nil && note.tagsField == nil)
    #expect(note.tags.isEmpty && note.aliases.isEmpty && note.links.isEmpty)
  }

  @Test func readsBytesThatAreNoUTF8() {
    let note = Note(path: [0xFF, 0x2E, 0x6D, 0x64], text: NoteText([0x23, 0x20, 0xFE, 0x0A]))
    #expect(note.title == "\u{FFFD}")
  }

  @Test func brokenFrontMatterLeavesTheBody() {
    let note = fields("title: [a\n: : b\n\t- x", body: "# Heading\n#tag\n")
    #expect(!note.frontMatter.isWritable)
    #expect(note.tags == ["tag"])
  }
}

@Suite struct NoteTitleTests {
  @Test(arguments: [
    ("title: A", "A", true), ("title: '  A  b '", "A  b", true),
    ("title: \"A\\nb\\r\\n c\\n\"", "A b c", true), ("title: 012", "012", true),
    ("title:", "Heading", false), ("title: ''", "Heading", false), ("title: [a]", "Heading", false),
    ("Title: A", "A", true), ("TITLE: B\ntitle: A", "A", true), ("Title: A\nTITLE: B", "A", true),
    ("x: y", "Heading", false), ("title: no", "no", true),
  ])
  func theFieldGoesBeforeTheHeading(line: String, title: String, isOwn: Bool) {
    let note = fields(line, body: "# Heading\n")
    #expect(note.title == title)
    #expect(note.hasOwnTitle == isOwn)
  }

  @Test(arguments: [
    ("My note.md", "# A\n", "A", Note.TitleSource.heading), ("My note.md", "text\n\n# A\n", "My note", .file),
    ("My note.md", "## A\n", "My note", .file), ("My note.md", "## A\n\n# B\n", "My note", .file),
    ("Rust.md", "Text.\n\nActionable goals\n===\n", "Rust", .file),
    ("Rust.md", "\n<!-- a\n# b -->\n%% c %%\n#tag #other/tag\n\n# A\n", "A", .heading),
    ("Rust.md", "![[x.png]]\n# A\n", "A", .heading),
    ("Rust.md", "![x](y.png \"z\")\n\nA\n=\n", "A", .heading),
    ("Rust.md", "![x](y.png) z\n# A\n", "Rust", .file), ("Rust.md", "#a\n\n#b\n# A\n", "Rust", .file),
    ("Rust.md", "---\n\n# A\n", "Rust", .file), ("Rust.md", "#\n# A\n", "Rust", .file),
    ("Rust.md", "%%\nopen\n# A\n", "Rust", .file), ("Rust.md", "> # A\n\n# B\n", "Rust", .file),
    ("Rust.md", "```\nx\n```\n# A\n", "Rust", .file), ("Rust.md", "[x]: y\n# A\n", "Rust", .file),
    ("Rust.md", "<<<<<<< HEAD\n# A\n=======\n# B\n>>>>>>> x\n", "A", .heading),
    ("Rust.md", "<<<<<<<< HEAD:a.md\n\nA\n=\n", "A", .heading),
    ("Rust.md", "<<<<<<< HEAD\nours\n=======\ntheirs\n>>>>>>> x\n", "Rust", .file),
    ("2026/11/slug-kqzmvtrp.md", "Text first.\n\n# References\n", "Untitled", .none),
    ("2026/11/slug-kqzmvtrp.md", "## A\n\n### B\n", "Untitled", .none),
    ("kqzmvtrp.md", "", "Untitled", .none),
  ])
  func onlyTheHeadingThatOpensTheBodyIsTheTitle(
    path: String, body: String, title: String, source: Note.TitleSource
  ) throws {
    let note = fields("id: kqzmvtrp", body: body, path: path)
    #expect(note.title == title && note.titleSource == source)
    #expect((HeadingAnchors(note.head).titleNumber == 0) == (source == .heading))
    let record = try #require(NoteSummary.bytes(of: note).withUnsafeBytes { NoteSummary($0.bytes) })
    let again = record.note(at: note.path, text: TextSource { note.head.bytes })
    #expect(again.title == title && again.titleSource == source)
    let names = NoteSummary.bytes(of: note).withUnsafeBytes {
      NoteSummary.facts(in: $0.bytes)?.names(at: note.path, id: note.id)
    }
    #expect(names?.title == title)
  }

  @Test(arguments: [
    ("a/My note.md", "My note"), ("My note.markdown", "My note"), ("2024-03-01.md", "2024-03-01"),
    ("kqzmvtrp.md", "Untitled"),
    ("2026/11/slug-kqzmvtrp.md", "Untitled"), (" .md", "Untitled"), ("Ż\n.md", "Ż"),
  ])
  func theFileNameIsLast(path: String, title: String) {
    #expect(fields("id: kqzmvtrp", path: path).title == title)
  }

  @Test func withoutAnIDEveryFileNameIsATitle() {
    #expect(aNote("", path: "slug-kqzmvtrp.md").title == "slug-kqzmvtrp")
  }
}

@Suite struct NoteNameTests {
  @Test(arguments: [
    ("id: kqzmvtrp", "kqzmvtrp", nil), ("id: 'kqzmvtrp'", "kqzmvtrp", nil), ("id: KQZMVTRP", nil, "KQZMVTRP"),
    ("id: 20210319202401", nil, "20210319202401"), ("identifier: 20210319T202401", nil, "20210319T202401"),
    ("id: kqzmvtrp\nidentifier: x", "kqzmvtrp", "x"), ("ID: abc", nil, "abc"), ("id:", nil, nil),
    ("ID: kqzmvtrp", "kqzmvtrp", nil), ("ID: abc\nid: kqzmvtrp", "kqzmvtrp", "abc"),
    ("id: ''", nil, nil), ("id: [a]", nil, nil),
    ("id: no\nidentifier: y", nil, "no"),
  ])
  func idsOfSlipAndOfOthers(lines: String, id: String?, foreignID: String?) {
    let note = fields(lines)
    #expect(note.id?.description == id)
    #expect(note.foreignID == foreignID)
  }

  @Test(arguments: [
    ("kind: book", "book"), ("kind:", "note"), ("kind: ' '", "note"), ("kind: [a]", "note"), ("x: y", "note"),
  ])
  func kind(line: String, kind: String) {
    #expect(fields(line).kind == kind)
  }

  @Test(arguments: [
    ("aliases: [A, 'B, c', \"\"]", ["A", "B, c"]), ("aliases:\n- A\n- b", ["A", "b"]),
    ("alias: A b, c", ["A b, c"]),
    ("aliases: [/old/url/, A]", ["A"]), ("Aliases: A", ["A"]), ("aliases:", []),
    ("alias: A\naliases: B", ["B"]), ("x: y", []),
  ])
  func aliases(lines: String, aliases: [String]) {
    #expect(fields(lines).aliases == aliases)
  }
}

@Suite struct NoteCreatedTests {
  @Test(arguments: [
    ("created: 2020-08-21", "2020-08-21T00:00:00+00:00"),
    ("date: 2011-05-16 09:58:57", "2011-05-16T09:58:57+00:00"),
    ("created_at: 2020-08-21", "2020-08-21T00:00:00+00:00"),
    ("creation date: 2020-08-21", "2020-08-21T00:00:00+00:00"),
    ("createdAt: 1616185441000", "2021-03-19T20:24:01+00:00"),
    ("Date: '2020-08-21'", "2020-08-21T00:00:00+00:00"),
    ("Date Created: 2020-08-21", "2020-08-21T00:00:00+00:00"),
    ("pubdate: May 7, 2021", "2021-05-07T00:00:00+00:00"),
    ("published: 2019-01-01\ndate: 2020-01-01\ncreated: 2021-01-01", "2021-01-01T00:00:00+00:00"),
    ("created: '{{date}}'\ndate: 2020-01-01", "2020-01-01T00:00:00+00:00"),
    ("created: [2020-08-21]", "2020-08-21T00:00:00+00:00"),
    ("created: 2026-02-30", "2024-03-01T00:00:00+00:00"),
    ("modified: 2020-01-01", "2024-03-01T00:00:00+00:00"),
    ("x: y", "2024-03-01T00:00:00+00:00"),
  ])
  func byFieldsThenFileName(lines: String, created: String) {
    #expect(fields(lines, path: "2024-03-01 x.md").created?.rfc3339 == created)
  }

  @Test func everyNamedFieldIsReadInItsPlace() {
    for (index, name) in Note.createdFields.enumerated() {
      let later = Note.createdFields[index...].reversed().map {
        "\($0): 20\(10 + (Note.createdFields.firstIndex(of: $0) ?? 0))-01-01"
      }
      #expect(fields(later.joined(separator: "\n")).created?.civilDate.year == 2010 + index, "\(name)")
    }
  }
}

@Suite struct NoteTagsTests {
  @Test(arguments: [
    ("tags: [a, Tag 1, '#b', a/c]", ["a", "Tag 1", "b", "a/c"], "tags"),
    ("tags:\n- a\n- b", ["a", "b"], "tags"),
    ("tags: a, b c,, d", ["a", "b c", "d"], "tags"), ("tags: a b  c", ["a", "b", "c"], "tags"),
    ("tags: '#a #b'", ["a", "b"], "tags"),
    ("tag: x", ["x"], "tag"), ("keywords: machine learning", ["machine learning"], "keywords"),
    ("keywords: a b, c", ["a b", "c"], "keywords"),
    ("categories: a b", ["a", "b"], "categories"),
    ("tags: ['[[A|B]]', c]", ["A", "c"], "tags"),
    ("Tags: [a]", ["a"], "Tags"),
    ("tags: [a, A, B, b]", ["a", "B"], "tags"),
    ("tags: [a]\ncategories: [b]", ["a"], "tags"), ("tags:\nkeywords: [b]", ["b"], "keywords"),
    ("tags:", [], "tags"), ("tags: []", [], "tags"),
    ("tags: ['', '#']", [], "tags"), ("tags: [no, 012, 12:30]", ["no", "012", "12:30"], "tags"),
  ])
  func ofTheFrontMatter(lines: String, tags: [String], field: String) {
    let note = fields(lines)
    #expect(note.frontMatterTags == tags)
    #expect(note.tags == tags)
    #expect(note.tagsField == field)
  }

  @Test(arguments: ["categories:\n- '[[Movies]]'\n- '[[A|B]]'", "categories: '[[Big Movies]]'"])
  func linksInOtherFieldsAreNone(lines: String) {
    let note = fields(lines)
    #expect(note.tags.isEmpty)
    #expect(note.tagsField == nil)
  }

  @Test func ofBothWithoutCaseDuplicates() {
    let note = fields("tags: [Work, Żółw]", body: "#work #WORK/Clients #work/clients #żółw #zolw #x\n")
    #expect(note.tags == ["Work", "Żółw", "WORK/Clients", "zolw", "x"])
    #expect(note.inlineTags.count == 6)
  }
}
