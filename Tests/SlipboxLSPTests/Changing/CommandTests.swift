import Foundation
import Notes
import SlipboxTesting
import Testing

@testable import SlipboxLSP

struct CommandTests {
  private static let task = "---\nid: kqzmvtrp\ntitle: Review\nkind: task\n---\nText.\n"

  @Test func aNoteIsMade() throws {
    let box = try ChangingTestBox([:])
    let made = try box.command(
      "slip.new",
      #"{"title": "Buy milk", "kind": "task", "changes": ["due:2026-12-01", "+shop"], "body": "Two.", "open": true}"#
    )
    let path = try #require(made["path"].string)
    let text = try #require(box.text(path))
    #expect(text.contains("kind: task") && text.contains("due: 2026-12-01") && text.hasSuffix("Two.\n"))
    #expect(made["uri"].string == box.uri(path))
    #expect(made["id"].string.map { text.contains("id: \($0)\n") } == true)
    #expect(try box.log() == "New task: Buy milk|lsp\n")
    #expect(try box.folder.git("log", "-1", "--format=%(trailers:key=Slip-Verb,valueonly)").hasPrefix("new"))
    #expect(box.editor.asked.contains { $0.method == "window/showDocument" })
  }

  @Test func notesAreListedAsTheCommandLineDoes() throws {
    let box = try ChangingTestBox(["t.md": Self.task])
    try box.open("t.md", Self.task.replacing("Review", with: "Unsaved"))
    let list = try box.command("slip.list", #"{"query": "kind:task is:active"}"#)
    #expect(list["schema"].integer == 2)
    #expect(list["notes"].elements.map { $0["title"].string } == ["Unsaved"])
    #expect(try box.command("slip.list", #"{"query": ["kind:task", "+none"]}"#)["notes"].elements.isEmpty)
  }

  @Test func anActionIsRunOnAFileOrOnUnsavedText() throws {
    let box = try ChangingTestBox(["t.md": Self.task])
    try box.command("slip.do", #"{"action": "finish", "ref": "Review", "changes": ["+done"]}"#)
    #expect(box.text("t.md")?.contains("finished: 2026-11-21") == true)
    #expect(try box.log() == "Finish task: Review (add tag done)|lsp\n")
    try box.command("slip.undo", "{}")
    #expect(box.text("t.md") == Self.task)
    try box.command("slip.redo", "{}")
    #expect(box.text("t.md")?.contains("finished: 2026-11-21") == true)
    try box.command("slip.undo", "{}")
    try box.open("t.md", Self.task + "Unsaved.\n")
    try box.command("slip.do", "{\"action\": \"finish\", \"uri\": \"\(box.uri("t.md"))\"}")
    #expect(box.text("t.md") == Self.task)
    #expect(box.open(text: "t.md")?.contains("finished: 2026-11-21") == true)
    #expect(box.open(text: "t.md")?.hasSuffix("Unsaved.\n") == true)
  }

  /// Nor is the operation before it taken back in its place.
  @Test func whatIsInAnUnsavedTextIsNotTakenBack() throws {
    let box = try ChangingTestBox(["t.md": Self.task])
    try box.command("slip.new", #"{"title": "Other"}"#)
    try box.command("slip.do", #"{"action": "finish", "ref": "Review"}"#)
    let log = try box.log(5)
    try box.open("t.md", try #require(box.text("t.md")) + "Unsaved.\n")
    let error = #expect(throws: EditorInTest.Failure.self) { try box.command("slip.undo", "{}") }
    #expect(error?.message.contains("save it first") == true)
    #expect(box.open(text: "t.md")?.hasSuffix("Unsaved.\n") == true)
    #expect(try box.log(5) == log)
  }

  @Test func theNoteOfADayIsMadeAndAddedTo() throws {
    let box = try ChangingTestBox([:])
    let made = try box.command("slip.daily", "{}")
    #expect(made["path"].string == "daily/2026-11-21.md")
    let again = try box.command("slip.daily", #"{"day": "yesterday", "text": "Fed it"}"#)
    #expect(again["path"].string == "daily/2026-11-20.md")
    #expect(box.text("daily/2026-11-20.md")?.hasSuffix("Fed it\n") == true)
    #expect(try box.log(1) == "New note: 2026-11-20|lsp\n")
  }

  @Test func savedNotesAreCommitted() throws {
    let box = try ChangingTestBox(["a.md": "# A\n", "b.md": "# B\n"])
    try box.folder.write("a.md", "# A\nmore\n")
    try box.folder.write("b.md", "# B\nmore\n")
    try box.command("slip.commit", "{\"uri\": \"\(box.uri("a.md"))\"}")
    #expect(try box.status() == " M b.md\n")
    try box.command("slip.commit", "{}")
    #expect(try box.log(2) == "Edit: B|lsp\nEdit: A|lsp\n")
    // What an editor wrote is not slip's to take back.
    #expect(throws: EditorInTest.Failure.self) { try box.command("slip.undo", "{}") }
  }

  @Test(arguments: [
    ("slip.new", "{}", "title is missing"), ("slip.new", #"{"title": 3}"#, "title must be a string"),
    ("slip.new", #"{"titel": "x"}"#, "takes no titel"), ("slip.new", "[]", "takes one object"),
    ("slip.new", #"{"title": "x", "changes": ["due"]}"#, "due is not a change"),
    ("slip.do", #"{"action": "finish"}"#, "the note is missing"),
    ("slip.do", #"{"action": "fly", "ref": "A"}"#, "no kind has"),
    ("slip.list", #"{"query": "is:nonsense"}"#, "slip.list"), ("slip.daily", #"{"day": "x y z"}"#, "x y z"),
    ("slip.new", #"{"title": "x", "box": "/nonexistent"}"#, "is not a box"),
    ("slip.fly", "{}", "is not a command"),
  ]) func wrongArgumentsAreRefused(command: String, arguments: String, message: String) throws {
    let box = try ChangingTestBox(["a.md": "# A\n"])
    let failure = #expect(throws: EditorInTest.Failure.self) { try box.command(command, arguments) }
    #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
    #expect(try box.status() == "")
  }
}

struct AutomaticCommitsTests {
  private func waits(_ isSo: () throws -> Bool) rethrows -> Bool {
    for _ in 0..<400 {
      if try isSo() { return true }
      Thread.sleep(forTimeInterval: 0.025)
    }
    return false
  }

  private func box(_ setting: String, quietMilliseconds: Int64 = 100) throws -> ChangingTestBox {
    try ChangingTestBox(
      ["a.md": "# A\n", ".slipbox/config.yaml": "path: \"{slug}-{id}.md\"\nlsp.commit: \(setting)\n"],
      quietMilliseconds: quietMilliseconds)
  }

  @Test(arguments: ["save", "idle"]) func savedNotesAreCommittedWhereThatIsSet(setting: String) throws {
    let box = try box(setting)
    try box.open("a.md")
    box.editor.change(box.uri("a.md"), to: "# A\nmore\n")
    try box.editor.save(box.uri("a.md"))
    #expect(try waits { try box.log() == "Edit: A|lsp\n" })
    #expect(try box.status() == "")
  }

  @Test func byStandardNoNoteIsCommitted() throws {
    let box = try box("never")
    try box.open("a.md")
    box.editor.change(box.uri("a.md"), to: "# A\nmore\n")
    try box.editor.save(box.uri("a.md"))
    box.editor.leave()
    #expect(try box.log() == "as found|\n")
  }

  @Test func aFileThatAnotherProgramWroteSinceIsLeft() throws {
    // The server commits what was saved when the editor leaves it, after the other program wrote.
    let box = try box("idle", quietMilliseconds: 60_000)
    try box.open("a.md")
    box.editor.change(box.uri("a.md"), to: "# A\nmore\n")
    try box.editor.save(box.uri("a.md"))
    try box.folder.write("a.md", "# A\nother\n")
    box.editor.leave()
    #expect(try box.log() == "as found|\n")
  }
}
