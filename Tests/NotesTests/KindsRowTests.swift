import Notes
import Testing

@Suite struct KindsRowTests {
  private static func row(_ kind: String, unicode: Bool = true, _ lines: String...) throws -> [String] {
    let kind = try #require(Schema.builtIn.kind(named: kind))
    let bytes = (["---"] + lines + ["---", ""]).joined(separator: "\n").utf8
    let note = Kinds.note(NoteText(Array(bytes)))
    let around = RowSurroundings(count: { _ in 0 }, title: { _, key in key == "bcdfghjk" ? "Home" : nil })
    return kind.row.map { $0.text(for: note, kind: kind, unicode: unicode, around) }
  }

  @Test func builtInRows() throws {
    #expect(
      try Self.row(
        "issue", "title: Crash", "priority: high", "status: closed", "created: 2026-11-21T09:30:00+01:00",
        "tags: [a, b]")
        == ["!", "Crash", "a, b", "2026-11-21", "CLOSED"])
    #expect(try Self.row("issue", "title: Crash") == ["", "Crash", "No tags", "", ""])
    #expect(
      try Self.row("book", "title: Dune", "author: H", "rating: 4", "status: completed") == [
        "●", "Dune", "H", "★★★★",
      ])
    #expect(try Self.row("book", unicode: false, "title: Dune", "author: H") == ["-", "Dune", "H", ""])
    #expect(try Self.row("group", "title: Home") == ["Home", "0 tasks"])
    #expect(
      try Self.row("task", unicode: false, "title: Mow", "done: true", "group: bcdfghjk", "due: 2026-12-01")
        == ["[x]", "", "Mow", "Home", "2026-12-01", "", ""])
    #expect(try Self.row("task", "title: Mow", "priority: high") == ["☐", "!!!", "Mow", "", "", "", ""])
    #expect(try Self.row("book", "title: Dune", "author: H", "rating: many") == ["○", "Dune", "H", "many"])
  }

  @Test func statesHaveSignsAndColumnsOfTheirOwn() throws {
    let task = try #require(Schema.builtIn.kind(named: "task"))
    let note = Kinds.note(
      Kinds.text("title: Mow", "due: 2026-12-01", "wait: 2026-11-30", "recur: weekly"))
    let cells = { (states: [RecordStanding], unicode: Bool) in
      let around = RowSurroundings(isIn: { states.contains($0) })
      return task.row.map { $0.text(for: note, kind: task, unicode: unicode, around) }
    }
    #expect(cells([.active], true) == ["☐", "", "Mow", "", "2026-12-01", "weekly", ""])
    #expect(cells([.waiting, .blocked], true)[0] == "◷")
    #expect(cells([.waiting], false) == ["[~]", "", "Mow", "", "2026-12-01", "weekly", "2026-11-30"])
    #expect(cells([.active, .blocked], false)[0] == "[-]")
  }

  @Test func marksStandForRanks() throws {
    let read = { (kind: String) -> [String?] in
      ["!", "!!", "!!!", "!!!!", "?", ""].map {
        Schema.builtIn.kind(named: kind)?.change(ofRankMark: $0)?.word
      }
    }
    #expect(read("task") == ["priority:low", "priority:medium", "priority:high", nil, nil, nil])
    #expect(read("issue") == ["priority:high", "priority:medium", "priority:high", nil, nil, nil])
    #expect(read("book") == [nil, nil, nil, nil, nil, nil])
  }

  @Test func valuesSortByTheirTypes() throws {
    let task = try #require(Schema.builtIn.kind(named: "task"))
    let compare = { (field: String, left: String, right: String) in
      task.compare(field, .text(left), .text(right))
    }
    #expect(compare("priority", "high", "low") == 1)
    #expect(compare("priority", "HIGH", "high") == 0)
    #expect(compare("done", "no", "true") == -1)
    #expect(compare("due", "2026-02-01", "2026-10-01") == -1)
    #expect(compare("due", "someday", "9999-12-31") == 1)
    #expect(compare("title", "Żółw", "zupa") == -1)
    #expect(task.compare("due", .empty, .text("someday")) == 1)
    let book = try #require(Schema.builtIn.kind(named: "book"))
    #expect(book.compare("rating", .text("-2"), .text("5")) == 1)
    #expect(book.compare("added", .text("0001-01-01"), .text("1970-01-01")) == -1)
  }

  @Test func missingValuesSortAsTheirDefaults() throws {
    let task = try #require(Schema.builtIn.kind(named: "task"))
    let note = Kinds.note(Kinds.text("kind: task", "priority: none"))
    #expect(
      task.sortKey(of: "done", in: note)
        == task.sortKey(of: "done", in: Kinds.note(Kinds.text("done: false"))))
    #expect(task.sortKey(of: "due", in: note) == nil)
  }

  @Test func actionsAndFieldsIgnoreCase() throws {
    let issue = try #require(Schema.builtIn.kind(named: "ISSUE"))
    #expect(issue.action(named: "Close")?.changes == [.set(field: "status", value: "closed")])
    #expect(issue.field("STATUS")?.values == ["open", "closed"])
    #expect(
      issue.fieldOrder == [
        "id", "title", "aliases", "kind", "created", "tags", "priority", "status", "closed",
      ])
  }
}
