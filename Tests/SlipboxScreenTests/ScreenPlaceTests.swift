import NoteIndex
import Notes
import Testing

@testable import SlipboxScreen

/// Where one is on the screen, and how one comes back there.
struct ScreenPlaceTests {
  @Test func theSidebarHasItsOwnEnds() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.left, .text("G"))
    #expect(screen.state.focus == .sidebar && screen.state.sidebarItem == screen.state.sidebar.last)
    for keys in [[Key.text("g")], [.end, .home], [.end, .pageUp, .pageUp]] {
      for key in keys { screen.press(key) }
      #expect(screen.state.sidebarItem?.label == "all", "\(keys)")
      screen.press(.text("k"))
      #expect(screen.state.sidebarItem?.label == "all")
    }
    #expect(screen.state.view.cursor == 0)
    screen.press(.wheel(lines: 3, column: 2, row: 2))
    #expect(screen.state.sidebarItem != screen.state.sidebar[1] && screen.state.view.cursor == 0)
  }

  @Test func whatIsEnteredIsLeft() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.left)
    let place = try #require(screen.state.sidebar.firstIndex { $0.query == "kind:task" })
    for _ in screen.state.sidebarCursor..<place where screen.state.sidebarCursor < place {
      screen.press(.down)
    }
    screen.press(.text("l"))
    #expect(screen.state.focus == .list && screen.titles.count == 2)
    screen.press(.right)
    #expect(screen.state.focus == .preview)
    screen.press(.text("h"), .text("h"))
    #expect(screen.state.focus == .sidebar && screen.state.sidebarCursor == place)
    // What is listed otherwise is found in the sidebar too.
    screen.press(.escape, .text("M"), .left)
    #expect(screen.state.sidebarItem?.query == "@my-day")
    screen.press(.text("?"), .left)
    #expect(screen.state.sheet == nil)
  }

  @Test func thePastBeginsAtTheNoteAndIsLeftToIt() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.text("G"), .text("k"), .enter)
    let title = try #require(screen.state.entry?.note.title)
    screen.press(.text("T"))
    screen.type("HEAD")
    screen.press(.enter)
    #expect(screen.text.contains("as of HEAD") && screen.state.entry?.note.title == title)
    screen.press(.text("g"), .escape)
    #expect(screen.state.entry?.note.title == title && screen.state.focus == .preview)
    #expect(screen.state.listing?.isOfNow == true)
  }

  @Test func historyIsLeftStepByStep() throws {
    let screen = try ScreenInTest(smallBox, query: "title:Fermentation")
    screen.press(.text("H"), .text("T"))
    #expect(screen.state.sheet == nil && screen.text.contains("as of "))
    screen.press(.escape)
    #expect(screen.text.contains("r restore this version") && screen.state.listing?.isOfNow == true)
    screen.press(.left)
    #expect(screen.state.sheet == nil && screen.titles == ["Fermentation"])
    let history = HistorySheet(
      title: "Fermentation", note: "ntxbbbbb",
      items: [.init(name: "op", commit: "c", time: "", isOperation: true, line: "Set", changes: [])])
    screen.take(.opened(.history(history)))
    screen.press(.right)
    #expect(screen.runs.last?.words == ["log", "--op", "op"])
    screen.end(output: ["one", "two"])
    #expect(screen.text.contains("two"))
    screen.press(.text("h"))
    #expect(screen.text.contains("r restore this version"))
    screen.press(.escape)
    #expect(screen.state.sheet == nil)
  }

  @Test(arguments: [80, 120]) func rowsShowWhatWasFound(columns: Int) throws {
    let screen = try ScreenInTest(smallBox, size: (columns, 24), query: "library")
    let lines = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
    let place = try #require(lines.firstIndex { $0.contains("the library]]") })
    #expect(lines[place - 1].contains("Fermentation"), "\(screen.text)")
    let column = screen.state.sidebar.isEmpty || columns < 120 ? 2 : 30
    screen.press(.text("g"), .click(column: column, row: place))
    #expect(screen.state.entry?.note.title == "Fermentation")
    // Titles alone need no second line.
    screen.press(.text("/"), .ctrl("u"))
    screen.type("hobbit")
    #expect(screen.titles == ["The Hobbit"] && screen.state.listing?.rowHeight == 1)
  }

  @Test func theNoteBeginsWhereTheWordIs() throws {
    let text =
      "---\nid: lngbbbbb\ntitle: Long\n---\n\(String(repeating: "Line.\n\n", count: 60))A *needle* here.\n"
    let screen = try ScreenInTest(["long.md": text], size: (120, 20), query: "needle")
    let lines = screen.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.contains { $0.suffix(70).contains("A needle here.") }, "\(screen.text)")
    #expect(screen.state.previewTop > 0)
  }

  @Test func aLineIsReadAsOnThePage() throws {
    let screen = try ScreenInTest(smallBox, query: "kind:task")
    screen.press(.text("c"))
    screen.type("Call Ada due:next week +home !!")
    screen.press(.enter)
    #expect(screen.runs.last?.words == ["new", "task", "Call", "Ada", "due:next week", "+home", "!!"])
    screen.end()
    screen.press(.text("d"))
    screen.type("in 3 days at noon +later x:")
    screen.press(.enter)
    #expect(screen.runs.last?.words.suffix(3) == ["due:in 3 days at noon", "+later", "x:"])
  }
}
