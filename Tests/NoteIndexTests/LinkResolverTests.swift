import Notes
import Testing

@testable import NoteIndex

/// A box whose notes have names that meet in every way.
private let linked = Catalogue([
  entry("2026/11/hub-kqzmvtrp.md", "---\nid: kqzmvtrp\ntitle: The Hub\naliases: [Nabe, Żółw]\n---\n"),
  entry("2026/11/other-bcdfghjk.md", "---\nid: bcdfghjk\ntitle: Other\n---\n"),
  entry("notes/Foo.md", "# A heading\n"),
  entry("notes/deep/Bar.markdown", "Text\n"),
  entry("a/Same.md", "one\n"), entry("b/Same.md", "two\n"), entry("b/sub/same.md", "three\n"),
  entry("t1.md", "---\ntitle: Twin\n---\n"), entry("t2.md", "---\ntitle: Twin\n---\n"),
  entry("p1.md", "---\ntitle: Pair\n---\n"), entry("x/Pair.md", "---\ntitle: Pair\n---\n"),
  entry("c1.md", "---\ntitle: Case\n---\n"), entry("c2.md", "---\ntitle: case\n---\n"),
  entry("f1.md", "---\ntitle: FOLDED\n---\n"), entry("f2.md", "---\ntitle: Folded\n---\n"),
  entry("denote.md", "---\nidentifier: 20210319T202401\ntitle: Denoted\n---\n"),
  entry("kqzmvtrp.md", "---\ntitle: A file with the name of an id\n---\n"),
  entry("issue.md", "---\ntitle: 'Issue #12'\n---\n"), entry("Issue .md", "x\n"),
  entry("a b.md", "# Blank\n"), entry("what?.md", "# Question\n"),
  entry("tcp.md", "---\ntitle: TCP/IP\n---\n"),
  entry("w.md", "# Both\n"), entry("w.markdown", "# Endings\n"), entry("v.md.md", "# Twice\n"),
])

private func resolver() -> LinkResolver { LinkResolver(linked.entries, among: nil, executor: nil) }

/// What the first link of a text means, in words.
private func meaning(_ text: String, from path: String = "notes/here.md") throws -> String {
  let link = try #require(BodyScan(NoteText(Array(text.utf8))).links.first)
  let name = { (place: Int) in String(decoding: linked.entries.path(at: place), as: UTF8.self) }
  return switch resolver().meaning(of: link, from: Array(path.utf8)) {
  case .note(let place): name(place)
  case .ambiguous(let places): "ambiguous " + places.map(name).sorted().joined(separator: " ")
  case .dangling: "dangling"
  case .itself: "itself"
  case .url: "url"
  }
}

@Suite struct LinkResolverTests {
  static let hub = "2026/11/hub-kqzmvtrp.md"

  @Test(arguments: [
    ("[[kqzmvtrp]]", hub), ("[[The Hub]]", hub), ("[[the hub]]", hub), ("[[NABE]]", hub), ("[[Żółw]]", hub),
    ("[[zolw]]", hub),
    ("[[Z\u{307}o\u{301}ł\u{301}w]]", hub), ("[[The Hub#Part]]", hub), ("[[The Hub#^b|label]]", hub),
    ("![[The Hub]]", hub),
    ("[[hub-kqzmvtrp]]", hub), ("[[11/hub-kqzmvtrp]]", hub), ("[[2026/11/hub-kqzmvtrp.md]]", hub),
    ("[x](/2026/11/hub-kqzmvtrp)", hub),
    ("[x](The%20Hub)", hub), ("[x](<The Hub>)", hub), ("[x]: ../2026/11/hub-kqzmvtrp.md", hub),
    ("![x](../2026/./11/hub-kqzmvtrp.md)", hub),
    ("[[20210319T202401]]", "denote.md"), ("[x](denote:20210319T202401)", "denote.md"),
    ("[[Foo]]", "notes/Foo.md"), ("[[foo]]", "notes/Foo.md"), ("[[notes/foo]]", "notes/Foo.md"),
    ("[[A heading]]", "notes/Foo.md"),
    ("[x](Foo.md)", "notes/Foo.md"), ("[x](./Foo)", "notes/Foo.md"), ("[[./Foo.md]]", "notes/Foo.md"),
    ("[x](foo.md)", "notes/Foo.md"),
    ("[x](deep/Bar.markdown#h)", "notes/deep/Bar.markdown"), ("[[deep/Bar]]", "notes/deep/Bar.markdown"),
    ("[[Bar.md]]", "dangling"),
    ("[[deep/../Foo]]", "notes/Foo.md"), ("[x](deep/../Foo.md)", "notes/Foo.md"),
    ("[x](../notes/Foo.md)", "notes/Foo.md"),
    ("[x](./notes/Foo.md)", "notes/Foo.md"), ("[[./foo]]", "notes/Foo.md"),
    ("[x](../../notes/Foo.md)", "dangling"),
    ("[[otes/Foo]]", "dangling"), ("[[The]]", "dangling"), ("[[hub]]", "dangling"), ("[[kqzm]]", "dangling"),
    ("[[issue #12]]", "issue.md"), ("[[Issue #13]]", "issue.md"), ("[[a b]]", "a b.md"),
    ("[x](../a%20b.md)", "a b.md"), ("[[a  b]]", "dangling"),
    ("[x](../what?.md)", "what?.md"), ("[x](Foo.md?plain=1)", "notes/Foo.md"), ("[[TCP/IP]]", "tcp.md"),
    ("[[IP]]", "dangling"),
    ("[[v.md]]", "v.md.md"), ("[[v]]", "dangling"), ("[[w.markdown]]", "w.markdown"), ("[x](/w.md)", "w.md"),
    ("[[#h]]", "itself"), ("[x](#h)", "itself"), ("[x](https://x.org/Foo.md)", "url"),
    ("[[https://x.org]]", "url"),
  ]) func namesAreFound(text: String, expected: String) throws {
    #expect(try meaning(text) == expected)
  }

  @Test(arguments: [
    ("[[Twin]]", "ambiguous t1.md t2.md"), ("[[twin]]", "ambiguous t1.md t2.md"), ("[[t1]]", "t1.md"),
    // The one whose file has the name too.
    ("[[Pair]]", "x/Pair.md"), ("[[pair]]", "x/Pair.md"),
    // As it stands goes before without case.
    ("[[Case]]", "c1.md"), ("[[case]]", "c2.md"), ("[[CASE]]", "ambiguous c1.md c2.md"),
    ("[[folded]]", "ambiguous f1.md f2.md"),
    // Titles that come from file names.
    ("[[Same]]", "ambiguous a/Same.md b/Same.md"), ("[[a/Same]]", "a/Same.md"), ("[[b/same]]", "b/Same.md"),
    ("[[sub/Same]]", "b/sub/same.md"),
    ("[[same]]", "b/sub/same.md"), ("[[SAME]]", "ambiguous a/Same.md b/Same.md b/sub/same.md"),
    ("[[w]]", "ambiguous w.markdown w.md"),
  ]) func severalThatFitAreAmbiguous(text: String, expected: String) throws {
    #expect(try meaning(text) == expected)
  }

  @Test func pathsBeginAtTheFolderOfTheNote() throws {
    #expect(try meaning("[x](Same.md)", from: "a/x.md") == "a/Same.md")
    #expect(try meaning("[x](Same.md)", from: "b/x.md") == "b/Same.md")
    #expect(try meaning("[x](same.md)", from: "b/sub/x.md") == "b/sub/same.md")
    #expect(try meaning("[x](../Same.md)", from: "b/sub/x.md") == "b/Same.md")
    #expect(try meaning("[x](../../a/Same)", from: "b/sub/x.md") == "a/Same.md")
    #expect(try meaning("[[../Same]]", from: "b/sub/x.md") == "b/Same.md")
    #expect(try meaning("[x](w)", from: "x.md") == "ambiguous w.markdown w.md")
    // An id goes before a file in the folder.
    #expect(try meaning("[x](kqzmvtrp)", from: "x.md") == Self.hub)
    #expect(try meaning("[x](kqzmvtrp.md)", from: "x.md") == "kqzmvtrp.md")
  }

  @Test(arguments: [
    "[[../../etc/passwd]]", "[[/etc/passwd]]", "[x](../../../../../../etc/passwd)", "[[..]]", "[[.]]",
    "[[../]]", "[x](.)", "[x](./)",
    "[[/]]", "[x](/)", "[[//]]x", "[[a\u{0}b]]", "[[\u{1B}x]]", "[[\u{202E}x]]", "[x](%00)",
    "[x](%2F%2F)", "[[ .md]]", "[[.md]]", "[[|]]x[[.]]",
  ]) func hostileTargetsLeadNowhere(text: String) throws {
    #expect(["dangling", "url", "itself"].contains(try meaning(text, from: "a.md")))
  }

  @Test func longTargetsLeadNowhere() throws {
    for part in ["x", "x/", "../", "%41", "&#x41;", "ż", "a/../"] {
      let target = String(repeating: part, count: 10_000 / part.utf8.count)
      #expect(try meaning("[[\(target)]]") == "dangling")
      #expect(try meaning("[x](<\(target)>)") == "dangling")
    }
  }

  @Test func whatAFewNotesAreAskedForIsAsOfAll() throws {
    let all = LinkGraph(linked, executor: nil)
    let text = "[[The Hub]] [[Foo]] [[Twin]] [[SAME]] [x](Foo.md) [[nothing]] [[w]] [[a/Same]] [[Issue #12]]"
    let note = Note(path: Array("notes/here.md".utf8), text: NoteText(Array(text.utf8)))
    let few = all.links(of: [.note(note)])[0]
    let resolver = resolver()
    #expect(few.map(\.meaning) == note.links.map { resolver.meaning(of: $0, from: note.path) })
    #expect(few.count == 9)
  }

  @Test(arguments: [
    ("title: Old\naliases: [Nick]", 0, 0), ("title: Old", 1, 1), ("title: New\naliases: [Nick]", 2, 1),
    ("title: New\naliases: [Old]", 1, 1), ("title: New", 3, 2), ("title: Old\naliases: [Nick, New]", 0, 0),
  ]) func `counts the links by names that a note loses`(fields: String, links: Int, notes: Int) throws {
    let catalogue = Catalogue([
      entry("a.md", "---\ntitle: Old\naliases: [Nick]\n---\n"),
      entry("b.md", "[[Old]] and [[old]], [x](a.md)"), entry("c.md", "[[Nick]] [[Nothing]]"),
    ])
    let old = try #require(catalogue.entry(path: Array("a.md".utf8))).note
    let new = Note(path: old.path, text: NoteText(Array("---\n\(fields)\n---\n".utf8)))
    let lost = LinkGraph(catalogue, executor: nil).linksLost(by: old, as: new)
    #expect(lost.links == links && lost.notes == notes)
  }
}

/// Which file a link of an Obsidian vault means.
@Suite struct ObsidianLinkTests {
  private static let vault = Catalogue(
    [
      entry("a/b/Note.md", ""), entry("b/Note.md", ""), entry("zzzz/deep/Note.md", ""),
      entry("cc/note.md", ""),
      entry("Root.md", ""), entry("sub/Root.md", ""), entry("x/Twin.md", ""), entry("y/Twin.md", ""),
      entry("r/Résumé.md", ""), entry("q/resume.md", ""),
      entry("d/Some.md", "---\nid: Note\ntitle: Root\n---\n"),
      entry("d/Plain.md", "---\naliases: [Nick]\n---\n# A heading\n"), entry("a/Two.markdown", ""),
      entry("e/Two.md", ""),
    ], linkedBy: .obsidian)

  private func target(of text: String, from path: String) throws -> String? {
    let link = try #require(BodyScan(NoteText(Array(text.utf8))).links.first)
    let resolver = LinkResolver(Self.vault.entries, executor: nil)
    guard case .note(let place) = resolver.meaning(of: link, from: Array(path.utf8)) else { return nil }
    return String(decoding: Self.vault.entries.path(at: place), as: UTF8.self)
  }

  @Test(arguments: [
    // The shortest path, not the one with the fewest folders.
    ("[[Note]]", "here.md", "b/Note.md"), ("[[NOTE]]", "here.md", "b/Note.md"),
    ("[[note.md]]", "here.md", "b/Note.md"), ("![[Note#h]]", "here.md", "b/Note.md"),
    // The folder of the note, but none above it.
    ("[[Note]]", "cc/here.md", "cc/note.md"), ("[[Note]]", "zzzz/deep/x.md", "zzzz/deep/Note.md"),
    ("[[Note]]", "zzzz/x.md", "b/Note.md"), ("[[b/Note]]", "a/b/x.md", "b/Note.md"),
    ("[[deep/note]]", "x.md", "zzzz/deep/Note.md"),
    // The whole path precedes the folder of the note.
    ("[[Root]]", "sub/x.md", "Root.md"), ("[[/Root]]", "sub/x.md", "Root.md"),
    ("[[./Root]]", "sub/x.md", "sub/Root.md"), ("[x](Root.md)", "sub/x.md", "sub/Root.md"),
    ("[x](Note.md)", "x.md", "b/Note.md"), ("[x](cc/Note.md)", "x.md", "cc/note.md"),
    // Of equally long paths the first.
    ("[[Twin]]", "here.md", "x/Twin.md"), ("[[Twin]]", "y/here.md", "y/Twin.md"),
    // Case does not count, accents do.
    ("[[RESUME]]", "r/x.md", "q/resume.md"), ("[[résumé]]", "q/x.md", "r/Résumé.md"),
    // Names of files precede ids, titles and aliases.
    ("[[Some]]", "x.md", "d/Some.md"), ("[[A heading]]", "x.md", "d/Plain.md"),
    ("[[nick]]", "x.md", "d/Plain.md"), ("[[Two]]", "x.md", "e/Two.md"),
  ]) func oneOfSeveralFilesIsMeant(text: String, from path: String, expected: String) throws {
    #expect(try target(of: text, from: path) == expected)
  }

  @Test(arguments: [
    ("[[A heading]]", "Plain"), ("[[Nick#A heading|so]]", "Plain"), ("![[nick]]", "Plain"),
    ("[x](A%20heading)", "d/Plain.md"), ("[[Plain]]", nil), ("[[Note]]", nil), ("[x](../Root.md)", nil),
    ("[[Nothing]]", nil),
  ]) func linksByTitleGetTheNameOfTheFile(text: String, expected: String?) throws {
    let entries = Catalogue(
      Self.vault.entries + [entry("here.md", text)], linkedBy: .obsidian)
    let found = LinkGraph(entries, executor: nil).linksByTitle()
    #expect(found.first.map { String(decoding: $0.links[0].name, as: UTF8.self) } == expected)
    #expect(found.count == (expected == nil ? 0 : 1))
  }

  @Test(arguments: [
    ("cc/note.md", "cc/here.md", "[[cc/note|note]]"), ("b/Note.md", "x.md", "[[b/Note|Note]]"),
    ("Root.md", "sub/x.md", "[[Root]]"), ("sub/Root.md", "x.md", "[[sub/Root|Root]]"),
    ("e/Two.md", "x.md", "[[e/Two|Two]]"),
  ]) func newLinksLeadToTheirNoteFromEveryFolder(path: String, source: String, expected: String) throws {
    let bytes = Array(path.utf8)
    let made = try #require(Self.vault.entry(path: bytes))
    let others = Catalogue(Self.vault.entries.filter { $0.note.path != bytes }, linkedBy: .obsidian)
    let rewriting = LinkRewriting(
      others.entries, [], made: [made], style: .name, executor: nil, files: LinkedFileFinder { _, _ in nil })
    #expect(rewriting.link(to: made.note, from: Array(source.utf8)) == expected)
  }
}
