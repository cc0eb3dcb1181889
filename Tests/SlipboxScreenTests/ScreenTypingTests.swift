import Notes
import Presentation
import SlipboxTesting
import Testing

@testable import SlipboxScreen

/// Commands that are typed, conflicts, and the rows that stand beside other panes.
@Suite struct ScreenTypingTests {
  @Test func `conflicts are settled one by one`() throws {
    let note = """
      ---
      id: cnfbbbbb
      title: Two sides
      status: -later
      conflicts:
        - "status: done 2026-11-02T08:00:00Z laptop Ada"
        - "rating: 3 2026-11-02T08:00:00Z laptop Ada"
      created: 2026-11-01T08:00:00Z
      ---

      """
    let screen = try ScreenInTest(["two.md": note, "one.md": "# One side\n"])
    screen.press(.text("C"))
    #expect(screen.titles == ["Two sides"])
    screen.press(.text("!"))
    for text in ["status", "1  -later", "2  done", "laptop", "and 1 more", "1 keep 1", "2 keep 2", "e edit"] {
      #expect(screen.text.contains(text), "\(text)")
    }
    // A text is kept whole or not at all; a field has one value.
    screen.press(.text("a"))
    #expect(screen.runs.isEmpty)
    screen.press(.text("2"))
    #expect(screen.runs.last?.words == ["resolve", "cnfbbbbb", "--keep", "2", "status"])
    // A key typed ahead does nothing in the list.
    screen.press(.text("1"))
    #expect(screen.runs.count == 1)
    let status = "status: -later\n"
    let entry = "  - \"status: done 2026-11-02T08:00:00Z laptop Ada\"\n"
    let settled = note.replacing(status, with: "status: done\n").replacing(entry, with: "")
    try screen.folder.write("two.md", settled)
    screen.end(output: ["cnfbbbbb Resolve status: Two sides"])
    for text in ["rating", "1  no value", "2  3"] { #expect(screen.text.contains(text), "\(text)") }
    screen.press(.text("2"))
    #expect(screen.runs.last?.words == ["resolve", "cnfbbbbb", "--keep", "2", "rating"])
    let last = "conflicts:\n  - \"rating: 3 2026-11-02T08:00:00Z laptop Ada\"\n"
    try screen.folder.write("two.md", settled.replacing(last, with: "rating: 3\n"))
    screen.end(output: ["cnfbbbbb Resolve rating: Two sides"])
    #expect(screen.state.sheet == nil)
  }

  @Test(arguments: [80, 120]) func `lists with due dates show them, and signs of priority`(width: Int) throws
  {
    let title = "Describe the way to the lake house"
    let task =
      "kind: task\ntitle: \(title)\ndue: 2026-12-05\npriority: high\ntags: [lake]\ncreated: 2026-11-02\n---\n"
    let screen = try ScreenInTest(
      ["a.md": "---\nid: nwrbbbbb\n\(task)", "b.md": "---\nid: nwrccccc\ntitle: Note\n---\n"],
      size: (width, 24))
    let row = { screen.text.split(separator: "\n").first { $0.contains(title.prefix(15)) } ?? "" }
    // With little room the state and the day are in one column.
    #expect(row().contains(width == 80 ? "open 12-05" : "due 12-05"), "\(screen.text)")
    #expect(row().contains("!!!"), "\(screen.text)")
    screen.press(.text("/"))
    screen.type("kind:task")
    screen.press(.enter)
    #expect(row().contains("2026-12-05") && row().contains("!!!"), "\(screen.text)")
  }

  @Test(arguments: [
    ("due:next week", "due:next week"), ("due:tomorrow 9am +home", "due:tomorrow 9am"),
    ("due:monday 17:30", "due:monday 17:30"), ("due:dec 5 !!", "due:dec 5"),
    ("due:in 3 days", "due:in 3 days"),
    ("due:friday then", "due:friday"),
    ("scheduled:day after tomorrow 9am", "scheduled:day after tomorrow 9am"),
  ]) func `dates of several words need no quotes`(typed: String, word: String) throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.text(":"))
    screen.type("new task Buy milk \(typed)")
    screen.press(.enter)
    #expect(screen.runs.last?.words.contains(word) == true, "\(screen.runs)")
  }

  @Test func `arrows go through what is offered, and through history only without it`() throws {
    let screen = try ScreenInTest(smallBox, query: "kind:task")
    screen.press(.text("d"))
    let offered = screen.state.prompt?.candidates.map(\.text) ?? []
    #expect(offered.count > 1)
    screen.press(.down)
    #expect(screen.state.prompt?.line.text == offered[0])
    screen.press(.down)
    #expect(screen.state.prompt?.line.text == offered[1])
    screen.press(.up)
    #expect(screen.state.prompt?.line.text == offered[0])
    screen.press(.enter)
    #expect(screen.runs.count == 1, "\(screen.runs)")
    screen.end(output: [])
    // Down where nothing is newer leaves the line as it was typed.
    screen.press(.text(":"))
    screen.type("zzz ")
    #expect(screen.state.prompt?.candidates.isEmpty == true)
    screen.press(.down)
    #expect(screen.state.prompt?.line.text == "zzz ")
    screen.press(.up)
    #expect(screen.state.prompt?.line.text == offered[0])
    screen.press(.ctrl("n"))
    #expect(screen.state.prompt?.line.text == "zzz ")
  }

  @Test func `a term is typed behind the query that is there`() throws {
    let screen = try ScreenInTest(smallBox, query: "kind:task")
    let all = screen.titles
    screen.press(.text("/"))
    #expect(screen.state.prompt?.line.text == "kind:task ")
    #expect(screen.state.view.request.query == "kind:task" && screen.titles == all)
    screen.type("library")
    #expect(screen.titles == ["Call the library"])
    screen.press(.escape, .text("/"), .enter)
    #expect(screen.state.view.request.query == "kind:task" && screen.titles == all)
  }

  @Test func `a state of two values is turned without a hint about keys`() throws {
    let screen = try ScreenInTest(smallBox, query: "kind:task")
    screen.press(.text("s"))
    #expect(screen.runs.count == 1)
    #expect(screen.state.message?.lines.contains { $0.contains("sorts") } != true)
  }

  @Test func `the line of a command that fails stays open`() throws {
    let screen = try ScreenInTest(smallBox)
    screen.press(.text(":"))
    screen.type("new task Buy milk due:fryday")
    screen.press(.enter)
    screen.end(messages: ["slip: due: fryday is not a date", "  did you mean friday"], isSuccess: false)
    #expect(screen.state.prompt?.line.text == "new task Buy milk due:fryday")
    #expect(screen.text.contains("fryday is not a date"))
    screen.press(.enter)
    #expect(screen.runs.count == 2)
    screen.end(messages: ["New task: Buy milk"])
    #expect(screen.state.prompt == nil)
  }

  @Test func `enter without a value changes nothing`() throws {
    let screen = try ScreenInTest(smallBox, query: "kind:task done:false")
    for key in ["d", "l"] {
      screen.press(.text(key), .enter)
      #expect(screen.runs.isEmpty && screen.text.contains("nothing was changed"), "\(screen.text)")
    }
  }
}
