import Notes
import SlipboxTesting
import Testing

@testable import SlipboxLSP

struct RenamingTests {
  private static let ada =
    "---\nid: kqzmvtrp\ntitle: Ada Lovelace\ntags: [people, work/math]\n---\n# Life\n\n## Notes on G\nText #work here.\n"

  private static func files(_ more: [String: String] = [:]) -> [String: String] {
    var files = ["ada.md": ada, "b.md": "# B\nSee [[Ada Lovelace]] and [[Ada Lovelace#Notes on G|G]].\n"]
    for (path, text) in more { files[path] = text }
    return files
  }

  @Test(
    arguments: [
      ("ada.md", "Ada Lovelace", 2, "Ada Lovelace"), ("ada.md", "title", 0, "Ada Lovelace"),
      ("ada.md", "Life", 0, "Life"), ("ada.md", "Notes", 0, "Notes on G"), ("ada.md", "#work", 3, "work"),
      ("ada.md", "work/math", 7, "work/math"), ("ada.md", "people", 0, "people"),
      ("b.md", "[[Ada", 4, "Ada Lovelace"), ("b.md", "#Notes", 2, "Notes on G"), ("b.md", "# B", 2, "B"),
      ("ada.md", "Text", 0, nil),
    ] as [(String, String, Int, String?)]) func whatCanBeRenamed(
      path: String, word: String, offset: Int, name: String?
    ) throws
  {
    let box = try ChangingTestBox(Self.files())
    try box.open(path)
    let answer = try box.editor.ask("textDocument/prepareRename", box.place(path, word, offset))
    #expect(answer["placeholder"].string == name)
    #expect(answer.isNull == (name == nil))
  }

  @Test func aNoteIsRenamedFromALink() throws {
    let box = try ChangingTestBox(Self.files())
    try box.open("b.md", "# B\nUnsaved \u{1F600} [[Ada Lovelace]].\r\n")
    try box.rename("b.md", "[[Ada", 4, to: "Ada King")
    #expect(box.open(text: "b.md") == "# B\nUnsaved \u{1F600} [[Ada King]].\r\n")
    #expect(box.text("ada.md")?.contains("title: Ada King\naliases: [Ada Lovelace]") == true)
  }

  @Test func aHeadingIsRenamedWithItsLinks() throws {
    let box = try ChangingTestBox(Self.files())
    try box.open("ada.md")
    try box.rename("ada.md", "Notes", to: "Notes on H")
    #expect(box.open(text: "ada.md")?.contains("## Notes on H\n") == true)
    #expect(box.text("b.md")?.contains("[[Ada Lovelace#Notes on H|G]]") == true)
  }

  @Test func theFirstHeadingIsRenamedAloneWhereTheTitleIsAField() throws {
    let box = try ChangingTestBox(Self.files(["c.md": "# C\n[[Ada Lovelace#Life]] [[Ada Lovelace]]\n"]))
    try box.open("ada.md")
    try box.rename("ada.md", "Life", to: "Years")
    #expect(box.open(text: "ada.md") == Self.ada.replacing("# Life", with: "# Years"))
    #expect(box.text("c.md") == "# C\n[[Ada Lovelace#Years]] [[Ada Lovelace]]\n")
  }

  @Test func theFirstHeadingIsTheNameOfANoteWithoutATitle() throws {
    let box = try ChangingTestBox(["a.md": "# Old\n\n## Old\n", "b.md": "# B\n[[Old]] [[a#Old]]\n"])
    try box.open("a.md")
    try box.rename("a.md", "# Old", 2, to: "New")
    #expect(box.open(text: "a.md")?.contains("# New\n\n## Old\n") == true)
    #expect(box.text("b.md")?.hasPrefix("# B\n[[New]]") == true)
  }

  @Test func aTagIsRenamedWithTheTagsBelowIt() throws {
    let box = try ChangingTestBox(Self.files(["c.md": "# C\n#work/late\n"]))
    try box.open("ada.md")
    try box.rename("ada.md", "#work", 3, to: "#job")
    #expect(box.open(text: "ada.md")?.contains("tags: [people, job/math]") == true)
    #expect(box.open(text: "ada.md")?.contains("Text #job here.") == true)
    #expect(box.text("c.md") == "# C\n#job/late\n")
  }

  @Test func theRefusalOfTheCoreIsTheAnswer() throws {
    let box = try ChangingTestBox(Self.files(["c.md": "# C\n#job\n"]))
    try box.open("ada.md")
    let refusal = #expect(throws: EditorInTest.Failure.self) {
      try box.rename("ada.md", "#work", 3, to: "a,b")
    }
    #expect(refusal?.message.contains("can't be a tag") == true)
    #expect(throws: EditorInTest.Failure.self) { try box.rename("ada.md", "Text", to: "x") }
    #expect(throws: EditorInTest.Failure.self) { try box.rename("ada.md", "title", to: " ") }
    #expect(try box.status() == "")
  }

  @Test func aFileNamedByTheTitleMovesWhereTheEditorMovesFiles() throws {
    let files = ["Old name.md": "Text.\n", "b.md": "See [[Old name]] and [x](Old%20name.md).\n"]
    let able = try ChangingTestBox(files)
    try able.open("b.md")
    try able.rename("b.md", "[[Old", 3, to: "New name")
    #expect(able.text("Old name.md") == nil)
    #expect(able.text("New name.md")?.hasSuffix("Text.\n") == true)
    #expect(able.open(text: "b.md") == "See [[New name]] and [x](New%20name.md).\n")
    let plain = try ChangingTestBox(files, capabilities: EditorInTest.plain)
    try plain.open("b.md")
    try plain.rename("b.md", "[[Old", 3, to: "New name")
    #expect(plain.text("Old name.md")?.contains("title: New name") == true)
    // The name of the file leads there still.
    #expect(plain.open(text: "b.md") == files["b.md"])
  }

  @Test func manyClosedNotesAreChangedAsOneCommit() throws {
    var files = Self.files()
    for number in 0..<30 { files["n/\(number).md"] = "# N\(number)\n[[Ada Lovelace]]\n" }
    let box = try ChangingTestBox(files)
    try box.open("ada.md")
    try box.open("n/3.md", "# N3 unsaved\n[[Ada Lovelace]]\n")
    try box.rename("ada.md", "title", to: "Ada King")
    #expect(box.editor.asked.contains { $0.method == "window/showMessageRequest" })
    #expect(try box.log(2) == "Retitle Ada Lovelace to Ada King|lsp\nas found|\n")
    #expect(box.text("n/4.md") == "# N4\n[[Ada King]]\n")
    #expect(box.text("n/3.md") == "# N3\n[[Ada Lovelace]]\n")
    #expect(box.open(text: "n/3.md") == "# N3 unsaved\n[[Ada King]]\n")
    #expect(box.open(text: "ada.md")?.contains("title: Ada King") == true)
    #expect(try box.status() == "")
    try box.command("slip.undo", "{}")
    #expect(box.text("n/4.md") == "# N4\n[[Ada Lovelace]]\n")
    #expect(try box.log() == "Undo: Retitle Ada Lovelace to Ada King|lsp\n")
  }

  @Test func nothingIsChangedWhereTheUserDoesNotWantIt() throws {
    var files = Self.files()
    for number in 0..<30 { files["n/\(number).md"] = "# N\(number)\n[[Ada Lovelace]]\n" }
    let box = try ChangingTestBox(files)
    try box.open("ada.md")
    box.editor.button = 1
    #expect(throws: EditorInTest.Failure(message: "nothing was changed")) {
      try box.rename("ada.md", "title", to: "Ada King")
    }
    #expect(try box.status() == "")
    #expect(box.open(text: "ada.md") == Self.ada)
  }

  @Test func linksFollowFilesThatTheEditorMoves() throws {
    let box = try ChangingTestBox([
      "a/one.md": "# One\n[two](two.md) [pic](../pic.png)\n", "a/two.md": "# Two\n",
      "b.md": "[one](a/one.md) [[a/one]]\n", "pic.png": "x",
    ])
    try box.open("b.md")
    try box.open("a/one.md")
    let edit = try box.editor.ask(
      "workspace/willRenameFiles",
      .object([
        "files": .array([
          .object(["oldUri": .string(box.uri("a/one.md")), "newUri": .string(box.uri("c/d/one.md"))])
        ])
      ]))
    try box.editor.take(edit: edit)
    #expect(box.open(text: "b.md") == "[one](c/d/one.md) [[c/d/one]]\n")
    #expect(box.open(text: "a/one.md") == "# One\n[two](../../a/two.md) [pic](../../pic.png)\n")
    let nothing = try box.editor.ask(
      "workspace/willRenameFiles",
      .object([
        "files": .array([.object(["oldUri": .string("file:///x.md"), "newUri": .string("file:///y.md")])])
      ]))
    #expect(nothing.isNull)
  }

  @Test(arguments: [
    ("a", "z/y", "[one](z/y/one.md) ![[z/y/pic.png]] [p](z/y/pic.png)\n"),
    ("a/pic.png", "b c.png", "[one](a/one.md) ![[b c.png]] [p](b%20c.png)\n"),
  ]) func linksFollowFoldersAndOtherFiles(old: String, new: String, result: String) throws {
    let box = try ChangingTestBox([
      "a/one.md": "# One\n[self](one.md)\n", "a/pic.png": "x",
      "b.md": "[one](a/one.md) ![[a/pic.png]] [p](a/pic.png)\n",
    ])
    try box.open("b.md")
    let edit = try box.editor.ask(
      "workspace/willRenameFiles",
      .object([
        "files": .array([.object(["oldUri": .string(box.uri(old)), "newUri": .string(box.uri(new))])])
      ]))
    try box.editor.take(edit: edit)
    #expect(box.open(text: "b.md") == result)
    #expect(box.text("a/one.md") == "# One\n[self](one.md)\n")
  }

  @Test(arguments: [
    ("Templates/day.md", "Templates/new.md", "[t](Templates/new.md) ![[board.canvas]]\n", "a.md"),
    ("a.md", "c/a.md", "[t](Templates/day.md) ![[board.canvas]]\n", "c/a.md"),
  ]) func excludedFilesAndCanvasesFollow(old: String, new: String, text: String, shown: String) throws {
    let box = try ChangingTestBox([
      ".slipbox/config.yaml": "exclude: [Templates/]\n", "Templates/day.md": "x\n", "a.md": "# A\n",
      "b.md": "[t](Templates/day.md) ![[board.canvas]]\n",
      "board.canvas": "{\"nodes\":[{\"file\":\"a.md\"}]}",
    ])
    try box.open("b.md")
    let edit = try box.editor.ask(
      "workspace/willRenameFiles",
      .object([
        "files": .array([.object(["oldUri": .string(box.uri(old)), "newUri": .string(box.uri(new))])])
      ]))
    try box.editor.take(edit: edit)
    #expect(box.open(text: "b.md") == text)
    #expect(box.text("board.canvas") == "{\"nodes\":[{\"file\":\"\(shown)\"}]}")
  }
}
