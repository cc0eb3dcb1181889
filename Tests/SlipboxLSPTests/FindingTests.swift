import Testing

@testable import SlipboxLSP

struct FindingTests {
  @Test(arguments: [
    ("see ‸[[Ada]]", ["ada.md:Ada"]), ("see [[Ada]]‸", ["ada.md:Ada"]),
    ("see [[A‸da|her]]", ["ada.md:Ada"]),
    ("[[Countess‸]]", ["ada.md:Ada"]), ("![[Ada#Notes‸]]", ["ada.md:## Notes"]),
    ("[[Ada#^eng‸ine]]", ["ada.md:^engine"]), ("[her](ada.md#not‸es)", ["ada.md:## Notes"]),
    ("[her][a‸]\n\n[a]: ada.md\n", ["ada.md:Ada"]), ("[h‸er][A]\n\n[a]: ada.md\n", ["ada.md:Ada"]),
    ("[A‸]\n\n[a]: ada.md\n", ["ada.md:Ada"]), ("[a]: ada‸.md\n", ["ada.md:Ada"]),
    ("---\nup: \"[[Bob‸]]\"\n---\n", ["bob.md:# Bob"]), ("![x](picture.png‸)", ["picture.png:"]),
    ("---\nkind: task\ntitle: T\ngroup: Gar‸den\n---\n", ["garden.md:Garden"]),
    ("---\nkind: task\ntitle: T\ngroup: \"[[Garden]]‸\"\n---\n", ["garden.md:Garden"]),
    ("---\nkind: task\ntitle: T\ndepends: [Weed, Wee‸d]\n---\n", ["weed.md:Weed"]),
    ("[[Nobody‸]]", []), ("plain‸ text", []), ("`[[Ada‸]]`", []), ("[x](https://x.org‸)", []),
    ("# New\n\n[[#New‸]]", ["new.md:# New"]), ("‸", []),
  ])
  func aLinkLeadsToItsTarget(text: String, expected: [String]) throws {
    let server = try TestServer(smallBox)
    let answer = try server.ask("textDocument/definition", in: "new.md", marked: text)
    #expect(try server.texts(answer) == expected)
  }

  @Test func anAmbiguousLinkLeadsToAll() throws {
    let server = try TestServer(["a/one.md": "# Same\n", "b/two.md": "# Same\n"])
    let answer = try server.ask("textDocument/definition", in: "new.md", marked: "[[Same‸]]")
    #expect(try server.texts(answer).sorted() == ["a/one.md:# Same", "b/two.md:# Same"])
  }

  @Test func aClientWithoutLinksGetsLocations() throws {
    let server = try TestServer(smallBox, capabilities(.utf16))
    let answer = try server.ask("textDocument/definition", in: "new.md", marked: "[[Ada‸]]")
    #expect(answer[0]["targetUri"].isNull)
    #expect(try server.texts(answer) == ["ada.md:Ada"])
  }

  @Test func theTitleInTheEditorCounts() throws {
    let server = try TestServer(smallBox)
    try server.open("bob.md", "<!-- 😀 -->\n\n# Robert\n")
    let answer = try server.ask("textDocument/definition", in: "new.md", marked: "[[Robert‸]]")
    #expect(try server.texts(answer) == ["bob.md:# Robert"])
    #expect(try server.texts(server.ask("textDocument/definition", in: "new.md", marked: "[[Bobby‸]]")) == [])
  }

  @Test(arguments: [
    (
      "ada.md", "# A‸da\n\n## Notes\n",
      [
        "bob.md:[[Ada]]", "bob.md:[[Ada#Notes|her notes]]", "bob.md:[her](ada.md#notes)",
        "weed.md:[[Ada#^engine]]",
      ]
    ),
    (
      "ada.md", "# Ada\n\n## No‸tes\n\n[[#Notes]]\n",
      [
        "ada.md:[[#Notes]]", "bob.md:[[Ada#Notes|her notes]]", "bob.md:[her](ada.md#notes)",
      ]
    ),
    ("garden.md", "---\nkind: group\ntitle: Gar‸den\n---\n", ["weed.md:Garden"]),
    ("garden.md", "---\nkind: group\ntitle: Garden\n---\nAll‸", ["weed.md:Garden"]),
    ("new.md", "#peo‸ple", ["ada.md:people", "bob.md:#people", "new.md:#people"]),
    ("new.md", "---\ntags: [wor‸k]\n---\n", ["ada.md:work/clients", "new.md:work"]),
    ("new.md", "[[Bob‸]]", ["ada.md:[[Bob]]", "new.md:[[Bob]]"]),
    (
      "new.md", "[x](https://x.org‸) [y](https://x.org)",
      ["new.md:[x](https://x.org)", "new.md:[y](https://x.org)"]
    ),
    ("new.md", "alone‸", []),
  ])
  func referencesAreFound(path: String, text: String, expected: [String]) throws {
    let server = try TestServer(smallBox)
    let answer = try server.ask("textDocument/references", in: path, marked: text)
    #expect(try server.texts(answer).sorted() == expected.sorted())
  }

  @Test func theDeclarationIsAmongThemWhereItIsAsked() throws {
    let server = try TestServer(smallBox)
    let answer = try server.ask("textDocument/references", in: "new.md", marked: "[[Bob‸]]", declares: true)
    #expect(try server.texts(answer).contains("bob.md:# Bob"))
  }

  @Test(arguments: [
    ("[[Ada‸]] and [her](ada.md) and [[Bob]]", ["[[Ada]]", "[her](ada.md)"]),
    ("#a‸b #AB #abc", ["#ab", "#AB"]), ("[[#On‸e]]\n# One\n[[#Two]]\n", ["[[#One]]"]),
    ("# O‸ne\n[[#One]]\n", ["# One", "[[#One]]"]), ("word‸", []),
  ])
  func theSameIsHighlighted(text: String, expected: [String]) throws {
    let server = try TestServer(smallBox)
    let answer = try server.ask("textDocument/documentHighlight", in: "new.md", marked: text)
    #expect(try answer.elements.map { try server.text($0["range"], in: "new.md") } == expected)
  }

  @Test(arguments: [
    ("Ada", ["Ada", "Bob", "Weed"]), ("countess", ["Ada"]), ("kind:task", ["Weed"]),
    ("kind:task due:tomorrow", []),
    ("+people", ["Ada", "Bob"]), ("+work", ["Ada"]), ("garden", ["Garden", "Weed"]),
    ("kind:", ["Ada", "Bob"]), ("(((", []), ("\"", []), ("@nope", []),
    ("", ["Ada", "Bob", "Garden", "Weed"]),
  ])
  func symbolsAreFoundByQueries(query: String, expected: [String]) throws {
    let server = try TestServer(smallBox)
    try server.open("ada.md")
    let answer = try server.ask("workspace/symbol", .object(["query": .string(query)]))
    let names = answer.elements.compactMap { $0["name"].string }
    #expect(names.sorted() == expected)
  }

  @Test(arguments: [
    ("seeds", ["Order seeds", "Sow seeds"]), ("order seeds", ["Order seeds"]),
    ("is:todo", ["Order seeds", "Sow seeds"]),
    ("todo:sow", ["Sow seeds"]), ("fence", []),
  ])
  func openBoxesAreSymbols(query: String, expected: [String]) throws {
    let server = try TestServer([
      "garden.md": "# Plan\n- [ ] Order seeds\n- [x] Paint the fence\n```\n- [ ] seeds in code\n```\n",
      "spring.md": "# Spring\n- [ ] Sow seeds\n",
    ])
    let answer = try server.ask("workspace/symbol", .object(["query": .string(query)]))
    let boxes = answer.elements.filter { $0["containerName"].string?.hasPrefix("todo") == true }
    #expect(boxes.compactMap { $0["name"].string }.sorted() == expected)
    // Each stands on the second line of its note.
    #expect(boxes.allSatisfy { $0["location"]["range"]["start"]["line"].integer == 1 })
  }
}
