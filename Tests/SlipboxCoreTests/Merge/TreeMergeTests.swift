import Git
import Notes
import Testing

@testable import SlipboxCore

/// Merges of two commits in memory, from both sides.
@Suite struct TreeMergeTests {
  private let store = ModelStore()

  private func commit(
    _ parents: [ObjectID], _ seconds: Int64, put: [String: String] = [:], remove: [String] = []
  ) throws -> ObjectID {
    try store.commit(parents, seconds, put: put, remove: remove)
  }

  private func merged(_ one: ObjectID, _ other: ObjectID) throws -> [String: String] {
    try store.merged(one, other)
  }

  private let note = "---\nid: kqzmvtrp\n---\none\ntwo\n"
  private let plain = "one\ntwo\nthree\nfour\n"

  @Test(arguments: [true, false]) func `keeps one file of a note that both sides moved`(hasID: Bool) throws {
    let text = hasID ? note : plain
    let base = try commit([], 1, put: ["a.md": text])
    let one = try commit([base], 2, put: ["x/a.md": text + "more\n"], remove: ["a.md"])
    let other = try commit([base], 3, put: ["y/a.md": text], remove: ["a.md"])
    let files = try merged(one, other)
    #expect(Array(files.keys) == ["y/a.md"])
    #expect(files["y/a.md"]?.contains("more\n") == true)
    let entries = NoteText(Array((files["y/a.md"] ?? "").utf8)).conflictEntries
    #expect(entries.map(\.field) == ["path"])
    #expect(entries.map { $0.value?.text } == ["x/a.md"])
  }

  @Test func `knows a short note by its file name where its folder and most of its text changed`() throws {
    let text = "---\ntags: [home]\n---\nowner\nplan ![so](../../Media/plan.png) of the whole garden\n"
    let base = try commit([], 1, put: ["a/b/twine.md": text, "c/other.md": "x\n"])
    let edited = text.replacing("plan ![so](../../Media/plan.png) of", with: "[[other]] and")
    let one = try commit([base], 2, put: ["a/b/twine.md": edited])
    let moved = text.replacing("../../", with: "../").replacing("whole", with: "old")
    let other = try commit([base], 3, put: ["p/twine.md": moved], remove: ["a/b/twine.md"])
    #expect(try Set(merged(one, other).keys) == ["p/twine.md", "c/other.md"])
  }

  @Test func `links that one side adds follow a note that the other side joined to another`() throws {
    let base = try commit([], 1, put: ["Ladder.md": "rungs\n", "d/Day.md": "s\n", "x.md": "x\n"])
    let joined = "---\naliases: [Ladder]\n---\ns\n\n## Ladder\n\nrungs\n"
    let one = try commit([base], 2, put: ["d/Day.md": joined], remove: ["Ladder.md"])
    let other = try commit(
      [base], 3, put: ["x.md": "x [[Ladder]]\n", "e/Day.md": "s\n"], remove: ["d/Day.md"])
    let files = try merged(one, other)
    #expect(files["x.md"] == "x [[Day]]\n")
    #expect(files.keys.sorted() == ["e/Day.md", "x.md"])
  }

  @Test func `keeps two notes without ids that were made at one path apart`() throws {
    let base = try commit([], 1, put: ["list.md": "[[Shop]] and [s](shop.md)\n"])
    let (shop, trip) = ("# Shop\n\nmilk\n", "# Shopping trip\n\nParis\n")
    let one = try commit([base], 2, put: ["shop.md": shop])
    let other = try commit([base], 3, put: ["shop.md": trip])
    let files = try merged(one, other)
    #expect(files.count == 3)
    #expect(Set(files.values).isSuperset(of: [shop, trip]))
  }

  @Test func `leads the self-links of two notes of one path to the note that they are in`() throws {
    let base = try commit([], 1, put: ["other.md": plain])
    let one = try commit([base], 2, put: ["Note.md": "# One\n[[Note]]\n", "pl.md": "[[Note]]\n"])
    let other = try commit([base], 3, put: ["Note.md": "# Two\n[[Note]]\n", "ql.md": "[[Note]]\n"])
    let files = try merged(one, other)
    let second = try #require(files.keys.first { $0.hasPrefix("Note-") })
    let name = second.dropLast(3)
    let (first, isFirstOne) = ("Note", files["Note.md"]?.hasPrefix("# One") == true)
    #expect(files[second] == "# \(isFirstOne ? "Two" : "One")\n[[\(name)]]\n")
    #expect(files["pl.md"] == "[[\(isFirstOne ? first : String(name))]]\n")
    #expect(files["ql.md"] == "[[\(isFirstOne ? String(name) : first)]]\n")
  }

  @Test func `leads embeds and canvases to the attachment of their side`() throws {
    let base = try commit([], 1, put: ["other.md": plain])
    let card = { (path: String) in "{\"nodes\":[{\"type\":\"file\",\"file\":\"\(path)\"}]}\n" }
    let one = try commit(
      [base], 2,
      put: ["Pasted.png": "1", "p.md": "![[Pasted.png]]\n![](Pasted.png)\n", "p.canvas": card("Pasted.png")])
    let other = try commit(
      [base], 3,
      put: ["Pasted.png": "2", "q.md": "![[Pasted.png]]\n![](Pasted.png)\n", "q.canvas": card("Pasted.png")])
    let files = try merged(one, other)
    for (side, content) in [("p", "1"), ("q", "2")] {
      let path = try #require(files.first { $0.key.hasPrefix("Pasted") && $0.value == content }?.key)
      #expect(files["\(side).md"] == "![[\(path)]]\n![](\(path))\n")
      #expect(files["\(side).canvas"] == card(path))
    }
  }

  @Test func `leads new links of a note that both sides changed to a file that one moved`() throws {
    let base = try commit([], 1, put: ["log/t.md": plain, "k.md": "[[t]]\na\nb\nc\n", "files/b.png": "png"])
    let one = try commit(
      [base], 2, put: ["log/bean.md": plain, "k.md": "[[bean]]\na\nb\nc\n", "media/r.png": "png"],
      remove: ["log/t.md", "files/b.png"])
    let other = try commit(
      [base], 3, put: ["log/t.md": plain + "![x](../files/b.png)\n", "k.md": "[[t]]\na\nb\nc\nd\n"])
    let files = try merged(one, other)
    #expect(files["log/bean.md"] == plain + "![x](../media/r.png)\n")
    #expect(files["k.md"] == "[[bean]]\na\nb\nc\nd\n")
  }

  @Test func `leads a link to the file of its name although another note has that alias`() throws {
    let kettle = "---\naliases: [seeds]\n---\nkettle\n"
    let base = try commit(
      [], 1,
      put: [
        "sub/star.md": plain, "kettle.md": kettle, "t.md": "tee\n", "both.md": "[[t]]\n[[kettle]]\nx\ny\n",
        "log.md": "start\nmiddle\n[[star]]\n",
      ])
    let one = try commit(
      [base], 2,
      put: [
        "sub/seeds.md": plain, "log.md": "start\nmiddle\n[[seeds]]\n", "river.md": kettle,
        "both.md": "[[t]]\n[[river]]\nx\ny\nadded\n",
      ], remove: ["sub/star.md", "kettle.md"])
    let other = try commit(
      [base], 3,
      put: [
        "f.md": "tee\n", "both.md": "[[f]]\n[[kettle]]\nx\ny\n", "log.md": "new\nstart\nmiddle\n[[star]]\n",
      ], remove: ["t.md"])
    let files = try merged(one, other)
    #expect(files["log.md"] == "new\nstart\nmiddle\n[[seeds]]\n")
    #expect(files["both.md"] == "[[f]]\n[[river]]\nx\ny\nadded\n")
  }

  @Test func `keeps an embed by name if the other side adds a file of that name in another folder`() throws {
    let base = try commit([], 1, put: ["other.md": plain])
    let one = try commit([base], 2, put: ["a/Pasted.png": "1", "p.md": "![[Pasted.png]]\n"])
    let other = try commit([base], 3, put: ["b/Pasted.png": "2", "q.md": "![[Pasted.png]]\n"])
    let files = try merged(one, other)
    #expect(files["p.md"] == "![[a/Pasted.png]]\n")
    #expect(files["q.md"] == "![[Pasted.png]]\n" || files["q.md"] == "![[b/Pasted.png]]\n")
  }

  @Test(arguments: [
    ("# 2026-11-26\n\n- milk\n", "# 2026-11-26\n\n- bread\n"), ("milk\n", "bread\n"),
    ("milk\n", "# Shop\n\nbread\n"),
  ]) func `joins a note without id that both sides made`(one: String, other: String) throws {
    let base = try commit([], 1, put: ["a.md": plain])
    let files = try merged(
      try commit([base], 2, put: ["day.md": one]), try commit([base], 3, put: ["day.md": other]))
    #expect(Set(files.keys) == ["a.md", "day.md"])
    #expect(files["day.md"]?.contains("milk") == true && files["day.md"]?.contains("bread") == true)
  }

  @Test(arguments: [("bread\n", true), ("milk\n", false)])
  func `reports a note without id that both sides made unless its texts are equal`(
    text: String, isReported: Bool
  ) throws {
    let base = try commit([], 1, put: ["a.md": plain])
    let one = try commit([base], 2, put: ["day.md": "milk\n"])
    let other = try commit([base], 3, put: ["day.md": text])
    let merge = try CommitMerge(store, rules: MergeRules()).merge(one, other)
    let joined = MergeConflict(path: Array("day.md".utf8), kind: .joined)
    #expect(merge.conflicts == (isReported ? [joined] : []))
  }

  @Test func `merges a note that both sides brought back with the text before its deletion`() throws {
    let first = try commit([], 1, put: ["a.md": note])
    let base = try commit([first], 2, remove: ["a.md"])
    let one = try commit([base], 3, put: ["a.md": note.replacing("two", with: "2")])
    let other = try commit([base], 4, put: ["a.md": note.replacing("---\none", with: "rating: 4\n---\none")])
    #expect(try merged(one, other) == ["a.md": "---\nid: kqzmvtrp\nrating: 4\n---\none\n2\n"])
  }

  @Test func `rewrites the links of the side whose note gets another path`() throws {
    let base = try commit([], 1, put: ["c.md": "---\nid: kqzmvtrc\n---\nc\n", "sub/d.md": "d\n"])
    let link = { (text: String) in "\(text) [p](p.md) [[p]]\n" }
    let one = try commit(
      [base], 2,
      put: ["p.md": "---\nid: kqzmvtrp\n---\none\n", "c.md": "---\nid: kqzmvtrc\n---\n\(link("c"))"])
    let other = try commit(
      [base], 3, put: ["p.md": "---\nid: kqzmvtrx\n---\nother\n", "sub/d.md": "d\nsee [p](../p.md)\n"])
    let files = try merged(one, other)
    #expect(files["p.md"]?.hasSuffix("one\n") == true)
    #expect(files["p-kqzmvtrx.md"]?.hasSuffix("other\n") == true)
    #expect(files["c.md"]?.hasSuffix(link("c")) == true)
    #expect(files["sub/d.md"] == "d\nsee [p](../p-kqzmvtrx.md)\n")
    let merge = try CommitMerge(store, rules: MergeRules()).merge(one, other)
    let path = Array("p-kqzmvtrx.md".utf8)
    #expect(merge.conflicts == [MergeConflict(path: path, kind: .renamed(from: Array("p.md".utf8)))])
  }

  @Test func `keeps a deleted note apart from another that was added at its path`() throws {
    let base = try commit([], 1, put: ["a.md": note + "three\nfour\n"])
    let one = try commit([base], 2, put: ["a.md": "---\nid: kqzmvtrx\n---\nquite another text\n"])
    let other = try commit([base], 3, put: ["a.md": note + "three\nfour\nfive\n"])
    let files = try merged(one, other)
    #expect(files.keys.sorted() == ["a-kqzmvtrx.md", "a.md"])
    #expect(files["a.md"]?.contains("five") == true)
  }

  @Test func `takes the side that has seen all changes where histories cross`() throws {
    let base = try commit([], 1, put: ["a.md": note])
    let one = try commit([base], 2, put: ["a.md": note + "x\n"])
    let other = try commit([base], 3, put: ["a.md": note + "y\n"])
    // Two devices merged the same changes to different texts.
    let here = try commit([one, other], 4, put: ["a.md": note + "x\ny\n"])
    let there = try commit([other, one], 5, put: ["a.md": note + "y\nx\nx\n"])
    #expect(try merged(here, there) == ["a.md": note + "x\ny\n"])
    let later = try commit([there], 6, put: ["a.md": note + "y\nx\nz\n"])
    #expect(try merged(here, later) == ["a.md": note + "y\nx\nz\n"])
    let gone = try commit([there], 7, remove: ["a.md"])
    #expect(try merged(here, gone).isEmpty)
  }

  @Test func `finds no news between merges of the same commits`() throws {
    let base = try commit([], 1, put: ["a.md": note])
    let one = try commit([base], 2, put: ["a.md": note + "x\n"])
    let other = try commit([base], 3, put: ["b.md": "b\n"])
    let here = try commit([one, other], 4, put: ["b.md": "b\n"])
    let there = try commit([one, other], 5, put: ["b.md": "b\n"])
    #expect(try !MergeNews(store).isAny(between: here, there))
    let undone = try commit([try commit([here], 6, put: ["c.md": "c\n"])], 7, remove: ["c.md"])
    #expect(try MergeNews(store).isAny(between: undone, there))
    #expect(try MergeNews(store).isAny(between: there, undone))
  }
}
