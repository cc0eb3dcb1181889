import Foundation
import SlipboxCore
import SlipboxTesting
import Testing

@testable import SlipboxPage

/// Questions of pages, on real boxes.
struct ReadingTests {
  private static let files = [
    "ada.md":
      "---\nid: kqzmvtrb\ntitle: Ada Lovelace\ncreated: 2026-01-02\ntags: [people]\n---\nWrote notes. ![](pic.png)\n",
    "dune.md":
      "---\nid: bbbbbbbc\ntitle: Dune\nkind: book\nauthor: Herbert\nstatus: completed\ncreated: 2026-01-03\n---\n[[Ada Lovelace]] and [[Nobody]]\n",
    "open.md":
      "---\nid: cccccccd\ntitle: A crash\nkind: issue\nstatus: open\ncreated: 2026-01-04\n---\nIt crashes. #urgent\n",
    "pic.png": "\u{89}PNG", "secret.txt": "hidden",
  ]

  @Test func tellsOfTheBox() throws {
    let page = try PageInTest(Self.files)
    let box = page.get("/api/box").json
    #expect(box["schema"] as? Int == 2)
    #expect(box["at"] is NSNull)
    let kinds = box["kinds"] as? [[String: Any]] ?? []
    let book = kinds.first { $0["name"] as? String == "book" } ?? [:]
    #expect(book["count"] as? Int == 1)
    #expect(book["activeCount"] as? Int == 0)
    #expect((book["row"] as? [Any])?.isEmpty == false)
    #expect(kinds.filter { $0["plain"] as? Bool == true }.map { $0["name"] as? String } == ["note"])
    let tags = box["tags"] as? [[String: Any]] ?? []
    #expect(tags.compactMap { $0["tag"] as? String } == ["people", "urgent"])
    #expect(box["undo"] is NSNull)
    #expect((box["first"] as? String)?.isEmpty == false)
  }

  /// Groups count the records that belong to them, also by their titles, and those that are active.
  @Test func countsWhatBelongsToGroups() throws {
    let page = try PageInTest([
      "g.md": "---\nid: kqzmvtrb\ntitle: Garden\nkind: group\n---\n",
      "h.md": "---\nid: kqzmvtrc\ntitle: House\nkind: group\n---\n",
      "a.md": "---\nid: bbbbbbbc\ntitle: A\nkind: task\ngroup: kqzmvtrb\n---\n",
      "b.md": "---\nid: bbbbbbbd\ntitle: B\nkind: task\ngroup: Garden\ndone: true\n---\n",
    ])
    let groups = page.get("/api/box").json["groups"] as? [[String: Any]] ?? []
    #expect(groups.map { $0["title"] as? String } == ["Garden", "House"])
    #expect(groups.map { $0["active"] as? Int } == [1, 0])
    #expect(groups.map { $0["count"] as? Int } == [2, 0])
    let query = try #require(groups.first?["query"] as? String)
    let encoded = try #require(query.addingPercentEncoding(withAllowedCharacters: .alphanumerics))
    #expect(Set(page.get("/api/list?q=\(encoded)").titles) == ["A", "B"])
  }

  /// Obsidian shows each line end, unless its settings say otherwise; other folders are CommonMark.
  @Test(arguments: [
    ("layout: obsidian\n", "{}", true), ("layout: obsidian\n", "{\"strictLineBreaks\":true}", false),
    ("", "{}", false),
  ])
  func showsLineEndsAsTheLayoutDoes(settings: String, app: String, breaks: Bool) throws {
    let page = try PageInTest([
      ".slipbox/config.yaml": settings, ".obsidian/app.json": app, "a.md": "one\ntwo\n\n![[b]]\n",
      "b.md": "three\nfour\n",
    ])
    let html = page.get("/api/note?ref=a.md").json["html"] as? String ?? ""
    #expect(html.contains("one<br>\ntwo") == breaks && html.contains("three<br>\nfour") == breaks, "\(html)")
  }

  /// A vault is older than the settings that make it a box.
  @Test func showsLineEndsOfThePastAsNow() throws {
    let before = try PageInTest(["a.md": "one\ntwo\n"])
    try before.folder.write(".slipbox/config.yaml", "layout: obsidian\n")
    let page = try before.restarted()
    let html = page.get("/api/note?ref=a.md&at=HEAD").json["html"] as? String ?? ""
    #expect(html.contains("one<br>\ntwo"), "\(html)")
  }

  /// The sentences around backlinks have no marks.
  @Test func showsBacklinksAsText() throws {
    let page = try PageInTest([
      "a.md": "---\nid: kqzmvtrb\ntitle: Ada\n---\n",
      "b.md": "- [ ] **call** [[Ada|the countess]] `now`, [x](y)\n",
      "c.md": "> [!note] see [[kqzmvtrb]]\n", "d.md": "---\nup: [\"[[Ada]]\", \"[[B]]\"]\n---\n",
    ])
    let linked = page.get("/api/note?ref=kqzmvtrb").json["backlinks"] as? [[String: Any]] ?? []
    let sentences = linked.map { note in
      (note["sentence"] as? [[String: Any]] ?? []).map { part in
        let text = part["text"] as? String ?? ""
        return part["hit"] as? Bool == true ? "<\(text)>" : text
      }.joined()
    }
    #expect(Set(sentences) == ["call <the countess> now, x", "see <Ada>", "up: <Ada>"], "\(sentences)")
  }

  /// What a page draws itself by before anything is counted.
  @Test func tellsTheOutlineFirst() throws {
    let page = try PageInTest(Self.files)
    let (brief, whole) = (page.get("/api/box?brief=true").json, page.get("/api/box").json)
    #expect(brief["brief"] as? Bool == true)
    #expect(brief["path"] as? String == whole["path"] as? String)
    let names = { (box: [String: Any], part: String) in
      (box[part] as? [[String: Any]])?.compactMap { $0["name"] as? String }
    }
    #expect(names(brief, "kinds") == names(whole, "kinds"))
    #expect(names(brief, "filters") == names(whole, "filters"))
    let rows = { (box: [String: Any]) in (box["kinds"] as? [[String: Any]])?.map { $0["row"] != nil } }
    #expect(rows(brief) == rows(whole))
    #expect(brief["tags"] == nil)
  }

  /// What may have been meant is asked for by itself.
  @Test(arguments: [
    ("crashe", ["crashe* matches 1 note"]), ("kind:bok", ["there is no kind bok; did you mean kind:book"]),
    ("%2Burgnt", ["no note has the tag urgnt; did you mean +urgent"]), ("dune", []), ("", []),
  ])
  func tellsWhatMayBeMeant(query: String, hints: [String]) throws {
    let page = try PageInTest(Self.files)
    #expect(page.get("/api/hint?q=\(query)").json["hints"] as? [String] == hints)
    #expect(page.get("/api/list?q=\(query)").json["hint"] == nil)
  }

  /// The numbers beside filters, kinds and tags are those of the lists that they open.
  @Test func numbersAreThoseOfTheLists() throws {
    let page = try PageInTest(Self.files)
    _ = page.post("/api/filter", "{\"name\":\"mine\",\"query\":\"+urgent\"}")
    let box = page.get("/api/box").json
    for filter in box["filters"] as? [[String: Any]] ?? [] {
      let name = filter["name"] as? String ?? ""
      #expect(page.get("/api/list?q=@\(name)").json["total"] as? Int == filter["count"] as? Int, "\(name)")
      #expect((filter["own"] as? Bool ?? false) == (name == "mine"))
    }
    for kind in box["kinds"] as? [[String: Any]] ?? [] {
      let name = kind["name"] as? String ?? ""
      let active = page.get("/api/list?q=kind:\(name)%20is:active").json["total"] as? Int
      #expect(page.get("/api/list?q=kind:\(name)").json["total"] as? Int == kind["count"] as? Int, "\(name)")
      #expect(active == kind["activeCount"] as? Int, "\(name)")
    }
  }

  /// A row says what stands in the way of a record, as that of `slip list` does.
  @Test func saysWhatStandsInTheWay() throws {
    let page = try PageInTest([
      "a.md": "---\nid: bbbbbbbc\ntitle: Late\nkind: task\ndue: 2020-01-01\n---\n",
      "b.md": "---\nid: bbbbbbbd\ntitle: Put off\nkind: task\nwait: 2099-01-01\n---\n",
      "c.md": "---\nid: bbbbbbbf\ntitle: Behind\nkind: task\ndepends: [bbbbbbbc]\n---\n",
      "d.md": "---\nid: bbbbbbbg\ntitle: Free\nkind: task\n---\n",
    ])
    let notes = page.get("/api/list").notes
    let states = Dictionary(
      uniqueKeysWithValues: notes.map { ($0["title"] as? String ?? "", $0["state"] as? String) })
    #expect(states["Late"] == "overdue")
    #expect(states["Put off"] == "waiting 2099-01-01")
    #expect(states["Behind"] == "blocked")
    #expect(states["Free"] == .some(nil))
  }

  @Test func listsWindows() throws {
    let page = try PageInTest(Self.files)
    let first = page.get("/api/list?limit=2")
    #expect(first.titles == ["A crash", "Dune"])
    #expect(first.json["total"] as? Int == 3)
    #expect(first.notes[1]["active"] as? Bool == false)
    #expect(first.notes[0]["active"] == nil)
    #expect(page.get("/api/list?from=2&limit=2").titles == ["Ada Lovelace"])
    #expect(page.get("/api/list?from=9").titles.isEmpty)
    #expect(page.get("/api/list?q=kind%3Abook").titles == ["Dune"])
    #expect(page.get("/api/list?sort=title").titles == ["A crash", "Ada Lovelace", "Dune"])
    let found = page.get("/api/list?q=crashes").notes[0]["snippet"] as? [[String: Any]] ?? []
    #expect(found.contains { $0["hit"] as? Bool == true && $0["text"] as? String == "crashes" })
    // A later window has its own.
    let words = page.get("/api/list?q=notes%20OR%20crashes&from=1&limit=1")
    #expect(words.json["total"] as? Int == 2)
    #expect((words.notes[0]["snippet"] as? [[String: Any]])?.contains { $0["hit"] as? Bool == true } == true)
  }

  @Test(arguments: [
    ("/api/list?q=%28", 400, "bad-query"), ("/api/list?limit=x", 400, "bad-request"),
    ("/api/list?other=1", 400, "bad-request"), ("/api/note", 400, "bad-request"),
    ("/api/note?ref=zzzzzzzz", 404, "not-found"), ("/api/box?at=tomorrow", 422, "refused"),
    ("/api/box?at=nothing-there", 404, "not-found"), ("/api/file?path=secret.txt", 404, "not-found"),
    ("/api/file?path=..%2F..%2Fetc%2Fpasswd", 404, "not-found"),
    ("/api/file?path=.git%2Fconfig", 404, "not-found"),
    ("/api/file?path=ada.md", 404, "not-found"), ("/api/file", 400, "bad-request"),
    ("/api/none", 404, "not-found"),
  ])
  func refuses(_ target: String, _ status: Int, _ code: String) throws {
    let page = try PageInTest(Self.files)
    let answer = page.get(target)
    #expect(answer.status == status, "\(target)")
    #expect(answer.code == code, "\(target)")
  }

  @Test func aLinkTellsHowTheRecordStands() throws {
    let page = try PageInTest([
      "plan.md": "---\nid: bbbbbbbc\ntitle: Plan\n---\n- [ ] [[Order seeds]]\n- [ ] [[Dig beds]]\n",
      "seeds.md":
        "---\nid: kqzmvtrb\ntitle: Order seeds\nkind: task\ndone: true\nfinished: 2026-11-20\n---\n",
      "beds.md": "---\nid: kqzmvtrc\ntitle: Dig beds\nkind: task\n---\n",
    ])
    let html = page.get("/api/note?ref=bbbbbbbc").json["html"] as? String ?? ""
    #expect(html.contains("data-note=\"kqzmvtrb\" data-state=\"done"), "\(html)")
    #expect(html.contains("data-note=\"kqzmvtrc\" data-state=\"open"), "\(html)")
  }

  @Test func showsANote() throws {
    let page = try PageInTest(Self.files)
    let answer = page.get("/api/note?ref=bbbbbbbc")
    let html = answer.json["html"] as? String ?? ""
    #expect(html.contains("<a href=\"#/note/kqzmvtrb\" data-note=\"kqzmvtrb\">Ada Lovelace</a>"))
    #expect(html.contains("<a class=\"missing\" data-missing=\"Nobody\">Nobody</a>"))
    #expect(answer.json["fields"] as? [String] == ["id", "title", "kind", "author", "status", "created"])
    let tag = answer.response.header("ETag") ?? ""
    #expect(tag == "\"\(answer.json["etag"] as? String ?? "")\"")
    let again = PageRequest(
      "GET", "/api/note?ref=bbbbbbbc", headers: PageInTest.headers + [(name: "If-None-Match", value: tag)])
    #expect(page.server.answer(again).status == 304)
    let linked = page.get("/api/note?ref=kqzmvtrb").json["backlinks"] as? [[String: Any]] ?? []
    #expect((linked.first?["note"] as? [String: Any])?["title"] as? String == "Dune")
    #expect((linked.first?["sentence"] as? [[String: Any]])?.contains { $0["hit"] as? Bool == true } == true)
  }

  @Test(arguments: [
    (
      "[[Ada#Early life]]",
      "<a href=\"#/note/kqzmvtrb\" data-note=\"kqzmvtrb\" data-part=\"Early life\">Ada#Early life</a>"
    ),
    ("[life](ada.md#early%20life)", "data-note=\"kqzmvtrb\" data-part=\"early life\">life</a>"),
    ("[[#Part two]]", "data-note=\"bbbbbbbc\" data-part=\"Part two\">#Part two</a>"),
    ("[two](#part-two)", "data-note=\"bbbbbbbc\" data-part=\"part-two\">two</a>"),
    ("![](gone.png)", "<a class=\"missing\" data-missing-file=\"gone.png\">gone.png</a>"),
    ("![[gone.pdf]]", "<a class=\"missing\" data-missing-file=\"gone.pdf\">gone.pdf</a>"),
    ("[[Node.js]]", "<a class=\"missing\" data-missing=\"Node.js\">Node.js</a>"),
  ])
  func linksToPartsAndMissingFiles(_ body: String, _ html: String) throws {
    let page = try PageInTest([
      "ada.md": "---\nid: kqzmvtrb\ntitle: Ada\n---\n# Early life\n",
      "two.md": "---\nid: bbbbbbbc\ntitle: Two\n---\n# Part two\n\n\(body)\n",
    ])
    let answer = page.get("/api/note?ref=bbbbbbbc").json["html"] as? String ?? ""
    #expect(answer.contains(html), "\(answer)")
  }

  @Test func countsTheNotesOfFolders() throws {
    let page = try PageInTest([
      "a.md": "---\nid: bbbbbbbc\n---\n", "x/b.md": "---\nid: bbbbbbbd\n---\n",
      "x/y/c.md": "---\nid: bbbbbbbf\n---\n",
      "x-y/d.md": "---\nid: bbbbbbbg\n---\n",
    ])
    let folders = page.get("/api/box").json["folders"] as? [[String: Any]] ?? []
    #expect(folders.map { "\($0["folder"] ?? "") \($0["count"] ?? "")" } == ["x 2", "x-y 1", "x/y 1"])
  }

  @Test("shows no comment, and keeps the lines of check boxes behind one")
  func showsNoComment() throws {
    let page = try PageInTest([
      "a.md":
        "---\nid: bbbbbbbc\n---\none %%secret [[x]]%% two\n\n%%\n```\n%%\n\n- [ ] buy <!-- secret -->\n\n`%%code%%`\n"
    ])
    let html = page.get("/api/note?ref=bbbbbbbc").json["html"] as? String ?? ""
    #expect(!html.contains("secret"))
    #expect(html.contains("data-line=\"7\""))
    #expect(html.contains("<code>%%code%%</code>"))
  }

  @Test("shows an embedded note, a section and a block in their place")
  func showsEmbeddedNotes() throws {
    let page = try PageInTest([
      "a.md":
        "---\nid: bbbbbbbc\ntitle: A\n---\n![[Bee]]\n\n![[Bee#Honey]]\n\n![[Bee#^b1|wax]]\n\n![[Bee#None]]\n",
      "b.md":
        "---\nid: bbbbbbbd\ntitle: Bee\n---\nBuzz %%secret%% [[A]]\n\n- [ ] fly\n\n![[A]]\n\n# Honey\n\nSweet[^1]\n\n[^1]: Very.\n\n# Wax\n\nSoft ^b1\n",
    ])
    let html = page.get("/api/note?ref=bbbbbbbc").json["html"] as? String ?? ""
    #expect(html.components(separatedBy: "<section class=\"embed\">").count == 4)
    #expect(html.components(separatedBy: "Sweet").count == 3)
    #expect(html.components(separatedBy: "Soft").count == 3)
    #expect(!html.contains("secret") && !html.contains("data-line"))
    #expect(html.contains("data-part=\"Honey\"") && html.contains(">wax</a>"))
    // A note around itself is a link, as is a part that is not there.
    #expect(html.contains("data-note=\"bbbbbbbc\">A</a>"))
    #expect(html.contains("data-part=\"None\""))
  }

  @Test("embeds notes in each other three deep, and not without end")
  func embedsNotesWithinALimit() throws {
    var files: [String: String] = [:]
    for number in 0..<8 {
      let next = Array(repeating: "![[N\(number + 1)]]\n\n", count: 9).joined()
      files["n\(number).md"] =
        "---\nid: bbbbbbb\("bcdfghjk".map(String.init)[number])\ntitle: N\(number)\n---\nText \(number)\n\n\(next)"
    }
    let page = try PageInTest(files)
    let html = page.get("/api/note?ref=bbbbbbbb").json["html"] as? String ?? ""
    #expect(html.contains("Text 3") && !html.contains("Text 4"))
    #expect(html.utf8.count < 600_000)
  }

  @Test func namesTheLinesOfCheckBoxes() throws {
    let page = try PageInTest([
      "a.md": "---\nid: bbbbbbbc\n---\n\n- [ ] one\n  - [x] two\n\n```\n- [ ] code\n```\n1. [ ] three\n"
    ])
    let html = page.get("/api/note?ref=bbbbbbbc").json["html"] as? String ?? ""
    let boxes = html.split(separator: "<input ").dropFirst().map { $0.prefix { $0 != ">" } }
    #expect(
      boxes == [
        "type=\"checkbox\" disabled data-line=\"2\"", "type=\"checkbox\" disabled checked data-line=\"3\"",
        "type=\"checkbox\" disabled data-line=\"8\"",
      ], "\(html)")
  }

  @Test func sendsFilesThatNotesEmbed() throws {
    let files = Self.files.merging([
      "h.md": "[x](x.html) ![](fake.png)", "x.html": "<script>1</script>", "fake.png": "<svg>",
    ]) { $1 }
    let page = try PageInTest(files)
    try page.folder.write("pic.png", [0x89, 0x50, 0x4E, 0x47])
    #expect(page.get("/api/file?path=pic.png").response.header("Content-Type") == "image/png")
    for path in ["x.html", "fake.png"] {
      let answer = page.get("/api/file?path=\(path)").response
      #expect(answer.status == 200)
      #expect(answer.header("Content-Type") == "application/octet-stream")
      #expect(answer.header("Content-Disposition")?.hasPrefix("attachment") == true)
      #expect(answer.header("Content-Security-Policy")?.hasPrefix("sandbox") == true)
    }
  }

  @Test func followsNoLinkOutOfTheBox() throws {
    let page = try PageInTest(["a.md": "![](out.png)"])
    let path = page.folder.path + "/out.png"
    try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/etc/passwd")
    try page.box.advance(by: .init(everything: true))
    #expect(page.get("/api/file?path=out.png").status == 404)
  }

  @Test(arguments: [
    "<script>boom()</script>", "<img src=x onerror=boom()>", "[a](javascript:boom())",
    "[a](JaVaScRiPt:boom())",
    "[a](data:text/html,<script>boom()</script>)", "![a](https://evil.test/x.png)",
    "<https://ok.test/\"onclick=boom()>",
    "[[\"><script>boom()</script>]]", "![[\" onerror=boom().png]]", "<a href=x>a</a>", "[a](vbscript:boom())",
    "`<script>boom()</script>`", "| <script>boom()</script> |\n|---|\n| <img onerror=boom()> |",
    "<!--><script>boom()</script>-->",
    "[x]: javascript:boom()\n\n[x]", "&lt;script&gt;boom()", "<form action=x><input id=token></form>",
    "# <b id=app>x</b>",
    "[a](tel:1)", "<style>*{}</style>", "[a](//evil.test)", "[a](http://ok.test/'onmouseover='boom())",
  ])
  func hostileTextsAreText(_ body: String) throws {
    let page = try PageInTest([
      "a.md": "---\nid: kqzmvtrb\ntitle: \"<img src=x onerror=boom()>\"\n---\n\(body)\n"
    ])
    let html = page.get("/api/note?ref=kqzmvtrb").json["html"] as? String ?? "?"
    // Each tag that is there is one of ours, with attributes of ours.
    let names = ["script", "style", "form", "iframe", "object", "svg", "base", "link", "meta"]
    for name in names { #expect(!html.lowercased().contains("<\(name)"), "\(html)") }
    for tag in html.split(separator: "<").dropFirst().compactMap({ $0.split(separator: ">").first }) {
      let outside = tag.split(separator: "\"", omittingEmptySubsequences: false).enumerated()
        .filter { $0.offset.isMultiple(of: 2) }.map(\.element).joined()
      #expect(!outside.contains("on"), "\(tag)")
      #expect(!tag.contains("src="), "\(tag)")
      if let href = tag.range(of: "href=\"") {
        let address = tag[href.upperBound...]
        #expect(["#", "http://", "https://", "mailto:"].contains { address.hasPrefix($0) }, "\(tag)")
      }
    }
  }

  @Test func theUserOfAHostileNameIsText() throws {
    let page = try PageInTest(["a.md": "---\ntitle: a\u{2028}b\u{7}\n\"<b>\": x\n---\n", "b\u{1}.md": "x"])
    let answer = page.get("/api/list")
    #expect(answer.status == 200)
    #expect(answer.notes.count == 2)
  }

  @Test func completesTitlesAndTerms() throws {
    let page = try PageInTest(Self.files)
    #expect(page.get("/api/titles?q=du").titles == ["Dune"])
    #expect(page.get("/api/titles?q=&kind=issue").titles == ["A crash"])
    #expect(page.get("/api/titles?q=dne").titles == ["Dune"])
    #expect(page.get("/api/titles?q=dne&fit=text").titles == [])
    #expect(page.get("/api/titles?q=rash&fit=text").titles == ["A crash"])
    #expect(page.get("/api/titles?q=love&fit=text").titles == ["Ada Lovelace"])
    let answer = page.get("/api/complete?q=kind:book%20sta&cursor=13").json
    #expect(answer["start"] as? Int == 10)
    let items = (answer["items"] as? [[String: Any]] ?? []).compactMap { $0["text"] as? String }
    #expect(items.contains("status:"))
    #expect(page.get("/api/complete?q=kind:book%20sta&cursor=4").json["start"] as? Int == 0)
  }

  @Test func answersFromThePast() throws {
    let page = try PageInTest(Self.files)
    #expect(page.post("/api/rm", "{\"notes\":[{\"ref\":\"bbbbbbbc\"}]}").status == 200)
    #expect(
      page.post("/api/change", "{\"notes\":[{\"ref\":\"cccccccd\"}],\"changes\":[\"status:closed\"]}").status
        == 200)
    #expect(page.get("/api/list").titles == ["A crash", "Ada Lovelace"])
    #expect(page.get("/api/list?at=HEAD~2").titles == ["A crash", "Dune", "Ada Lovelace"])
    #expect(page.get("/api/list?at=HEAD~2&q=status:open").titles == ["A crash"])
    #expect(page.get("/api/note?ref=bbbbbbbc&at=HEAD~2").status == 200)
    #expect(page.get("/api/box?at=HEAD~2").json["readOnly"] as? Bool == true)
    #expect(page.get("/api/box").json["deleted"] as? Int == 1)
    #expect(page.get("/api/deleted").titles == ["Dune"])
    let entries = page.get("/api/history?ref=cccccccd&field=status").json["entries"] as? [[String: Any]] ?? []
    #expect(entries.first?["face"] as? String == "page")
    #expect((page.get("/api/history?limit=1").json["entries"] as? [Any])?.count == 1)
    #expect((page.get("/api/history?ref=bbbbbbbc").json["entries"] as? [Any])?.isEmpty == false)
  }

  @Test func deletedNotesHaveTheTitlesOfTheirRecords() throws {
    let page = try PageInTest([
      "garden.md": "---\nid: bbbbbbbc\ntitle: Garden\nkind: group\n---\n",
      "house.md": "---\nid: cccccccd\ntitle: House\nkind: group\n---\n",
      "dig.md": "---\nid: dddddddf\ntitle: Dig\nkind: task\ngroup: bbbbbbbc\n---\n",
      "clean.md": "---\nid: ffffffff\ntitle: Clean\nkind: task\ngroup: cccccccd\n---\n",
    ])
    #expect(
      page.post(
        "/api/rm", "{\"notes\":[{\"ref\":\"dddddddf\"},{\"ref\":\"ffffffff\"},{\"ref\":\"cccccccd\"}]}"
      ).status == 200)
    let answer = page.get("/api/deleted")
    #expect(Set(answer.titles) == ["Dig", "Clean", "House"])
    #expect(answer.json["titles"] as? [String: String] == ["bbbbbbbc": "Garden", "cccccccd": "House"])
  }

  @Test func tellsOfChangesOfOthers() async throws {
    let page = try PageInTest(Self.files)
    // The watch begins once a list was read, and tells of what is other than it.
    #expect(page.get("/api/list?q=title:new").titles == [])
    let (states, continuation) = AsyncStream.makeStream(of: String.self)
    let listening = page.box.listen { continuation.yield($0) }
    page.box.watch()
    #expect(listening.state == page.box.state)
    var iterator = states.makeAsyncIterator()
    try page.folder.write("new.md", "# New\n")
    let next = await iterator.next()
    #expect(next != nil && next != listening.state)
    page.box.leave(listening.number)
    #expect(page.get("/api/list?q=title:new").titles == ["New"])
  }
}
