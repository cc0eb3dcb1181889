import NoteIndex
import Notes
import Presentation
import SlipboxCore
import SlipboxTesting
import Testing

@testable import SlipboxScreen

/// A day at the screen.
struct ScreenStateTests {
  @Test func theListFollowsTheQueryAsItIsTyped() throws {
    let screen = try ScreenInTest(smallBox)
    #expect(screen.titles.count == 6)
    screen.press(.text("/"))
    screen.type("kind:task")
    #expect(screen.titles.sorted() == ["Call the library", "Water the plants"])
    screen.type(" is:active")
    screen.press(.enter)
    #expect(screen.titles == ["Call the library"] && screen.state.prompt == nil)
    screen.press(.escape)
    #expect(screen.titles.count == 6)
    screen.press(.text("/"))
    screen.type("+food")
    screen.press(.escape)
    #expect(screen.titles.count == 6 && screen.state.view.request.query == "")
    // What was typed before comes back.
    screen.press(.text("/"), .up)
    #expect(screen.state.prompt?.line.text == "kind:task is:active")
  }

  /// They are read beside the drawing, once for all lists of the same notes.
  @Test func listsShareTheTitlesThatRowsShow() throws {
    let screen = try ScreenInTest(smallBox)
    let first = try #require(screen.state.listing)
    #expect(!first.rows.knowsTitles)
    first.rows.readTitles()
    screen.press(.text("/"))
    screen.type("kind:task")
    #expect(screen.state.listing?.rows.knowsTitles == true && screen.text.contains("Home"), "\(screen.text)")
    try screen.answers.box.advance(by: WatchedChanges(everything: true))
    screen.take(.changed)
    #expect(screen.state.listing?.rows.knowsTitles == false)
  }

  @Test func aQueryThatCannotBeReadLeavesTheListAndSaysWhy() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.text("/"))
    screen.type("(kind:task")
    screen.press(.enter)
    #expect(screen.state.message?.isError == true && screen.state.prompt != nil)
    screen.press(.escape)
    #expect(screen.titles.count == 6)
  }

  @Test func candidatesAreTakenByTab() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.text("/"))
    screen.type("kind:bo")
    screen.press(.tab)
    #expect(screen.state.prompt?.line.text == "kind:book")
    #expect(screen.titles == ["The Hobbit"])
  }

  @Test func linksAndBacklinksAreLists() throws {
    let screen = try ScreenInTest(smallBox, query: "title:Fermentation")
    screen.press(.text("B"))
    #expect(screen.titles == ["Call the library"])
    screen.press(.escape, .text("L"))
    #expect(screen.titles == ["Call the library"])
    screen.press(.escape, .escape)
    #expect(screen.titles == ["Fermentation"])
  }

  @Test func marksRangesAndAll() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.space, .space)
    #expect(screen.state.targets.count == 2)
    screen.press(.text("v"), .text("j"), .text("j"))
    #expect(screen.state.targetCount == 5)
    screen.press(.text("v"), .ctrl("a"))
    #expect(screen.state.targetCount == 6)
    screen.press(.escape)
    #expect(screen.state.view.marked.isEmpty && screen.state.targetCount == 1)
    // Marks stay when the list is read anew, and go with their notes.
    screen.press(.text("g"), .space)
    screen.take(.changed)
    #expect(screen.state.view.marked.count == 1)
  }

  @Test func thePastAndItsNotesCannotBeChanged() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.text("T"))
    screen.type("HEAD")
    screen.press(.enter)
    #expect(screen.titles.count == 6 && screen.text.contains("as of HEAD"))
    screen.press(.text("E"))
    #expect(screen.runs.isEmpty && screen.state.message?.isError == true)
    screen.press(.text("r"))
    #expect(
      screen.runs.last?.words.first == "restore" && screen.runs.last?.words.suffix(2) == ["--at", "HEAD"])
  }

  @Test func deletedNotesCanBeBroughtBack() throws {
    let screen = try ScreenInTest(smallBox)
    try screen.folder.git("rm", "-q", "fermentation.md")
    try screen.folder.git("commit", "-q", "-m", "gone")
    screen.carry(.refresh)
    screen.press(.text("D"))
    #expect(screen.titles == ["Fermentation"])
    screen.press(.text("r"))
    #expect(screen.runs.last?.words == ["restore", "ntxbbbbb"])
  }

  @Test func historyNamesEachChange() throws {
    let screen = try ScreenInTest(smallBox, query: "title:Fermentation")
    screen.press(.text("H"))
    #expect(screen.text.contains("as found") && screen.text.contains("r restore this version"))
    let history = screen.state
    screen.press(.text("r"))
    let restoring = try #require(screen.runs.last)
    #expect(restoring.words.prefix(3) == ["restore", "ntxbbbbb", "--at"] && restoring.words.count == 4)
    screen.end()
    screen.press(.text("O"))
    #expect(!screen.text.contains("as it was then"))
    screen.press(.text("r"))
    #expect(screen.runs.count == 1)
    screen.state = history
    screen.press(.text("T"))
    #expect(screen.text.contains("as of "))
  }

  private static let garden =
    "---\nid: grdbbbbb\ntitle: Garden\n---\n# Garden\n\n"
    + "- [ ] Order seeds\n- [x] Paint\n\n\(String(repeating: "Long text.\n\n", count: 40))## Spring\n\nDig.\n\n## Spring\n\nSow.\n"

  @Test func boxesAreTickedOneAfterTheOther() throws {
    let screen = try ScreenInTest(["garden.md": Self.garden, "other.md": "# Other\n"], query: "garden")
    screen.press(.text("W"))
    #expect(screen.text.contains("[ ] Order seeds") && screen.text.contains("[x] Paint"))
    screen.press(.enter)
    #expect(screen.runs.last?.words == ["tick", "grdbbbbb:7"])
    #expect(screen.text.contains("[x] Order seeds"))
    screen.end()
    screen.press(.down, .space)
    #expect(screen.runs.last?.words == ["untick", "grdbbbbb:8"])
    screen.end()
    screen.press(.escape)
    #expect(screen.state.sheet == nil)
    screen.press(.text("w"))
    #expect(screen.titles == ["Garden"])
  }

  @Test func theOutlineLeadsToTheHeading() throws {
    let screen = try ScreenInTest(["garden.md": Self.garden], size: (120, 20))
    screen.press(.text("i"))
    #expect(screen.text.contains("  Spring"))
    screen.press(.down, .down, .enter)
    #expect(screen.state.focus == .preview && screen.state.sheet == nil)
    #expect(screen.text.contains("Sow.") && !screen.text.contains("Dig."))
  }

  @Test func aNoteWithoutHeadingsOrBoxesSaysSo() throws {
    let screen = try ScreenInTest(["plain.md": "---\ntitle: Plain\n---\nText.\n"])
    screen.press(.text("W"))
    #expect(screen.text.contains("has no check box"))
    screen.press(.text("i"))
    #expect(screen.text.contains("has no heading"))
  }

  @Test func aNoteWithoutConflictSaysSo() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.text("!"))
    #expect(screen.text.contains("this note has no conflict"))
  }

  @Test func linesInConflictAreKeptBothOrEdited() throws {
    let text = """
      ---
      id: cnfccccc
      title: Two texts
      conflicts: ["body: null"]
      created: 2026-11-01T08:00:00Z
      ---
      before
      <!-- slip: version 1 -->
      mine
      <!-- slip: version 2 -->
      theirs
      <!-- slip: end of versions -->

      """
    let screen = try ScreenInTest(["two.md": text], query: "is:conflicted")
    screen.press(.text("!"))
    #expect(
      screen.text.contains("mine") && screen.text.contains("theirs") && screen.text.contains("a keep all"))
    screen.press(.text("a"))
    #expect(screen.runs.last?.words == ["resolve", "cnfccccc", "--keep", "all", "body"])
    screen.end()
    screen.press(.text("!"), .text("e"))
    #expect(screen.runs.last?.words == ["edit", "cnfccccc"])
  }

  @Test func whatIsPastedIsNeverACommand() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.paste("xxxV\nd\ny"))
    #expect(screen.runs.isEmpty && screen.state.sheet == nil)
    screen.press(.text(":"), .paste("list\nkind:task"))
    #expect(screen.state.prompt?.line.text == "list kind:task")
  }

  @Test func theCursorStaysOnItsNote() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.text("G"))
    let title = screen.state.entry?.note.title
    try screen.folder.write(
      "newer.md", "---\nid: nwrbbbbb\ntitle: Newer\ncreated: 2026-11-22T08:00:00Z\n---\n")
    screen.carry(.refresh)
    #expect(screen.titles.first == "Newer" && screen.state.entry?.note.title == title)
  }

  @Test func aListThatComesLateLeavesTheCursorWhereItWasMoved() throws {
    let screen = try ScreenInTest(smallBox)
    // The list is asked for, the cursor moves, the list comes.
    let effects = screen.state.take(.changed)
    screen.press(.text("G"))
    let title = screen.state.entry?.note.title
    for effect in effects { screen.carry(effect) }
    #expect(screen.state.entry?.note.title == title && title == "Home")
  }

  @Test func escapeFromTheFilterGoesBackToTheRow() throws {
    let screen = try ScreenInTest(smallBox, size: (120, 6))
    screen.press(.text("G"), .text("k"))
    let (title, top) = (screen.state.entry?.note.title, screen.state.view.top)
    screen.press(.text("/"))
    screen.type("hobbit")
    #expect(screen.titles == ["The Hobbit"])
    screen.press(.escape)
    #expect(screen.titles.count == 6)
    #expect(screen.state.entry?.note.title == title && screen.state.view.top == top && top > 0)
  }

  @Test func theCursorStaysInItsRowAfterACommand() throws {
    var files: [String: String] = [:]
    for (number, id) in ["xssbbbbb", "xssccccc", "xssddddd"].enumerated() {
      files["\(number).md"] =
        "---\nid: \(id)\nkind: issue\ntitle: Issue \(number)\nstatus: open\ncreated: 2026-11-0\(number + 1)\n---\n"
    }
    let screen = try ScreenInTest(files, query: "kind:issue sort:status,-created")
    screen.press(.text("j"), .text("E"))
    let closed = try #require(screen.state.entry)
    let path = String(decoding: closed.note.path, as: UTF8.self)
    let text = files[path]?.split(separator: "status: open").joined(separator: "status: closed") ?? ""
    try screen.folder.write(path, text)
    screen.end(messages: ["Close issue"])
    #expect(screen.state.view.cursor == 1, "\(screen.titles)")
    #expect(screen.titles != ["Issue 2", "Issue 1", "Issue 0"], "the closed one went elsewhere")
    #expect(screen.state.entry?.note.title != closed.note.title)
  }

  @Test func theSidebarCountsThePast() throws {
    let screen = try ScreenInTest(smallBox)
    try screen.folder.write("newer.md", "---\nid: nwrbbbbb\ntitle: Newer\n---\n")
    screen.carry(.refresh)
    let count = { screen.state.sidebar.first { $0.query == "kind:note" }?.count }
    #expect(count() == 2)
    screen.press(.text("@"))
    screen.type("HEAD")
    screen.press(.enter)
    #expect(screen.titles.count == 6 && count() == 1)
    screen.press(.escape)
    #expect(screen.titles.count == 7 && count() == 2)
  }

  @Test func titlesHaveRoomBesideOtherPanes() throws {
    let title = "Describe the way to the lake house"
    let screen = try ScreenInTest([
      "a.md":
        "---\nid: nwrbbbbb\ntitle: \(title)\ntags: [house, holidays, lake]\ncreated: 2026-11-06\n---\n",
      "deep/folder/b.md": "# A note of a vault\n",
    ])
    #expect(screen.text.contains(title.prefix(29)), "\(screen.text)")
    screen.press(.text("G"), .text("+"), .text("+"))
    #expect(screen.text.contains("deep/folder") && !screen.text.contains("b.md"), "\(screen.text)")
  }

  @Test func lettersMeanTheSameAsOnThePage() throws {
    let task =
      "---\nid: tskbbbbb\nkind: task\ntitle: Task\ndone: false\npriority: low\ncreated: 2026-11-01\n---\n"
    let screen = try ScreenInTest(["task.md": task])
    screen.press(.text("s"))
    #expect(screen.runs.last?.words == ["do", "finish", "tskbbbbb"])
    screen.end()
    screen.press(.escape, .text("p"))
    #expect(screen.text.contains("2  low (now)"), "\(screen.text)")
    screen.press(.text("4"))
    #expect(screen.runs.last?.words == ["set", "tskbbbbb", "priority:high"])
    screen.end()
    screen.press(.text("m"))
    #expect(screen.runs.last?.words == ["do", "today", "tskbbbbb"])
    screen.end()
    screen.press(.text("d"))
    #expect(screen.state.prompt?.line.text == "set @ due:")
    screen.press(.escape, .text("l"))
    #expect(screen.state.prompt?.line.text == "set @ +")
    screen.press(.escape, .text("x"))
    #expect(screen.state.view.marked.count == 1 && screen.text.contains("# deletes"))
  }

  @Test func thePaletteGoesToNotesAndListsThem() throws {
    let screen = try ScreenInTest(smallBox, query: "kind:task")
    screen.press(.ctrl("k"))
    screen.type("ferm")
    #expect(screen.text.contains("Fermentation  (note)"), "\(screen.text)")
    #expect(screen.text.contains("list the notes with titles: ferm"), "\(screen.text)")
    screen.press(.enter)
    #expect(screen.titles.count == 6 && screen.state.entry?.note.title == "Fermentation")
    screen.press(.ctrl("k"))
    screen.type("lib the")
    screen.press(.down, .enter)
    #expect(screen.titles == ["Call the library"])
    // A note of exactly that title comes before actions.
    screen.press(.ctrl("k"))
    screen.type("home")
    screen.press(.enter)
    #expect(screen.state.entry?.note.title == "Home")
  }

  @Test func theLastWordIsTheBeginningOfOneWhileItIsTyped() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.text("/"))
    screen.type("ferm")
    #expect(screen.titles == ["Fermentation", "Call the library"], "\(screen.titles)")
    screen.press(.enter)
    // No note has the word itself.
    #expect(screen.titles.count == 2 && screen.state.view.request.query == "ferm*")
    screen.press(.escape)
    #expect(screen.titles.count == 6)
    screen.press(.text("/"))
    screen.type("crash")
    screen.press(.enter)
    #expect(screen.state.view.request.query == "crash" && screen.titles == ["Crash on start"])
    screen.press(.escape, .text("/"))
    screen.type("kind:task or")
    #expect(screen.state.view.request.query == "kind:task or")
  }

  @Test func menusLieOverTheList() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.text("c"))
    #expect(
      screen.state.sheet != nil && screen.text.contains("┌─ add: a kind, or the title of a note ─"),
      "\(screen.text)")
    #expect(screen.text.contains("Fermentation") && screen.text.contains("Filters"), "\(screen.text)")
    screen.press(.text("1"))
    #expect(screen.state.prompt?.line.text.hasPrefix("new ") == true)
    #expect(screen.state.prompt?.line.text.contains("\"") == false)
    screen.type("Ada's call due:tomorrow +home")
    screen.press(.enter)
    #expect(screen.runs.last?.words.suffix(4) == ["Ada's", "call", "due:tomorrow", "+home"])
  }

  @Test func commandsWaitForEachOther() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.text("u"), .text("u"), .text("u"), .text("q"))
    screen.press(.text(":"))
    screen.type("q")
    screen.press(.enter)
    #expect(screen.runs.count == 1 && !screen.hasQuit && screen.text.contains("slip undo is still running"))
    screen.end(messages: ["Undo: x"])
    #expect(screen.runs.count == 2)
    screen.end(messages: ["nothing to undo"], isSuccess: false)
    // After one that failed the others are not done, which is said.
    #expect(screen.runs.count == 2 && screen.text.contains("not run: slip undo"))
    screen.press(.text("q"))
    #expect(screen.hasQuit)
  }

  @Test func aMomentThatCannotBeReadLeavesTheList() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.text("T"))
    screen.type("1999-01-01")
    screen.press(.enter)
    #expect(screen.state.message?.isError == true && screen.titles.count == 6)
  }
}
