import NoteIndex
import Notes
import Testing

/// Every operator of the query language on a small box.
@Suite struct QueryMatchingTests {
  @Test(arguments: [
    ("login", "issue plain"),
    ("LOGIN screen", "issue"),
    ("\"login screen\"", "issue"),
    ("\"screen login\"", ""),
    ("log-in", "turtle"),
    ("log*", "issue turtle plain"),
    ("\"login scr\"*", "issue"),
    ("\"scr login\"*", ""),
    ("zolw", "turtle"),
    ("ŻÓŁW", "turtle"),
    ("trawe", "turtle"),
    ("don't", "turtle"),
    ("don", ""),
    ("12:30", "issue"),
    ("https://example.org/a", "issue"),
    ("std::move", "issue"),
    ("日本", "turtle"),
    ("本日", ""),
    ("ノ", "turtle"),
    ("😀", "turtle"),
    ("guin", "book"),
    ("utopia", "book"),
    ("accessibility", "issue"),
    ("clients", "issue"),
    ("anarres wall", "book"),
    ("erc", "empty"),
    ("*over", "issue"),
    ("v*over", "issue"),
    ("v*r", "issue"),
    ("broken", "odd"),
    ("gelb widget", "odd"),
    ("kqzmvtrp", ""),
  ])
  func words(_ query: String, _ expected: String) throws {
    #expect(try found(query).joined(separator: " ") == expected)
  }

  @Test(arguments: [
    ("title:fix", "issue"),
    ("title:fix,dispossessed", "issue book"),
    ("title:zolw", "turtle"),
    ("title:=\"The Dispossessed\"", "book"),
    ("title:=dispossessed", ""),
    ("title:", "empty plain"),
    ("title:*", "issue book turtle odd"),
    ("title:login", ""),
    ("body:login", "issue plain"),
    ("body:guin", ""),
    ("body:", "empty"),
    ("kind:issue", "issue"),
    ("kind:ISSUE,book", "issue book"),
    ("kind:note", "turtle empty plain odd"),
    ("kind:", "turtle empty plain odd"),
    ("kind:b*", "book"),
    ("author:guin", "book"),
    ("author:le*guin", "book"),
    ("author:le*gui", ""),
    ("author:\"le guin\"", "book"),
    ("author:\"guin le\"", ""),
    ("author:\"Le Guin, Ursula\",ursula", "book"),
    ("Author:ursula", "book"),
    ("type:standards", "empty"),
    ("type:=Standards", ""),
    ("type:=\"Standards Track\"", "empty"),
    ("category:erc", "empty"),
    ("category:=Core", "empty"), ("category:=core", "empty"), ("category:=CORÉ", "empty"),
    ("category:=cor", ""),
    ("status:open,completed", "issue book"),
    ("status:", "turtle empty plain"),
    ("has:status", "issue book odd"),
    ("has:rating,due", "issue book turtle empty"),
    ("has:tags", "issue turtle plain"),
    ("has:title", "issue book turtle odd"),
    ("NOT has:id", "plain odd"),
    ("id:", "plain odd"),
    ("status:*", "issue book odd"),
    ("\"author\":guin", "book"),
  ])
  func fields(_ query: String, _ expected: String) throws {
    #expect(try found(query).joined(separator: " ") == expected)
  }

  @Test(arguments: [
    ("+work", "issue plain"),
    ("+WORK", "issue plain"),
    ("+work/clients", "issue"),
    ("+#work", "issue plain"),
    ("+clients", ""),
    ("-work", "book turtle empty odd"),
    ("tag:work", "issue plain"),
    ("tag:=work", "plain"),
    ("tag:-work", "book turtle empty odd"),
    ("tag:-work,natura", "book empty odd"),
    ("tag:-=work", "issue book turtle empty odd"),
    ("tag:natura,accessibility", "issue turtle"),
    ("tag:", "book empty odd"),
    ("tags:natura", "turtle"),
    ("+\"Tag 1\"", "turtle"),
    ("+tag*", "turtle"),
    ("-\"tag 1\" has:rating", "book empty"),
    ("path:Books/", "empty plain"),
    ("path:Books", "empty plain"),
    ("path:Books/plain.md", "plain"),
    ("path:./Books/plain.md", "plain"),
    ("path:books/", "empty plain"),
    ("path:=books/plain.md", ""),
    ("path:=Books/plain.md", "plain"),
    ("path:*Żółw*", "turtle"),
    ("path:*.markdown", "empty"),
    ("path:2026/??/", "issue book turtle"),
    ("path:2026/1?/,odd.md", "issue odd"),
    ("path:=Books", ""),
    ("id:bc", "book turtle"),
    ("id:BCDFG", "book"),
    ("id:=bc", ""),
    ("id:2026", "empty"),
  ])
  func names(_ query: String, _ expected: String) throws {
    #expect(try found(query).joined(separator: " ") == expected)
  }

  @Test(arguments: [
    ("rating:5", "book"),
    ("rating:05", "book"),
    ("rating:4..", "book empty"),
    ("rating:..4", "turtle"),
    ("rating:3.5..5", "book turtle"),
    ("rating:<5", "turtle"),
    ("rating:<=5", "book turtle"),
    ("rating:>5", "empty"),
    ("rating:>=3.5", "book turtle empty"),
    ("rating:=5", "book"),
    ("rating:=05", "book"),
    ("created:2026", "issue book turtle"),
    ("created:2026-11", "issue"),
    ("created:2026-03..2026-05", "book turtle"),
    ("created:2026-05-31", "book"),
    ("created:..2026-04", "turtle empty plain odd"),
    ("created:>=2026-05", "issue book"),
    ("created:>2026-05", "issue"),
    ("created:<2026-05", "turtle empty plain odd"),
    ("created:<=2026-05", "book turtle empty plain odd"),
    ("created:today", "issue"),
    ("created:7d", "issue"),
    ("created:2026-11,2026-03", "issue turtle"),
    ("created:", "plain empty odd"),
    ("modified:2026-11", "issue"),
    ("modified:7d", "issue"),
    ("due:..yesterday", "issue"),
    ("due:2026-11-20", "issue"),
    ("due:2026-11", "issue"),
    ("due:today", ""),
    ("due:<today", "issue"),
    ("added:2026-05", "book"),
    ("added:..2026-04", ""),
    ("author:a..v", "book"),
    ("author:v..", ""),
    ("status:c..open", "odd"),
    ("title:f..", "issue book turtle plain"),
    ("status:2026..", ""),
  ])
  func ranges(_ query: String, _ expected: String) throws {
    #expect(Set(try found(query)) == Set(expected.split(separator: " ").map(String.init)), "\(query)")
  }

  @Test(arguments: [
    ("kind:issue OR kind:book", "issue book"),
    ("(kind:issue OR kind:book) status:open", "issue"),
    ("kind:issue AND status:open", "issue"),
    ("NOT kind:note", "issue book"),
    ("NOT (kind:issue OR kind:book)", "turtle empty plain odd"),
    ("NOT NOT kind:book", "book"),
    ("NOT login has:title", "book turtle odd"),
    ("login (title:fix OR (path:Books/ +work))", "issue plain"),
    ("kind:book or", ""),
    ("(((login)))", "issue plain"),
    ("limit:2", "issue book"),
    ("limit:0", ""),
    ("", "issue book turtle empty plain odd"),
    ("sort:title limit:2", "odd empty"),
  ])
  func operators(_ query: String, _ expected: String) throws {
    #expect(try found(query).joined(separator: " ") == expected)
  }

  @Test func `an argument with blanks is one term where it begins as one`() throws {
    #expect(try found("+Tag 1") == ["turtle"])
    #expect(try found("-tag 1", "has:rating") == ["book", "empty"])
    #expect(try found("type:standards track") == ["empty"])
    #expect(try found("author:Le Guin, Ursula") == ["book"])
    #expect(try found("kind:issue +accessibility") == ["issue"])
    #expect(try found("kind:issue login") == ["issue"])
    #expect(try found("login screen") == ["issue"])
    #expect(try found("status:open OR status:completed") == ["issue", "book"])
    #expect(try found("title:fix bug", "kind:issue") == ["issue"])
    #expect(try found("title:=Fix the VoiceOver bug") == ["issue"])
    #expect(try found("TITLE:The Dispossessed") == ["book"])
    #expect(try found("TITLE:Standards and tracks") == ["plain"])
    #expect(try found("Author:Ursula K. Le Guin") == ["book"])
  }

  @Test(arguments: ["2026-11-20", "20261120", "2026/11/20", "20 Nov 2026", "November 20, 2026"])
  func `a date without a time is a day`(text: String) {
    guard case .day(let day)? = DateReading(text) else {
      Issue.record("not a day")
      return
    }
    #expect(day == CivilDate(year: 2026, month: 11, day: 20))
  }

  @Test(arguments: [
    "2026-11-20T00:00:00Z", "2026-11-20 00:00", "20261120T083000", "2026-11-20T00:00:00+01:00",
  ])
  func `a date with a time is a moment`(text: String) {
    guard case .instant(let moment)? = DateReading(text) else {
      Issue.record("not a moment")
      return
    }
    #expect(moment.civilDate == CivilDate(year: 2026, month: 11, day: 20))
  }

  @Test(arguments: [
    ("dispos", "dispos", "book"), ("title:dispos", "title:dispos", "book"),
    ("body:anar", "body:anar", "book"), ("title:dispos,volt", "", ""), ("body:anar,volt", "", ""),
    ("NOT title:dispos", "", ""), ("title:\"the dispos\"", "", ""),
  ])
  func `one word of text can also mean those that begin with it`(
    text: String, word: String, expected: String
  ) throws {
    let query = try Query.parse([text], clock: clock)
    #expect(query.widened.map(\.word).joined(separator: " ") == word)
    let matches = query.widened.flatMap { box.matches($0.query) { $0.created } }
    #expect(matches.map(name).joined(separator: " ") == expected)
  }

  @Test func `one text of a query parts its terms at blanks`() throws {
    let query = try Query.parse(text: "status:open login", clock: clock)
    #expect(box.matches(query) { $0.created }.map(name) == ["issue"])
    #expect(query.described() == "status:open AND \"login\"")
  }

  @Test func `a query tells what the caller must know`() throws {
    #expect(try Query.parse(["modified:7d"], clock: clock).usesModified)
    #expect(try Query.parse(["sort:-modified"], clock: clock).usesModified)
    #expect(try !Query.parse(["created:7d", "login"], clock: clock).usesModified)
    #expect(try Query.parse(["login"], clock: clock).hasText)
    #expect(try Query.parse(["(kind:book title:x)"], clock: clock).hasText)
    #expect(try !Query.parse(["NOT login"], clock: clock).hasText)
    #expect(try !Query.parse(["kind:book"], clock: clock).hasText)
    let query = try Query.parse(
      ["colour:red has:size,title NOT Mood: sort:weight kind:x colour:blue"], clock: clock)
    #expect(query.fieldNames == ["colour", "size", "Mood", "weight"])
    #expect(
      box.unknownFields(of: try Query.parse(["rating:4 Author:x colour:red"], clock: clock)) == ["colour"])
    #expect(Query.all.described() == "all notes")
  }

  @Test func `modified is asked only where it matters`() throws {
    #expect(try found("login") { _ in stamp("1990-01-01T00:00:00Z") } == ["issue", "plain"])
    #expect(try found("modified:1990") { _ in stamp("1990-01-01T00:00:00Z") }.count == 6)
    let query = try Query.parse(["modified:1990 OR modified:2026"], clock: clock)
    #expect(query.matches(box.entries[0], modified: stamp("1990-05-05T00:00:00Z")))
    #expect(!query.matches(box.entries[0], modified: stamp("1991-05-05T00:00:00Z")))
  }
}
