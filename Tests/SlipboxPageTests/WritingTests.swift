import Foundation
import SlipboxTesting
import Testing

@testable import SlipboxPage

/// Changes of pages: each one commit, by the use case of the command of that name.
struct WritingTests {
  private static let files = [
    "ada.md": "---\nid: kqzmvtrb\ntitle: Ada Lovelace\ncreated: 2026-01-02\n---\none\n\ntwo\n\nthree\n",
    "crash.md":
      "---\nid: cccccccd\ntitle: A crash\nkind: issue\nstatus: open\npriority: low\ncreated: 2026-01-04\ntags: [x]\n---\n[[Ada Lovelace]]\n",
    "group.md": "---\nid: dddddddf\ntitle: Home\nkind: group\n---\n",
  ]

  private func subject(_ page: PageInTest) throws -> String {
    try page.folder.git("log", "-1", "--format=%s").trimmingCharacters(in: .newlines)
  }

  @Test func makesChangesActsDeletesRestoresAndUndoes() throws {
    let page = try PageInTest(Self.files)
    let made = page.post(
      "/api/new",
      "{\"kind\":\"task\",\"title\":\"Call\",\"changes\":[\"priority:high\",\"+home\"],\"body\":\"now\"}")
    #expect(made.status == 200)
    #expect(made.titles == ["Call"])
    let ref = made.notes[0]["id"] as? String ?? ""
    #expect(try subject(page) == "New task: Call")
    #expect(try page.folder.git("log", "-1", "--format=%b").contains("Slip-Command: page\nSlip-Verb: new"))
    #expect(made.json["operation"] as? String != nil)
    let changed = page.post(
      "/api/change",
      "{\"notes\":[{\"ref\":\"\(ref)\",\"etag\":\"\(page.etag(ref))\"}],\"changes\":[\"due:2026-12-24\",\"-home\"]}"
    )
    #expect((changed.notes[0]["fields"] as? [String: Any])?["due"] as? String == "2026-12-24")
    #expect(changed.notes[0]["etag"] as? String == page.etag(ref))
    #expect(page.post("/api/do", "{\"action\":\"finish\",\"notes\":[{\"ref\":\"\(ref)\"}]}").status == 200)
    #expect(page.post("/api/undo", "{}").json["subject"] as? String == "Undo: Finish task: Call")
    #expect((page.get("/api/box").json["redo"] as? [String: Any])?["operation"] as? String != nil)
    #expect(page.post("/api/redo", "{}").status == 200)
    #expect(page.post("/api/rm", "{\"notes\":[{\"ref\":\"\(ref)\"}]}").status == 200)
    #expect(page.get("/api/note?ref=\(ref)").status == 404)
    #expect(page.post("/api/restore", "{\"ref\":\"\(ref)\"}").titles == ["Call"])
    #expect(page.post("/api/restore", "{\"ref\":\"\(ref)\",\"at\":\"HEAD~6\"}").status == 200)
    #expect((page.get("/api/list?q=id:\(ref)").notes[0]["fields"] as? [String: Any])?["due"] == nil)
    #expect(page.commits == 9)
  }

  @Test func oneStateForEachCommit() throws {
    let page = try PageInTest(Self.files)
    let before = page.get("/api/list").response.header("Slip-State")
    let answer = page.post("/api/change", "{\"notes\":[{\"ref\":\"kqzmvtrb\"}],\"changes\":[\"+x\"]}")
    let after = answer.response.header("Slip-State")
    #expect(before != after)
    #expect(page.get("/api/list").response.header("Slip-State") == after)
    #expect(page.get("/api/list?q=%2Bx").json["total"] as? Int == 2)
  }

  @Test func whatIsInPlaceIsNoCommit() throws {
    let page = try PageInTest(Self.files)
    let answer = page.post(
      "/api/change", "{\"notes\":[{\"ref\":\"cccccccd\"}],\"changes\":[\"status:open\"]}")
    #expect(answer.status == 200)
    #expect(answer.json["operation"] is NSNull)
    #expect(answer.titles == ["A crash"])
    #expect(page.commits == 1)
  }

  @Test(arguments: [
    ("/api/change", "{\"notes\":[{\"ref\":\"cccccccd\"}],\"changes\":[\"status:maybe\"]}", 422),
    ("/api/change", "{\"notes\":[{\"ref\":\"cccccccd\"}],\"changes\":[\"nonsense\"]}", 400),
    ("/api/change", "{\"notes\":[{\"ref\":\"cccccccd\"}]}", 400),
    ("/api/change", "{\"changes\":[\"+x\"]}", 400),
    ("/api/change", "{\"notes\":[],\"changes\":[\"+x\"]}", 400),
    ("/api/change", "{\"notes\":[{\"ref\":\"zzzzzzzz\"}],\"changes\":[\"+x\"]}", 404),
    ("/api/change", "{\"notes\":[{\"ref\":\"cccccccd\",\"etag\":\"x\"}],\"changes\":[\"+x\"]}", 400),
    ("/api/change", "{\"notes\":[{\"ref\":\"cccccccd\"}],\"changes\":[\"+x\"],\"keep\":\"theirs\"}", 400),
    ("/api/change", "{\"where\":\"\",\"expect\":1,\"changes\":[\"+x\"]}", 422),
    ("/api/change", "{\"where\":\"kind:issue\",\"changes\":[\"+y\"]}", 400),
    ("/api/change", "{\"where\":\"kind:issue\",\"expect\":2,\"changes\":[\"+y\"]}", 422),
    ("/api/change", "{\"where\":\"(\",\"expect\":2,\"changes\":[\"+y\"]}", 400),
    ("/api/do", "{\"action\":\"dance\",\"notes\":[{\"ref\":\"cccccccd\"}]}", 422),
    ("/api/do", "{\"action\":\"close\",\"notes\":[{\"ref\":\"kqzmvtrb\"}]}", 422),
    ("/api/new", "{\"title\":\"\"}", 422), ("/api/new", "{\"title\":\"A\",\"kind\":\"none\"}", 422),
    ("/api/new", "{\"title\":\"A\",\"more\":1}", 400), ("/api/new", "[]", 400),
    ("/api/new", "{\"title\":\"A\"", 400),
    ("/api/new", "{\"title\":\"A\"}{}", 400), ("/api/new", "", 400), ("/api/new", "{\"title\":1}", 400),
    ("/api/restore", "{\"ref\":\"kqzmvtrb\"}", 404), ("/api/undo", "{}", 422), ("/api/redo", "{}", 422),
    ("/api/resolve", "{\"ref\":\"kqzmvtrb\",\"field\":\"status\",\"version\":1}", 404),
    ("/api/filter", "{\"name\":\"a\",\"query\":\"(\"}", 400),
  ])
  func refusesAndWritesNothing(_ path: String, _ body: String, _ status: Int) throws {
    let page = try PageInTest(Self.files)
    let answer = page.post(path, body)
    #expect(answer.status == status, "\(path) \(body): \(answer.text)")
    #expect(page.commits == 1)
    #expect(page.text("crash.md") == Self.files["crash.md"])
  }

  @Test func ticksCheckBoxesOfTheList() throws {
    let page = try PageInTest([
      "a.md": "---\nid: bbbbbbbc\ntitle: A\n---\n- [ ] one\n- [x] two\n- [ ] three due:2026-01-02\n"
    ])
    let todos = page.get("/api/todos").json["todos"] as? [[String: Any]] ?? []
    #expect(todos.map { $0["text"] as? String } == ["three due:2026-01-02", "one"])
    #expect(todos.map { $0["line"] as? Int } == [7, 5])
    let tick = { (line: Int, text: String) in
      page.post("/api/tick", "{\"ref\":\"bbbbbbbc\",\"line\":\(line),\"text\":\"\(text)\"}")
    }
    #expect(tick(5, "another").status == 409)
    #expect(tick(4, "one").status == 409)
    #expect(page.commits == 1)
    #expect(tick(5, "one").json["subject"] as? String == "Tick one: A")
    #expect(page.text("a.md")?.contains("- [x] one\n") == true)
    #expect(page.commits == 2)
    #expect(page.get("/api/todos").json["total"] as? Int == 1)
  }

  @Test func makesTheNoteOfToday() throws {
    let page = try PageInTest(Self.files)
    let first = page.post("/api/daily", "{}")
    #expect(first.status == 200, "\(first.text)")
    let today = page.get("/api/box").json["today"] as? String ?? ""
    #expect(first.titles == [today])
    #expect(page.commits == 2)
    #expect(page.post("/api/daily", "{}").titles == [today])
    #expect(page.commits == 2)
    #expect(page.post("/api/daily", "{\"day\":\"2020-02-29\"}").titles == ["2020-02-29"])
    #expect(page.post("/api/daily", "{\"day\":\"2021-02-29\"}").status == 400)
    #expect(page.commits == 3)
  }

  @Test func bulkWithExpectAndPreview() throws {
    let page = try PageInTest(Self.files)
    let preview = page.post(
      "/api/change", "{\"where\":\"kind:issue\",\"changes\":[\"+all\"],\"preview\":true}")
    #expect(preview.json["count"] as? Int == 1)
    #expect((preview.json["patch"] as? String)?.contains("+tags: [x, all]") == true)
    #expect(page.commits == 1)
    #expect(
      page.post("/api/change", "{\"where\":\"kind:issue\",\"expect\":1,\"changes\":[\"+all\"]}").titles == [
        "A crash"
      ])
    #expect(page.commits == 2)
  }

  @Test func titlesMoveLinks() throws {
    let page = try PageInTest(Self.files)
    let answer = page.post(
      "/api/change",
      "{\"notes\":[{\"ref\":\"kqzmvtrb\"}],\"changes\":[{\"field\":\"title\",\"value\":\"+Ada: King\"}]}")
    #expect(answer.status == 200)
    #expect(page.text("crash.md")?.contains("[[+Ada: King]]") == true)
    #expect(page.commits == 2)
  }

  @Test func titlesChangeTheFirstHeading() throws {
    let files = ["tap.md": "---\nid: kqzmvtrb\ntitle: Tap\n---\n# Tap\n\ndrips\n", "b.md": "[[Tap]]\n"]
    let page = try PageInTest(files)
    let body =
      "{\"notes\":[{\"ref\":\"kqzmvtrb\"}],\"changes\":[{\"field\":\"title\",\"value\":\"Dry tap\"}]}"
    #expect(page.post("/api/change", body).titles.first == "Dry tap")
    #expect(page.text("tap.md")?.contains("# Dry tap\n\ndrips") == true)
    #expect(page.text("b.md") == "[[Dry tap]]\n")
  }

  /// A vault: notes are titled by their files.
  private static let vault = [
    ".slipbox/config.yaml": "layout: obsidian\n", "Plan.md": "", "Own.md": "# Own heading\n",
  ]

  @Test func headingsDoNotReplaceTheTitleOfAFile() throws {
    let page = try PageInTest(Self.vault)
    let write = { (ref: String, body: String) in
      page.post("/api/change", "{\"notes\":[{\"ref\":\"\(ref)\"}],\"changes\":[],\"body\":\"\(body)\"}")
    }
    let answer = write("Plan.md", "# Heading\\n\\ntext\\n")
    #expect(page.text("Plan.md") == "---\ntitle: Plan\n---\n# Heading\n\ntext\n")
    #expect(
      (answer.json["hints"] as? [String])?.first
        == "the title stays Plan: the field title has it now, since the text begins with another heading")
    // A title in its field stays; one that is a heading follows it.
    _ = write("Plan.md", "# Other\\n")
    #expect(page.text("Plan.md") == "---\ntitle: Plan\n---\n# Other\n")
    _ = write("Own.md", "# Another\\n")
    #expect(page.text("Own.md") == "# Another\n")
  }

  @Test func reportsANameOfAFileThatLacksPartsOfTheTitle() throws {
    let page = try PageInTest(Self.vault)
    let answer = page.post(
      "/api/change",
      "{\"notes\":[{\"ref\":\"Plan.md\"}],\"changes\":[{\"field\":\"title\",\"value\":\"One: two?\"}]}")
    #expect(page.text("One two.md")?.contains("# One: two?") == true)
    #expect(
      (answer.json["hints"] as? [String])?.first
        == "the file is named One two: the name of a file can't contain : ?")
  }

  @Test func bothVersionsOfATextAreKept() throws {
    let text =
      "one\n<!-- slip: version 1 -->\nmine\n<!-- slip: version 2 -->\ntheirs\n<!-- slip: end of versions -->\nend\n"
    let page = try PageInTest([
      "a.md": "---\nid: kqzmvtrb\ntitle: A\nconflicts: [\"body: null\"]\n---\n\(text)"
    ])
    let answer = page.post("/api/resolve", "{\"ref\":\"kqzmvtrb\",\"field\":\"body\",\"all\":true}")
    #expect(answer.status == 200, "\(answer.text)")
    #expect(page.text("a.md")?.hasSuffix("one\nmine\n\ntheirs\nend\n") == true)
  }

  @Test func filtersAreSavedAndTakenAway() throws {
    let page = try PageInTest(Self.files)
    #expect(page.post("/api/filter", "{\"name\":\"mine\",\"query\":\"kind:issue\"}").status == 200)
    #expect(page.get("/api/list?q=@mine").titles == ["A crash"])
    #expect(page.post("/api/filter", "{\"name\":\"mine\",\"query\":null}").status == 200)
    #expect(page.get("/api/list?q=@mine").status == 400)
  }

  // MARK: Stale saves

  private func save(_ page: PageInTest, _ ref: String, _ etag: String, _ rest: String) -> PageAnswerInTest {
    page.post("/api/change", "{\"notes\":[{\"ref\":\"\(ref)\",\"etag\":\"\(etag)\"}],\(rest)}")
  }

  @Test func otherFieldsOfAStaleSaveAreTaken() throws {
    let page = try PageInTest(Self.files)
    let etag = page.etag("cccccccd")
    _ = page.post(
      "/api/change", "{\"notes\":[{\"ref\":\"cccccccd\"}],\"changes\":[\"priority:high\",\"+other\"]}")
    let answer = save(page, "cccccccd", etag, "\"changes\":[\"status:closed\",\"-x\"]")
    #expect(answer.status == 200)
    let fields = answer.notes[0]["fields"] as? [String: Any] ?? [:]
    #expect(fields["status"] as? String == "closed")
    #expect(fields["priority"] as? String == "high")
    #expect(answer.notes[0]["tags"] as? [String] == ["other"])
    let merged = (answer.json["merged"] as? [[String: Any]] ?? []).compactMap { $0["field"] as? String }
    #expect(Set(merged) == ["priority", "tags"])
  }

  @Test func aFieldChangedTwiceIsAConflict() throws {
    let page = try PageInTest(Self.files)
    let etag = page.etag("cccccccd")
    _ = page.post("/api/change", "{\"notes\":[{\"ref\":\"cccccccd\"}],\"changes\":[\"priority:high\"]}")
    let answer = save(page, "cccccccd", etag, "\"changes\":[\"priority:medium\"]")
    #expect(answer.status == 409)
    let conflict = (answer.json["conflicts"] as? [[String: Any]])?.first ?? [:]
    #expect(conflict["field"] as? String == "priority")
    #expect(conflict["base"] as? String == "low")
    #expect(conflict["mine"] as? String == "medium")
    #expect(conflict["theirs"] as? String == "high")
    #expect(page.commits == 2)
    #expect(save(page, "cccccccd", etag, "\"changes\":[\"priority:high\"]").status == 200)
    #expect(save(page, "cccccccd", etag, "\"changes\":[\"priority:medium\"],\"keep\":\"mine\"").status == 200)
    #expect(page.text("crash.md")?.contains("priority: medium") == true)
  }

  @Test func bodiesMergeByLines() throws {
    let page = try PageInTest(Self.files)
    let etag = page.etag("kqzmvtrb")
    // Another editor: not committed yet, and the page's base is known all the same.
    try page.folder.write(
      "ada.md", (Self.files["ada.md"] ?? "").replacingOccurrences(of: "three", with: "THREE"))
    let answer = save(page, "kqzmvtrb", etag, "\"body\":\"ONE\\n\\ntwo\\n\\nthree\\n\"")
    #expect(answer.status == 200)
    #expect(page.text("ada.md")?.hasSuffix("---\nONE\n\ntwo\n\nTHREE\n") == true)
    let clash = save(page, "kqzmvtrb", etag, "\"body\":\"one\\n\\ntwo\\n\\nTrois\\n\"")
    #expect(clash.status == 409)
    let conflict = (clash.json["conflicts"] as? [[String: Any]])?.first ?? [:]
    #expect(conflict["field"] as? String == "body")
    #expect((conflict["theirs"] as? String)?.contains("THREE") == true)
    let kept = save(page, "kqzmvtrb", etag, "\"body\":\"one\\n\\ntwo\\n\\nTrois\\n\",\"keep\":\"mine\"")
    #expect(kept.status == 200)
    #expect(page.text("ada.md")?.hasSuffix("---\nONE\n\ntwo\n\nTrois\n") == true)
  }

  @Test func aBaseThatNobodyKnowsIsAConflict() throws {
    let page = try PageInTest(Self.files)
    let etag = String(repeating: "1", count: 40)
    let answer = save(page, "cccccccd", etag, "\"changes\":[\"priority:medium\"]")
    #expect(answer.status == 409)
    #expect(((answer.json["conflicts"] as? [[String: Any]])?.first ?? [:])["base"] is NSNull)
    #expect(save(page, "cccccccd", etag, "\"changes\":[\"priority:low\"]").status == 200)
  }

  @Test func aStaleDeletionIsAskedAbout() throws {
    let page = try PageInTest(Self.files)
    let etag = page.etag("cccccccd")
    _ = page.post("/api/change", "{\"notes\":[{\"ref\":\"cccccccd\"}],\"changes\":[\"priority:high\"]}")
    let notes = "\"notes\":[{\"ref\":\"cccccccd\",\"etag\":\"\(etag)\"}]"
    #expect(page.post("/api/rm", "{\(notes)}").status == 409)
    #expect(page.post("/api/rm", "{\(notes),\"keep\":\"mine\"}").status == 200)
  }

  @Test func aNoteDeletedElsewhereIsNotFound() throws {
    let page = try PageInTest(Self.files)
    let etag = page.etag("cccccccd")
    _ = page.post("/api/rm", "{\"notes\":[{\"ref\":\"cccccccd\"}]}")
    #expect(save(page, "cccccccd", etag, "\"changes\":[\"priority:high\"]").code == "not-found")
  }

  @Test func brokenFrontMatterIsToldAndKept() throws {
    let page = try PageInTest(["b.md": "---\nid: bbbbbbbc\ntags: [a\n---\nx\n"])
    let note = page.get("/api/note?ref=b.md")
    #expect(note.status == 200)
    #expect((note.json["problem"] as? String)?.contains("line") == true)
    #expect(page.post("/api/change", "{\"notes\":[{\"ref\":\"b.md\"}],\"changes\":[\"+x\"]}").status == 422)
    #expect(page.text("b.md") == "---\nid: bbbbbbbc\ntags: [a\n---\nx\n")
  }

  @Test func saysWhereAConflictOfAMergeStands() throws {
    let text =
      "---\nid: cccccccd\ntitle: A\nkind: issue\nstatus: open\nconflicts:\n  - \"status: closed 2026-11-20T10:00:00+01:00 phone Ben\"\n---\n"
    let page = try PageInTest(["a.md": text])
    let note = page.get("/api/note?ref=cccccccd")
    let conflict = try #require((note.json["conflicts"] as? [[String: Any]])?.first)
    #expect(conflict["field"] as? String == "status")
    let versions = conflict["versions"] as? [[String: Any]] ?? []
    let other = try #require(versions.first { $0["value"] as? String == "closed" })
    #expect(other["device"] as? String == "phone")
    #expect(other["author"] as? String == "Ben")
    #expect(page.get("/api/box").json["conflicts"] as? Int == 1)
    let number = try #require(other["number"] as? Int)
    let answer = page.post(
      "/api/resolve", "{\"ref\":\"cccccccd\",\"field\":\"status\",\"version\":\(number)}")
    #expect(answer.status == 200)
    #expect(answer.json["operation"] is String)
    #expect(page.text("a.md")?.contains("status: closed") == true)
    #expect(page.text("a.md")?.contains("conflicts") == false)
    #expect((page.get("/api/note?ref=cccccccd").json["conflicts"] as? [Any])?.isEmpty == true)
  }

  @Test func manySaversAtOnceLoseNothing() async throws {
    let page = try PageInTest(Self.files)
    let server = page.server
    await withTaskGroup(of: Int.self) { group in
      for number in 0..<20 {
        group.addTask {
          let body =
            "{\"notes\":[{\"ref\":\"kqzmvtrb\"}],\"changes\":[\"+t\(number)\"],\"idempotencyKey\":\"k\(number)\"}"
          let headers = PageInTest.headers + [(name: "Content-Type", value: "application/json")]
          return server.answer(PageRequest("POST", "/api/change", headers: headers, body: Array(body.utf8)))
            .status
        }
      }
      for await status in group { #expect(status == 200) }
    }
    #expect(page.commits == 21)
    #expect((page.get("/api/list?q=id:kqzmvtrb").notes[0]["tags"] as? [String])?.count == 20)
  }

  @Test func `a refusal names the field whose value is refused`() throws {
    let page = try PageInTest([:])
    let field = { (changes: String) in
      let body = "{\"kind\":\"task\",\"title\":\"A\",\"preview\":true,\"changes\":[\(changes)]}"
      let error = page.post("/api/new", body).json["error"] as? [String: Any]
      return (error?["field"] as? String, error != nil)
    }
    #expect(field("\"due:nonsense\"") == ("due", true))
    #expect(field("\"due:2026-12-03\"") == (nil, false))
  }
}
