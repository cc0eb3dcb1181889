import NoteIndex
import Notes
import Testing

@testable import SlipboxScreen

/// Boards and calendars on the screen.
struct ScreenViewTests {
  private static let settings = """
    view-done: board kind:task
    view-due: calendar kind:task
    view-plain: list kind:task --sort title
    view-week: agenda kind:task
    view-states: table kind:task --by done
    view-rows: table kind:task --columns title,due --sort -due

    """
  private static let files = [
    "a.md": "---\nid: bbbbbbbc\ntitle: Ann\nkind: task\ndue: 2026-11-21\n---\n",
    "b.md": "---\nid: bbbbbbbd\ntitle: Bob\nkind: task\ndue: 2026-11-23\n---\n",
    "c.md": "---\nid: bbbbbbbf\ntitle: Cid\nkind: task\ndone: true\ndue: 2026-12-20\n---\n",
  ]

  private func screen(_ name: String, size: (columns: Int, rows: Int) = (120, 40)) throws -> ScreenInTest {
    let screen = try ScreenInTest(Self.files, size: size, settings: Self.settings)
    let place = try #require(screen.state.sidebar.firstIndex { $0.view == name })
    screen.state.focus = .sidebar
    screen.state.sidebarCursor = place
    screen.press(.enter)
    return screen
  }

  @Test func `a board has columns side by side, and the cursor goes between them`() throws {
    let screen = try screen("done")
    #expect(screen.titles == ["Ann", "Bob", "Cid"])
    let line = try #require(screen.text.split(separator: "\n").first { $0.contains("false 2") })
    #expect(line.contains("true 1"))
    screen.press(.down, .right)
    #expect(screen.state.entry?.note.title == "Cid")
    screen.press(.left)
    #expect(screen.state.entry?.note.title == "Ann")
    screen.press(.left)
    #expect(screen.state.focus == .sidebar)
  }

  @Test func `a key moves the note by the action of its kind`() throws {
    let screen = try screen("done")
    screen.press(.text(">"))
    #expect(screen.runs.map(\.words) == [["do", "finish", "bbbbbbbc"]])
    screen.end()
    #expect(screen.state.entry?.note.title == "Ann")
    screen.press(.text("<"))
    #expect(screen.runs.count == 1)
    #expect(screen.state.message?.isError == true)
  }

  @Test func `marked notes of one column move together`() throws {
    let screen = try screen("done")
    screen.press(.space, .space)
    #expect(screen.state.view.marked.count == 2, "\(screen.text)")
    screen.press(.text(">"))
    #expect(screen.runs.last?.words == ["do", "finish", "-", "--dry-run"])
    #expect(screen.runs.last?.input.count == 2)
    let mixed = try self.screen("done")
    mixed.press(.space, .space, .space, .text(">"))
    #expect(mixed.state.view.marked.count == 3)
    #expect(mixed.runs.isEmpty && mixed.state.message?.isError == true)
  }

  @Test func `a calendar has the days of a month, and a key moves the note by a day`() throws {
    let screen = try screen("due")
    #expect(screen.titles == ["Ann", "Bob"])
    #expect(screen.text.contains("2026-11"))
    screen.press(.right)
    #expect(screen.state.entry?.note.title == "Bob")
    screen.press(.text("<"))
    #expect(screen.runs.map(\.words) == [["set", "bbbbbbbd", "due:2026-11-22"]])
    screen.end()
    screen.press(.text("]"))
    #expect(screen.titles == ["Cid"])
    screen.press(.text("["))
    #expect(screen.titles == ["Ann", "Bob"])
  }

  @Test func `other views are lists of rows, and a query narrows them`() throws {
    let screen = try screen("plain")
    #expect(screen.titles == ["Ann", "Bob", "Cid"])
    #expect(screen.state.listing?.form == nil)
    screen.press(.text("/"))
    screen.type("done:true")
    screen.press(.enter)
    #expect(screen.titles == ["Cid"])
  }

  @Test func `an agenda and a table have headings with counts`() throws {
    let agenda = try screen("week")
    #expect(agenda.titles == ["Ann", "Bob"])
    let lines = agenda.text.split(separator: "\n").map(String.init)
    let heading = try #require(lines.firstIndex { $0.contains("2026-11-23, 1") }, "\(agenda.text)")
    #expect(lines[heading + 1].contains("Bob"))
    agenda.press(.down)
    #expect(agenda.state.entry?.note.title == "Bob")
    // The note stays beside the list, and a key of boards does nothing.
    #expect(agenda.text.contains("┃") || agenda.text.contains("│"))
    agenda.press(.text(">"))
    #expect(agenda.runs.isEmpty && agenda.state.message?.isError == true)
    let table = try screen("states")
    #expect(table.titles == ["Ann", "Bob", "Cid"])
    #expect(table.text.contains("false  2") && table.text.contains("true  1"), "\(table.text)")
  }

  @Test func `a table has its columns and its order`() throws {
    let table = try screen("rows")
    #expect(table.titles == ["Cid", "Bob", "Ann"], "\(table.text)")
    let lines = table.text.split(separator: "\n").map(String.init)
    let heading = try #require(lines.firstIndex { $0.contains("title") && $0.contains("due") })
    #expect(lines[heading + 1].contains("Cid") && lines[heading + 1].contains("2026-12-20"))
    #expect(lines[heading + 3].contains("Ann") && lines[heading + 3].contains("2026-11-21"))
    table.press(.down)
    #expect(table.state.entry?.note.title == "Bob")
  }

  @Test func `the palette finds views`() throws {
    let screen = try ScreenInTest(Self.files, settings: Self.settings)
    screen.press(.ctrl("k"))
    screen.type("week")
    screen.press(.enter)
    #expect(screen.state.view.request.view == "week", "\(screen.text)")
  }

  @Test(arguments: [(120, 40), (80, 24), (40, 12), (20, 5), (10, 3), (1, 1)])
  func `boards and calendars fit any size`(columns: Int, rows: Int) throws {
    for name in ["done", "due", "week", "states", "rows"] {
      let screen = try screen(name, size: (columns, rows))
      #expect(screen.state.frame().rows == rows)
    }
  }
}
