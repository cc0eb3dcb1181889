import NoteIndex
import Notes
import SlipboxTesting
import Testing
import Text

@testable import SlipboxCore

/// Boards and calendars: their columns and days, and the changes that move a note.
struct BoardTests {
  private static let files = [
    "g.md": "---\nid: kqzmvtrb\ntitle: Garden\nkind: group\n---\n",
    "h.md": "---\nid: kqzmvtrc\ntitle: House\nkind: group\n---\n",
    "a.md": "---\nid: bbbbbbbc\ntitle: A\nkind: task\ngroup: kqzmvtrb\ndue: 2026-11-21\ntags: [x]\n---\n",
    "b.md": "---\nid: bbbbbbbd\ntitle: B\nkind: task\ngroup: Garden\ndone: true\nfinished: 2026-11-02\n---\n",
    "c.md": "---\nid: bbbbbbbf\ntitle: C\nkind: task\npriority: high\ndue: 2026-12-01\n---\n",
    "d.md":
      "---\nid: bbbbbbbg\ntitle: D\nkind: book\nauthor: X\npages: 300\nstatus: completed\nstarted: 2026-02-01\ncompleted: 2026-02-03\nreadings: [2025-01-01..2025-01-09]\n---\n",
    "e.md": "---\nid: bbbbbbbh\ntitle: E\nkind: book\nauthor: Y\npages: 120\n---\n",
  ]

  private let box: WritingBox

  init() throws { box = try WritingBox(Self.files) }

  private func board(_ line: String, filter: String = "") throws -> Board {
    let snapshot = try box.snapshot()
    let view = try View(line: line, forms: View.Form.ofViews)
    return try Board(view, try ViewNotes(view, filter: filter, in: snapshot), in: snapshot)
  }

  private func columns(_ board: Board) -> [String] {
    board.columns.map { column in
      "\(column.title ?? "-"): " + column.matches.map(\.entry.note.title).sorted().joined()
    }
  }

  @Test func `a choice has a column for each value in declared order`() throws {
    let board = try board("board kind:task --by priority")
    #expect(columns(board) == ["none: AB", "low: ", "medium: ", "high: C"])
    #expect(board.total == 3)
  }

  @Test func `without a field the state of the kind makes the columns`() throws {
    #expect(columns(try board("board kind:task")) == ["false: AC", "true: B"])
    #expect(columns(try board("board kind:book")) == ["on-shelf: E", "in-progress: ", "completed: D"])
  }

  @Test func `references by key and by title share a column with the title`() throws {
    let board = try board("board kind:task --by group")
    #expect(columns(board) == ["Garden: AB", "House: ", "-: C"])
    #expect(board.columns.map(\.value) == ["kqzmvtrb", "kqzmvtrc", nil])
  }

  @Test func `columns have the aggregates of the view`() throws {
    let board = try board("board kind:book --columns 'count,sum(pages)'")
    #expect(
      board.columns.map { $0.aggregates.map { $0.value?.text } } == [
        ["1", "120"], ["0", "0"], ["1", "300"],
      ])
    let error = #expect(throws: SlipboxError.self) { try self.board("board kind:book --columns pages") }
    #expect(error?.kind == .usage)
  }

  @Test func `the columns are those of the kinds of the notes`() throws {
    let box = try WritingBox([
      "a.md": "---\nid: bbbbbbbc\nstatus: Draft\n---\n", "b.md": "---\nid: bbbbbbbd\nstatus: draft\n---\n",
      "c.md": "---\nid: bbbbbbbf\nstatus: draft\n---\n",
      "d.md": "---\nid: bbbbbbbg\nkind: issue\nstatus: closed\ntags: [later]\n---\n",
    ])
    let snapshot = try box.snapshot()
    let values = { (line: String) in
      let view = try View(line: line, forms: View.Form.ofViews)
      return try Board(view, try ViewNotes(view, in: snapshot), in: snapshot).columns.map {
        "\($0.value ?? "-") \($0.matches.count)"
      }
    }
    #expect(try values("board -later --by status") == ["draft 3"])
    #expect(try values("board --by status") == ["open 0", "closed 1", "draft 3"])
    #expect(try values("board kind:issue +none --by status") == ["open 0", "closed 0"])
  }

  @Test func `a calendar counts the notes of other months`() throws {
    let snapshot = try box.snapshot()
    let view = try View(line: "calendar kind:task", forms: View.Form.ofViews)
    let notes = try ViewNotes(view, in: snapshot)
    let november = try NoteCalendar(view, notes, in: snapshot)
    #expect(november.others(areLater: true)?.count == 1)
    #expect(november.others(areLater: true)?.nearest == CivilDate("2026-12-01"))
    #expect(november.others(areLater: false) == nil)
    let december = try NoteCalendar(view, notes, month: CivilDate("2026-12-05"), in: snapshot)
    #expect(december.month == CivilDate("2026-12-01"))
    #expect(december.daysOfMonth.count == 31)
    #expect(december.others(areLater: false)?.nearest == CivilDate("2026-11-21"))
  }

  @Test func `a filter narrows a view`() throws {
    #expect(
      columns(try board("board kind:task --by priority", filter: "+x OR priority:high")) == [
        "none: A", "low: ", "medium: ", "high: C",
      ])
  }

  @Test func `a move is the action of the kind that leads there, else a change`() throws {
    let done = try board("board kind:task")
    #expect(done.move(ofKind: "task", from: "false", to: "true") == .action("finish"))
    #expect(done.move(ofKind: "task", from: "true", to: "true") == nil)
    let books = try board("board kind:book")
    #expect(books.move(ofKind: "book", from: "on-shelf", to: "in-progress") == .action("start"))
    let groups = try board("board kind:task --by group")
    #expect(
      groups.move(ofKind: "task", from: nil, to: "kqzmvtrc")
        == .changes([.set(field: "group", value: "kqzmvtrc")]))
    #expect(groups.move(ofKind: "task", from: "kqzmvtrc", to: nil) == .changes([.clear(field: "group")]))
    let tags = try board("board kind:task --by tags")
    #expect(tags.move(ofKind: "task", from: "x", to: "y") == .changes([.removeTag("x"), .addTag("y")]))
    let months = try board("board kind:task --by 'month(due)'")
    #expect(months.move(ofKind: "task", from: "2026-11", to: "2026-12") == nil)
  }

  @Test func `a calendar has the notes of each day, and earlier days that a list keeps`() throws {
    let snapshot = try box.snapshot()
    let calendar = { (line: String) in
      let view = try View(line: line, forms: View.Form.ofViews)
      return try NoteCalendar(view, try ViewNotes(view, in: snapshot), in: snapshot)
    }
    let due = try calendar("calendar kind:task")
    let day = try #require(CivilDate("2026-12-01"))
    #expect(due.items(on: day).map(\.match.entry.note.title) == ["C"])
    #expect(due.undated == 1)
    #expect(due.isMovable)
    #expect(due.change(to: day) == .set(field: "due", value: "2026-12-01"))
    let completed = try calendar("calendar kind:book --by completed")
    #expect(try completed.items(on: #require(CivilDate("2026-02-03"))).map(\.isCurrent) == [true])
    #expect(try completed.items(on: #require(CivilDate("2025-01-09"))).map(\.isCurrent) == [false])
    #expect(!(try calendar("calendar --by created").isMovable))
  }

  @Test func `the weeks of a month begin on Monday`() throws {
    let days = NoteCalendar.days(ofMonth: try #require(CivilDate("2026-11-21")))
    #expect(days.first?.description == "2026-10-26")
    #expect(days.last?.description == "2026-12-06")
  }

  @Test(arguments: ["priority", "title", "status"]) func `a calendar takes a date`(field: String) throws {
    let snapshot = try box.snapshot()
    let view = try View(line: "calendar kind:task --by \(field)", forms: View.Form.ofViews)
    let error = #expect(throws: SlipboxError.self) {
      _ = try NoteCalendar(view, try ViewNotes(view, in: snapshot), in: snapshot)
    }
    #expect(error?.message.description == "--by: \(field) is not a date")
  }

  @Test(arguments: ["show", "save", "list"]) func `a command of views can't name one`(name: String) throws {
    let error = #expect(throws: SlipboxError.self) {
      _ = try ChangeViews(in: box.snapshot()).plan(saving: View(.list), as: name)
    }
    #expect(error?.message.description.contains("can't name a view") == true)
  }
}
