import SlipboxTesting
import Testing

@testable import SlipboxPage

/// Saved views as pages read and change them.
struct SavedViewTests {
  private static let files = [
    ".slipbox/config.yaml":
      "path: \"{slug}-{id}.md\"\nview-done: board kind:task\nview-due: calendar kind:task\nview-books: table kind:book --columns title,pages --total\nview-by: table kind:book --columns sum(pages) --by status\nview-bad: nonsense\nview-week: agenda kind:task\n",
    "a.md": "---\nid: bbbbbbbc\ntitle: A\nkind: task\ndue: 2026-11-21\ndue-time: \"17:00\"\n---\n",
    "b.md": "---\nid: bbbbbbbd\ntitle: B\nkind: task\ndone: true\n---\n",
    "d.md": "---\nid: bbbbbbbg\ntitle: D\nkind: book\nauthor: X\npages: 300\n---\n",
    "e.md": "---\nid: bbbbbbbh\ntitle: E\nkind: book\nauthor: Y\npages: 120\n---\n",
  ]

  private func titles(_ part: [String: Any]) -> [String] {
    (part["notes"] as? [[String: Any]] ?? []).compactMap { $0["title"] as? String }
  }

  @Test func `the box names its views with their forms`() throws {
    let views = try PageInTest(Self.files).get("/api/box?brief=true").json["views"] as? [[String: Any]] ?? []
    #expect(views.map { $0["name"] as? String } == ["bad", "books", "by", "done", "due", "week"])
    #expect(views.map { $0["form"] as? String } == [nil, "table", "table", "board", "calendar", "agenda"])
  }

  @Test func `the box names the kind of a view whose query is one word of several terms`() throws {
    let page = try PageInTest(Self.files)
    #expect(
      page.post("/api/view", #"{"name":"open","form":"board","query":"kind:task is:active"}"#).status == 200)
    let views = page.get("/api/box?brief=true").json["views"] as? [[String: Any]] ?? []
    let open = views.first { $0["name"] as? String == "open" }
    #expect(open?["kind"] as? String == "task")
    #expect(open?["query"] as? String == "kind:task is:active")
  }

  @Test func `a view gets another name, unless that is taken`() throws {
    let page = try PageInTest(Self.files)
    #expect(page.post("/api/view", #"{"name":"library","from":"books"}"#).status == 200)
    let lines = page.text(".slipbox/config.yaml")?.split(separator: "\n") ?? []
    let isThere = { (name: String) in lines.contains { $0.hasPrefix("view-\(name): ") } }
    #expect(isThere("library") && !isThere("books"))
    #expect(page.post("/api/view", #"{"name":"due","from":"library"}"#).status == 422)
    #expect(page.post("/api/view", #"{"name":"new","from":"books"}"#).status == 404)
  }

  @Test func `a view gets another form, without the options that this form can't show`() throws {
    let page = try PageInTest(Self.files)
    func line(_ form: String, _ name: String) -> String? {
      #expect(page.post("/api/view", #"{"name":"\#(name)","form":"\#(form)"}"#).status == 200)
      let lines = page.text(".slipbox/config.yaml")?.split(separator: "\n") ?? []
      return lines.first { $0.hasPrefix("view-\(name): ") }.map { String($0.dropFirst(name.count + 7)) }
    }
    #expect(line("list", "books") == "list kind:book --total")
    #expect(page.get("/api/view?view=books").json["form"] as? String == "list")
    #expect(line("board", "by") == "board kind:book --columns 'sum(pages)' --by status")
    #expect(line("calendar", "by") == "calendar kind:book --columns 'sum(pages)'")
    #expect(line("board", "due") == "board kind:task")
  }

  @Test func `a list with columns is a table to the page`() throws {
    var files = Self.files
    files[".slipbox/config.yaml", default: ""] += "view-rows: list kind:book --columns title,pages\n"
    let page = try PageInTest(files)
    let views = page.get("/api/box?brief=true").json["views"] as? [[String: Any]] ?? []
    #expect(views.first { $0["name"] as? String == "rows" }?["form"] as? String == "table")
    let answer = page.get("/api/view?view=rows").json
    #expect(answer["form"] as? String == "table")
    #expect((answer["rows"] as? [[String: Any]])?.count == 2)
  }

  @Test func `a board has columns with counts, cards and the actions that lead there`() throws {
    let page = try PageInTest(Self.files)
    let columns = page.get("/api/view?view=done").json["columns"] as? [[String: Any]] ?? []
    #expect(columns.map { $0["value"] as? String } == ["false", "true"])
    #expect(columns.map(titles) == [["A"], ["B"]])
    #expect(columns.map { ($0["actions"] as? [String: String])?["task"] } == ["reopen", "finish"])
    let one = page.get("/api/view?view=done&column=1&from=1").json["columns"] as? [[String: Any]] ?? []
    #expect(one.map { $0["count"] as? Int } == [1])
    #expect(one.map(titles) == [[]])
    #expect(page.get("/api/view?view=done&q=B").json["total"] as? Int == 1)
  }

  @Test func `a calendar has days with their notes and times`() throws {
    let page = try PageInTest(Self.files)
    let answer = page.get("/api/view?view=due&first=2026-11-16&last=2026-11-22").json
    let days = answer["days"] as? [[String: Any]] ?? []
    #expect(days.map { $0["date"] as? String } == ["2026-11-21"])
    #expect((days.first?["notes"] as? [[String: Any]])?.first?["time"] as? String == "17:00")
    #expect(answer["undated"] as? Int == 1)
    #expect(page.get("/api/view?view=due&first=x&last=2026-11-22").status == 400)
    #expect(page.get("/api/view?view=due&first=1000-01-01&last=2026-11-22").status == 400)
  }

  @Test func `a table has notes to edit, groups to open, and totals`() throws {
    let page = try PageInTest(Self.files)
    let books = page.get("/api/view?view=books&sort=-pages").json
    let rows = books["rows"] as? [[String: Any]] ?? []
    #expect(rows.map { $0["cells"] as? [String] } == [["D", "300"], ["E", "120"]])
    #expect(rows.allSatisfy { ($0["note"] as? [[String: Any]])?.count == 1 })
    #expect(books["totals"] as? [String] == ["", "420"])
    let groups = page.get("/api/view?view=by").json["rows"] as? [[String: Any]] ?? []
    #expect(groups.map { $0["query"] as? String } == ["kind:book status:=on-shelf"])
    #expect(page.get("/api/view?view=books&columns=nonsense(").status == 422)
  }

  @Test func `an agenda is parts with headings`() throws {
    let page = try PageInTest(
      Self.files.merging([
        "f.md": "---\nid: bbbbbbbk\ntitle: F\nkind: task\nscheduled: 9998-12-25\ndue: 9998-12-31\n---\n"
      ]) { $1 })
    let answer = page.get("/api/view?view=week").json
    let columns = answer["columns"] as? [[String: Any]] ?? []
    #expect(columns.map(titles) == [["A"], ["F", "F"]])
    #expect(answer["total"] as? Int == 2)
    let notes = columns.last?["notes"] as? [[String: Any]] ?? []
    let listed = notes.map { $0["listed"] as? [String: Any] ?? [:] }
    #expect(listed.map { $0["date"] as? String } == ["9998-12-25", "9998-12-31"])
    #expect(listed.map { $0["remark"] as? String } == ["scheduled", ""])
  }

  @Test func `a view is saved, changed and removed, each with one commit`() throws {
    let page = try PageInTest(Self.files)
    let before = page.commits
    #expect(
      page.post("/api/view", #"{"name":"open","form":"board","query":"kind:issue","by":"status"}"#).status
        == 200)
    #expect(page.text(".slipbox/config.yaml")?.contains("view-open: board kind:issue --by status") == true)
    #expect(
      page.post("/api/view", #"{"name":"books","columns":"title,author","sort":"-author"}"#).status == 200)
    #expect(
      page.text(".slipbox/config.yaml")?.contains(
        "view-books: table kind:book --columns title,author --sort '-author' --total")
        == true || page.text(".slipbox/config.yaml")?.contains("--sort -author --total") == true)
    #expect(page.post("/api/view", #"{"name":"open","remove":true}"#).status == 200)
    #expect(page.commits == before + 3)
    #expect(page.post("/api/view", #"{"name":"open","form":"nonsense"}"#).status == 400)
    #expect(page.post("/api/view", #"{"name":"open","query":"due:("}"#).status == 400)
    #expect(page.get("/api/view?view=nobody").status == 404)
  }
}
