import Git
import Notes
import Testing

@testable import SlipboxCore

/// Merges whose result depends on the history of the files, or on the paths of several.
@Suite struct TreeMergeHistoryTests {
  private let store = ModelStore()

  private func note(_ id: String, _ body: String) -> String { "---\nid: kqzmvtr\(id)\n---\n\(body)" }

  @Test func `takes the later change of a field, not that of the later commit`() throws {
    let note = { (status: String) in "---\nstatus: \(status)\n---\none\n" }
    let base = try store.commit([], 1, put: ["a.md": note("m")])
    let early = try store.commit([base], 2, put: ["a.md": note("z")])
    let one = try store.commit([early], 5, put: ["a.md": note("z") + "two\n"])
    let other = try store.commit([base], 3, put: ["a.md": note("c")])
    let text = NoteText(Array((try store.merged(one, other)["a.md"] ?? "").utf8))
    #expect(FrontMatter(text)["status"] == .text("c"))
    #expect(text.conflictEntries.map(\.text) == ["status: z w2 w2 w2"])
  }

  /// What git merge-file --diff3 writes of a line that both sides replaced.
  private let marked = "start\n<<<<<<< x\nours\n||||||| o\ngone\n=======\ntheirs\n>>>>>>> y\nend\n"

  @Test func `a line between committed markers does not come back if the side's history has it`() throws {
    let base = try store.commit([], 1, put: ["a.md": "start\nend\n"])
    let early = try store.commit([base], 2, put: ["a.md": "start\ngone\nend\n"])
    let one = try store.commit([early], 3, put: ["a.md": marked])
    let other = try store.commit([base], 4, put: ["a.md": "start\nend\nmore\n"])
    let text = try store.merged(one, other)["a.md"] ?? ""
    for line in ["start", "ours", "theirs", "end", "more"] { #expect(text.contains("\(line)\n"), "\(text)") }
    #expect(!text.contains("gone") && !text.contains("<<<<<<<"), "\(text)")
  }

  /// The base of a picked commit need not be in the history of the side.
  @Test(arguments: ["\n", "\r\n"])
  func `a line between committed markers does not come back if the base has it`(end: String) throws {
    let bytes = { (text: String) in Array(text.replacing("\n", with: end).utf8) }
    let tip = try store.commit([], 1, put: ["a.md": marked])
    let settled = try ChangeOrigins(store).settled(
      bytes(marked), at: [Array("a.md".utf8)], in: tip, base: bytes("start\ngone\nend\n"), rules: MergeRules()
    )
    let text = String(decoding: settled.bytes, as: UTF8.self)
    #expect(text.contains("ours") && text.contains("theirs") && !text.contains("gone"), "\(text)")
  }

  @Test func `gives a file another path if the other side made a folder of its name`() throws {
    let base = try store.commit([], 1, put: ["other.md": "x\n"])
    let one = try store.commit([base], 2, put: ["list": "file\n", "lists.md": "y\n"])
    let other = try store.commit([base], 3, put: ["list/a.md": "note\n"])
    let mark = ObjectID(ofBlob: Array("file\n".utf8)).hex.prefix(8)
    let files = ["other.md": "x\n", "list-\(mark)": "file\n", "lists.md": "y\n", "list/a.md": "note\n"]
    #expect(try store.merged(one, other) == files)
  }

  @Test func `follows a move that a commit's message lists although the whole text changed`() throws {
    store.moved = ["a.md": "b.md"]
    let base = try store.commit([], 1, put: ["a.md": "one\ntwo\n"])
    let one = try store.commit([base], 2, put: ["b.md": "quite\nanother\n"], remove: ["a.md"])
    let other = try store.commit([base], 3, put: ["a.md": "---\nrating: 4\n---\none\ntwo\n"])
    #expect(try store.merged(one, other) == ["b.md": "---\nrating: 4\n---\nquite\nanother\n"])
  }

  @Test func `stores a text through the filter of the folder to which the other side moved it`() throws {
    store.filteredFolder = "secret/"
    let base = try store.commit([], 1, put: ["a.md": note("p", "one\ntwo\n")])
    let one = try store.commit([base], 2, put: ["a.md": note("p", "one\n2\n")])
    // The move keeps the blob as it is.
    let moved = try #require(store.tree(base)[Array("a.md".utf8)])
    let edits: [TreeEdit] = [
      .remove(path: Array("a.md".utf8)),
      .put(path: Array("secret/a.md".utf8), blob: moved.id, mode: moved.mode),
    ]
    let other = store.add(base, edits, parents: [base], seconds: 3, who: "w3")
    let merge = try CommitMerge(store, rules: MergeRules()).merge(one, other)
    let blob = ObjectID(ofBlob: Array("stored: \(note("p", "one\n2\n"))".utf8))
    let expected: [TreeEdit] = [
      .remove(path: Array("a.md".utf8)), .put(path: Array("secret/a.md".utf8), blob: blob, mode: 0o100644),
    ]
    #expect(try merge.edits(of: one) == expected)
  }

  @Test(arguments: [
    ("see [[t]] [[kettle]]", "see [[t]] [[river]]", "see [[f]] [[kettle]]", "see [[f]] [[river]]"),
    ("[[t]][[kettle]]", "[[t]][[river]]", "[[f]][[kettle]]", "[[f]][[river]]"),
    ("[[t]]", "[[t]]: drink", "[[f]]", "[[f]]: drink"),
  ]) func `merges a line that one side changed for a moved note and the other side too`(
    old: String, first: String, second: String, line: String
  ) throws {
    let (tea, kettle) = (note("b", "tea\n"), note("c", "kettle\n"))
    let base = try store.commit([], 1, put: ["t.md": tea, "kettle.md": kettle, "both.md": "\(old)\n"])
    let one = try store.commit(
      [base], 2, put: ["river.md": kettle, "both.md": "\(first)\n"], remove: ["kettle.md"])
    let other = try store.commit([base], 3, put: ["f.md": tea, "both.md": "\(second)\n"], remove: ["t.md"])
    let files = ["f.md": tea, "river.md": kettle, "both.md": "\(line)\n"]
    #expect(try store.merged(one, other) == files)
  }

  @Test func `leaves the links of a note alone that both sides moved as it was`() throws {
    let moved = note("p", "see [p](p.md)\n")
    let base = try store.commit([], 1, put: ["a.md": moved])
    let one = try store.commit([base], 2, put: ["b.md": moved, "p.md": note("b", "b\n")], remove: ["a.md"])
    let other = try store.commit([base], 3, put: ["b.md": moved, "p.md": note("c", "c\n")], remove: ["a.md"])
    let files = try store.merged(one, other)
    #expect(files.count == 3 && files["b.md"] == moved)
  }

  @Test func `in a vault of Obsidian keeps a new link from a note that got the same name elsewhere`() throws {
    let base = try store.commit(
      [], 1, put: ["star.md": note("b", "star\n"), "x/seeds.md": note("c", "seeds\n"), "p.md": "p\n"])
    let one = try store.commit([base], 2, put: ["p.md": "p [[seeds]]\n"])
    let other = try store.commit([base], 3, put: ["seeds.md": note("b", "star\n")], remove: ["star.md"])
    let files = try store.merged(one, other, rules: MergeRules(sameNames: .obsidian))
    #expect(files["p.md"] == "p [[x/seeds]]\n")
  }

  /// Two sides that merged the same two changes of a note.
  private func changes() throws -> (base: ObjectID, one: ObjectID, other: ObjectID) {
    let base = try store.commit([], 1, put: ["k.md": note("p", "k\n"), "x.md": note("x", "x\n")])
    let one = try store.commit([base], 2, put: ["k.md": note("p", "k\none\n")])
    return (base, one, try store.commit([base], 3, put: ["y.md": "y\n"]))
  }

  @Test func `chooses the smaller path if merges of the same commits moved a note differently`() throws {
    let (_, one, other) = try changes()
    let text = note("p", "k\none\n")
    let here = try store.commit([one, other], 4, put: ["y.md": "y\n", "c.md": text], remove: ["k.md"])
    let there = try store.commit([other, one], 5, put: ["b.md": text], remove: ["k.md"])
    #expect(try store.merged(here, there) == ["b.md": text, "x.md": note("x", "x\n"), "y.md": "y\n"])
  }

  @Test func `a change of a note is none of the note that a merge moved to its path`() throws {
    let (_, one, other) = try changes()
    // Only one side knows this change of the note `x.md`, which its merge moves away.
    let edited = try store.commit([other], 4, put: ["x.md": note("x", "x\nmore\n")])
    let here = try store.commit(
      [one, edited], 5,
      put: ["y.md": "y\n", "x.md": note("p", "k\nlonger\n"), "z.md": note("x", "x\nmore\n")], remove: ["k.md"]
    )
    let there = try store.commit([other, one], 6, put: ["k.md": note("p", "k\n1\n")])
    let files = ["k.md": note("p", "k\n1\n"), "z.md": note("x", "x\nmore\n"), "y.md": "y\n"]
    #expect(try store.merged(here, there) == files)
  }
}
