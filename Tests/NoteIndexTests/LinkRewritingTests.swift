import Notes
import Testing

@testable import NoteIndex

/// A small box, and what becomes of its texts when notes get other names.
private struct Rewritten {
  var texts: [String: String] = [:]
  var refusals: [String] = []
  var gained = 0

  /// - Parameter changes: the new path and the new text of notes, by their paths.
  init(_ box: [String: String], _ changes: [String: (path: String, text: String)]) {
    let entries = box.sorted { $0.key < $1.key }.map { entry($0.key, $0.value) }
    let successors = changes.map { path, new in
      NoteSuccessor(entry(path, box[path] ?? ""), becomes: entry(new.path, new.text), rewritesTitle: true)
    }
    let rewriting = LinkRewriting(
      Catalogue(entries).entries, successors, executor: nil, files: LinkedFileFinder { _, _ in nil })
    for source in rewriting.all() {
      let path = String(decoding: source.path, as: UTF8.self)
      refusals += source.refusals.map { "\(path):\($0.link.line): \($0.link.target)" }
      gained += source.gained
      let note = NoteText(Array((changes[path]?.text ?? box[path] ?? "").utf8))
      let links = LinkEditor.links(of: note)
      guard let text = try? LinkEditor.text(of: note, links: links, source.edits) else { continue }
      texts[path] = String(decoding: text.bytes, as: UTF8.self)
    }
  }
}

@Suite struct LinkRewritingTests {
  /// What a link in `notes/here.md` becomes when `notes/Old.md`, titled "Old Title", gets another title or path.
  private func link(
    _ link: String, title: String? = nil, path: String = "notes/Old.md",
    from source: String = "notes/here.md",
    beside others: [String: String] = [:]
  ) -> String {
    let old = "---\nid: kqzmvtrp\ntitle: Old Title\naliases: [Nick]\n---\n"
    let new = title.map {
      old.replacing("title: Old Title\naliases: [Nick]", with: "title: '\($0)'\naliases: [Nick, Old Title]")
    }
    var box = others
    box["notes/Old.md"] = old
    box[source] = link
    let rewritten = Rewritten(box, ["notes/Old.md": (path, new ?? old)])
    return rewritten.refusals.isEmpty ? rewritten.texts[source] ?? link : "refused"
  }

  @Test(arguments: [
    ("[[Old Title]]", "[[New]]"), ("[[old title]]", "[[new]]"), ("[[OLD TITLE|x]]", "[[NEW|x]]"),
    ("[[old Title]]", "[[new]]"), ("[[Old Títle]]", "[[New]]"), ("![[Old Title#H]]", "![[New#H]]"),
    ("[[Nick]]", "[[Nick]]"), ("[[kqzmvtrp]]", "[[kqzmvtrp]]"), ("[[Old]]", "[[Old]]"),
    ("[[notes/Old.md]]", "[[notes/Old.md]]"), ("[x](Old.md)", "[x](Old.md)"),
    ("[x](Old%20Title)", "[x](New)"), ("[x](<Old Title>)", "[x](<New>)"), ("[[Other]]", "[[Other]]"),
    ("[r]: <Old Title> \"t\"", "[r]: <New> \"t\""),
  ]) func linksByTheTitleSayTheNewOne(old: String, new: String) {
    #expect(link(old, title: "New") == new)
  }

  @Test(arguments: ["New!", "!New", "#New", "N|w", "New ]"])
  func `a title that brackets can hold is written in them`(
    title: String
  ) {
    let isWritable = !title.contains { "#|]".contains($0) }
    #expect(link("[[Old Title]]", title: title).hasPrefix("[[\(title)]]") == isWritable)
  }

  @Test func `identifiers of Denote follow their note, and leave its title alone`() {
    let box = [
      "Old.md": "---\nidentifier: 20210319T202401\ntitle: Old Title\n---\n",
      "here.md": "[x](denote:20210319T202401) [[Old Title]]",
    ]
    let titled = "---\nidentifier: 20210319T202401\ntitle: New\naliases: [Old Title]\n---\n"
    let rewritten = Rewritten(box, ["Old.md": (path: "Old.md", text: titled)])
    #expect(rewritten.texts["here.md"] == "[x](denote:20210319T202401) [[New]]")
    let renumbered = "---\nidentifier: 20260101T101010\ntitle: Old Title\n---\n"
    let moved = Rewritten(box, ["Old.md": (path: "Old.md", text: renumbered)])
    #expect(moved.texts["here.md"] == "[x](denote:20260101T101010) [[Old Title]]")
  }

  @Test(arguments: [
    ("[[Old Title]]", "[[Old Title]]"), ("[[Old]]", "[[New]]"), ("[[notes/Old]]", "[[a/New]]"),
    ("[[notes/Old.md#h|x]]", "[[a/New.md#h|x]]"), ("[[/notes/Old]]", "[[/a/New]]"),
    ("[[./Old]]", "[[../a/New]]"),
    ("[x](Old.md)", "[x](../a/New.md)"), ("[x](./Old.md)", "[x](../a/New.md)"), ("[x](Old)", "[x](../a/New)"),
    ("[x](/notes/Old.md)", "[x](/a/New.md)"), ("[x](notes/Old.md)", "[x](a/New.md)"),
    ("[x](../notes/Old.md#h \"t\")", "[x](../a/New.md#h \"t\")"), ("[[kqzmvtrp]]", "[[kqzmvtrp]]"),
    ("![x](<Old.md>)", "![x](<../a/New.md>)"), ("[r]: Old.md", "[r]: ../a/New.md"),
  ]) func linksByThePathFollowTheFile(old: String, new: String) {
    #expect(link(old, path: "a/New.md") == new)
  }

  @Test func `a path from the root stays one if it would also lead there from the folder`() {
    #expect(link("[x](notes/Old.md)", path: "notes/notes/Old.md") == "[x](notes/notes/Old.md)")
  }

  @Test(arguments: [
    ("![[img/a.png]]", "img/a.png", "img/b.png", "![[img/b.png]]"),
    ("[[a.png]]", "a.png", "b.png", "[[b.png]]"),
    ("[[img/a.png]]", "img/a.png", "img/b#1.png", "refused"),
    ("[[img/a.png]]", "img/a.png", "img/[b].png", "refused"),
    ("[x](img/a.png)", "img/a.png", "img/b.png", "[x](img/b.png)"),
  ]) func `links follow a file that moves unless a wiki link can't have its name`(
    link: String, old: String, path: String, expected: String
  ) throws {
    let (before, after) = (Array(old.utf8), Array(path.utf8))
    let found = { (path: [UInt8]) -> LinkedFileFinder.Finder in
      { link, _ in link.target.utf8.elementsEqual(path) ? path : nil }
    }
    let rewriting = LinkRewriting(
      Catalogue([entry("here.md", link)]).entries, [], executor: nil,
      files: LinkedFileFinder(moves: [before: after], before: found(before), after: found(after)))
    let source = try #require(rewriting.all().first)
    let note = NoteText(Array(link.utf8))
    let text = try LinkEditor.text(of: note, links: LinkEditor.links(of: note), source.edits)
    let written = source.refusals.isEmpty ? String(decoding: text.bytes, as: UTF8.self) : "refused"
    #expect(written == expected)
  }

  @Test func linksOfANoteThatMovesBeginAtItsNewFolder() {
    let box = [
      "a/one.md": "[x](two.md) [[two]] [y](../b/three.md) [[./two]] [z](/a/two.md)", "a/two.md": "",
      "b/three.md": "",
    ]
    let rewritten = Rewritten(box, ["a/one.md": ("c/d/one.md", box["a/one.md"] ?? "")])
    #expect(
      rewritten.texts["a/one.md"]
        == "[x](../../a/two.md) [[two]] [y](../../b/three.md) [[../../a/two]] [z](/a/two.md)")
  }

  @Test func aRewriteIsNotCapturedByAnotherNote() {
    // By its title the link would lead to both.
    let twin = ["twin.md": "---\ntitle: New\n---\n"]
    #expect(link("[[Old Title]]", title: "New", beside: twin) == "[[Old|New]]")
    let twins = ["twin.md": "---\ntitle: New\n---\n", "x/Old.md": ""]
    #expect(link("[[Old Title]]", title: "New", beside: twins) == "[[notes/Old|New]]")
    // Of two files of one name the path tells them apart.
    let foo = ["Foo.md": "root\n", "x.md": "[[Foo]]"]
    #expect(link("[[Old]]", path: "foo/Foo.md", beside: foo) == "[[foo/Foo]]")
  }

  @Test func whatIsNotCertainIsRefusedWithItsPlace() {
    let old = "---\ntitle: Old\n---\n"
    let box = ["a.md": old, "b.md": "---\ntitle: New\n---\n", "c.md": "one\n[[New]]\n"]
    #expect(Rewritten(box, ["a.md": ("a.md", "---\ntitle: New\n---\n")]).refusals == [])
    #expect(Rewritten(box, ["a.md": ("a.md", "---\ntitle: New\n---\n")]).texts["c.md"] == "one\n[[b|New]]\n")
    let unsure = ["a.md": old, "b.md": old, "c.md": "one\n[[Old]]\n"]
    #expect(Rewritten(unsure, ["a.md": ("a.md", "---\ntitle: New\n---\n")]).refusals == ["c.md:2: Old"])
  }

  @Test func aLinkThatLedNowhereMayLeadToTheNoteNow() {
    let rewritten = Rewritten(
      ["a.md": "---\ntitle: Old\n---\n", "c.md": "[[New]]"], ["a.md": ("a.md", "---\ntitle: New\n---\n")])
    #expect(rewritten.gained == 1 && rewritten.texts["c.md"] == "[[New]]")
  }
}

/// Whatever the names in a box are, a link means afterwards the note that it meant before.
@Suite struct LinkRewritingPropertyTests {
  @Test(arguments: 0..<8) func everyLinkMeansWhatItMeant(part: Int) throws {
    var (rewritten, refused) = (0, 0)
    for seed in 0..<120 {
      var random = RandomBox(random: SplitMix64(seed: UInt64(part * 10_000 + seed)))
      let notes = random.notes()
      let number = Int.random(in: notes.indices, using: &random.random)
      guard let changed = change(notes[number], &random, taken: Set(notes.map(\.path))) else { continue }
      let entries = notes.map { Entry(note: $0, created: stamp("2020-01-01T00:00:00Z")) }
      let successor = NoteSuccessor(
        entries[number], becomes: Entry(note: changed, created: stamp("2020-01-01T00:00:00Z")),
        rewritesTitle: true)
      let rewriting = LinkRewriting(
        Catalogue(entries).entries, [successor], executor: nil, files: LinkedFileFinder { _, _ in nil })
      let found = rewriting.all()
      guard found.allSatisfy({ $0.refusals.isEmpty }) else {
        refused += 1
        continue
      }
      var after = notes
      after[number] = changed
      for source in found {
        guard let place = notes.firstIndex(where: { $0.path == source.path }) else { continue }
        let text = after[place].head
        let result = try LinkEditor.text(of: text, links: LinkEditor.links(of: text), source.edits)
        rewritten += source.edits.count
        after[place] = Note(path: after[place].path, text: result)
      }
      expectSameMeanings(notes, after, moved: number, "part \(part) seed \(seed)")
    }
    #expect(rewritten > 10 && refused < 60)
  }

  /// The note with another title, or in another place; nil where that can't be.
  private func change(_ note: Note, _ random: inout RandomBox, taken: Set<[UInt8]>) -> Note? {
    if random.chance(2) {
      let path = Array(random.pick(["n.md", "a/n.md", "b/c/z.md", "A/b.md", "a/b/zo.md"]).utf8)
      return taken.contains(path) ? nil : Note(path: path, text: note.head)
    }
    let title = random.name()
    guard let text = try? note.head.setting("title", to: .text(title)),
      let kept = try? text.adding(aliases: [note.title], at: note.path, order: [])
    else { return nil }
    return Note(path: note.path, text: kept)
  }

  private func expectSameMeanings(_ before: [Note], _ after: [Note], moved number: Int, _ place: String) {
    let resolvers = [before, after].map { notes in
      let catalogue = Catalogue(notes.map { Entry(note: $0, created: stamp("2020-01-01T00:00:00Z")) })
      return (catalogue.entries, LinkResolver(catalogue.entries, among: nil, executor: nil))
    }
    let target = { (link: BodyScan.Link, note: Note, side: Int, notes: [Note]) -> Set<Int>? in
      let (entries, resolver) = resolvers[side]
      let places: [Int]
      switch resolver.meaning(of: link, from: note.path) {
      case .note(let place): places = [place]
      case .ambiguous(let all): places = all
      case .dangling, .itself, .url: return nil
      }
      return Set(places.compactMap { place in notes.firstIndex { $0.path == entries.path(at: place) } })
    }
    for (old, new) in zip(before, after) {
      let links = Array(zip(old.links, new.links))
      #expect(old.links.count == new.links.count, "\(place)")
      for (link, now) in links {
        let wanted = target(link, old, 0, before)
        guard let wanted else { continue }
        #expect(
          target(now, new, 1, after) == wanted,
          "\(place): \(link.target) of \(String(decoding: old.path, as: UTF8.self)) became \(now.target)")
      }
    }
  }
}
