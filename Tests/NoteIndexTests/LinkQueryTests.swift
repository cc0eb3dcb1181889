import Notes
import Testing

@testable import NoteIndex

private let web = Catalogue([
  entry("hub.md", "---\nid: kqzmvtrp\ntitle: Hub\n---\n[[One]], [[Two#part]], [[Hub]] and [[#self]]\n"),
  entry("one.md", "---\nid: bcdfghjk\ntitle: One\nup: \"[[Hub]]\"\n---\n"),
  entry("two.md", "---\ntitle: Two\nkind: issue\n---\n[back](hub.md) [[Nowhere]]\n"),
  entry("alone.md", "---\ntitle: Alone\n---\n[[Alone]] https://x.org `[[Hub]]` [[Twin]]\n"),
  entry("sub/far.md", "---\ntitle: Far\n---\n![[../two.md]] [[bcdfghjk|x]]\n"),
  entry("t1.md", "---\ntitle: Twin\n---\n"), entry("t2.md", "---\ntitle: Twin\n---\n"),
])

private func asked(_ arguments: String..., filters: [String: String] = [:]) throws -> [String] {
  let query = try Query.parse(arguments, clock: clock, filters: filters)
  return web.matches(query, modified: \.created).map { String(decoding: $0.entry.note.path, as: UTF8.self) }
    .sorted()
}

@Suite struct LinkQueryTests {
  @Test func linksAsksForThoseThatLinkToANote() throws {
    #expect(try asked("links:kqzmvtrp") == ["one.md", "two.md"])
    #expect(try asked("links:hub.md") == ["one.md", "two.md"])
    #expect(try asked("links:Hub") == ["one.md", "two.md"])
    #expect(try asked("links:kq") == ["one.md", "two.md"])
    #expect(try asked("links:two") == ["hub.md", "sub/far.md"])
    #expect(try asked("links:one,two") == ["hub.md", "sub/far.md"])
    #expect(try asked("links:Alone") == [])
    #expect(try asked("links:t1.md") == [])
  }

  @Test func linkedByAsksForThoseThatANoteLinksTo() throws {
    #expect(try asked("linked-by:Hub") == ["one.md", "two.md"])
    #expect(try asked("linked-by:Two") == ["hub.md"])
    #expect(try asked("linked-by:far.md,one") == ["hub.md", "one.md", "two.md"])
    #expect(try asked("linked-by:Alone") == [])
  }

  @Test func noteWithoutLinksAreFound() throws {
    #expect(try asked("links:") == ["alone.md", "t1.md", "t2.md"])
    #expect(try asked("has:links") == ["hub.md", "one.md", "sub/far.md", "two.md"])
    #expect(try asked("is:orphan") == ["alone.md", "sub/far.md", "t1.md", "t2.md"])
    #expect(try asked("linked-by:") == asked("is:orphan"))
    #expect(try asked("has:linked-by") == ["hub.md", "one.md", "two.md"])
  }

  @Test func termsGoTogetherWithOthers() throws {
    #expect(try asked("NOT links:Hub").count == 5)
    #expect(try asked("NOT is:orphan", "kind:issue") == ["two.md"])
    #expect(try asked("(links:Hub OR title:alone)") == ["alone.md", "one.md", "two.md"])
    #expect(try asked("(links:Hub OR kind:issue)", "id:bc") == ["one.md"])
    #expect(try asked("links:Hub", "linked-by:Hub") == ["one.md", "two.md"])
    #expect(try asked("is:orphan,untitled", "has:links") == ["sub/far.md"])
    #expect(try asked("@web", filters: ["web": "links:Hub kind:issue"]) == ["two.md"])
    #expect(try asked("Nowhere", "links:Hub") == ["two.md"])
    let query = try Query.parse(["links:Hub", "back"], clock: clock)
    #expect(web.search(query, modified: \.created).count == 1)
  }

  @Test func aNameThatFitsNoNoteOrSeveralFindsNone() throws {
    #expect(try asked("links:Nowhere") == [])
    #expect(try asked("links:Twin") == [])
    #expect(try asked("linked-by:Twin,Two") == ["hub.md"])
  }

  @Test func `a title with a comma and a blank is one name, and words after it are others`() throws {
    let catalogue = Catalogue([
      entry("all.md", "---\ntitle: 'Birthdays, all'\n---\n"), entry("a.md", "[[Birthdays, all]] milk"),
      entry("b.md", "[[Birthdays, all]]"), entry("c.md", "milk"),
    ])
    let asked = { (text: String) in
      let query = try Query.parse([text], clock: clock, names: { catalogue.knownNames(.builtIn) })
      return catalogue.matches(query, modified: \.created).map(\.entry.name)
    }
    #expect(try asked("links:Birthdays, all") == ["a.md", "b.md"])
    #expect(try asked("links:Birthdays, all milk") == ["a.md"])
  }

  @Test func whoeverAsksMayRefuseNames() throws {
    struct Refusal: Error {}
    let query = try Query.parse(["(links:a,b OR NOT linked-by:\"c, d\")", "is:orphan"], clock: clock)
    #expect(query.references == ["a", "b", "c, d"])
    #expect(throws: Refusal.self) {
      try query.naming { (_: String) throws(Refusal) -> Note? in throw Refusal() }
    }
    let named = query.naming { (_: String) -> Note? in web.entries[0].note }
    #expect(named.references == [])
  }

  @Test(arguments: [
    ("links:Hub", "links:Hub"), ("LINKS:\"a b\",c", "links:\"a b\",c"), ("linked-by:", "linked-by:"),
    ("has:links", "NOT links:"),
    ("is:orphan", "is:orphan"),
  ]) func readsAsItWasTyped(text: String, expected: String) throws {
    let query = try Query.parse(text: text, clock: clock)
    #expect(query.described() == expected)
    #expect(try Query.parse(text: expected, clock: clock).described() == expected)
    #expect(query.fieldNames == [])
  }

  @Test(arguments: [
    ("links:a,,b", "a value is missing beside the comma"),
    ("has:links,due", "has:links can't be one of several"),
    ("is:orphaned", "is:orphaned is not known"),
  ]) func whatCantBeReadIsRefused(text: String, message: String) {
    let error = #expect(throws: QueryError.self) { try Query.parse(text: text, clock: clock) }
    #expect(error?.message == message)
  }

  @Test(arguments: ["links:Hub", "is:orphan", "has:links", "linked-by:", "NOT (a OR links:)"])
  func kindsCantAskForLinks(query: String) throws {
    for purpose in [KindQuery.Purpose.active, .match] {
      let error = #expect(throws: QueryError.self) {
        try KindQuery(query, of: "issue", purpose, .builtIn, clock: clock)
      }
      #expect(error?.message.hasSuffix("depends on other notes") == true)
    }
  }
}
