import Git
import Notes
import Testing

@testable import SlipboxCore

/// Two sides that each made a note with the same id.
@Suite struct SharedIDsTests {
  private let store = ModelStore()

  private func put(_ path: String, _ text: String) throws -> TreeEdit {
    .put(path: Array(path.utf8), blob: try store.store(Array(text.utf8)), mode: 0o100644)
  }

  private func merged(_ one: ObjectID, _ other: ObjectID, at seconds: Int64) throws -> ObjectID {
    let edits = try CommitMerge(store, rules: MergeRules()).merge(one, other).edits(of: one)
    let tip = store.add(one, edits, parents: [one, other], seconds: seconds, who: "m")
    let mirrored = try CommitMerge(store, rules: MergeRules()).merge(other, one).edits(of: other)
    #expect(tip == store.add(other, mirrored, parents: [one, other], seconds: seconds, who: "m"))
    return tip
  }

  private func text(_ path: String, _ commit: ObjectID) throws -> String {
    let entry = try #require(store.tree(commit)[Array(path.utf8)])
    return String(decoding: try store.content(of: entry), as: UTF8.self)
  }

  private let id = "kqzmvtrp"
  private var another: String {
    NoteID(id)?.another(at: Array("late.md".utf8)).description ?? ""
  }

  /// The tips of two sides that made `early.md` and `late.md`.
  private func sides() throws -> (one: ObjectID, other: ObjectID) {
    let root = store.add(
      nil, [try put("m.md", "Plain.\n"), try put("n.md", "Plain.\n")], parents: [], seconds: 1, who: "r")
    let one = store.add(
      root,
      [
        try put("early.md", "---\nid: \(id)\ntitle: Early\n---\nMine is [[\(id)]].\n"),
        try put("m.md", "Plain.\nThe early one is [[\(id)]].\n"),
      ], parents: [root], seconds: 10, who: "a")
    let other = store.add(
      root,
      [
        try put("late.md", "---\ntitle: Late # kept\nid: '\(id)'\n---\nText with \(id) in it.\n"),
        try put(
          "n.md",
          "---\ngroup: \(id)\nseen: [x, \(id), \(id)x]\n---\n"
            + "[[\(id)#Part|\(id)]] [\(id)](\(id) \"\(id)\") `[[\(id)]]`\n[denote](denote:\(id))\n"
        ),
      ], parents: [root], seconds: 20, who: "b")
    return (one, other)
  }

  @Test func theLaterOneGetsAnotherAndWhatRefersToItFollows() throws {
    let (one, other) = try sides()
    let tip = try merged(one, other, at: 30)
    #expect(try text("early.md", tip) == "---\nid: \(id)\ntitle: Early\n---\nMine is [[\(id)]].\n")
    #expect(try text("m.md", tip).contains("[[\(id)]]"))
    #expect(
      try text("late.md", tip) == "---\ntitle: Late # kept\nid: '\(another)'\n---\nText with \(id) in it.\n")
    #expect(
      try text("n.md", tip)
        == "---\ngroup: \(another)\nseen: [x, \(another), \(id)x]\n---\n"
        + "[[\(another)#Part|\(id)]] [\(id)](\(another) \"\(id)\") `[[\(id)]]`\n[denote](denote:\(another))\n"
    )
  }

  /// Copies of a note that is there keep its id, and links to it stay: they may mean no copy.
  @Test func copiesOfAnOlderNoteKeepItsID() throws {
    let note = "---\nid: \(id)\ntitle: Old\n---\nText.\n"
    let root = store.add(
      nil, [try put("old.md", note), try put("m.md", "Plain.\n")], parents: [], seconds: 1, who: "r")
    let one = store.add(root, [try put("early.md", note)], parents: [root], seconds: 10, who: "a")
    let other = store.add(
      root, [try put("late.md", note), try put("m.md", "The old one is [[\(id)]].\n")], parents: [root],
      seconds: 20, who: "b")
    let tip = try merged(one, other, at: 30)
    #expect(try text("early.md", tip) == note && text("late.md", tip) == note)
    #expect(try text("m.md", tip) == "The old one is [[\(id)]].\n")
  }

  @Test func `keeps the other changes of the side whose note gets another id`() throws {
    let (one, other) = try sides()
    let changed = store.add(
      other, [try put("new.md", "New.\n"), .remove(path: Array("n.md".utf8))], parents: [other], seconds: 25,
      who: "b")
    let tip = try merged(one, changed, at: 30)
    #expect(try text("late.md", tip).contains("id: '\(another)'"))
    #expect(try text("new.md", tip) == "New.\n")
    #expect(store.tree(tip)[Array("n.md".utf8)] == nil)
  }

  /// Which of the two a link of their side means is not known, so that no link could follow.
  @Test func `changes no id that one side gave to two notes`() throws {
    let note = { (title: String) in "---\nid: \(id)\ntitle: \(title)\n---\n\(title)\n" }
    let root = store.add(nil, [try put("m.md", "Plain.\n")], parents: [], seconds: 1, who: "r")
    let one = store.add(
      root, [try put("copy.md", note("Copy")), try put("early.md", note("Early"))], parents: [root],
      seconds: 10, who: "a")
    let other = store.add(root, [try put("late.md", note("Late"))], parents: [root], seconds: 20, who: "b")
    let tip = try merged(one, other, at: 30)
    for title in ["Copy", "Early", "Late"] {
      #expect(try text("\(title.lowercased()).md", tip) == note(title))
    }
  }

  /// Somebody who had only the later note goes on with it: what they write stays in it.
  @Test func workOnTheLaterOneStaysInIt() throws {
    let (one, other) = try sides()
    let tip = try merged(one, other, at: 30)
    let edited = store.add(
      other, [try put("late.md", try text("late.md", other) + "More.\n")], parents: [other], seconds: 40,
      who: "c")
    let end = try merged(tip, edited, at: 50)
    #expect(try text("late.md", end).hasSuffix("in it.\nMore.\n"))
    #expect(try text("late.md", end).contains("id: '\(another)'"))
    #expect(try text("early.md", end) == text("early.md", one))
  }
}
