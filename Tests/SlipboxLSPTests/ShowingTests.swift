import Notes
import Testing

@testable import SlipboxLSP

struct ShowingTests {
  @Test(
    arguments: [
      ("[[Ada‸]]", ["**Ada**", "Wrote the first program.", "3 backlinks: "]),
      ("[[Ada#Notes‸]]", ["Ada › Notes", "On the engine."]),
      ("[[Ada#^engine‸]]", ["^engine", "On the engine."]),
      ("[[Weed‸]]", ["**Weed**", "task · open", "- due: 2026-11-27"]),
      ("#peo‸ple", ["people", "3 notes"]), ("#wor‸k", ["1 more with nested tags"]),
      ("---\nkind: task\ntitle: T\nd‸ue: 2026-11-27\n---\n", ["**due**: date"]),
      ("---\nkind: task\ntitle: T\ndue: 2026-11-‸27\n---\n", ["Friday, 27 November 2026, in 6 days"]),
      ("---\nkind: task\ntitle: T\npriority: hi‸gh\n---\n", ["none, low, medium, high"]),
      ("---\nkind: task\ntitle: T\ngroup: Gar‸den\n---\n", ["**Garden**", "2 tasks", "All that grows."]),
      ("# One‸\n[[#One]]\n", ["1 link"]),
    ] as [(String, [String])])
  func aHoverSaysWhatStandsThere(text: String, expected: [String]) throws {
    let server = try TestServer(smallBox)
    let value = try server.ask("textDocument/hover", in: "new.md", marked: text)["contents"]["value"].string
    for part in expected { #expect(value?.contains(part) == true, "\(part) in \(value ?? "nothing")") }
  }

  @Test(arguments: ["plain‸", "[[Nobody‸]]", "[x](https://x.org‸)", "‸", "---\nnokey: ‸1\n---\n"])
  func elsewhereItSaysNothing(text: String) throws {
    let server = try TestServer(smallBox)
    #expect(try server.ask("textDocument/hover", in: "new.md", marked: text).isNull)
  }

  @Test func aPlainClientGetsPlainText() throws {
    let server = try TestServer(smallBox, capabilities(.utf16))
    let contents = try server.ask("textDocument/hover", in: "new.md", marked: "[[Weed‸]]")["contents"]
    #expect(contents.string?.hasPrefix("Weed\ntask · open") == true)
  }

  @Test func nothingOfATitleIsMarkup() throws {
    let server = try TestServer(["x.md": "---\ntitle: \"a*b <i> [x](y)\"\n---\n"])
    let value = try server.ask("textDocument/hover", in: "new.md", marked: "[[x‸]]")["contents"]["value"]
      .string
    #expect(value?.contains("a\\*b \\<i\\> \\[x\\](y)") == true)
  }

  @Test func anItemGetsTheBeginningOfItsNote() throws {
    let server = try TestServer(smallBox)
    let item = try server.ask("textDocument/completion", in: "new.md", marked: "[[Ada‸")["items"][0]
    let resolved = try server.ask("completionItem/resolve", item)
    #expect(resolved["documentation"]["value"].string == "Wrote the first program. See [[Bob]].")
    #expect(resolved["label"] == item["label"])
  }

  @Test func headingsAreATree() throws {
    let server = try TestServer(smallBox)
    try server.open("new.md", "---\ntitle: T\n---\n# A\n\n### B\n\ntext\n\n## C\n\n# D\n")
    let tree = try server.ask("textDocument/documentSymbol", in: "new.md")
    #expect(tree.elements.map { $0["name"].string } == ["note", "A", "D"])
    #expect(tree[1]["children"].elements.map { $0["name"].string } == ["B", "C"])
    #expect(try server.text(tree[1]["range"], in: "new.md") == "# A\n\n### B\n\ntext\n\n## C")
    let flat = try TestServer(smallBox, capabilities(.utf16))
    try flat.open("new.md", "# A\n## B\n")
    let list = try flat.ask("textDocument/documentSymbol", in: "new.md")
    #expect(list.elements.map { $0["containerName"].string } == [nil, "A"])
  }

  @Test func lensesCountLinks() throws {
    let server = try TestServer(smallBox)
    try server.open("ada.md")
    let lenses = try server.ask("textDocument/codeLens", in: "ada.md")
    #expect(lenses.elements.map { $0["command"]["title"].string } == ["2 backlinks", "2 links"])
    #expect(lenses.elements.map { $0["range"]["start"]["line"].integer } == [0, 9])
    let resolved = try server.ask("codeLens/resolve", lenses[0])
    #expect(resolved == lenses[0])
  }

  @Test(arguments: [
    ("[[Weed]] and [[Ada]]", ["open, high, due Fri"]), ("[[Garden]]", []), ("`[[Weed]]`", []),
    ("---\nkind: task\ntitle: T\ndepends: [Weed]\n---\n", ["open, high, due Fri"]), ("", []),
  ])
  func aLinkToARecordHasItsState(text: String, expected: [String]) throws {
    let server = try TestServer(smallBox)
    try server.open("new.md", text)
    let range = PositionRange(start: Position(line: 0, character: 0), end: Position(line: 99, character: 0))
    let answer = try server.ask("textDocument/inlayHint", Self.params(server, range))
    #expect(answer.elements.compactMap { $0["label"].string } == expected)
  }

  @Test func hintsOutsideOfTheRangeAreLeftOut() throws {
    let server = try TestServer(smallBox)
    try server.open("new.md", "[[Weed]]\n[[Weed]]\n[[Weed]]\n")
    let range = PositionRange(start: Position(line: 1, character: 0), end: Position(line: 2, character: 0))
    let answer = try server.ask("textDocument/inlayHint", Self.params(server, range))
    #expect(answer.elements.map { $0["position"]["line"].integer } == [1])
  }

  @Test func theStateInTheEditorCounts() throws {
    let server = try TestServer(smallBox)
    try server.open("weed.md", "---\nkind: task\ntitle: Weed\ndue: 2026-11-20\n---\n")
    try server.open("new.md", "[[Weed]]")
    let range = PositionRange(start: Position(line: 0, character: 0), end: Position(line: 9, character: 0))
    let answer = try server.ask("textDocument/inlayHint", Self.params(server, range))
    #expect(answer.elements.compactMap { $0["label"].string } == ["overdue, due yesterday"])
  }

  @Test func sectionsCodeAndFrontMatterFold() throws {
    let server = try TestServer(smallBox)
    try server.open("new.md", "---\na: 1\n---\n# A\n\n```\n# no\n```\n\n## B\nx\n\n# C\n\n~~~\nopen\n\n")
    let answer = try server.ask("textDocument/foldingRange", in: "new.md")
    let lines = answer.elements.map { "\($0["startLine"].integer ?? -1)-\($0["endLine"].integer ?? -1)" }
    #expect(lines == ["0-2", "3-10", "5-7", "9-10", "12-15", "14-15"])
  }

  @Test func linksAreToNotesFilesAndAddresses() throws {
    let server = try TestServer(smallBox)
    try server.open(
      "new.md", "[[Ada]] ![p](picture.png) [x](https://x.org/ä b) [j](javascript:x) [[Nobody]] [[#x]]\n")
    let answer = try server.ask("textDocument/documentLink", in: "new.md")
    #expect(
      answer.elements.compactMap { $0["target"].string } == [server.uri("ada.md"), server.uri("picture.png")])
    #expect(answer[0]["tooltip"].string == "Ada")
    try server.open("new.md", "[x](https://x.org/ä)")
    let web = try server.ask("textDocument/documentLink", in: "new.md")
    #expect(web[0]["target"].string == "https://x.org/%C3%A4")
  }

  @Test func tokensAreWhereTheThingsStand() throws {
    let server = try TestServer(smallBox)
    let text = "---\nkind: task\npriority: high\n---\n😀 [[Ada]] [[Nobody]] #tag\n"
    try server.open("new.md", text)
    let data = try server.ask("textDocument/semanticTokens/full", in: "new.md")["data"].elements.compactMap(
      \.integer)
    let (property, choice, tag, link) = (0, 1, 2, 3)
    #expect(
      data == [
        1, 0, 4, property, 0, 0, 6, 4, choice, 0, 1, 0, 8, property, 0, 0, 10, 4, choice, 0,
        2, 5, 7, link, 0, 0, 8, 10, link, 1, 0, 11, 4, tag, 0,
      ])
  }

  @Test func aDocumentInNoBoxHasWhatItsTextGives() throws {
    let server = try TestServer(["a.md": "# A\n", "b.md": "# B\n[a](a.md)\n[[#B]]\n"], isBox: false)
    try server.open("b.md")
    #expect(try server.ask("textDocument/documentSymbol", in: "b.md").elements.count == 1)
    #expect(try server.ask("textDocument/documentLink", in: "b.md")[0]["target"].string == server.uri("a.md"))
    let definition = try server.ask(
      "textDocument/definition", in: "b.md", at: Position(line: 2, character: 3))
    #expect(try server.texts(definition) == ["b.md:# B"])
    for method in Self.methods { _ = try Self.ask(server, method, "b.md", Position(line: 1, character: 2)) }
  }

  static func params(_ server: TestServer, _ range: PositionRange, _ path: String = "new.md") -> JSONValue {
    let position = { (position: Position) in
      JSONValue.object([
        "line": .integer(position.line), "character": .integer(position.character),
      ])
    }
    return .object([
      "textDocument": .object(["uri": .string(server.uri(path))]),
      "range": .object(["start": position(range.start), "end": position(range.end)]),
    ])
  }

  /// The requests about an open document.
  static let methods = [
    "textDocument/hover", "textDocument/definition", "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/documentSymbol", "textDocument/codeLens", "textDocument/foldingRange",
    "textDocument/documentLink", "textDocument/semanticTokens/full", "textDocument/inlayHint",
    "textDocument/semanticTokens/range",
  ]

  static func ask(
    _ server: TestServer, _ method: String, _ path: String, _ position: Position
  ) throws -> JSONValue {
    if method.hasSuffix("inlayHint") || method.hasSuffix("range") {
      let end = Position(line: 10_000, character: 0)
      return try server.ask(
        method, params(server, PositionRange(start: Position(line: 0, character: 0), end: end), path))
    }
    return try server.ask(method, in: path, at: position)
  }

  @Test(arguments: [
    ("[[Coun‸", "Ada|Countess]]"), ("| Mon | [[Coun‸ |\n", "Ada\\|Countess]]"),
    ("Day | B\n--- | ---\nMon | [[Coun‸", "Ada\\|Countess]]"),
    ("| a | b |\n| - | - |\n| x | [[Coun‸]] |\n", "Ada\\|Countess"),
    ("| x | [[Cou‸n\\|label]] |\n", "Ada"),
  ])
  func completesALinkInACell(text: String, written: String) throws {
    let server = try TestServer(["ada.md": "---\ntitle: Ada\naliases: [Countess]\n---\n"])
    let items = try server.ask("textDocument/completion", in: "new.md", marked: text)["items"]
    #expect(items[0]["textEdit"]["newText"].string == written)
  }

  @Test func aFileThatASettingExcludesIsNoNote() throws {
    let files = [
      ".slipbox/config.yaml": "exclude: [Templates/]\n", "Templates/day.md": "[[Nowhere]]\n",
      "a.md": "[[day]] and [t](Templates/day.md)\n",
    ]
    let server = try TestServer(files)
    #expect(
      (try? server.ask("textDocument/hover", in: "Templates/day.md", marked: "[[Ada‸]]"))?.isNull ?? true)
    let items = try server.ask("textDocument/completion", in: "new.md", marked: "[[d‸")["items"]
    #expect(!items.elements.contains { $0["label"].string == "day" })
  }
}
