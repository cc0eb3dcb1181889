import Testing
import Text

@Suite struct SpellingTests {
  private static let commands = [
    "new", "show", "set", "list", "search", "status", "sync", "backlinks", "restore",
  ]

  @Test(arguments: [
    ("lst", "list"), ("lsit", "list"), ("hsow", "show"), ("serach", "search"), ("serch", "search"),
    ("stat", "status"),
    ("bakclink", "backlinks"), ("LIST", "list"), ("nwe", "new"), ("restroe", "restore"), ("sett", "set"),
    ("backl", "backlinks"),
  ])
  func findsTheNearest(word: String, expected: String) {
    #expect(Spelling.nearest(to: word, among: Self.commands) == expected)
  }

  @Test(arguments: ["", "x", "frobnicate", "zzzz", "abc", String(repeating: "list", count: 1000)])
  func findsNothingNear(word: String) {
    #expect(Spelling.nearest(to: word, among: Self.commands) == nil)
  }

  @Test func prefersTheNearerThenTheFirst() {
    #expect(Spelling.nearest(to: "state", among: ["status", "stare", "slate"]) == "stare")
    #expect(Spelling.nearest(to: "tag", among: ["tags", "tag"]) == "tag")
    #expect(Spelling.nearest(to: "category", among: ["created", "categories"]) == "categories")
    #expect(Spelling.nearest(to: "żółwik", among: ["zolwik"]) == "zolwik")
  }
}
