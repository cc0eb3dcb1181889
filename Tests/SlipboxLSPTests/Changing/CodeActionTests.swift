import Notes
import SlipboxTesting
import Testing

@testable import SlipboxLSP

struct CodeActionTests {
  private static let task = "---\nid: kqzmvtrp\ntitle: Review\nkind: task\n---\nText.\n"

  private static func titles(_ actions: [JSONValue]) -> [String] { actions.compactMap { $0["title"].string } }

  @Test func aMissingNoteIsMadeOrTheNearOneLinked() throws {
    let box = try ChangingTestBox([
      "a.md": "# A\nSee [[Ada Lovlace]] and [x](sub/new.md).\n", "ada.md": "---\ntitle: Ada Lovelace\n---\n",
    ])
    try box.open("a.md")
    try box.act("Link to Ada Lovelace", "a.md", "[[Ada", 3)
    #expect(box.open(text: "a.md") == "# A\nSee [[Ada Lovelace]] and [x](sub/new.md).\n")
    try box.act("Create the note new", "a.md", "[x]", 2)
    #expect(box.text("sub/new.md")?.contains("title: new") == true)
    #expect(try box.log() == "New note: new|lsp\n")
  }

  @Test func aMissingHeadingIsAppendedOrTheNearOneLinked() throws {
    let box = try ChangingTestBox([
      "a.md": "# A\n[[B#Introduction]] [[B#Wholly other]]\n", "B.md": "# B\n## Introductoin\n",
    ])
    try box.open("a.md")
    try box.act("Append the heading Wholly other to B", "a.md", "Wholly")
    #expect(box.text("B.md")?.hasSuffix("\n\n## Wholly other\n") == true)
    try box.act("Link to the heading Introductoin", "a.md", "[[B#Intro", 3)
    #expect(box.open(text: "a.md")?.contains("[[B#Introductoin]]") == true)
  }

  @Test func oneOfSeveralNotesIsChosen() throws {
    let box = try ChangingTestBox([
      "a.md": "# A\n[[Same]]\n", "x/1.md": "---\nid: kqzmvtrp\ntitle: Same\n---\n",
      "x/2.md": "---\ntitle: Same\n---\n",
    ])
    try box.open("a.md")
    try box.act("Link to x/1.md", "a.md", "Same")
    #expect(box.open(text: "a.md") == "# A\n[[kqzmvtrp|Same]]\n")
  }

  @Test func frontMatterThatBreaksItsKindIsMended() throws {
    let box = try ChangingTestBox(["t.md": "---\ntitle: T\nkind: task\npriority: hgih\n---\n"])
    try box.open("t.md")
    let actions = try box.actions("t.md", "priority", 1)
    #expect(actions.first?["isPreferred"].boolean == true)
    #expect(Self.titles(actions).contains("Remove priority"))
    try box.act("Set priority to high", "t.md", "priority", 1)
    #expect(box.open(text: "t.md") == "---\ntitle: T\nkind: task\npriority: high\n---\n")
  }

  @Test func aSectionOrASelectionBecomesANote() throws {
    let box = try ChangingTestBox([
      "a.md": "# A\nIntro.\n\n## Part\nBody of it.\n\n## Next\nMore words here.\n"
    ])
    try box.open("a.md")
    try box.act("Extract the section Part", "a.md", "Part")
    #expect(box.open(text: "a.md") == "# A\nIntro.\n\n[[Part]]\n\n## Next\nMore words here.\n")
    try box.act("Extract the selection into a note", "a.md", "words", through: "here")
    #expect(box.open(text: "a.md")?.contains("More [[words here]].") == true)
  }

  /// Where the client makes no files, both notes change in one commit, which one undo takes back: a text that is not saved
  /// could not be part of it.
  @Test func aSectionLeavesASavedNoteInOneCommit() throws {
    let text = "# A\n\n## Part\nBody of it.\n"
    let plain = try ChangingTestBox(["a.md": text], capabilities: EditorInTest.plain)
    try plain.open("a.md", "# A\nUnsaved.\n\n## Part\nBody of it.\n")
    #expect(throws: (any Error).self) { try plain.act("Extract the section Part", "a.md", "Part") }
    #expect(try plain.status().contains("a.md") == false)
    try plain.open("a.md", text)
    try plain.act("Extract the section Part", "a.md", "Part")
    #expect(plain.text("a.md") == "# A\n\n[[Part]]\n")
    #expect(try plain.log() == "Split Part from A|lsp\n")
    // The editor reads the file anew.
    try plain.open("a.md", "# A\n\n[[Part]]\n")
    _ = try plain.command("slip.undo", "{}")
    #expect(plain.text("a.md") == text)
    #expect(try plain.status() == "")
  }

  @Test func aMentionBecomesALink() throws {
    let box = try ChangingTestBox([
      "a.md": "# A\nAbout Ada Lovelace, `Ada Lovelace`.\n", "ada.md": "---\ntitle: Ada Lovelace\n---\n",
    ])
    try box.open("a.md")
    try box.act("Link to Ada Lovelace", "a.md", "Lovelace", 2)
    #expect(box.open(text: "a.md") == "# A\nAbout [[Ada Lovelace]], `Ada Lovelace`.\n")
    #expect(!Self.titles(try box.actions("a.md", "`Ada", 2)).contains("Link to Ada Lovelace"))
  }

  @Test(arguments: [
    ("- [ ] a", "Tick the check box", "- [x] a"), ("  * [x] a", "Untick the check box", "  * [ ] a"),
    ("1. [ ]", "Tick the check box", "1. [x]"),
    ("> - [X] \u{1F600}", "Untick the check box", "> - [ ] \u{1F600}"),
  ]) func boxesAreTicked(line: String, title: String, result: String) throws {
    let box = try ChangingTestBox(["a.md": "# A\r\n\(line)\r\nend\r\n"])
    try box.open("a.md")
    try box.act(title, "a.md", line)
    #expect(box.open(text: "a.md") == "# A\r\n\(result)\r\nend\r\n")
  }

  @Test(arguments: [
    ("- [ ] a 📅 2026-11-24", "Tick the check box", "- [x] a 📅 2026-11-24 ✅ 2026-11-21"),
    ("- [x] a 📅 2026-11-24 ✅ 2026-11-21", "Untick the check box", "- [ ] a 📅 2026-11-24"),
  ]) func tickingWritesTheDateAsTheCommandDoes(line: String, title: String, result: String) throws {
    let box = try ChangingTestBox(["a.md": "# A\n\(line)\n"])
    try box.open("a.md")
    try box.act(title, "a.md", "- [")
    #expect(box.open(text: "a.md") == "# A\n\(result)\n")
  }

  @Test func aBoxBecomesATask() throws {
    let box = try ChangingTestBox(["a.md": "# A\n- [ ] Call Ada due:2026-12-01 #home\n- [x] done\n"])
    try box.open("a.md")
    try box.act("Promote the check box to a task", "a.md", "Call")
    #expect(box.open(text: "a.md") == "# A\n- [ ] [[Call Ada]]\n- [x] done\n")
    #expect(!Self.titles(try box.actions("a.md", "done")).contains("Promote the check box to a task"))
  }

  @Test func theCommandPromotesTheLine() throws {
    let box = try ChangingTestBox(["a.md": "# A\n- [ ] Leak in the cellar\n"])
    try box.open("a.md")
    let made = try box.command(
      "slip.promote", #"{"uri": "\#(box.uri("a.md"))", "line": 2, "kind": "issue"}"#)
    let path = try #require(made["path"].string)
    #expect(box.text(path)?.contains("kind: issue") == true)
    #expect(box.text("a.md") == "# A\n- [ ] [[Leak in the cellar]]\n")
  }

  @Test func bracketsInCodeAreNoBox() throws {
    let box = try ChangingTestBox(["a.md": "# A\n```\n- [ ] a\n```\n"])
    try box.open("a.md")
    #expect(!Self.titles(try box.actions("a.md", "- [ ] a")).contains("Tick the check box"))
  }

  @Test(arguments: ["- \\[ \\] a", "[ ] a", "-[ ] a", "- [  ] a", "- [y] a"])
  func whatIsNoBoxStays(line: String) throws {
    let box = try ChangingTestBox(["a.md": "# A\n\(line)\n"])
    try box.open("a.md")
    let titles = Self.titles(try box.actions("a.md", line))
    #expect(!titles.contains("Tick the check box") && !titles.contains("Untick the check box"))
  }

  @Test func actionsOfTheRecordHereAndUnderTheLink() throws {
    let box = try ChangingTestBox(["t.md": Self.task, "a.md": "# A\n[[Review]]\n"])
    try box.open("t.md")
    try box.open("a.md")
    let here = Self.titles(try box.actions("t.md", "Text"))
    #expect(here.contains("Finish") && !here.contains("Reopen"))
    try box.act("Finish", "t.md", "Text")
    #expect(box.open(text: "t.md")?.contains("finished: 2026-11-21") == true)
    #expect(box.text("t.md") == Self.task)
    #expect(Self.titles(try box.actions("a.md", "Review")).contains("Reopen: Review"))
  }

  @Test func theRecordUnderTheLinkIsChangedAsACommitWhereItIsClosed() throws {
    let box = try ChangingTestBox(["t.md": Self.task, "a.md": "# A\n[[Review]]\n"])
    try box.open("a.md")
    try box.act("Finish: Review", "a.md", "Review")
    #expect(box.text("t.md")?.contains("finished: 2026-11-21") == true)
    #expect(try box.log() == "Finish task: Review|lsp\n")
  }

  @Test func onlyWhatIsAskedForIsOffered() throws {
    let box = try ChangingTestBox(["t.md": Self.task])
    try box.open("t.md")
    let range = JSONValue.object([
      "start": box.place("t.md", "Text")["position"], "end": box.place("t.md", "Text")["position"],
    ])
    for (only, isOffered) in [("source", true), ("source.slip", true), ("quickfix", false), ("sourc", false)]
    {
      let actions = try box.editor.ask(
        "textDocument/codeAction",
        .object([
          "textDocument": .object(["uri": .string(box.uri("t.md"))]), "range": range,
          "context": .object(["diagnostics": .array([]), "only": .array([.string(only)])]),
        ])
      ).elements
      #expect(Self.titles(actions).contains("Finish") == isOffered, "\(only)")
    }
  }

  @Test func clientsWithoutLiteralsGetCommands() throws {
    let box = try ChangingTestBox(["a.md": "# A\n- [ ] one\n"], capabilities: EditorInTest.plain)
    try box.open("a.md")
    let actions = try box.actions("a.md", "one")
    #expect(actions.allSatisfy { $0["command"].string != nil && $0["edit"].isNull && $0["kind"].isNull })
    try box.act("Tick the check box", "a.md", "one")
    #expect(box.open(text: "a.md") == "# A\n- [x] one\n")
  }

  @Test func aConflictIsSettled() throws {
    let text =
      "---\ntitle: T\nkind: task\npriority: high\nconflicts:\n  - \"priority: low (2026-11-20T10:00:00+01:00, phone, Ada)\"\n---\n"
    try #require(!NoteConflict.all(in: NoteText(Array(text.utf8))).isEmpty)
    let box = try ChangingTestBox(["t.md": text])
    try box.open("t.md")
    let titles = Self.titles(try box.actions("t.md", "conflicts", 2))
    let other = try #require(titles.first { $0.hasPrefix("Keep priority: low") })
    try box.act(other, "t.md", "conflicts", 2)
    #expect(box.open(text: "t.md") == "---\ntitle: T\nkind: task\npriority: low\n---\n")
  }
}
